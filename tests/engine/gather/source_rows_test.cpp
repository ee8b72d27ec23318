// What an answer says of its sources, on loopback: a row for each feed with what was read and what
// was given, warnings that name the address and the kind, and one dead feed that is nobody else's.
#include <base/json.hpp>
#include <catch2/catch.hpp>
#include <engine/answered.hpp>
#include <freshet/engine.hpp>
#include <support/loopback_server.hpp>

using namespace freshet;

namespace {

std::string feed_of(const std::string& word, int entries) {
  std::string text = "<rss version='2.0'><channel><title>Port paper</title>";
  for (int i = 0; i < entries; ++i) {
    const auto number = std::to_string(i);
    text += "<item><title>" + word + " " + number + "</title><link>https://paper.example/" + word +
            number + "</link><pubDate>Sun, 22 Nov 2026 10:00:0" + number + " GMT</pubDate></item>";
  }
  return text + "</channel></rss>";
}

/// A host of several feeds, and an engine that reads those of them that a test lists.
struct kiosk {
  test::loopback_server host;
  std::unique_ptr<engine> on;

  explicit kiosk(const std::vector<std::string>& paths) {
    const test::loopback_server::header_list rss{{"Content-Type", "application/rss+xml"}};
    host.reply("/tides", 200, feed_of("tide", 5), rss);
    host.reply("/storms", 200, feed_of("storm", 4), rss);
    host.reply("/broken", 500, "oops", {{"Content-Type", "text/plain"}});
    host.reply("/denied", 403, "no", {{"Content-Type", "text/plain"}});
    host.reply("/gone", 404, "gone", {{"Content-Type", "text/plain"}});
    std::string urls;
    for (const auto& path : paths) urls += (urls.empty() ? "" : ",") + host.url(path);
    engine_options options;
    REQUIRE(options.config.set("network.allow_private", "127.0.0.0/8"));
    REQUIRE(options.config.set("platforms.news.sources", "feeds"));
    REQUIRE(options.config.set("sources.feeds.urls", urls));
    auto opened = engine::open(std::move(options));
    REQUIRE(opened);
    on = std::move(*opened);
  }

  boost::json::value call(const boost::json::object& body) {
    return test::answered(*on, "news/search", body);
  }

  /// The row of the feed at a path.
  boost::json::value row(const boost::json::value& envelope, const std::string& path) {
    for (const auto& one : base::array_of(base::member(envelope, "meta", "sources"))) {
      if (base::view_of(base::member(one, "instance")) == host.url(path)) return one;
    }
    return {};
  }
};

std::string text_of(const boost::json::value& value, std::string_view key) {
  return base::text_of(base::member(value, key));
}
std::int64_t count_of(const boost::json::value& value, std::string_view key) {
  return base::integer_of(base::member(value, key)).value_or(-1);
}

/// The warnings, joined by newlines.
std::string warnings_of(const boost::json::value& envelope) {
  std::string all;
  for (const auto& one : base::array_of(base::member(envelope, "meta", "warnings"))) {
    all += base::text_of(one) + "\n";
  }
  return all;
}

}  // namespace

TEST_CASE("each feed has its row, and one that is dead is nobody else's") {
  kiosk of({"/tides", "/broken", "/denied", "/gone"});
  for (int i = 0; i < 3; ++i) {
    const auto said = of.call({{"q", "tide"}, {"limit", 3}});
    CHECK(text_of(base::member(said, "meta"), "completeness") == "partial");
    CHECK(base::array_of(base::member(said, "data")).size() == 3);
    CHECK(base::array_of(base::member(said, "meta", "sources")).size() == 4);
    const auto good = of.row(said, "/tides");
    CHECK(text_of(good, "name") == "feeds");
    CHECK(text_of(good, "status") == "ok");
    CHECK(count_of(good, "items_read") == 5);
    CHECK(count_of(good, "items") == 3);
    for (const auto* path : {"/broken", "/denied", "/gone"}) {
      INFO(path);
      CHECK(text_of(of.row(said, path), "status") == "error");
      CHECK(count_of(of.row(said, path), "items") == 0);
      CHECK(warnings_of(said).find("failed: feeds " + of.host.url(path) + ": source_") !=
            std::string::npos);
    }
    CHECK(warnings_of(said).find("check sources.feeds.urls") != std::string::npos);
  }
  CHECK(of.host.count("/denied") == 1);  // it alone is left alone
}

TEST_CASE("a page that was all filtered says so, and is complete") {
  kiosk of({"/tides", "/storms"});
  const auto some = of.call({{"q", "tide"}});
  CHECK(text_of(base::member(some, "meta"), "completeness") == "complete");
  CHECK(count_of(of.row(some, "/tides"), "items") == 5);
  CHECK(count_of(of.row(some, "/storms"), "items_read") == 4);
  CHECK(count_of(of.row(some, "/storms"), "items") == 0);
  CHECK(warnings_of(some).starts_with("filtered: feeds " + of.host.url("/storms") + ": none of "));
  const auto none = of.call({{"q", "volcano"}});
  CHECK(text_of(base::member(none, "meta"), "completeness") == "complete");
  CHECK(base::array_of(base::member(none, "data")).empty());
  CHECK(base::array_of(base::member(none, "meta", "warnings")).size() == 2);
}
