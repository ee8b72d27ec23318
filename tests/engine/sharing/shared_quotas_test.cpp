// A day's requests that three servers count together over a real Redis, which loses its memory.
#include <catch2/catch.hpp>
#include <deque>
#include <http/daily_quotas.hpp>
#include <support/temporary_folder.hpp>

#include "sharing_servers.hpp"

using namespace freshet;
using namespace std::chrono_literals;
using freshet::test::eventually;
using freshet::test::has_no_redis;
using freshet::test::server_count;
using freshet::test::sharing_servers;

namespace {

constexpr std::int64_t requests_a_day = 60;

/// A clock that is wrong by so much, and can be put forward.
class wrong_clock final : public base::clock {
 public:
  std::chrono::milliseconds off{0};
  [[nodiscard]] time_point now() const override { return base::system_clock().now() + off; }
  [[nodiscard]] std::chrono::steady_clock::time_point steady() const override {
    return base::system_clock().steady();
  }
};

/// The thread of a server's network, as which the test runs.
class waiting_loop final : public http::scheduler {
 public:
  void post(task what) override {
    const std::lock_guard guard(mutex_);
    posted_.push_back(std::move(what));
  }
  [[nodiscard]] time now() const override { return base::system_clock().steady(); }
  std::uint64_t at(time, task) override { return 1; }
  void drop(std::uint64_t) override {}

  void run() {
    for (;;) {
      task next;
      {
        const std::lock_guard guard(mutex_);
        if (posted_.empty()) return;
        next = std::move(posted_.front());
        posted_.pop_front();
      }
      next();
    }
  }

 private:
  std::mutex mutex_;
  std::deque<task> posted_;
};

/// Three servers that have counted before, so that Redis is not taken for one that has just begun.
struct quota_servers {
  quota_servers() {
    for (std::size_t i = 0; i < server_count; ++i) open(i);
    grow_old();
  }
  ~quota_servers() {
    for (auto& one : of.all) one->sharing.stop();
    for (auto& one : quotas) one.reset();
  }
  void open(std::size_t i) {
    quotas[i].reset();
    quotas[i] = std::make_unique<http::daily_quotas>(
        folder.file(std::to_string(i)), nullptr, clocks[i], loops[i], &of.all[i]->sharing.quotas());
  }
  /// The memory began long ago.
  void grow_old() { REQUIRE(of.redis.ask("SET test:quota 1").starts_with("+OK")); }

  bool take(std::size_t server, base::owner_id owner = 0) {
    std::optional<bool> passes;
    quotas[server]->take({&limit, 1}, {"https://one.example/x", owner},
                         [&](http::daily_quotas::wait wait) { passes = !wait; });
    REQUIRE(eventually([&] {
      loops[server].run();
      return passes.has_value();
    }));
    return *passes;
  }
  int take_all(std::size_t server, int most = 1'000) {
    int taken = 0;
    while (taken < most && take(server)) ++taken;
    return taken;
  }
  /// How many all have used, as Redis has it.
  std::string counted() {
    for (auto& one : loops) one.run();
    const auto day = http::day_of(base::system_clock().now(), limit.starts).number;
    const auto told = of.redis.ask("HGET test:quota:one:" + std::to_string(day) + " all");
    return told.starts_with("$-1") ? "" : told.substr(told.find('\n') + 1);
  }
  [[nodiscard]] std::uint64_t alone() const {
    std::uint64_t sum = 0;
    for (const auto& one : quotas) sum += one->alone();
    return sum;
  }

  test::temporary_folder folder;
  sharing_servers of;
  std::array<wrong_clock, server_count> clocks;
  std::array<waiting_loop, server_count> loops;
  http::daily_limit limit{"one", requests_a_day, "", http::day_start::utc_midnight};
  std::array<std::unique_ptr<http::daily_quotas>, server_count> quotas;
};

}  // namespace

TEST_CASE("all servers have the day's requests together, to the last, whatever their clocks say") {
  if (has_no_redis()) return;
  quota_servers all;
  // A day ahead and behind is more than any clock is wrong.
  all.clocks[0].off = 20h;
  all.clocks[2].off = -20h;
  CHECK(all.take_all(0, 25) == 25);
  CHECK(all.take_all(1, 30) == 30);
  CHECK(all.take_all(2) == 5);
  CHECK(all.take_all(0) == 0);
  CHECK(all.take_all(1) == 0);
  CHECK(all.alone() == 0);
}

TEST_CASE("the day's requests survive a restart of a server") {
  if (has_no_redis()) return;
  quota_servers all;
  CHECK(all.take_all(0, 25) == 25);
  all.open(0);
  CHECK(all.take_all(0, 5) == 5);
  all.open(0);
  CHECK(all.take_all(1) == 30);
  CHECK(all.take_all(0) == 0);
}

TEST_CASE("a Redis that has lost its memory is told by all what they have used") {
  if (has_no_redis()) return;
  quota_servers all;
  CHECK(all.take_all(0, 20) == 20);
  CHECK(all.take_all(1, 15) == 15);
  REQUIRE(all.of.redis.ask("FLUSHALL") == "+OK\r\n");
  REQUIRE(eventually([&] { return all.counted() == "35\r\n"; }));
  all.grow_old();
  CHECK(all.take_all(2, 1) == 1);
  CHECK(all.take_all(0) + all.take_all(1) + all.take_all(2) == 24);
  CHECK(all.alone() == 0);
}

TEST_CASE("while the memory is young, and without Redis, each has its share of what was left") {
  if (has_no_redis()) return;
  quota_servers all;
  CHECK(all.take_all(0, 27) == 27);
  for (std::size_t i = 1; i < server_count; ++i) CHECK(all.take(i));
  REQUIRE(all.of.redis.ask("SET test:quota 99999999999999").starts_with("+OK"));
  CHECK(all.take(2));
  CHECK(all.alone() == 1);
  all.of.redis.kill();
  REQUIRE(all.of.are_all(false));
  // Of 60 they knew 27, 28 and 29 to be used.
  CHECK(all.take_all(0) == 11);
  CHECK(all.take_all(1) == 10);
  CHECK(all.take_all(2) == 9);
  all.of.redis.start();
  REQUIRE(all.of.are_all(true));
  REQUIRE(eventually([&] { return all.counted() == "60\r\n"; }));
  all.grow_old();
  for (std::size_t i = 0; i < server_count; ++i) CHECK(all.take_all(i) == 0);
}

TEST_CASE("an account has no more of a day than is left for others, on all servers together") {
  if (has_no_redis()) return;
  quota_servers all;
  int taken = 0;
  for (int i = 0; i < 20; ++i)
    for (std::size_t server = 0; server < server_count; ++server) taken += all.take(server, 7);
  CHECK(taken == requests_a_day / 2);
  CHECK(all.take(1, 8));
}
