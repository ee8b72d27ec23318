// Feeds: every dialect of RSS and Atom as it was recorded, broken ones, and the sandbox.
#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <model/json.hpp>
#include <sources/feeds/wire.hpp>
#include <sources/redirect_wrapper.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::feeds {

using namespace test::news_calls;

namespace {

const settings at_example{"https://feed.example/rss", {}};
const test::source_rig rig("feeds", at_example);

http::response feed_of(std::string body, std::string type = "application/xml") {
  return test::answer_of(200, std::move(body), std::move(type));
}

listing recording(const std::string& name) {
  auto answer = test::recording_at(name);
  answer.headers.clear();
  return test::listing_of(rig.read(answer));
}

const article& article_at(const listing& page, std::size_t i) {
  REQUIRE(i < page.items.size());
  return std::get<article>(page.items[i]);
}

std::string when(const article& one) {
  return one.created_at ? base::format_time(*one.created_at) : "";
}

}  // namespace

TEST_CASE("A feed is asked for at its address") {
  const auto request = feeds::plan_search(search_for("x"), {"https://a.example/feed/?x=1", {}}, "");
  REQUIRE(request.has_value());
  CHECK(request->url == "https://a.example/feed/?x=1");
  CHECK(feeds::plan_search(search_for("x"), at_example, "2").error().code() ==
        errc::invalid_cursor);
  CHECK(feeds::plan_search(search_for("x"), {"ftp://a.example/", {}}, "").error().code() ==
        errc::invalid_request);
  CHECK(rig.source().default_instances.size() == 6);
}

TEST_CASE("Every recorded feed is read") {
  const std::map<std::string, std::size_t> expected = {{"feeds/atom__1.xml", 0},
                                                       {"feeds/atom__3.xml", 0},
                                                       {"feeds/rss__4.xml", 2},
                                                       {"feeds/rss_bad_date__1.xml", 2}};
  int count = 0;
  for (const std::string folder : {"feeds", "loopback/wordpress"}) {
    if (!test::shared_has("recordings/" + folder)) return;
    for (const auto& path : test::recordings(folder)) {
      const auto name = folder + "/" + path.filename().string();
      INFO(name);
      if (test::is_unused("feeds", test::endpoint_of(path))) continue;
      ++count;
      auto answer = test::recorded(path);
      if (folder == "feeds") answer.headers.clear();
      const auto page = test::listing_of(rig.read(answer));
      test::check_page(page, "feeds");
      CHECK(page.items.empty() == (name == "feeds/atom__3.xml"));
      const auto body = answer.body;
      const auto marks = [&](std::string_view mark) {
        std::size_t n = 0;
        for (auto i = body.find(mark); i != std::string::npos; i = body.find(mark, i + 1)) ++n;
        return n;
      };
      const auto entries = path.extension() == ".json" ? marks("\"content_html\"")
                                                       : marks("</item>") + marks("</entry>");
      if (name != "feeds/atom__3.xml") CHECK(page.items.size() == entries);
      for (std::size_t i = 0; i < page.items.size(); ++i) {
        const auto& one = article_at(page, i);
        CHECK_FALSE(one.url.empty());
        CHECK_FALSE(one.site.name.empty());
        CHECK(one.created_at.has_value() == (name != "feeds/rss__4.xml"));
      }
      rig.read_broken(answer, {body.size() > 100000 ? 8 : 40, 13});
    }
  }
  CHECK(count == 15 + 4);
}

TEST_CASE("RSS 2.0 loses no field") {
  if (!rig.has_recordings()) return;
  const auto page = recording("feeds/rss__1.xml");
  const auto& one = article_at(page, 0);
  CHECK(one.site.name == "The Guardian");
  CHECK(one.site.domain == "theguardian.com");
  CHECK(one.lang == "en-gb");
  CHECK_FALSE(one.author.display_name.empty());
  CHECK_FALSE(one.tags.empty());
  CHECK_FALSE(one.links.empty());
  REQUIRE_FALSE(one.media.empty());
  CHECK(one.media[0].type == "image");
  CHECK(one.media[0].width.has_value());
  bool found = false;
  for (const auto& any : page.items) {
    if (common(any).title !=
        "Trump State of the Union address promised unity but emphasized discord") {
      continue;
    }
    found = true;
    const auto& trump = std::get<article>(any);
    CHECK(trump.url ==
          "https://www.theguardian.com/us-news/2018/jan/31/donald-trump-state-of-the-"
          "union-address-unity-discord");
    CHECK(trump.text.starts_with("The president’s ‘new American moment’ speech"));
  }
  CHECK(found);
  const auto press = recording("loopback/wordpress/search_rss.xml");
  const auto& gauge = article_at(press, 0);
  CHECK(gauge.title == "Tide gauge count doubles");
  CHECK(gauge.text == "The number of local tide gauges doubled. Bold & safe.");
  CHECK(when(gauge) == "2026-09-01T08:00:00Z");
  CHECK(gauge.author.display_name == "admin");
  CHECK(gauge.tags == std::vector<std::string>{"Climate", "climate", "news"});
  CHECK(gauge.site.name == "Search Results for “tide” – Coast News");
}

TEST_CASE("Other dialects of RSS lose no field") {
  if (!rig.has_recordings()) return;
  const auto old = recording("feeds/rss__4.xml");
  const auto& first = article_at(old, 0);
  CHECK(first.site.name == "Another Site");
  CHECK(first.site.domain == "anothersite.com");
  CHECK(first.media[0].type == "audio");
  CHECK(first.tags.size() == 1);
  const auto bad = recording("feeds/rss_bad_date__1.xml");
  CHECK(bad.partial);
  CHECK(when(article_at(bad, 0)) == "2017-10-17T12:17:00Z");
  CHECK(when(article_at(bad, 1)) == "2017-10-16T15:10:00Z");
  const auto latin = recording("feeds/rss__3.xml");
  const auto& ibope = article_at(latin, 0);
  CHECK(when(ibope) == "2018-09-24T22:42:40Z");
  CHECK(ibope.title ==
        "Ibope: Bolsonaro perde de Haddad, Ciro e Alckmin em simulações de 2º turno");
  const auto rdf = recording("feeds/rss__6.xml");
  CHECK(article_at(rdf, 0).site.name == "craigslist SF bay area | apts/housing for rent search");
  CHECK(article_at(rdf, 0).media.size() == 1);
  const auto science = recording("feeds/rss__2.xml");
  CHECK(article_at(science, 0).site.name == "Science twis");
  CHECK_FALSE(article_at(science, 0).author.display_name.empty());
}

TEST_CASE("An entry was edited when it says of a change after its publication") {
  const auto entry = [](std::string name, std::string dates) {
    return "<entry><title>" + name + "</title><link href=\"https://a.example/" + name + "\"/>" +
           dates + "</entry>";
  };
  const auto page = test::listing_of(rig.read(
      feed_of(R"(<feed xmlns="http://www.w3.org/2005/Atom"><title>Harbour</title>)" +
              entry("edited",
                    "<updated>2026-10-30T12:00:00Z</updated><published>2026-10-30T10:00:00Z"
                    "</published>") +
              entry("same",
                    "<published>2026-10-30T09:00:00Z</published><updated>2026-10-30T09:00:00Z"
                    "</updated>") +
              entry("undated", "<updated>2026-10-30T08:00:00Z</updated>") + "</feed>")));
  REQUIRE(page.items.size() == 3);
  CHECK(when(article_at(page, 0)) == "2026-10-30T10:00:00Z");
  CHECK(article_at(page, 0).edited_at == base::parse_time("2026-10-30T12:00:00Z"));
  CHECK_FALSE(article_at(page, 1).edited_at);
  // What was published at no known time has its last change as its time.
  CHECK(when(article_at(page, 2)) == "2026-10-30T08:00:00Z");
  CHECK_FALSE(article_at(page, 2).edited_at);
}

TEST_CASE("Atom loses no field") {
  if (!rig.has_recordings()) return;
  const auto heise = recording("feeds/atom__1.xml");
  const auto& one = article_at(heise, 0);
  CHECK(one.title == "Java-Anwendungsserver: Red Hat gibt WildFly 10 frei");
  CHECK(when(one) == "2016-02-01T16:22:00Z");
  CHECK(one.author.display_name == "heise online");
  CHECK(one.site.name == "heise developer neueste Meldungen");
  CHECK(one.site.domain == "heise.de");
  CHECK(one.text.starts_with("Die nun verfügbare Version 10"));
  const auto alerts = recording("feeds/atom_google_alerts__1.xml");
  const auto& alert = article_at(alerts, 1);
  CHECK(alert.url == "https://investorplace.com/2019/07/slack-stock-truly-compelling/");
  CHECK(alert.title == "Slack Stock Has a Compelling Story and the Numbers to Back It Up");
  CHECK(alert.site.name == "investorplace.com");
  CHECK(alert.site.domain == "investorplace.com");
  const auto press = recording("loopback/wordpress/atom.xml");
  CHECK(article_at(press, 0).lang == "en-US");
  CHECK(article_at(press, 0).author.display_name == "admin");
}

TEST_CASE("Everybody who wrote an entry has a name of their own") {
  const auto page =
      test::listing_of(rig.read(feed_of(R"({"version":"https://jsonfeed.org/version/1.1",
    "title":"A","items":[{"id":"1","url":"https://a.example/1",
    "authors":[{"name":"Ada Byron","url":"/ada"},{"name":"Bo Carr and Cy Dunn","url":"/all"}]}]})",
                                        "application/json")));
  const auto& one = article_at(page, 0);
  REQUIRE(one.authors.size() == 3);
  CHECK(one.author.display_name == "Ada Byron");
  CHECK(one.author.url == one.authors[0].url);
  CHECK_FALSE(one.author.url.empty());
  CHECK(one.authors[1].display_name == "Bo Carr");
  CHECK(one.authors[1].url.empty());
  CHECK(one.authors[2].display_name == "Cy Dunn");
}

TEST_CASE("JSON Feed loses no field") {
  if (!rig.has_recordings()) return;
  const auto page = recording("feeds/jsonfeed__1.json");
  const auto& one = article_at(page, 0);
  CHECK(one.title == "James Dempsey and the Breakpoints Benefit App Camp for Girls");
  CHECK(one.text.starts_with("On Wednesday night I know where I’ll be"));
  CHECK(when(one) == "2017-06-03T05:05:47Z");
  CHECK(one.author.display_name == "Brent Simmons");
  CHECK(one.author.avatar_url == "http://ranchero.com/downloads/brent_avatar.png");
  CHECK(one.links.size() == 2);
  CHECK(one.site.name == "inessential.com");
  CHECK(one.lang == "en-US");
  const auto other = recording("feeds/jsonfeed__2.json");
  CHECK(article_at(other, 0).text == "A Journey with links");
  CHECK(rig.read(feed_of("{\"items\":[]}", "application/json")).error().code() ==
        errc::source_error);
}

TEST_CASE("Nearly well-formed feeds are mended") {
  const auto page = test::listing_of(rig.read(feed_of(
      "\n\n junk <?xml version='1.0'?><!DOCTYPE rss PUBLIC \"-//N//DTD\" "
      "\"http://n.example/d.dtd\">"
      "<!-- c -- d --><rss><channel><title>A & B &copy;</title><item><title>1 < 2 & 3 "
      "&eacute;&nope;"
      "&#1;</title><link>/x?a=1&b=2</link><description><p>Inline <a "
      "href=\"https://l.example/?a=1&b=2\">"
      "link</a></p></description><pubDate>Fri, 30 Oct 2026 10:00:00 GMT</pubDate><media:content "
      "url=\"/i.jpg\" medium=\"image\"/></item></channel></rss> trailing")));
  REQUIRE(page.items.size() == 1);
  CHECK_FALSE(page.partial);
  const auto& one = article_at(page, 0);
  CHECK(one.title == "1 < 2 & 3 é&nope;");
  CHECK(one.url == "https://feed.example/x?a=1&b=2");
  CHECK(one.text == "Inline link");
  CHECK(one.links == std::vector<std::string>{"https://l.example/?a=1&b=2"});
  CHECK(one.site.name == "A & B ©");
  CHECK(one.media[0].url == "https://feed.example/i.jpg");
}

TEST_CASE("What came before a mistake is kept, with a warning") {
  const std::string head =
      "<rss><channel><title>t</title><item><title>one</title><link>https://a.example/1"
      "</link></item><item><title>two</title>";
  const auto cut = test::listing_of(rig.read(feed_of(head)));
  REQUIRE(cut.items.size() == 1);
  CHECK(cut.partial);
  REQUIRE(cut.warnings.size() == 1);
  CHECK(cut.warnings[0].find("feed.example is broken at line 1") != std::string::npos);
  const auto crossed = test::listing_of(rig.read(feed_of(head + "<b></item></channel></rss>")));
  CHECK(crossed.items.size() == 1);
  CHECK(rig.read(feed_of("<rss><channel><title>t</title><item>")).error().code() ==
        errc::source_error);
  CHECK(test::listing_of(rig.read(feed_of("<rss><channel><title>t</title></channel></rss>")))
            .items.empty());
}

TEST_CASE("A media group is the text and the video of an entry") {
  const auto page = test::listing_of(rig.read(feed_of(
      R"(<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">
      <title>Harbour</title><entry><id>yt:video:a1</id><title>The tide gauge</title>
      <link rel="alternate" href="https://tube.example/watch?v=a1"/>
      <published>2026-10-30T10:00:00+00:00</published>
      <media:group><media:title>The tide gauge</media:title>
      <media:content url="https://tube.example/v/a1?version=3" width="640" height="390"
        type="application/x-shockwave-flash"/>
      <media:thumbnail url="https://i.tube.example/a1.jpg" width="480" height="360"/>
      <media:description>How it is read &amp; mended.</media:description></media:group></entry>
      <entry><title>With a summary</title><link href="https://tube.example/watch?v=a2"/>
      <summary>Its own</summary><media:group><media:description>Another</media:description>
      </media:group></entry></feed>)",
      "application/atom+xml")));
  REQUIRE(page.items.size() == 2);
  const auto& one = common(page.items[0]);
  CHECK(one.text == "How it is read & mended.");
  REQUIRE(one.media.size() == 1);
  CHECK(one.media[0].type == "video");
  CHECK(one.media[0].url == "https://tube.example/v/a1?version=3");
  CHECK(one.media[0].preview_url == "https://i.tube.example/a1.jpg");
  CHECK(one.media[0].width == 640);
  CHECK(one.media[0].alt.empty());
  CHECK(common(page.items[1]).text == "Its own");
}

TEST_CASE("What is no feed is an error") {
  CHECK(rig.read(feed_of("<html><body>Hello</body></html>", "text/html")).error().code() ==
        errc::source_error);
  CHECK(rig.read(feed_of("")).error().code() == errc::source_error);
  CHECK(rig.read(feed_of("Not a feed", "text/plain")).error().code() == errc::source_error);
  // An address that is gone is the operator's to mend: "not found" would leave it out in silence.
  for (const int status : {404, 410}) {
    const auto gone = rig.read(test::answer_of(status, "gone", "text/plain")).error();
    CHECK(gone.code() == errc::source_error);
    CHECK(gone.detail().find("sources.feeds.urls") != std::string::npos);
  }
  CHECK(rig.read(test::answer_of(503, "", "text/plain")).error().code() ==
        errc::source_unavailable);
}

TEST_CASE("What a feed says once is not repeated at any length beside each entry") {
  constexpr std::size_t length = 200'000, count = 400;
  const std::string text(length, 'x');
  std::string entries;
  for (std::size_t i = 0; i < count; ++i)
    entries += "<item><title>a</title><link>/" + std::to_string(i) + "</link></item>";
  for (const auto& said :
       {"<title>" + text + "</title>", "<link>https://a.example/" + text + "/</link>",
        "<managingEditor>" + text + "</managingEditor>"}) {
    const auto body = "<rss version='2.0'><channel>" + said + entries + "</channel></rss>";
    CAPTURE(said.substr(0, 20));
    const auto page = test::listing_of(rig.read(feed_of(body)));
    CHECK(page.items.size() == count);
    std::size_t size = 0;
    for (const auto& one : page.items) size += model::text_size(one);
    CHECK(size < 5 * body.size());
  }
}

TEST_CASE("Entities of plain text are read, none grows, and nesting is bounded") {
  const auto titled = [](const std::string& type, const std::string& title) {
    const auto page = test::listing_of(rig.read(
        feed_of(type + "<rss><channel><item><title>" + title + "</title></item></channel></rss>")));
    REQUIRE(page.items.size() == 1);
    return common(page.items[0]).title;
  };
  CHECK(titled("<!DOCTYPE rss [<!ENTITY dash \"&#8212;\"><!ENTITY paper 'The Port Paper'>]>",
               "&paper;&dash;tides") == "The Port Paper—tides");
  CHECK(titled("<!DOCTYPE rss PUBLIC '-//Netscape Communications//DTD RSS 0.91//EN' "
               "'https://my.netscape.com/publish/formats/rss-0.91.dtd'>",
               "t") == "t");
  CHECK(titled("<!DOCTYPE rss [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]>", "&b;") ==
        "&a;&a;&a;");
  CHECK(titled("<!DOCTYPE x [ <!ENTITY % p SYSTEM \"file:///etc/passwd\"> %p; ]>", "&p;") == "&p;");
  std::string deep = "<rss><channel><item><title>t</title><description>";
  for (int i = 0; i < 100000; ++i) deep += "<d>";
  for (int i = 0; i < 100000; ++i) deep += "</d>";
  deep += "</description></item></channel></rss>";
  CHECK(test::listing_of(rig.read(feed_of(deep))).items.size() == 1);
  std::string many = "<rss><channel>";
  for (int i = 0; i < 600; ++i) {
    many += "<item><title>n</title><link>https://a.example/" + std::to_string(i) + "</link></item>";
  }
  const auto page = test::listing_of(rig.read(feed_of(many + "</channel></rss>")));
  CHECK(page.items.size() == syndication::max_entries);
  CHECK(page.partial);
}

TEST_CASE("What an entry says of itself is read up to a bound") {
  const auto entry = [](const std::string& said) {
    const auto body = "<rss><channel><item><title>t</title><link>https://a.example/1</link>" +
                      said + "</item></channel></rss>";
    return article_at(test::listing_of(rig.read(feed_of(body))), 0);
  };
  std::string people, words = "<media:keywords>", dates;
  for (int i = 0; i < 60; ++i)
    people +=
        "<dc:creator>Ann A" + std::string(1, 'a' + i % 26) + std::to_string(i) + "</dc:creator>";
  for (int i = 0; i < 3000; ++i) words += std::to_string(i) + ",";
  for (int i = 0; i < 16; ++i) dates += "<pubDate>soon</pubDate>";
  const std::string day = "<pubDate>Fri, 30 Oct 2026 10:00:00 GMT</pubDate>";
  CHECK(entry(people).authors.size() == syndication::max_people);
  CHECK(entry(words + "</media:keywords>").tags.size() == syndication::max_tags);
  CHECK(when(entry(day + dates)) == "2026-10-30T10:00:00Z");
  CHECK(when(entry(dates + day)).empty());
}

TEST_CASE("Elements that are left open end a feed, and the entries before them are kept") {
  std::string open = "<rss><channel><item><title>t</title><link>/1</link></item><item>";
  for (std::size_t i = 0; i < 200'000; ++i) open += "<b>";
  const auto page = test::listing_of(rig.read(feed_of(open)));
  CHECK(page.items.size() == 1);
  CHECK(page.partial);
  for (std::size_t i = 0; i < 200'000; ++i) open += "</b>";
  const auto closed = test::listing_of(rig.read(feed_of(open + "</item></channel></rss>")));
  CHECK(closed.items.size() == 1);
  CHECK(closed.partial);
}

TEST_CASE("A tag as long as several pieces of a feed is read whole") {
  const std::string word(400'000, 'x');
  const auto page = test::listing_of(
      rig.read(feed_of("<rss><channel><item><title>t</title><link>/1</link><a b='" + word +
                       "'/><enclosure type='image/png' c='" + word +
                       "' url='https://a.example/i.png'/></item></channel></rss>")));
  CHECK(article_at(page, 0).media.at(0).url == "https://a.example/i.png");
}

TEST_CASE("An author of a feed has an address of the feed, whatever an entry's is relative to") {
  const auto page = test::listing_of(rig.read(feed_of(
      R"(<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><author><name>Ann Ash</name>
      <uri>/ann</uri></author><entry xml:base="https://other.example/"><id>1</id><title>t</title>
      <link href="/1"/></entry></feed>)")));
  CHECK(article_at(page, 0).url == "https://other.example/1");
  CHECK(article_at(page, 0).author.url == "https://feed.example/ann");
}

TEST_CASE("Bytes become text by what they are, then by their labels") {
  const auto title = [](std::string body, std::string type) {
    return common(test::listing_of(rig.read(feed_of(std::move(body), std::move(type)))).items[0])
        .title;
  };
  const auto rss = [](std::string encoding, std::string text) {
    return "<?xml version=\"1.0\" encoding=\"" + encoding + "\"?><rss><channel><item><title>" +
           text + "</title><link>https://a.example/</link></item></channel></rss>";
  };
  CHECK(title(rss("iso-8859-1", "caf\xE9"), "text/xml") == "café");
  CHECK(title(rss("utf-8", "caf\xC3\xA9"), "text/xml; charset=iso-8859-1") == "café");
  CHECK(title(rss("utf-8", "caf\xE9 \x96 \x80"), "text/xml; charset=windows-1252") == "café – €");
  CHECK(title(rss("shift_jis", "\x93\xFA\x96\x7B"), "text/xml") == "日本");
}

TEST_CASE("Dates, redirects and kinds of attachments") {
  const auto date = [](std::string_view text) {
    const auto at = syndication::feed_time(text);
    return at ? base::format_time(*at) : std::string();
  };
  CHECK(date("Seg, 24 Set 2018 19:42:40 -0300") == "2018-09-24T22:42:40Z");
  CHECK(date("Mar, 05 Fév 2019 08:00:00 +0100") == "2019-02-05T07:00:00Z");
  for (const std::string_view text :
       {"Сб, 28 ноя 2026 17:05:00 +0300", "суббота, 28 ноября 2026 г. 14:05",
        "28 ноября 2026 года, 14:05", "Sa, 28. Nov. 2026 15:05 +0100",
        "28. November 2026, 14:05 Uhr", "samedi 28 novembre 2026 à 14:05",
        "sábado, 28 de noviembre de 2026 a las 14:05", "sabato 28 novembre 2026 alle ore 14:05",
        "28 de novembro de 2026 às 14:05", "zaterdag 28 november 2026 om 14:05 uur",
        "sobota, 28 listopada 2026 14:05", "Σάβ, 28 Νοεμβρίου 2026 14:05", "28 Kasım 2026 14:05",
        "lördag 28 november 2026 kl. 14:05", "28 листопада 2026 14:05", "28.11.2026 14:05",
        "28.11.2026, 14:05:00", "28.11.2026 15:05 +01:00"}) {
    INFO(text);
    CHECK(date(text) == "2026-11-28T14:05:00Z");
  }
  CHECK(date("28.11.2026") == "2026-11-28T00:00:00Z");
  CHECK(date("8.1.2026") == "2026-01-08T00:00:00Z");
  CHECK(date("1 мая 2026") == "2026-05-01T00:00:00Z");
  CHECK(date("5 März 2026") == "2026-03-05T00:00:00Z");
  CHECK(date("14 juin 2026") == "2026-06-14T00:00:00Z");
  CHECK(date("14 juillet 2026") == "2026-07-14T00:00:00Z");
  CHECK(date("3 października 2026") == "2026-10-03T00:00:00Z");
  for (const std::string_view none :
       {"11.28.2026", "31.02.2026", "28.11.26", "28.11", ".", "..", "1..2", "28.11.2026 25:00",
        "28 фоо 2026", "28", "28 мая", "мая 2026", "28 ноября 2026 декабря", "1.2.3.4"}) {
    INFO(none);
    CHECK(date(none).empty());
  }
  CHECK(date("1518478934") == "2018-02-12T23:42:14Z");
  CHECK(date("1518478934000") == "2018-02-12T23:42:14Z");
  CHECK(date("yesterday").empty());
  CHECK(date("").empty());
  CHECK(unwrapped_address("https://www.google.com/url?rct=j&url=https://a.example/x&ct=ga") ==
        "https://a.example/x");
  CHECK(unwrapped_address("https://www.google.com/url?url=javascript:alert(1)") ==
        "https://www.google.com/url?url=javascript:alert(1)");
  CHECK(
      unwrapped_address("https://www.bing.com/news/apiclick.aspx?url=https%3a%2f%2fb.example%2f") ==
      "https://b.example/");
  CHECK(unwrapped_address("https://a.example/url?url=https://b.example") ==
        "https://a.example/url?url=https://b.example");
  CHECK(syndication::media_type("image/jpeg", "") == "image");
  CHECK(syndication::media_type("", "https://a.example/x.MP3?d=1") == "audio");
  CHECK(syndication::media_type("text/html", "https://a.example/x").empty());
}

TEST_CASE("Entries come the newest first, those without a date last") {
  const auto page = test::listing_of(rig.read(feed_of(
      "<rss><channel><item><title>none</title></item><item><title>old</title><pubDate>Thu, 01 Oct "
      "2026 10:00:00 GMT</pubDate></item><item><title>new</title><dc:date>2026-10-30T10:00:00Z"
      "</dc:date></item><item><guid>nothing</guid></item></channel></rss>")));
  REQUIRE(page.items.size() == 3);
  CHECK(common(page.items[0]).title == "new");
  CHECK(common(page.items[2]).title == "none");
  CHECK(page.warnings.size() == 1);
}

TEST_CASE("The sandbox of feeds walks as the pipeline would") {
  test::sandbox box("feeds");
  int pages = 0;
  std::size_t all = 0;
  for (const auto url : rig.source().default_instances) {
    const settings with{std::string(url), {}};
    const auto items = box.walk(rig.source(), search_for("climate"), with, pages);
    CHECK(items.size() >= 6);
    all += items.size();
  }
  CHECK(all == 41);
  CHECK(box.walk(rig.source(), search_for("x"), {"https://letters.example/atom.xml", {}}, pages)
            .size() == 1);
  CHECK(box.walk(rig.source(), search_for("x"), {"https://harbour.example/feed.json", {}}, pages)
            .size() == 1);
  const auto gone = box.page(rig.source().capabilities[0], search_for("x"),
                             {"https://feeds.example/gone.xml", {}}, "");
  CHECK(gone.error().code() == errc::source_error);
}

}  // namespace freshet::sources::feeds
