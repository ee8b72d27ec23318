// Where the sandbox's recordings lie in time: by a day that is set, or with the day, and every time
// of an answer moved alike.
#include <base/json.hpp>
#include <base/time_text.hpp>
#include <boost/json/object.hpp>
#include <catch2/catch.hpp>
#include <engine/runtime/sandbox_days.hpp>
#include <freshet/engine.hpp>
#include <sources/sandbox.hpp>
#include <support/print_result.hpp>

using namespace freshet;
using namespace std::chrono_literals;
using detail::sandbox_days;
using std::chrono::days;

namespace {

result<sandbox_days> days_of(const std::string& date) {
  config settings;
  REQUIRE(settings.set("sandbox.date", date));
  return sandbox_days::of(settings);
}

boost::json::value answer_on(const std::string& date, const std::string& endpoint,
                             const std::string& body) {
  engine_options options;
  REQUIRE(options.config.set("network.sandbox", "true"));
  REQUIRE(options.config.set("sandbox.date", date));
  const auto on = engine::open(std::move(options));
  REQUIRE(on);
  request what;
  what.endpoint = endpoint;
  what.body = body;
  (void)(*on)->call(what);
  const auto again = (*on)->call(what);  // what is kept is moved as well
  INFO(again.body);
  REQUIRE(again.ok());
  return base::parse_json(again.body).value();
}

/// Every text of `moved` is that of `still`, but that moments are so much later; counts them.
int count_moved(const boost::json::value& still, const boost::json::value& moved, days days,
                std::string_view key = "") {
  REQUIRE(still.kind() == moved.kind());
  int count = 0;
  if (still.is_object()) {
    for (const auto& [name, value] : still.as_object()) {
      if (name == "request_id" || name == "next_cursor") continue;
      count += count_moved(value, moved.as_object().at(name), days, name);
    }
  } else if (still.is_array()) {
    REQUIRE(still.as_array().size() == moved.as_array().size());
    for (std::size_t i = 0; i < still.as_array().size(); ++i)
      count += count_moved(still.as_array()[i], moved.as_array()[i], days, key);
  } else if (still.is_string() && (key.ends_with("_at") || key == "last_modified")) {
    const auto at = base::parse_time(base::text_of(still));
    if (!at) return 0;
    CHECK(base::text_of(moved) == base::format_time(*at + days));
    ++count;
  } else if (key != "elapsed_ms") {
    CHECK(moved == still);
  }
  return count;
}

}  // namespace

TEST_CASE("the sandbox's answers end at the last noon, or at that of the day that is set") {
  const auto moving = days_of("").value();
  const auto noon = sources::sandbox_now;
  CHECK(moving.at(noon) == 0 * days(1));
  CHECK(moving.at(noon - 1s) == days(-1));
  CHECK(moving.at(noon + 24h - 1s) == days(0));
  CHECK(moving.at(noon + 24h) == days(1));
  CHECK(moving.at(noon + days(400) + 5h) == days(400));
  CHECK(moving.stand_until(noon + 5h) == noon + 24h);
  CHECK(moving.stand_until(noon - 1s) == noon);

  const auto fixed = days_of("2026-12-24").value();
  CHECK(fixed.at(noon) == days(53));
  CHECK(fixed.at(noon + days(900)) == days(53));
  CHECK(fixed.stand_until(noon) == time_point::max());
  CHECK(sandbox_days().at(noon + days(5)) == days(0));
  CHECK(days_of("2026-10-31").value().at(noon) == days(-1));
  for (const auto* wrong : {"tomorrow", "2026-13-01", "2026-12-24T00:00:00Z", "24.12.2026"}) {
    const auto refused = days_of(wrong);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code() == errc::invalid_configuration);
    CHECK(refused.error().detail().find("sandbox.date") != std::string::npos);
  }
}

TEST_CASE("every time of the sandbox's answers moves, and nothing else", "[alone]") {
  const auto [endpoint, body, least] = GENERATE(table<std::string, std::string, int>({
      {"all/search", R"({"q": "climate", "since": "9w"})", 40},
      {"news/search", R"({"q": "climate", "limit": 3})", 6},
      {"forum/posts/comments", R"({"id": "hackernews:9000003"})", 4},
      {"scrape/markdown", R"({"url": "https://example.com/tide-gauges"})", 2},
      {"scrape/map", R"({"url": "https://example.com/tide-gauges"})", 2},
      {"microblog/users/lookup", R"({"username": "alice.test"})", 2},
  }));
  INFO(endpoint);
  const auto still = answer_on("2026-11-01", endpoint, body);
  const auto moved = answer_on("2027-11-01", endpoint, body);
  CHECK(count_moved(still, moved, days(365)) >= least);
}
