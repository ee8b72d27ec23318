#include <account/rules/rate_limit.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <support/sanitized.hpp>

using namespace freshet;
using namespace freshet::account;
using namespace std::chrono_literals;

namespace {

rate_rule rule_of(double rate, std::int64_t burst) {
  return rate_rule::from({.name = "p", .rate = rate, .burst = burst}).value();
}

std::chrono::steady_clock::time_point at(std::chrono::nanoseconds since) {
  return std::chrono::steady_clock::time_point(since);
}

}  // namespace

TEST_CASE("a bucket gives exactly its burst, then exactly its rate") {
  const rate_rule rule = rule_of(2, 10);
  rate_bucket bucket;
  rate_info state;
  for (int i = 0; i < 10; ++i) {
    REQUIRE(bucket.take(rule, at(100s), state).has_value());
    CHECK(state.limit == 10);
    CHECK(state.remaining == 9 - i);
    CHECK(state.reset_s == (i + 2) / 2);  // half a second each, rounded up
    CHECK(state.window_s == 5);
  }
  const auto refused = bucket.take(rule, at(100s), state);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().code() == errc::rate_limited);
  CHECK(refused.error().retry_after == 1s);
  CHECK(state.remaining == 0);
  CHECK_FALSE(bucket.take(rule, at(100s + 499'999'999ns), state).has_value());
  CHECK(bucket.take(rule, at(100s + 500ms), state).has_value());
  CHECK_FALSE(bucket.take(rule, at(100s + 999'999'999ns), state).has_value());
  CHECK(bucket.take(rule, at(101s), state).has_value());
}

TEST_CASE("over a long time no more passes than burst and rate allow, and no less") {
  const rate_rule rule = rule_of(7, 3);
  rate_bucket bucket;
  rate_info state;
  int passed = 0;
  for (auto now = 0ns; now <= 100s; now += 10ms)
    if (bucket.take(rule, at(now), state)) ++passed;
  // 3 at once and 7 a second, to the nearest poll.
  CHECK(passed >= 7 * 100 - 40);
  CHECK(passed <= 3 + 7 * 100);
}

TEST_CASE("what the state says is what happens") {
  const rate_rule rule = rule_of(0.5, 4);
  rate_bucket bucket;
  rate_info state;
  std::chrono::nanoseconds now = 50s;
  for (int i = 0; i < 200; ++i) {
    now += std::chrono::milliseconds((i * 7919) % 3000);
    const auto passed = bucket.take(rule, at(now), state);
    rate_info after;
    if (!passed) {
      rate_bucket later = bucket;
      CHECK(later.take(rule, at(now + *passed.error().retry_after), after).has_value());
    }
    rate_bucket copy = bucket;
    for (std::int64_t n = 0; n < state.remaining; ++n)
      CHECK(copy.take(rule, at(now), after).has_value());
    CHECK_FALSE(copy.take(rule, at(now), after).has_value());
    copy = bucket;
    for (std::int64_t n = 0; n < state.limit; ++n)
      CHECK(copy.take(rule, at(now + std::chrono::seconds(state.reset_s)), after).has_value());
  }
}

TEST_CASE("for any rate and burst, what is told of the limit is what happens",
          "[alone][storeless]") {
  std::mt19937 random(20261122);
  const auto below = [&](std::int64_t most) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
  };
  for (int round = 0; round < freshet::test::cases(300, 300, 80); ++round) {
    const double rate = std::pow(10.0, static_cast<double>(below(6'000)) / 1'000 - 2);
    const rate_rule rule = rule_of(rate, 1 + below(60));
    CAPTURE(rate, rule.burst());
    rate_bucket bucket;
    rate_info state, after;
    std::chrono::nanoseconds now = 1000s;
    const auto passes = [&](rate_bucket in, std::int64_t count, std::chrono::nanoseconds later) {
      std::int64_t passed = 0;
      while (passed < count && in.take(rule, at(now + later), after)) ++passed;
      return passed;
    };
    for (int step = 0; step < 40; ++step) {
      now += std::chrono::nanoseconds(below(rule.interval().count() * 3 + 1));
      for (auto count = below(4); count > 0; --count)
        static_cast<void>(bucket.take(rule, at(now), after));
      const auto passed = bucket.take(rule, at(now), state);
      // As many as remain pass now, and not one more.
      REQUIRE(passes(bucket, state.limit + 1, 0s) == state.remaining);
      // When the limit has been reset, all of it passes, and not one more at that moment.
      const std::chrono::seconds reset(state.reset_s);
      REQUIRE(passes(bucket, state.limit + 1, reset) == state.limit);
      if (reset >= 1s) REQUIRE(passes(bucket, state.limit, reset - 1s) < state.limit);
      if (passed) continue;
      // After Retry-After one passes; a second before it, none does.
      const auto wait = passed.error().retry_after.value();
      REQUIRE(wait >= 1s);
      REQUIRE(passes(bucket, 1, wait) == 1);
      if (wait > 1s) REQUIRE(passes(bucket, 1, wait - 1s) == 0);
    }
  }
}

TEST_CASE("a clock that goes back or a rule that changes locks nobody out for long") {
  const rate_rule rule = rule_of(1, 5);
  rate_bucket bucket;
  rate_info state;
  REQUIRE(bucket.take(rule, at(1'000'000s), state).has_value());
  const auto refused = bucket.take(rule, at(10s), state);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().retry_after == 1s);
  CHECK(bucket.take(rule, at(11s), state).has_value());
}

TEST_CASE("rates that no clock can keep are refused") {
  for (const double rate : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                            std::numeric_limits<double>::infinity(), 1e-12})
    CHECK_FALSE(rate_rule::from({.name = "p", .rate = rate, .burst = 10}).has_value());
  CHECK_FALSE(rate_rule::from({.name = "p", .rate = 1, .burst = 0}).has_value());
  CHECK_FALSE(
      rate_rule::from({.name = "p", .rate = 1, .burst = std::numeric_limits<std::int64_t>::max()})
          .has_value());
  CHECK(rate_rule::from({.name = "p", .rate = 1e12, .burst = 10}).has_value());
}

TEST_CASE("of several servers each has its part of a rate, and one request at least") {
  const rate_rule whole = rule_of(2, 10), part = whole.shared_by(4);
  CHECK(whole.shared_by(1).burst() == 10);
  CHECK(whole.shared_by(1).interval() == whole.interval());
  CHECK(part.burst() == 3);
  CHECK(part.interval() == 2s);
  CHECK(rule_of(1, 1).shared_by(100).burst() == 1);
}
