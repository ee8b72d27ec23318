// Feeds that nobody writes by the book: odd labels, packed files, bases, and entries without an
// address or a title.
#include <catch2/catch.hpp>
#include <sources/feeds/wire.hpp>
#include <sources/source_rig.hpp>
#include <support/gzip.hpp>
#include <vector>

namespace freshet::sources::feeds {
namespace {

const settings at_example{"https://feed.example/rss", {}};
const test::source_rig rig("feeds", at_example);

http::response feed_of(std::string body, std::string type = "application/xml") {
  return test::answer_of(200, std::move(body), std::move(type));
}

const article& article_at(const listing& page, std::size_t i) {
  REQUIRE(i < page.items.size());
  return std::get<article>(page.items[i]);
}

}  // namespace

TEST_CASE("A label by which nothing is a tag counts for nothing") {
  const std::string rss =
      "<?xml version='1.0' encoding='utf-16'?><rss><channel><item><title>plain</title><link>/1"
      "</link></item></channel></rss>";
  for (const auto* type : {"text/xml", "text/xml; charset=utf-16", "text/xml; charset=ucs-2"}) {
    CAPTURE(type);
    const auto page = test::listing_of(rig.read(feed_of(rss, type)));
    REQUIRE(page.items.size() == 1);
    CHECK(article_at(page, 0).title == "plain");
  }
}

TEST_CASE("A few bytes that are no UTF-8 change no other letter of a feed") {
  const auto page = test::listing_of(rig.read(feed_of(
      "<rss><channel><title>s</title><item><title>Straße und Flüsse</title><link>/1</link></item>"
      "<item><title>cut\xE2\x80</title><link>/2</link></item></channel></rss>")));
  REQUIRE(page.items.size() == 2);
  CHECK(article_at(page, 0).title == "Straße und Flüsse");
  CHECK(article_at(page, 1).title == "cut\xEF\xBF\xBD");
}

TEST_CASE("What a program says before a feed is no part of it") {
  const auto page = test::listing_of(rig.read(
      feed_of("<br />\n<b>Warning</b>: x in <b>y.php</b> on line <b>3</b><br />\n<?xml "
              "version='1.0'?><rss><channel><item><title>t</title></item></channel></rss>")));
  CHECK(page.items.size() == 1);
}

TEST_CASE("A feed that is a packed file is unpacked") {
  const auto page = test::listing_of(rig.read(
      feed_of(test::gzipped("<rss><channel><item><title>packed</title></item></channel></rss>"),
              "application/gzip")));
  REQUIRE(page.items.size() == 1);
  CHECK(article_at(page, 0).title == "packed");
  CHECK(rig.read(feed_of(std::string("\x1F\x8B\x08", 3))).error().code() == errc::source_error);
}

TEST_CASE("Addresses are relative to the xml:base of the feed, and that of its entries to it") {
  const auto atom = test::listing_of(rig.read(feed_of(
      R"(<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://other.example/dir/">
      <title>t</title><link href="/"/><entry><id>1</id><title>a</title><link href="x"/></entry>
      <entry xml:base="sub/"><id>2</id><title>b</title><link href="y"/></entry></feed>)")));
  REQUIRE(atom.items.size() == 2);
  CHECK(article_at(atom, 0).url == "https://other.example/dir/x");
  CHECK(article_at(atom, 1).url == "https://other.example/dir/sub/y");
  const auto rss = test::listing_of(rig.read(feed_of(
      "<rss><channel xml:base='https://other.example/dir/'><title>t</title><item><title>a</title>"
      "<link>x</link></item></channel></rss>")));
  CHECK(article_at(rss, 0).url == "https://other.example/dir/x");
}

TEST_CASE("Entries that all lead to the site's home are not one") {
  std::string entries;
  for (const auto* one : {"a", "b", "c"})
    entries += std::string("<item><title>") + one +
               "</title><link>https://s.example/</link><guid isPermaLink='false'>" + one +
               "</guid></item>";
  const auto page = test::listing_of(rig.read(
      feed_of("<rss><channel><title>t</title><link>https://s.example</link>" + entries +
              "<item><title>d</title><link>https://s.example/d</link></item></channel></rss>")));
  REQUIRE(page.items.size() == 4);
  CHECK(article_at(page, 0).url.empty());
  CHECK(article_at(page, 0).links == std::vector<std::string>{"https://s.example/"});
  CHECK(article_at(page, 0).id != article_at(page, 1).id);
  CHECK(article_at(page, 3).url == "https://s.example/d");
}

TEST_CASE("An entry that has only a text is given") {
  const auto page = test::listing_of(rig.read(feed_of(
      R"({"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1",
      "content_text": "only words"}, {"id": "2"}]})",
      "application/feed+json")));
  REQUIRE(page.items.size() == 1);
  CHECK(article_at(page, 0).text == "only words");
  CHECK(page.warnings.size() == 1);
}

TEST_CASE("An author has a name, however his address is written beside it") {
  for (const std::string_view author :
       {"Jo Roe", "jo@a.example (Jo Roe)", "Jo Roe (jo@a.example)", "Jo Roe &lt;jo@a.example&gt;",
        "&lt;jo@a.example&gt; (Jo Roe)"}) {
    CAPTURE(author);
    const auto page = test::listing_of(
        rig.read(feed_of("<rss><channel><item><title>t</title><author>" + std::string(author) +
                         "</author></item></channel></rss>")));
    REQUIRE(page.items.size() == 1);
    CHECK(article_at(page, 0).author.display_name == "Jo Roe");
  }
}

TEST_CASE("Atom's bytes in base64 are the text that they are, or none") {
  const auto text_of = [](std::string_view content) {
    const auto page = test::listing_of(
        rig.read(feed_of("<feed xmlns='http://www.w3.org/2005/Atom'><entry><title>t</title>" +
                         std::string(content) + "</entry></feed>")));
    return page.items.empty() ? "nothing" : article_at(page, 0).text;
  };
  CHECK(text_of("<content type='text/html' mode='base64'>PGI+VGhl\n IHRpZGU8L2I+</content>") ==
        "The tide");
  CHECK(text_of("<content type='application/octet-stream'>VGhlIHRpZGU=</content>") == "The tide");
  CHECK(text_of("<content type='image/png'>iVBORw0KGgoAAAANSUhEUg==</content>").empty());
  CHECK(text_of("<content type='text/plain' mode='xml'>VGhlIHRpZGU=</content>") == "VGhlIHRpZGU=");
  CHECK(text_of("<content type='application/x'>no base64!</content>") == "no base64!");
}

TEST_CASE("What other vocabularies say stands in where RSS says nothing") {
  const auto page = test::listing_of(rig.read(feed_of(R"(<r:rss version="2.0"
      xmlns:r="http://backend.userland.com/rss2" xmlns:dc="http://purl.org/dc/elements/1.1/"
      xmlns:x="http://www.w3.org/1999/xhtml"
      xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
      xmlns:media="http://search.yahoo.com/mrss/"><r:channel><r:title>Harbour</r:title>
      <r:item><dc:title>Of Dublin</dc:title><r:link>https://a.example/1</r:link>
        <x:body><x:p>The <x:b>whole</x:b> text</x:p></x:body>
        <itunes:category text="Weather"><itunes:category text="Tides"/></itunes:category>
        <media:category label="Gauges">a/b</media:category><dc:author>Jo Roe</dc:author></r:item>
      <r:item><media:title>Of media</media:title><r:link>https://a.example/2</r:link></r:item>
      <r:item><media:title>Of media</media:title><r:title>Its own</r:title>
        <body xmlns="http://www.w3.org/1999/xhtml"><p>Another text</p></body></r:item>
      </r:channel></r:rss>)")));
  REQUIRE(page.items.size() == 3);
  const auto& first = article_at(page, 0);
  CHECK(first.title == "Of Dublin");
  CHECK(first.url == "https://a.example/1");
  CHECK(first.text == "The whole text");
  CHECK(first.tags == std::vector<std::string>{"Weather", "Gauges"});
  CHECK(first.author.display_name == "Jo Roe");
  CHECK(article_at(page, 1).title == "Of media");
  CHECK(article_at(page, 2).title == "Its own");
  CHECK(article_at(page, 2).text == "Another text");
}

TEST_CASE("An entry of Atom without a link has the address that its id is") {
  const auto page = test::listing_of(rig.read(
      feed_of("<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>https://a.example/p/1</id>"
              "<title>a</title></entry><entry><id>urn:uuid:60a76c80</id><title>b</title></entry>"
              "<entry><id>https://a.example/p/3</id><link href='https://a.example/three'/>"
              "<title>c</title></entry></feed>")));
  REQUIRE(page.items.size() == 3);
  CHECK(article_at(page, 0).url == "https://a.example/p/1");
  CHECK(article_at(page, 1).url.empty());
  CHECK(article_at(page, 2).url == "https://a.example/three");
}

}  // namespace freshet::sources::feeds
