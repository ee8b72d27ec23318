// The check of the sources once a day: when it comes, what it keeps, and that it ends as it asks.
#include <base/json.hpp>
#include <base/whole_file.hpp>
#include <catch2/catch.hpp>
#include <engine/checkup/daily_check.hpp>
#include <freshet/engine.hpp>
#include <fstream>
#include <support/eventually.hpp>
#include <support/print_result.hpp>
#include <support/temporary_folder.hpp>
#include <thread>

using namespace freshet;
using namespace freshet::detail;
using namespace std::chrono_literals;

namespace {

std::string report_in(const test::temporary_folder& folder) {
  return folder.file("sources-check.json");
}

const std::vector<capability_check> found{
    {"mastodon", "https://m.example", "microblog/search", "changed", 3, 12, {"the key a is gone"}},
    {"hackernews", "", "forum/search", "ok", 20, 7, {}}};

/// A check that is due at once, and counts how often it was asked.
daily_check_options at_once(const std::string& path, std::atomic<int>& asked) {
  daily_check_options made;
  made.path = path;
  made.after_start = made.spread = 0ms;
  made.ask = [&asked](const auto&) {
    ++asked;
    return found;
  };
  return made;
}

}  // namespace

TEST_CASE("a report is read as it was written, and what is none is none") {
  source_checkup made{time_point(1795348800s), found};
  const auto text = checkup_json(made);
  const auto read = read_checkup(text);
  REQUIRE(read);
  CHECK(checkup_json(*read) == text);
  CHECK(read->count("changed") == 1);
  CHECK(read->checks[0].findings == found[0].findings);
  for (const auto* wrong : {"", "{", "[]", "{}", R"({"checked_at":"yesterday"})"})
    CHECK_FALSE(read_checkup(wrong));
}

TEST_CASE("the sources are checked once, and a restart goes on with the same day") {
  test::temporary_folder in;
  std::atomic<int> asked{0};
  {
    const daily_check first(at_once(report_in(in), asked));
    CHECK(test::eventually([&] { return first.last() != nullptr; }));
    CHECK(test::eventually(
        [&] { return read_checkup(base::read_whole(report_in(in))).has_value(); }));
    CHECK(first.last()->count("changed") == 1);
  }
  CHECK(asked == 1);
  {
    // Due at once, but for the report of today.
    const daily_check second(at_once(report_in(in), asked));
    REQUIRE(second.last());
    CHECK(second.last()->checks.size() == 2);
  }
  CHECK(asked == 1);
  // A report of the day before yesterday, or one that nobody can read, is asked behind.
  SECTION("old") {
    std::ofstream(report_in(in)) << checkup_json({base::system_clock().now() - 48h, found});
  }
  SECTION("damaged") { std::ofstream(report_in(in)) << "{"; }
  const daily_check third(at_once(report_in(in), asked));
  CHECK(test::eventually([&] { return asked == 2; }));
}

TEST_CASE("every day has its check, and one that ends early is none") {
  std::atomic<int> asked{0};
  auto often = at_once("", asked);
  often.every = 1ms;
  {
    const daily_check running(std::move(often));
    CHECK(test::eventually([&] { return asked > 3; }));
  }
  auto held = at_once("", asked);
  std::atomic<bool> is_asking{false};
  held.ask = [&](const std::shared_ptr<base::stop_token>& work) {
    is_asking = true;
    while (!work->reason_to_end()) std::this_thread::sleep_for(1ms);  // only its end ends it
    return found;
  };
  test::temporary_folder in;
  held.path = report_in(in);
  {
    const daily_check ended(std::move(held));
    CHECK(test::eventually([&] { return is_asking.load(); }));
  }
  CHECK(base::read_whole(report_in(in)).empty());
}

TEST_CASE("a check that takes too long ends by itself and is kept as far as it came") {
  std::atomic<int> asked{0};
  auto slow = at_once("", asked);
  slow.longest = 1ms;
  slow.ask = [](const std::shared_ptr<base::stop_token>& work) {
    while (!work->reason_to_end()) std::this_thread::sleep_for(1ms);
    return found;
  };
  const daily_check running(std::move(slow));
  CHECK(test::eventually([&] { return running.last() != nullptr; }));
}

TEST_CASE("an engine tells operators of the last check, and asks nobody as it starts") {
  test::temporary_folder in;
  std::ofstream(report_in(in)) << checkup_json({base::system_clock().now() - 1h, found});
  engine_options options;
  REQUIRE(options.config.set("storage.data_dir", in.path()));
  REQUIRE(options.config.set("doctor.daily", "true"));
  options.with_accounts = true;
  const auto on = engine::open(std::move(options));
  REQUIRE(on);
  const auto told = (*on)->metrics();
  CHECK(told.find(R"(freshet_source_checks{source="mastodon",status="changed"} 1)") !=
        std::string::npos);
  CHECK(told.find(R"(freshet_source_checks{source="hackernews",status="failed"} 0)") !=
        std::string::npos);
  const auto shown = (*on)->run_admin_command("service.show", "{}");
  REQUIRE(shown);
  const auto checkup = base::member(*base::parse_json(*shown), "checkup");
  CHECK(base::integer_of(base::member(checkup, "ok")) == 1);
  REQUIRE(base::array_of(base::member(checkup, "findings")).size() == 1);
  CHECK(base::view_of(base::member(base::array_of(base::member(checkup, "findings"))[0],
                                   "endpoint")) == "microblog/search");
}
