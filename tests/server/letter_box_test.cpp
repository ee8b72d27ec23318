// A letter box: one waking for all that wait, whatever comes in between.
#include <catch2/catch.hpp>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <server/letter_box.hpp>
#include <thread>
#include <vector>

using freshet::server::letter_box;

TEST_CASE("whoever takes letters is woken once for all that wait") {
  letter_box<int> box;
  CHECK(box.put(1));
  CHECK_FALSE(box.put(2));
  CHECK(box.take() == 1);
  CHECK_FALSE(box.put(3));
  CHECK(box.take() == 2);
  CHECK(box.take() == 3);
  // Emptied, but not found empty: whoever takes is still at it.
  CHECK_FALSE(box.put(4));
  CHECK(box.take() == 4);
  CHECK_FALSE(box.take());
  CHECK(box.put(5));
  box.untell();
  CHECK(box.put(6));
  CHECK(box.take() == 5);
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
        if (!box.put(std::make_unique<int>(n))) continue;
        const std::lock_guard lock(mutex);
        ++wakings;
        changed.notify_one();
      }
    });
  }
  int got = 0;
  while (got < senders * letters) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return wakings > 0; });
    --wakings;
    lock.unlock();
    while (box.take()) ++got;
  }
  for (std::thread& one : threads) one.join();
  CHECK(got == senders * letters);
  CHECK_FALSE(box.take());
}
