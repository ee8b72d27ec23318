// Two real forums on loopback, by their wire shapes: one is stopped in the middle of a walk. The
// walk goes on with the other, says so, gives nothing twice and ends; a third call comes back to
// the one that was stopped once it runs again.
#include <base/json.hpp>
#include <base/url.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>
#include <engine/answered.hpp>
#include <freshet/engine.hpp>
#include <optional>
#include <set>
#include <support/loopback_server.hpp>

using namespace freshet;

namespace {

constexpr int threads_of_each = 47;

int parameter_of(const test::loopback_server::seen& asked, std::string_view name, int fallback) {
  const auto url = base::parse_url("http://here" + asked.target);
  const auto value = base::query_parameter(url->query, name);
  return value ? std::stoi(*value) : fallback;
}

/// Algolia's index of Hacker News with `threads_of_each` stories.
void run_hackernews(test::loopback_server& on) {
  on.on("/api/v1/search", [](const auto& asked, auto& to) {
    const int page = parameter_of(asked, "page", 0);
    const int size = parameter_of(asked, "hitsPerPage", 20);
    boost::json::array hits;
    for (int i = page * size; i < std::min(threads_of_each, (page + 1) * size); ++i) {
      hits.push_back({{"objectID", std::to_string(100 + i)},
                      {"title", "tide story " + std::to_string(i)},
                      {"author", "alder"},
                      {"created_at_i", 1793516400 - i}});
    }
    const int pages = (threads_of_each + size - 1) / size;
    const boost::json::object body{
        {"hits", hits}, {"nbHits", threads_of_each}, {"nbPages", pages}, {"page", page}};
    to.send(test::loopback_server::answer(200, boost::json::serialize(body),
                                          {{"Content-Type", "application/json"}}));
  });
}

/// A Lemmy instance with `threads_of_each` posts.
void run_lemmy(test::loopback_server& on) {
  on.reply("/api/v3/site", 200, R"({"version":"0.19.12"})", {{"Content-Type", "application/json"}});
  on.on("/api/v3/search", [&on](const auto& asked, auto& to) {
    const int page = parameter_of(asked, "page", 1);
    const int size = parameter_of(asked, "limit", 20);
    boost::json::array posts;
    for (int i = (page - 1) * size; i < std::min(threads_of_each, page * size); ++i) {
      const auto number = std::to_string(200 + i);
      posts.push_back(
          {{"post",
            {{"id", 200 + i},
             {"name", "tide post " + number},
             {"ap_id", on.url("/post/" + number)},
             {"published", "2026-11-01T09:00:00Z"}}},
           {"creator", {{"id", 1}, {"name", "elm"}, {"actor_id", on.url("/u/elm")}}},
           {"community", {{"id", 8}, {"name", "coast"}, {"actor_id", on.url("/c/coast")}}},
           {"counts", {{"score", 2}, {"comments", 0}}}});
    }
    const boost::json::object body{{"type_", "Posts"}, {"posts", posts}};
    to.send(test::loopback_server::answer(200, boost::json::serialize(body),
                                          {{"Content-Type", "application/json"}}));
  });
}

struct forums {
  test::loopback_server hackernews;
  std::optional<test::loopback_server> lemmy;
  std::unique_ptr<engine> on;

  forums() {
    run_hackernews(hackernews);
    run_lemmy(lemmy.emplace());
    engine_options options;
    const auto set = [&](const char* key, const std::string& value) {
      REQUIRE(options.config.set(key, value));
    };
    set("network.allow_private", "127.0.0.0/8");
    set("platforms.forum.sources", "hackernews,lemmy");
    set("sources.hackernews.base_url", hackernews.url(""));
    set("sources.lemmy.base_url", lemmy->url(""));
    auto opened = engine::open(std::move(options));
    REQUIRE(opened);
    on = std::move(*opened);
  }

  boost::json::value page(const std::string& cursor) const {
    boost::json::object body{{"q", "tide"}, {"limit", 7}};
    if (!cursor.empty()) body["cursor"] = cursor;
    return test::answered(*on, "forum/search", body);
  }
};

/// What a walk has given so far.
struct walked {
  std::set<std::string> ids;
  int given = 0, pages = 0;
  std::string cursor;

  void take(const boost::json::value& envelope) {
    for (const auto& one : base::array_of(base::member(envelope, "data"))) {
      ids.insert(base::text_of(base::member(one, "id")));
      ++given;
    }
    ++pages;
    cursor = base::text_of(base::member(envelope, "page", "next_cursor"));
  }
  [[nodiscard]] int from(std::string_view source) const {
    return static_cast<int>(std::count_if(ids.begin(), ids.end(), [&](const std::string& id) {
      return id.starts_with(std::string(source) + ":");
    }));
  }
};

std::string status_of(const boost::json::value& envelope, std::string_view source) {
  for (const auto& one : base::array_of(base::member(envelope, "meta", "sources"))) {
    if (base::view_of(base::member(one, "name")) == source)
      return base::text_of(base::member(one, "status"));
  }
  return {};
}

}  // namespace

TEST_CASE("a walk over two forums that both run gives all of both") {
  const forums of;
  walked so_far;
  do {
    const auto envelope = of.page(so_far.cursor);
    CHECK(base::view_of(base::member(envelope, "meta", "completeness")) == "complete");
    so_far.take(envelope);
    REQUIRE(so_far.pages < 60);
  } while (!so_far.cursor.empty());
  CHECK(so_far.given == 2 * threads_of_each);
  CHECK(static_cast<int>(so_far.ids.size()) == so_far.given);
}

TEST_CASE("one of two forums stops in the middle of a walk, which goes on and ends") {
  forums of;
  walked so_far;
  for (int i = 0; i < 3; ++i) so_far.take(of.page(so_far.cursor));
  CHECK(so_far.from("lemmy") > 5);
  REQUIRE(!so_far.cursor.empty());
  of.lemmy.reset();
  bool told = false;
  do {
    const auto envelope = of.page(so_far.cursor);
    so_far.take(envelope);
    if (status_of(envelope, "lemmy") == "error") {
      told = true;
      CHECK(base::view_of(base::member(envelope, "meta", "completeness")) == "partial");
      CHECK(!base::array_of(base::member(envelope, "meta", "warnings")).empty());
    }
    REQUIRE(so_far.pages < 60);
  } while (!so_far.cursor.empty());
  CHECK(told);
  CHECK(so_far.from("hackernews") == threads_of_each);
  CHECK(so_far.from("lemmy") < threads_of_each);
  CHECK(static_cast<int>(so_far.ids.size()) == so_far.given);
}

TEST_CASE(
    "a forum that is down is left alone for a while, and the other "
    "answers at once") {
  forums of;
  of.lemmy.reset();
  const auto first = of.page("");
  CHECK(status_of(first, "lemmy") == "error");
  CHECK(status_of(first, "hackernews") == "ok");
  const auto second = of.page("");
  CHECK(status_of(second, "lemmy") == "error");
  const auto& sources = base::array_of(base::member(second, "meta", "sources"));
  REQUIRE(sources.size() == 2);
  const auto wait = base::integer_of(base::member(sources[1], "retry_after_s"));
  REQUIRE(wait.has_value());
  CHECK(*wait >= 1);
  CHECK(*wait <= 5);
  CHECK(base::view_of(base::member(sources[1], "code")) == "source_unavailable");
}
