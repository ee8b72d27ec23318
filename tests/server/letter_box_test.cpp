// A letter box: one waking for all that wait, whatever comes in between.
#include <catch2/catch.hpp>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <server/letter_box.hpp>
#include <thread>
#include <vector>

using freshet::server::letter_box;
using freshet::server::posting;

TEST_CASE("whoever takes letters is woken once for all that wait") {
  letter_box<int> box;
  std::vector<int> taken;
  CHECK(box.put(1) == posting::first);
  CHECK(box.put(2) == posting::waits);
  CHECK(box.take(taken));
  CHECK(taken == std::vector{1, 2});
  // Emptied, but not found empty: whoever takes is still at it.
  CHECK(box.put(3) == posting::waits);
  CHECK(box.take(taken));
  CHECK(taken == std::vector{3});
  CHECK_FALSE(box.take(taken));
  CHECK(taken.empty());
  CHECK(box.put(4) == posting::first);
  box.untell();
  CHECK(box.put(5) == posting::first);
  CHECK(box.take(taken));
  CHECK(taken == std::vector{4, 5});
}

TEST_CASE("a box that is closed gives what waits in it, and takes no more") {
  letter_box<std::unique_ptr<int>> box;
  CHECK(box.put(std::make_unique<int>(1)) == posting::first);
  box.close();
  auto late = std::make_unique<int>(2);
  CHECK(box.put(std::move(late)) == posting::refused);
  REQUIRE(late);
  CHECK(*late == 2);
  std::vector<std::unique_ptr<int>> taken;
  CHECK(box.take(taken));
  CHECK(taken.size() == 1);
  CHECK_FALSE(box.take(taken));
}

TEST_CASE("no letter is left lying, from however many threads they come") {
  constexpr int senders = 4, letters = 5'000;
  letter_box<std::unique_ptr<int>> box;
  std::mutex mutex;
  std::condition_variable changed;
  int wakings = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < senders; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < letters; ++n) {
        if (box.put(std::make_unique<int>(n)) != posting::first) continue;
        const std::lock_guard lock(mutex);
        ++wakings;
        changed.notify_one();
      }
    });
  }
  int got = 0;
  std::vector<std::unique_ptr<int>> taken;
  while (got < senders * letters) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return wakings > 0; });
    --wakings;
    lock.unlock();
    while (box.take(taken)) got += static_cast<int>(taken.size());
  }
  for (std::thread& one : threads) one.join();
  CHECK(got == senders * letters);
  CHECK_FALSE(box.take(taken));
}
