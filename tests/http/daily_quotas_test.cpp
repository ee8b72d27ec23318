// A day's requests that several servers count together: what this server makes of the answers of a
// pool, and its own share where there are none.
#include <catch2/catch.hpp>
#include <deque>
#include <http/politeness.hpp>

#include "virtual_scheduler.hpp"

using namespace freshet;
using namespace freshet::http;
using namespace freshet::test;
using namespace std::chrono_literals;

namespace {

/// Answers when a test says so, and what it says.
class scripted_pool final : public quota_pool {
 public:
  bool is_here = true;
  int count = 2;
  std::deque<std::pair<pool_question, handler>> asked;
  std::function<void()> returned;

  bool ask(const pool_question& question, handler done) override {
    if (!is_here) return false;
    asked.emplace_back(question, std::move(done));
    return true;
  }
  int servers() override { return count; }
  void on_return(std::function<void()> told) override { returned = std::move(told); }

  void answer(std::optional<pool_answer> said) {
    auto [question, done] = std::move(asked.front());
    asked.pop_front();
    done(std::move(said));
  }
};

constexpr std::int64_t virtual_day = 20'000;

pool_answer all_used(std::int64_t used, bool is_given = true) {
  return {is_given, {{virtual_day, used, 3h, is_given}}};
}

struct rig {
  virtual_scheduler loop;
  virtual_clock clock{loop};
  scripted_pool pool;
  daily_limit limit{"one", 10, "", day_start::utc_midnight};
  daily_quotas quotas{"", {}, clock, loop, &pool};

  /// What is told at once; "later" until the pool answers.
  std::string take(base::owner_id owner = 0) {
    last = "later";
    quotas.take({&limit, 1}, {"https://one.example/x", owner}, [this](daily_quotas::wait wait) {
      last = wait ? "wait " + std::to_string(wait->count()) : "yes";
    });
    return last;
  }
  std::string hear(std::optional<pool_answer> said) {
    pool.answer(std::move(said));
    loop.advance(0ms);
    return last;
  }
  int take_while_away() {
    pool.is_here = false;
    int taken = 0;
    while (taken < 1'000 && take() == "yes") ++taken;
    CHECK(last.starts_with("wait "));
    pool.is_here = true;
    return taken;
  }
  std::string last;
};

}  // namespace

TEST_CASE("a request waits for the pool, and is told of it what the pool says") {
  rig of;
  CHECK(of.take() == "later");
  CHECK(of.pool.asked[0].first.limits[0].own.used == 0);
  CHECK(of.hear(all_used(4)) == "yes");
  CHECK(of.take(7) == "later");
  CHECK(of.pool.asked[0].first.owner == 7);
  CHECK(of.pool.asked[0].first.limits[0].own.used == 1);
  CHECK(of.pool.asked[0].first.limits[0].known == 4);
  CHECK(of.hear(all_used(10, false)) == "wait " + std::to_string((3h).count() * 3'600'000));
  CHECK(of.quotas.alone() == 0);
}

TEST_CASE("without the pool a server has its share of what was left, and tells what it used") {
  rig of;
  // Of a day of which it has heard nothing it has its share of the whole.
  CHECK(of.take_while_away() == 5);
  of.take();
  CHECK(of.pool.asked[0].first.limits[0].own.used == 5);
  CHECK(of.hear(all_used(7)) == "yes");
  // Three are left of ten for two.
  CHECK(of.take_while_away() == 1);
  of.take();
  CHECK(of.pool.asked[0].first.limits[0].own.used == 7);
  CHECK(of.hear(std::nullopt).starts_with("wait "));
  CHECK(of.quotas.alone() == 5 + 1 + 1 + 1 + 1);
  // What it has used is reported when the pool is there again.
  of.pool.returned();
  of.loop.advance(0ms);
  REQUIRE(of.pool.asked.size() == 1);
  CHECK(of.pool.asked[0].first.is_report);
  CHECK(of.pool.asked[0].first.limits[0].own.used == 7);
  CHECK(of.pool.asked[0].first.limits[0].known == 7);
}

TEST_CASE("the next day begins anew, also without the pool") {
  rig of;
  of.take();
  CHECK(of.hear(all_used(10)) == "yes");
  CHECK(of.take_while_away() == 0);
  of.loop.advance(24h);
  CHECK(of.take_while_away() == 5);
}

TEST_CASE("an account has as much as is left for others, also of a share") {
  rig of;
  of.pool.is_here = false;
  of.pool.count = 1;
  int taken = 0;
  while (of.take(7) == "yes") ++taken;
  CHECK(taken == 5);
  CHECK(of.take(8) == "yes");
}

TEST_CASE("a source's request is not sent before the pool says so, and leaves its lane otherwise") {
  virtual_scheduler loop;
  virtual_clock clock(loop);
  scripted_pool pool;
  scripted_transport network;
  politeness_options options;
  options.paces["one"] = {.max_concurrent = 1, .daily = {{"one", 10, "", day_start::utc_midnight}}};
  options.pool = &pool;
  options.clock = &clock;
  options.random = [] { return 0.5; };
  politeness polite(network, loop, std::move(options));
  std::vector<std::string> told;
  const auto ask = [&](std::chrono::seconds within) {
    request what;
    what.url = "https://one.example/x";
    what.pace_key = "one";
    return polite.submit(std::move(what), loop.now() + within, [&](result<response> got) {
      told.emplace_back(got ? "answered" : describe(got.error().code()).name);
    });
  };
  ask(10s);
  const auto second = ask(10s);
  ask(20s);
  ask(30s);
  CHECK(pool.asked.size() == 1);  // there is one place
  CHECK(network.asked.empty());
  pool.answer(all_used(1));
  loop.advance(0ms);
  REQUIRE(network.asked.size() == 1);
  network.reply(status(200));
  CHECK(told == std::vector<std::string>{"answered"});
  // The next one leaves while it is asked for, one comes to its deadline, one is refused.
  REQUIRE(pool.asked.size() == 1);
  polite.cancel(second);
  CHECK(told.back() == "cancelled");
  REQUIRE(pool.asked.size() == 2);
  loop.advance(20s);
  CHECK(told.back() == "source_timeout");
  REQUIRE(pool.asked.size() == 3);
  for (int i = 0; i < 3; ++i) pool.answer(all_used(10, false));
  loop.advance(0ms);
  CHECK(told.back() == "source_unavailable");
  CHECK(told.size() == 4);
  CHECK(network.asked.size() == 1);
}
