// The link over a real Redis on loopback, which is killed and stopped.
#include <algorithm>
#include <catch2/catch.hpp>
#include <future>
#include <optional>
#include <redis/redis_link.hpp>

#include "support/eventually.hpp"
#include "support/redis_server.hpp"
#include "support/skips.hpp"

using namespace freshet;
using namespace freshet::redis;
using freshet::test::eventually;
using freshet::test::redis_server;

namespace {

/// The timeout of those that must not fail, however slow the machine is.
constexpr std::chrono::milliseconds patient = test::patience;
constexpr std::chrono::milliseconds short_time{50};

const std::vector<std::string> scripts{
    "return {tonumber(ARGV[1]), redis.call('INCR', KEYS[1])}",
    "return redis.error_reply('ERR no such thing')",
    "return tonumber(redis.call('GET', KEYS[1]) or -1)",
};

link_options options_for(const std::string& url, std::chrono::milliseconds timeout = patient) {
  link_options options;
  options.where = read_address(url).value();
  options.timeout = timeout;
  options.scripts = scripts;
  return options;
}

/// Runs a script and waits; null where it was not answered.
std::optional<std::vector<std::int64_t>> ask(redis_link& asked, std::size_t script,
                                             std::vector<std::string> words) {
  std::promise<std::optional<std::vector<std::int64_t>>> told;
  auto answer = told.get_future();
  if (!asked.run(script, std::move(words), [&](const redis_reply* given) {
        told.set_value(given == nullptr ? std::nullopt : std::optional(given->numbers));
      }))
    return std::nullopt;
  return answer.get();
}

bool has_none() {
  if (redis_server::is_installed()) return false;
  test::skip("redis-server is not installed");
  return true;
}

}  // namespace

TEST_CASE("what is asked by many at once is answered to each, in order") {
  if (has_none()) return;
  redis_server server;
  redis_link on(options_for(server.url()));
  on.start();
  REQUIRE(on.is_here());
  constexpr std::size_t callers = 8, each = 2'000;
  std::vector<std::vector<std::int64_t>> told(callers);
  std::atomic<std::size_t> missing = callers * each;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < callers; ++i)
    threads.emplace_back([&, i] {
      for (std::size_t n = 0; n < each; ++n)
        while (!on.run(0, {"key" + std::to_string(i), std::to_string(n)},
                       [&, i](const redis_reply* one) {
                         if (one != nullptr) told[i].push_back(one->numbers[0]);
                         --missing;
                       }))
          std::this_thread::yield();
    });
  for (auto& one : threads) one.join();
  REQUIRE(eventually([&] { return missing == 0; }));
  for (const auto& one : told) {
    CHECK(one.size() == each);
    CHECK(std::is_sorted(one.begin(), one.end()));
  }
  CHECK(on.count().runs == callers * each);
  CHECK(on.count().losses == 0);
}

TEST_CASE("a password opens it, a user, too, and databases are apart") {
  if (has_none()) return;
  redis_server server({"--requirepass", "open", "--user", "reader", "on", ">shut", "~*", "+@all"});
  const std::string place = "127.0.0.1:" + std::to_string(server.port());
  for (const char* const who : {":open@", "reader:shut@"}) {
    for (const char* const number : {"/0", "/3"}) {
      redis_link on(options_for("redis://" + std::string(who) + place + number));
      on.start();
      CHECK(ask(on, 0, {who, "7"}) == std::vector<std::int64_t>{7, 1});
    }
  }
  for (const char* const who : {"", ":wrong@", "reader:open@"}) {
    redis_link on(options_for("redis://" + std::string(who) + place));
    on.start();
    CHECK_FALSE(on.is_here());
    CHECK_FALSE(on.count().why.empty());
    CHECK_FALSE(on.run(0, {"a", "1"}, nullptr));
  }
}

TEST_CASE("a Redis that stands still is left, and is there again when it goes on") {
  if (has_none()) return;
  redis_server server;
  std::atomic<int> came = 0, went = 0;
  auto options = options_for(server.url(), short_time);
  options.changed = [&](bool is_here, std::string_view) { ++(is_here ? came : went); };
  redis_link on(std::move(options));
  on.start();
  REQUIRE(eventually([&] { return on.is_here(); }));
  server.stand_still();
  std::atomic<int> unanswered = 0;
  for (int i = 0; i < 100; ++i)
    if (!on.run(0, {"key", "1"}, [&](const redis_reply* given) { unanswered += given == nullptr; }))
      ++unanswered;
  CHECK(eventually([&] { return unanswered == 100; }));
  CHECK_FALSE(on.is_here());
  CHECK(on.count().why == "no answer within 50 ms");
  // It accepts connections all the while.
  const int before = went;
  std::this_thread::sleep_for(4 * short_time);
  CHECK_FALSE(on.is_here());
  CHECK(went == before);
  server.go_on();
  CHECK(eventually([&] { return ask(on, 0, {"key", "5"}).has_value(); }));
  CHECK(came > 1);
}

TEST_CASE("a Redis that is killed is missed at once, and found when it is started anew") {
  if (has_none()) return;
  redis_server server;
  redis_link on(options_for(server.url()));
  on.start();
  for (std::uint64_t i = 1; i <= 3; ++i) {
    REQUIRE(eventually([&] { return ask(on, 0, {"key", "1"}).has_value(); }));
    server.stand_still();
    std::promise<bool> told;
    REQUIRE(on.run(0, {"key", "1"},
                   [&](const redis_reply* given) { told.set_value(given != nullptr); }));
    server.kill();
    CHECK_FALSE(told.get_future().get());
    CHECK(on.count().losses == i);
    // It has no memory, of the scripts neither.
    server.start();
    REQUIRE(eventually([&] { return on.is_here(); }));
    CHECK(ask(on, 2, {"key"}) == std::vector<std::int64_t>{-1});
  }
}

TEST_CASE("one that is not there when a server starts is found later") {
  if (has_none()) return;
  redis_server server;
  server.kill();
  redis_link on(options_for(server.url()));
  on.start();
  CHECK_FALSE(on.is_here());
  CHECK(on.count().why == "Connection refused");
  CHECK(on.count().losses == 0);
  server.start();
  CHECK(eventually([&] { return on.is_here(); }));
}

TEST_CASE("a script that fails costs the connection and no answer") {
  if (has_none()) return;
  redis_server server;
  redis_link on(options_for(server.url()));
  on.start();
  CHECK(ask(on, 1, {"key"}) == std::nullopt);
  CHECK(eventually([&] { return ask(on, 0, {"key", "1"}).has_value(); }));
  CHECK_FALSE(server.ask("SCRIPT FLUSH").empty());
  CHECK(ask(on, 0, {"key", "1"}) == std::nullopt);
  CHECK(eventually([&] { return ask(on, 0, {"key", "1"}).has_value(); }));
}

TEST_CASE("whoever waits when it ends is told, and what comes later is not taken") {
  if (has_none()) return;
  redis_server server;
  redis_link on(options_for(server.url()));
  on.start();
  server.stand_still();
  int told = 0;
  for (int i = 0; i < 10; ++i)
    REQUIRE(on.run(0, {"key", "1"}, [&](const redis_reply* given) { told += given == nullptr; }));
  on.stop();
  CHECK(told == 10);
  CHECK_FALSE(on.run(0, {"key", "1"}, nullptr));
  server.go_on();
}
