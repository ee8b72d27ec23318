// Feeds that nobody writes by the book: odd labels, packed files, bases, and entries without an
// address or a title.
#include <catch2/catch.hpp>
#include <sources/feeds/wire.hpp>
#include <sources/source_rig.hpp>
#include <support/gzip.hpp>

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

}  // namespace freshet::sources::feeds
