#include <atomic>
#include <catch2/catch.hpp>
#include <engine/runtime/memory_watch.hpp>
#include <freshet/engine.hpp>
#include <future>
#include <thread>
#include <vector>

#include "support/eventually.hpp"

using namespace freshet;
using namespace freshet::detail;
using namespace std::chrono_literals;

namespace {

struct stepping_clock final : base::clock {
  std::chrono::steady_clock::time_point at{1h};
  [[nodiscard]] time_point now() const override { return {}; }
  [[nodiscard]] std::chrono::steady_clock::time_point steady() const override { return at; }
};

}  // namespace

TEST_CASE("as memory grows, more is given up, and it comes back") {
  stepping_clock clock;
  std::size_t used = 0;
  int looks = 0;
  std::vector<memory_level> rises;
  memory_watch watch(
      1'000'000, {.on_rise = [&](memory_level level) { rises.push_back(level); }, .give_back = {}},
      [&] {
        ++looks;
        return used;
      },
      clock);
  const auto at = [&](std::size_t bytes) {
    used = bytes;
    clock.at += 1s;
    return watch.level();
  };
  CHECK(at(690'000) == memory_level::calm);
  CHECK(at(710'000) == memory_level::no_caches);
  CHECK(at(860'000) == memory_level::no_calls);
  CHECK(at(2'000'000) == memory_level::no_connections);
  CHECK(at(860'000) == memory_level::no_calls);
  CHECK(at(100) == memory_level::calm);
  CHECK(rises ==
        std::vector{memory_level::no_caches, memory_level::no_calls, memory_level::no_connections});
  CHECK(looks == 6);
  for (int i = 0; i < 1'000; ++i) (void)watch.level();
  CHECK(looks == 6);
}

TEST_CASE("who asks while another looks does not wait for that") {
  stepping_clock clock;
  std::unique_ptr<memory_watch> watch;
  bool has_asked = false, is_answered = false;
  std::future<memory_level> other;
  watch = std::make_unique<memory_watch>(
      1'000'000, memory_actions{},
      [&] {
        if (std::exchange(has_asked, true)) return std::size_t{2'000'000};
        clock.at += 1s;
        other = std::async(std::launch::async, [&] { return watch->level(); });
        is_answered = other.wait_for(test::patience) == std::future_status::ready;
        return std::size_t{2'000'000};
      },
      clock);
  clock.at += 1s;
  CHECK(watch->level() == memory_level::no_connections);
  CHECK(is_answered);
  CHECK(other.get() == memory_level::calm);
}

TEST_CASE("what is kept is let go of by none of those who look") {
  std::atomic<bool> is_said{false};
  std::atomic<std::thread::id> by;
  engine_options options;
  REQUIRE(options.config.set("server.max_memory_bytes", "1").has_value());
  options.log = [&](std::string_view, std::string_view line) {
    if (line.find("memory is short") == std::string_view::npos) return;
    by = std::this_thread::get_id();
    is_said = true;
  };
  auto opened = engine::open(std::move(options));
  REQUIRE(opened.has_value());
  CHECK(!(*opened)->has_room());
  REQUIRE(test::eventually([&] { return is_said.load(); }));
  CHECK(by.load() != std::this_thread::get_id());
}

TEST_CASE(
    "what was let go of is given back: soon where there is much, seldom where it brings nothing") {
  constexpr std::size_t worth = 100;
  return_rule rule(worth);
  return_rule::time at{1h};
  // What is in memory, and when it is given back, what it comes to: 0, it is not.
  struct row {
    std::chrono::seconds later;
    std::size_t resident;
    bool is_short;
    std::size_t after;
  };
  const row rows[] = {
      {0s, 1'000, false, 0},       // what there is at the beginning is in use
      {1s, 1'099, false, 0},       // not worth it
      {1s, 1'100, false, 1'000},   // and this is
      {4s, 5'000, false, 0},       // not again at once
      {1s, 5'000, false, 4'990},   // in use by now
      {5s, 4'990, false, 0},       // it has brought nothing: less often
      {5s, 4'990, false, 4'990},   //
      {19s, 5'000, false, 0},      //
      {1s, 5'000, false, 4'995},   //
      {5s, 5'095, false, 4'996},   // it has grown: at once, and now it brings much
      {5s, 4'996, false, 4'996},   //
      {1s, 4'996, true, 4'996},    // where memory is short, each second
      {0s, 4'996, true, 0},        //
      {1s, 4'996, true, 4'996},    //
      {60s, 5'000, false, 1'000},  // never later than that
      {60s, 1'050, false, 0},      // as at the beginning
  };
  int number = 0;
  for (const row& each : rows) {
    CAPTURE(number++);
    at += each.later;
    const bool is_due = rule.is_due(each.resident, each.is_short, at);
    CHECK(is_due == (each.after != 0));
    if (is_due) rule.judge(each.after);
  }
}

TEST_CASE("where memory is short what was let go of is given back until there is enough") {
  stepping_clock clock;
  std::size_t used = 960'000;
  int given_back = 0;
  memory_watch watch(
      1'000'000, {.on_rise = {}, .give_back = [&] { ++given_back; }}, [&] { return used; }, clock);
  for (int i = 0; i < 5; ++i) {
    CHECK(watch.level() == memory_level::no_connections);
    watch.on_given_back();
    clock.at += 1s;
  }
  CHECK(given_back == 5);  // calls that end meanwhile let go of more
  used = 100'000;
  CHECK(watch.level() == memory_level::calm);
  CHECK(given_back == 5);
}

TEST_CASE("what the process takes is read from the system") {
  memory_watch huge(std::size_t{1} << 50);
  CHECK(huge.level() == memory_level::calm);
  memory_watch tiny(4'096);
  CHECK(tiny.level() == memory_level::no_connections);
  CHECK(memory_watch().bound() > (64u << 20));
}
