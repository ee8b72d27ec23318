// The rules of a shared bucket, with the bucket itself as one number here.
#include <account/rules/shared_bucket.hpp>
#include <catch2/catch.hpp>
#include <random>
#include <support/sanitized.hpp>

using namespace freshet;
using namespace freshet::account;
using namespace std::chrono_literals;
using verdict = shared_bucket::verdict;

namespace {

using moment = shared_bucket::moment;
using std::chrono::nanoseconds;

const moment beginning{1000s};

rate_rule shared_rule(double rate, std::int64_t burst) {
  return rate_rule::from({.name = "p", .rate = rate, .burst = burst}).value();
}

/// What Redis does, in whole nanoseconds.
struct kept_bucket {
  moment full_at = moment::min();

  [[nodiscard]] nanoseconds owed(moment now) const {
    return full_at <= now ? nanoseconds(0) : full_at - now;
  }
  std::int64_t take(const rate_rule& rule, const shared_bucket::request& asked, moment now) {
    const auto room = (rule.window() - owed(now)) / rule.interval();
    const auto given = std::min<std::int64_t>(asked.tokens, room);
    full_at = std::max(now, now + owed(now) + given * rule.interval());
    return given;
  }
};

/// A call that waits for the answer, which comes at once.
bool make_call(shared_bucket& bucket, kept_bucket& kept, const rate_rule& rule, int servers,
               moment now, rate_info& state) {
  auto judged = bucket.take(rule, now, state);
  const auto asked = bucket.ask(rule, servers, now, judged == verdict::unknown ? 1 : 0);
  if (asked) {
    const auto given = kept.take(rule, *asked, now);
    bucket.hear(rule, *asked, given, kept.owed(now), now);
  }
  if (judged == verdict::unknown) judged = bucket.take(rule, now, state);
  return judged == verdict::passes;
}

}  // namespace

TEST_CASE("a server that knows nothing asks, and what it is told holds for a moment") {
  const rate_rule rule = shared_rule(2, 10);
  shared_bucket bucket;
  rate_info state;
  CHECK(bucket.take(rule, beginning, state) == verdict::unknown);
  const auto asked = bucket.ask(rule, 3, beginning, 2);
  REQUIRE(asked);
  CHECK(asked->tokens == 2);
  CHECK_FALSE(bucket.ask(rule, 3, beginning, 2));  // one question at a time
  bucket.hear(rule, *asked, 1, 5s, beginning);
  CHECK(bucket.take(rule, beginning, state) == verdict::passes);
  CHECK(state.remaining == 0);
  CHECK(state.limit == 10);
  CHECK(state.reset_s == 5);
  // Less was given than was asked for: there is nothing before half a second.
  CHECK(bucket.take(rule, beginning, state) == verdict::refused);
  CHECK(bucket.refusal(rule, beginning).code() == errc::rate_limited);
  CHECK(bucket.refusal(rule, beginning).retry_after == 1s);
  CHECK(bucket.take(rule, beginning + 19ms, state) == verdict::refused);
  CHECK(bucket.take(rule, beginning + 20ms, state) == verdict::unknown);
}

TEST_CASE(
    "of a busy account tokens are taken ahead, few against the burst, and idle ones go back") {
  const rate_rule rule = shared_rule(1'000, 800);
  shared_bucket bucket;
  kept_bucket kept;
  rate_info state;
  moment now = beginning;
  int questions = 0;
  for (int i = 0; i < 400; ++i, now += 500us) {
    const bool was_asked = bucket.held() == 0;
    REQUIRE(make_call(bucket, kept, rule, 2, now, state));
    questions += was_asked;
    CHECK(bucket.held() <= 2 * 800 / 16);
    CHECK(state.remaining == (rule.window() - kept.owed(now)) / rule.interval() + bucket.held());
  }
  CHECK(questions < 10);  // of the first calls alone
  CHECK(bucket.held() > 10);
  CHECK(bucket.give_back(now) == 0);
  const auto held = bucket.held();
  CHECK(bucket.give_back(now + 100ms) == held);
  CHECK(bucket.give_back(now + 100ms) == 0);
  CHECK(bucket.held() == 0);
}

TEST_CASE("who seldom calls is asked for one by one") {
  const rate_rule rule = shared_rule(1'000, 800);
  shared_bucket bucket;
  kept_bucket kept;
  rate_info state;
  for (int i = 0; i < 20; ++i) {
    REQUIRE(make_call(bucket, kept, rule, 2, beginning + i * 60ms, state));
    CHECK(bucket.held() == 0);
  }
}

TEST_CASE("several servers give what the plan gives, whoever is asked", "[alone][storeless]") {
  std::mt19937 random(7);
  for (int seed = 0; seed < freshet::test::cases(300, 300, 60); ++seed) {
    const auto below = [&](std::int64_t end) {
      return std::uniform_int_distribution<std::int64_t>(0, end - 1)(random);
    };
    const rate_rule rule = shared_rule(0.1 + 0.1 * static_cast<double>(below(100)), 1 + below(500));
    const int servers = 1 + static_cast<int>(below(5));
    std::vector<shared_bucket> buckets(static_cast<std::size_t>(servers));
    kept_bucket kept;
    rate_info state;
    std::int64_t passed = 0;
    moment now = beginning;
    // Whom a caller meets is favoured or not; all are asked at last.
    for (int i = 0; i < 2'000; ++i)
      passed += make_call(buckets[static_cast<std::size_t>(below(1 + below(servers)))], kept, rule,
                          servers, now, state);
    now += 20ms;
    for (auto& one : buckets)
      for (int i = 0; i < 600; ++i) passed += make_call(one, kept, rule, servers, now, state);
    INFO(seed);
    CHECK(passed == rule.burst());
  }
}

TEST_CASE("away from Redis each gives its part, from what it last knew, and says so later") {
  const rate_rule rule = shared_rule(1, 12);
  shared_bucket bucket;
  rate_info state;
  const auto asked = bucket.ask(rule, 3, beginning, 6);
  bucket.hear(rule, *asked, 6, 6s, beginning);
  for (int i = 0; i < 6; ++i) CHECK(bucket.take(rule, beginning, state) == verdict::passes);
  // Half of the bucket is left, and so is half of its part of four.
  for (int i = 0; i < 2; ++i) CHECK(bucket.take_alone(rule, 3, beginning, state).has_value());
  CHECK(state.limit == 4);
  CHECK(state.remaining == 0);
  CHECK(bucket.take_alone(rule, 3, beginning, state).error().code() == errc::rate_limited);
  const auto back = bucket.ask(rule, 3, beginning, 1);
  REQUIRE(back);
  CHECK(back->known == 6s);
  CHECK(back->owed == 2s);  // two tokens of the whole
  bucket.miss(*back);
  CHECK(bucket.ask(rule, 3, beginning, 1)->owed == 2s);
}

TEST_CASE("tokens that were taken are used when Redis has gone, for a moment") {
  const rate_rule rule = shared_rule(1, 12);
  for (const auto& [later, remaining] : {std::pair{0s, 11}, std::pair{2s, 3}}) {
    shared_bucket bucket;
    rate_info state;
    const auto asked = bucket.ask(rule, 3, beginning, 1);
    bucket.hear(rule, *asked, 1, 1s, beginning);
    CHECK(bucket.take_alone(rule, 3, beginning + later, state).has_value());
    CHECK(state.remaining == remaining);
  }
}

TEST_CASE("it is as a new one is when nothing is owed, held or asked") {
  const rate_rule rule = shared_rule(1, 12);
  shared_bucket bucket;
  rate_info state;
  CHECK(bucket.is_full(beginning));
  const auto asked = bucket.ask(rule, 3, beginning, 1);
  CHECK_FALSE(bucket.is_full(beginning));
  bucket.hear(rule, *asked, 1, 1s, beginning);
  CHECK_FALSE(bucket.is_full(beginning + 2s));
  CHECK(bucket.take(rule, beginning, state) == verdict::passes);
  CHECK_FALSE(bucket.is_full(beginning));
  CHECK(bucket.is_full(beginning + 1s));
}
