// Sitemaps as they are written, and as they are written by those who mean no good.
#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <sources/web/sitemap.hpp>
#include <vector>

namespace freshet::sources::web {
namespace {

std::vector<sitemap_entry> entries_of(std::string_view text) {
  sitemap_reader reader(text);
  std::vector<sitemap_entry> out;
  sitemap_entry one;
  while (reader.next(one)) out.push_back(one);
  return out;
}

std::vector<std::string> addresses_of(std::string_view text) {
  std::vector<std::string> out;
  for (const auto& one : entries_of(text)) out.push_back(one.address);
  return out;
}

using texts = std::vector<std::string>;

/// Steps that reading a text takes.
std::uint64_t work_of(const std::string& text) {
  base::meter counted;
  sitemap_reader reader(text, &counted);
  sitemap_entry one;
  while (reader.next(one)) {
  }
  return counted.spent();
}

}  // namespace

TEST_CASE("sitemap: every field of an entry") {
  constexpr std::string_view text =
      "\n<?xml version='1.0' encoding='UTF-8'?><!-- <url><loc>https://a.example/no</loc></url> "
      "-->\n"
      "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\n"
      "<url>\n <loc> https://a.example/x?a=1&amp;b=2 </loc><lastmod>2026-10-02T08:00:00+02:00"
      "</lastmod><changefreq>Weekly</changefreq><priority>0.5</priority>"
      "<image:image><image:loc>https://a.example/i.png</image:loc><image:title>No</image:title>"
      "</image:image><xhtml:link rel='alternate' hreflang='de' href='https://a.example/de'/>"
      "<news:news><news:title><![CDATA[Tides & tidings]]></news:title></news:news></url>"
      "<url><loc><![CDATA[https://a.example/y]]></loc><lastmod>soon</lastmod><priority>7</priority>"
      "<changefreq>often</changefreq></url><url><lastmod>2026-01-01</lastmod></url></urlset>";
  CHECK(sitemap_reader(text).kind() == sitemap_kind::addresses);
  const auto found = entries_of(text);
  REQUIRE(found.size() == 2);
  CHECK(found[0].address == "https://a.example/x?a=1&b=2");
  CHECK(found[0].title == "Tides & tidings");
  CHECK(found[0].change_frequency == "weekly");
  CHECK(found[0].priority == 0.5);
  REQUIRE(found[0].last_modified);
  CHECK(found[0].last_modified->time_since_epoch() == std::chrono::seconds{1'790'920'800});
  CHECK(found[1].address == "https://a.example/y");
  CHECK_FALSE(found[1].last_modified);
  CHECK_FALSE(found[1].priority);
  CHECK(found[1].change_frequency.empty());
}

TEST_CASE("sitemap: indexes, prefixes, feeds and lists") {
  constexpr std::string_view index =
      "<s:sitemapindex xmlns:s='x'><s:sitemap><s:loc>https://a.example/1.xml.gz</s:loc></s:sitemap>"
      "<s:sitemap><s:loc>https://a.example/2.xml</s:loc></s:sitemap></s:sitemapindex>";
  CHECK(sitemap_reader(index).kind() == sitemap_kind::index);
  CHECK(addresses_of(index) == texts{"https://a.example/1.xml.gz", "https://a.example/2.xml"});
  constexpr std::string_view rss =
      "<rss version='2.0'><channel><link>https://a.example/</link><item><title>One</title>"
      "<link>https://a.example/1</link><guid>https://a.example/?p=1</guid></item>"
      "<item><guid>https://a.example/2</guid></item><item><guid>7</guid></item></channel></rss>";
  CHECK(addresses_of(rss) == texts{"https://a.example/1", "https://a.example/2"});
  CHECK(entries_of(rss)[0].title == "One");
  constexpr std::string_view atom =
      "<feed xmlns='http://www.w3.org/2005/Atom'><link href='https://a.example/'/><entry>"
      "<link rel='edit' href='https://a.example/edit'/><link rel='alternate' "
      "href=\"https://a.example/3\"/><updated>2026-10-02</updated></entry></feed>";
  CHECK(addresses_of(atom) == texts{"https://a.example/3"});
  CHECK(entries_of(atom)[0].last_modified.has_value());
  constexpr std::string_view older =
      "<feed version='0.3'><entry><link rel='alternate' href='https://a.example/3'/><issued>"
      "2026-10-02</issued></entry><entry><link href='https://a.example/4'/><issued>2026-10-02"
      "</issued><modified>2026-10-03</modified></entry></feed>";
  REQUIRE(entries_of(older).size() == 2);
  CHECK(entries_of(older)[0].last_modified == base::parse_time("2026-10-02"));
  CHECK(entries_of(older)[1].last_modified == base::parse_time("2026-10-03"));
  constexpr std::string_view list = "https://a.example/4\r\n\n  https://a.example/5  \n";
  CHECK(sitemap_reader(list).kind() == sitemap_kind::addresses);
  CHECK(addresses_of(list) == texts{"https://a.example/4", "https://a.example/5"});
  for (const auto* none :
       {"", "  ", "<html><body><a href='/x'>x</a></body></html>", "{}", "<", "words"}) {
    INFO(none);
    CHECK(sitemap_reader(none).kind() == sitemap_kind::none);
    CHECK(addresses_of(none).empty());
  }
}

TEST_CASE("sitemap: a link of Atom is read by its attributes, not by what looks like them") {
  const auto address_by = [](const std::string& link) {
    const auto found = addresses_of("<feed><entry>" + link + "</entry></feed>");
    return found.empty() ? std::string() : found.front();
  };
  CHECK(address_by("<link hreflang='en' href='https://a.example/1'/>") == "https://a.example/1");
  CHECK(address_by("<link href='https://a.example/?rel=no'/>") == "https://a.example/?rel=no");
  CHECK(address_by("<link rel = 'alternate' href = 'https://a.example/2'/>") ==
        "https://a.example/2");
  CHECK(address_by("<link href='https://a.example/3.mp3' rel='enclosure'/>").empty());
}

TEST_CASE("sitemap: an entry's address is its own, not its picture's") {
  CHECK(addresses_of("<urlset><url><loc>https://a.example/1</loc><i:image xmlns:i='x'><i:loc>"
                     "https://a.example/i.png</i:loc></i:image></url></urlset>") ==
        texts{"https://a.example/1"});
}

TEST_CASE("sitemap: of a list only addresses are read, and a news entry has its date") {
  CHECK(addresses_of("HTTPS://a.example/1\n# the rest\n/relative\nSee https://a.example/no\n"
                     "http://a.example/2") == texts{"HTTPS://a.example/1", "http://a.example/2"});
  // What it is may stand above it, but a text is none because an address stands far down in it.
  CHECK(addresses_of("# All pages\r\n\r\nhttps://a.example/1\n") == texts{"https://a.example/1"});
  CHECK(addresses_of("1\n2\n3\n4\n5\n6\nhttps://a.example/1\n").empty());
  constexpr std::string_view news =
      "<urlset><url><loc>https://a.example/1</loc><news:news><news:publication_date>2026-10-02"
      "</news:publication_date></news:news></url><url><loc>https://a.example/2</loc><lastmod>"
      "2026-10-03</lastmod><news:news><news:publication_date>2026-10-02</news:publication_date>"
      "</news:news></url></urlset>";
  const auto found = entries_of(news);
  REQUIRE(found.size() == 2);
  CHECK(found[0].last_modified == base::parse_time("2026-10-02"));
  CHECK(found[1].last_modified == base::parse_time("2026-10-03"));
}

TEST_CASE("sitemap: what a document defines is not expanded, and what breaks off is left") {
  constexpr std::string_view laughs =
      "<?xml version='1.0'?><!DOCTYPE urlset [<!ENTITY a 'https://a.example/aaaaaaaa'>"
      "<!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'><!ENTITY c SYSTEM 'file:///etc/passwd'>]>"
      "<urlset><url><loc>&b;&c;</loc></url><url><loc>https://a.example/1</loc></url></urlset>";
  CHECK(addresses_of(laughs) == texts{"&b;&c;", "https://a.example/1"});
  CHECK(addresses_of("<urlset><url><loc>https://a.example/1</loc></url><url><loc>https://a.exa") ==
        texts{"https://a.example/1"});
  CHECK(addresses_of("<urlset><url><loc><![CDATA[https://a.example/1").empty());
  CHECK(addresses_of("<urlset><!-- <url>").empty());
  CHECK(addresses_of("<!DOCTYPE urlset [<!ENTITY").empty());
}

TEST_CASE("sitemap: the work grows with the text, whatever is in it") {
  for (const std::string piece :
       {"<url><loc>https://a.example/1</loc></url>", "<", "<!", "<![CDATA[", "<!--", "<!x>", "</",
        "<url>", "<loc>", "<url><loc>x", "&", "<!DOCTYPE [", "]]>", "<url><link href='"}) {
    const auto text = [&](int times) {
      std::string out = "<urlset>";
      while (times-- > 0) out += piece;
      return out;
    };
    INFO(piece);
    const auto small = work_of(text(2000)), large = work_of(text(20'000));
    CHECK(large <= 11 * small + 1000);
  }
}

}  // namespace freshet::sources::web
