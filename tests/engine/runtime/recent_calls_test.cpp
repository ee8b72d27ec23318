// The calls of the last hour, in steps that begin anew.
#include <catch2/catch.hpp>
#include <engine/runtime/recent_calls.hpp>
#include <support/manual_clock.hpp>

using namespace freshet;
using namespace freshet::detail;
using namespace std::chrono_literals;

namespace {

source_report asked(std::string name, std::string code, std::int64_t ms) {
  source_report made;
  made.name = std::move(name);
  made.status = code.empty() ? "ok" : code == "skipped" ? "skipped" : "error";
  made.code = code.empty() ? "" : code;
  made.elapsed_ms = ms;
  return made;
}

}  // namespace

TEST_CASE("the last hour is told by step, code, source and account") {
  test::manual_clock clock;
  recent_calls calls(clock);
  const std::vector<source_report> two{asked("lemmy", "", 12), asked("x", "source_timeout", 900),
                                       asked("reddit", "skipped", 0)};
  calls.add({"acc_7", std::nullopt, 20, two});
  calls.add({"acc_7", errc::invalid_request, 1, {}});
  clock.advance(5min);
  calls.add({"acc_9", std::nullopt, 40, two});
  const auto shown = calls.show(10);
  CHECK(shown.calls == 3);
  CHECK(shown.failed == 1);
  REQUIRE(shown.in_steps.size() == recent_calls::steps);
  CHECK(shown.in_steps.back() == std::pair<std::int64_t, std::int64_t>(1, 0));
  CHECK(shown.in_steps[recent_calls::steps - 2] == std::pair<std::int64_t, std::int64_t>(2, 1));
  CHECK(shown.codes.at("invalid_request") == 1);
  REQUIRE(shown.sources.size() == 2);
  CHECK(shown.sources.at("lemmy").asked == 2);
  CHECK(shown.sources.at("lemmy").failed == 0);
  CHECK(shown.sources.at("x").failed == 2);
  CHECK(shown.sources.at("x").last_error == "source_timeout");
  CHECK(shown.sources.at("x").last_error_at == clock.now());
  CHECK(shown.sources.at("lemmy").took.quantile(0.5) == 16);
  CHECK(shown.sources.at("x").took.quantile(0.95) == 1024);
  REQUIRE(shown.accounts.size() == 2);
  CHECK(shown.accounts.front() == std::pair<std::string, std::int64_t>("acc_7", 2));
  CHECK(calls.show(1).accounts.size() == 1);

  clock.advance(55min);
  CHECK(calls.show(10).calls == 1);
  clock.advance(5min);
  CHECK(calls.show(10).calls == 0);
  CHECK(calls.show(10).sources.empty());
}

TEST_CASE("however many accounts call, so many are known") {
  test::manual_clock clock;
  recent_calls calls(clock);
  for (int account = 0; account < 6000; ++account)
    calls.add({"acc_" + std::to_string(account), std::nullopt, 1, {}});
  CHECK(calls.show(100000).accounts.size() == 4096);
  CHECK(calls.show(5).calls == 6000);
}
