// Places of a lane: whose they are when many want them.
#include <atomic>
#include <catch2/catch.hpp>
#include <condition_variable>
#include <engine/dashboard/dashboard_lane.hpp>
#include <mutex>

#include "support/eventually.hpp"

using namespace freshet::detail;

namespace {

/// Work that holds its thread until the test lets it go on.
struct held_work {
  std::mutex mutex;
  std::condition_variable changed;
  bool open = false;
  std::atomic<int> done{0};

  std::function<void(dashboard_lane::place)> work() {
    return [this](const dashboard_lane::place&) {
      std::unique_lock lock(mutex);
      changed.wait(lock, [this] { return open; });
    };
  }
  std::function<void()> then() {
    return [this] { ++done; };
  }
  void let_go() {
    const std::lock_guard lock(mutex);
    open = true;
    changed.notify_all();
  }
};

}  // namespace

TEST_CASE("nobody takes all places of a dashboard's lane") {
  held_work held;
  {
    dashboard_lane lane({2, 32, 8});
    const auto taken_by = [&](std::int64_t owner) {
      int taken = 0;
      while (taken < 100 && lane.post(owner, held.work(), held.then())) ++taken;
      return taken;
    };
    CHECK(taken_by(7) == 8);  // an account has its share
    // Those who are not signed in have 24 in all: the fewer are left, the fewer each of them has.
    CHECK(taken_by(-1) == 4);
    for (int network = 2; network <= 4; ++network) CHECK(taken_by(-network) == 2);
    for (int network = 5; network <= 10; ++network) CHECK(taken_by(-network) == 1);
    CHECK(taken_by(-11) == 0);
    for (int account = 8; account <= 15; ++account) CHECK(taken_by(account) == 1);
    CHECK(taken_by(16) == 0);
    held.let_go();
  }
  CHECK(held.done == 32);
}

TEST_CASE("who had turns, however many they are, leaves places to who had none") {
  held_work held;
  std::atomic<int> ended{0};
  {
    dashboard_lane lane({2, 64, 8, false, true});
    const auto had = [&](std::int64_t owner, int turns) {
      for (int i = 0; i < turns; ++i) {
        const int before = ended;
        REQUIRE(lane.post(
            owner, [](const dashboard_lane::place&) {}, [&] { ++ended; }));
        REQUIRE(freshet::test::eventually([&] { return ended > before; }));
      }
    };
    const auto takes = [&](std::int64_t owner, bool is_known = false) {
      return lane.post(owner, held.work(), held.then(), is_known);
    };
    for (int network = 1; network <= 60; ++network) had(-network, 2);
    had(-100, 1);  // one may mistype
    had(-125, 2);
    had(7, 5);
    int taken = 0;
    for (int network = 1; network <= 60; ++network) taken += takes(-network) ? 1 : 0;
    CHECK(taken == 24);
    CHECK(takes(-100));
    for (int network = 101; network <= 123; ++network) CHECK(takes(-network));
    CHECK_FALSE(takes(-124));
    CHECK(takes(-124, true));
    CHECK_FALSE(takes(-125, true));
    CHECK(takes(7));
    held.let_go();
  }
  CHECK(held.done == 50);
}

TEST_CASE("one owner's long work leaves a thread of a lane to others") {
  held_work held;
  dashboard_lane lane({2, 16, 8});
  for (int i = 0; i < 8; ++i) REQUIRE(lane.post(7, held.work(), held.then()));
  std::mutex mutex;
  std::condition_variable changed;
  bool ran = false;
  REQUIRE(lane.post(
      8, [](const dashboard_lane::place&) {},
      [&] {
        const std::lock_guard lock(mutex);
        ran = true;
        changed.notify_all();
      }));
  std::unique_lock lock(mutex);
  CHECK(changed.wait_for(lock, std::chrono::seconds(20), [&] { return ran; }));
  CHECK(held.done == 0);
  held.let_go();
}

TEST_CASE("work that waits for others keeps its place, and no thread") {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<dashboard_lane::place> waiting;
  int done = 0;
  dashboard_lane lane({1, 16, 4});
  const auto post = [&](bool waits) {
    return lane.post(
        7,
        [&, waits](dashboard_lane::place place) {
          const std::lock_guard lock(mutex);
          if (waits) waiting.push_back(std::move(place));
          changed.notify_all();
        },
        [&] {
          const std::lock_guard lock(mutex);
          ++done;
          changed.notify_all();
        });
  };
  const auto wait = [&](auto&& until) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, std::chrono::seconds(60), until);
  };
  for (int i = 0; i < 3; ++i) REQUIRE(post(true));
  REQUIRE(wait([&] { return waiting.size() == 3; }));
  REQUIRE(post(false));
  CHECK(wait([&] { return done == 1; }));
  REQUIRE(post(true));
  REQUIRE(wait([&] { return waiting.size() == 4; }));
  CHECK_FALSE(post(true));
  bool went_on = false;
  lane.go_on(7, [&] {
    const std::lock_guard lock(mutex);
    went_on = true;
    changed.notify_all();
  });
  CHECK(wait([&] { return went_on; }));
  std::vector<dashboard_lane::place> all;
  {
    const std::lock_guard lock(mutex);
    all.swap(waiting);
  }
  all.clear();
  CHECK(wait([&] { return done == 5; }));
  CHECK(post(false));
}
