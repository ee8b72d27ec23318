// Rates that three servers share over a real Redis on loopback. So seldom does the plan give a
// token that none comes while a case runs: what passes is the burst, to the last call.
#include <account/fixture.hpp>
#include <account/keys/shared_rates.hpp>
#include <catch2/catch.hpp>

#include "support/eventually.hpp"
#include "support/redis_server.hpp"
#include "support/skips.hpp"

using namespace freshet;
using namespace freshet::account;
using namespace std::chrono_literals;
using freshet::account::test::manual_clock;
using freshet::test::eventually;
using freshet::test::redis_server;

namespace {

constexpr std::int64_t caller_id = 7;
constexpr std::size_t server_count = 3;

rate_rule slow_rule(std::int64_t burst) {
  return rate_rule::from({.name = "p", .rate = 0.0001, .burst = burst}).value();
}

struct rate_servers {
  explicit rate_servers(std::chrono::milliseconds timeout = freshet::test::patience)
      : timeout_(timeout) {
    for (auto& one : all) one = open();
  }
  [[nodiscard]] std::unique_ptr<shared_rates> open() {
    shared_rates_options options;
    options.where = redis::read_address(redis.url()).value();
    options.timeout = timeout_;
    options.prefix = "test:";
    options.servers = [] { return static_cast<int>(server_count); };
    options.clock = &clock;
    return std::make_unique<shared_rates>(std::move(options));
  }
  /// Whether a call passes at one of them.
  bool call(std::size_t server, const rate_rule& rule, key_mode mode = key_mode::live) {
    std::promise<bool> told;
    auto answer = told.get_future();
    rate_info state;
    const auto judged = all[server]->take(caller_id, mode, rule, state,
                                          [&](const result<void>& passes, const rate_info& late) {
                                            last = late;
                                            told.set_value(passes.has_value());
                                          });
    if (!judged) return answer.get();
    last = state;
    return judged->has_value();
  }
  [[nodiscard]] std::int64_t passing(std::size_t server, const rate_rule& rule, int calls) {
    std::int64_t passed = 0;
    for (int i = 0; i < calls; ++i) passed += call(server, rule);
    return passed;
  }
  [[nodiscard]] bool are_all(bool here) const {
    return eventually([&] {
      return std::ranges::all_of(
          all, [here](const auto& one) { return one->count().link.is_here == here; });
    });
  }

  redis_server redis;
  manual_clock clock;
  rate_info last;
  std::array<std::unique_ptr<shared_rates>, server_count> all;

 private:
  std::chrono::milliseconds timeout_;
};

bool has_none() {
  if (redis_server::is_installed()) return false;
  freshet::test::skip("redis-server is not installed");
  return true;
}

}  // namespace

TEST_CASE("three servers in turn give the burst, and say truly what is left") {
  if (has_none()) return;
  rate_servers three;
  const rate_rule rule = slow_rule(10);
  for (std::int64_t left = 9; left >= 0; --left) {
    REQUIRE(three.call(static_cast<std::size_t>(left) % server_count, rule));
    CHECK(three.last.remaining == left);
    CHECK(three.last.limit == 10);
  }
  for (std::size_t i = 0; i < 2 * server_count; ++i) {
    CHECK_FALSE(three.call(i % server_count, rule));
    CHECK(three.last.remaining == 0);
    CHECK(three.last.reset_s > 90'000);
  }
  // Test keys have a bucket of their own.
  CHECK(three.call(0, rule, key_mode::test));
  for (const auto& one : three.all) CHECK(one->count().alone == 0);
}

TEST_CASE("a caller whom one server alone sees has the whole burst, in few questions") {
  if (has_none()) return;
  rate_servers three;
  const rate_rule rule = slow_rule(2'000);
  CHECK(three.passing(1, rule, 2'500) == 2'000);
  CHECK(three.all[1]->count().link.runs < 200);
}

TEST_CASE("callers of all servers at once are given the burst in all") {
  if (has_none()) return;
  for (const std::int64_t burst : {1, 10, 300, 4'000}) {
    rate_servers three;
    const rate_rule rule = slow_rule(burst);
    std::atomic<std::int64_t> passed = 0;
    std::vector<std::thread> callers;
    for (std::size_t i = 0; i < 12; ++i)
      callers.emplace_back([&, i] {
        for (int n = 0; n < 500; ++n) {
          std::promise<bool> told;
          rate_info state;
          const auto judged =
              three.all[i % server_count]->take(caller_id, key_mode::live, rule, state,
                                                [&](const result<void>& passes, const rate_info&) {
                                                  told.set_value(passes.has_value());
                                                });
          passed += judged ? judged->has_value() : told.get_future().get();
        }
      });
    for (auto& one : callers) one.join();
    // What a server still has, it gives.
    three.clock.advance(20ms);
    for (std::size_t i = 0; i < server_count; ++i) passed += three.passing(i, rule, 500);
    CHECK(passed == burst);
  }
}

TEST_CASE("tokens that a server took ahead and does not need are another one's") {
  if (has_none()) return;
  rate_servers three;
  const rate_rule rule = slow_rule(400);
  CHECK(three.passing(0, rule, 50) == 50);
  std::int64_t passed = 50;
  CHECK(eventually([&] {
    three.clock.advance(100ms);
    passed += three.passing(1, rule, 400);
    return passed == 400;
  }));
  CHECK(three.passing(2, rule, 10) == 0);
}

TEST_CASE("a Redis that has lost its memory is told what the servers know") {
  if (has_none()) return;
  rate_servers three;
  const rate_rule rule = slow_rule(10);
  CHECK(three.passing(0, rule, 6) == 6);
  REQUIRE(three.redis.ask("FLUSHALL") == "+OK\r\n");
  CHECK(three.passing(0, rule, 1) == 1);
  CHECK(three.passing(1, rule, 10) == 3);
}

TEST_CASE("without Redis each server gives its part, and it counts when Redis is back") {
  if (has_none()) return;
  rate_servers three;
  const rate_rule rule = slow_rule(12);
  CHECK(three.passing(0, rule, 6) == 6);
  three.redis.kill();
  REQUIRE(three.are_all(false));
  CHECK(three.passing(0, rule, 10) == 2);
  CHECK(three.last.limit == 4);
  CHECK(three.passing(1, rule, 10) == 4);
  CHECK(three.all[0]->count().alone == 10);
  three.redis.start();
  REQUIRE(three.are_all(true));
  // Six and two that the first has given, and four of the second: there was one left between.
  CHECK(three.call(0, rule));
  for (std::size_t i = 1; i < 2 * server_count; ++i)
    CHECK_FALSE(three.call(i % server_count, rule));
}

TEST_CASE("those who wait for a Redis that stands still are judged without it") {
  if (has_none()) return;
  rate_servers three(100ms);
  const rate_rule rule = slow_rule(12);
  REQUIRE(three.are_all(true));
  three.redis.stand_still();
  CHECK(three.passing(0, rule, 10) == 4);
  CHECK(three.all[0]->count().alone == 10);
  CHECK_FALSE(three.all[0]->count().link.is_here);
  three.redis.go_on();
}

TEST_CASE("whoever waits when a server ends has a verdict") {
  if (has_none()) return;
  rate_servers three;
  three.redis.stand_still();
  int told = 0;
  rate_info state;
  for (int i = 0; i < 3; ++i)
    CHECK_FALSE(three.all[0]->take(
        caller_id, key_mode::live, slow_rule(10), state,
        [&](const result<void>& passes, const rate_info&) { told += passes.has_value(); }));
  three.all[0].reset();
  CHECK(told == 3);
  three.redis.go_on();
}

TEST_CASE("more calls than the burst do not wait for one answer") {
  if (has_none()) return;
  rate_servers three;
  three.redis.stand_still();
  std::atomic<int> told = 0;
  rate_info state;
  const auto take = [&] {
    return three.all[0]->take(caller_id, key_mode::live, slow_rule(2), state,
                              [&](const result<void>&, const rate_info&) { ++told; });
  };
  CHECK_FALSE(take());
  CHECK_FALSE(take());
  const auto third = take();
  REQUIRE(third);
  CHECK(third->error().code() == errc::rate_limited);
  CHECK(state.remaining == 0);
  three.redis.go_on();
  CHECK(eventually([&] { return told == 2; }));
}

TEST_CASE("buckets that are full are forgotten, here and in Redis", "[alone][storeless]") {
  if (has_none()) return;
  rate_servers three;
  const rate_rule quick = rate_rule::from({.name = "p", .rate = 1e6, .burst = 10}).value();
  std::atomic<std::int64_t> told = 0;
  for (std::int64_t id = 1; id <= 60'000; ++id) {
    rate_info state;
    if (three.all[0]->take(id, key_mode::live, quick, state,
                           [&](const result<void>&, const rate_info&) { ++told; }))
      ++told;
    if (id % 1'000 == 0) {
      CHECK(eventually([&] { return told == id; }));
      three.clock.advance(1s);
    }
  }
  CHECK(three.all[0]->size() <= 40'000);
  CHECK(eventually([&] { return three.redis.ask("DBSIZE") == ":0\r\n"; }));
}
