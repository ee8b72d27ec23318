// Work that is told by a thread of others: handed over together, a few at a time, or told by the
// queue where that thread takes nothing more.
#include <account/commit_queue.hpp>
#include <account/fixture.hpp>
#include <catch2/catch.hpp>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

using namespace freshet;
using namespace freshet::account;
using namespace freshet::account::test;

namespace {

/// Keeps what it is given to do.
struct kept_steps final : answering_thread {
  bool post(std::function<void()> step) override {
    const std::lock_guard guard(mutex);
    if (fails) throw std::bad_alloc();
    if (!takes) return false;
    steps.push_back(std::move(step));
    return true;
  }
  std::vector<std::function<void()>> take() {
    const std::lock_guard guard(mutex);
    return std::exchange(steps, {});
  }
  std::mutex mutex;
  std::vector<std::function<void()>> steps;
  bool takes = true, fails = false;
};

/// Who was told, in their order, and by which thread.
struct told_ones {
  std::mutex mutex;
  std::vector<int> names;
  std::vector<std::thread::id> by;
  std::size_t gone = 0;
};

class told_elsewhere final : public work {
 public:
  told_elsewhere(int name, told_ones& notes, answering_thread* thread)
      : name_(name), notes_(notes), thread_(thread) {}
  ~told_elsewhere() override {
    const std::lock_guard guard(notes_.mutex);
    ++notes_.gone;
  }
  void write(transaction&) override {}
  void tell(bool committed) override {
    const std::lock_guard guard(notes_.mutex);
    notes_.names.push_back(committed ? name_ : -name_);
    notes_.by.push_back(std::this_thread::get_id());
    if (name_ == fails_at) throw std::bad_alloc();
  }
  [[nodiscard]] answering_thread* told_on() const noexcept override { return thread_; }

  static constexpr int fails_at = 1000;

 private:
  int name_;
  told_ones& notes_;
  answering_thread* thread_;
};

class no_upkeep final : public upkeep {
 public:
  [[nodiscard]] std::optional<std::chrono::milliseconds> due_in() const override { return {}; }
  void add_due(std::vector<std::unique_ptr<work>>&, bool) override {}
};

struct telling_queue {
  telling_queue() { queue.start(); }
  /// One batch, and its end.
  void commit(const std::vector<std::pair<int, answering_thread*>>& items) {
    const auto guard = queue.lock();
    for (const auto& [name, thread] : items)
      queue.post(std::make_unique<told_elsewhere>(name, notes, thread));
  }
  void end() { queue.stop(); }

  const book_at at = book_of(":memory:");
  std::unique_ptr<account_store> books =
      account_store::open({at.database, [](std::string_view) { return false; }, nullptr, at.folder})
          .value();
  told_ones notes;
  no_upkeep nothing;
  commit_queue queue{*books, nothing, 1024};
};

std::vector<int> numbers(int first, int last) {
  std::vector<int> all;
  for (int i = first; i <= last; ++i) all.push_back(i);
  return all;
}

}  // namespace

TEST_CASE("what a thread is to tell comes to it together, a few at a time") {
  telling_queue in;
  kept_steps one, other;
  std::vector<std::pair<int, answering_thread*>> items;
  for (int i = 1; i <= 20; ++i) items.emplace_back(i, &one);
  for (int i = 21; i <= 23; ++i) items.emplace_back(i, &other);
  items.emplace_back(24, nullptr);
  in.commit(items);
  in.end();
  CHECK(in.notes.names == std::vector{24});
  CHECK(in.notes.gone == 1);
  const auto steps = one.take(), others = other.take();
  REQUIRE(steps.size() == 2);
  REQUIRE(others.size() == 1);
  steps[0]();
  CHECK(in.notes.names.size() == 17);
  steps[1]();
  others[0]();
  auto expected = numbers(1, 23);
  expected.insert(expected.begin(), 24);
  CHECK(in.notes.names == expected);
  CHECK(in.notes.by.back() == std::this_thread::get_id());
  CHECK(in.notes.gone == 24);
}

TEST_CASE("where a thread takes nothing more the queue tells") {
  telling_queue in;
  kept_steps there;
  SECTION("for it refuses") { there.takes = false; }
  SECTION("for there is no memory") { there.fails = true; }
  in.commit({{1, &there}, {2, &there}});
  in.end();
  CHECK(in.notes.names == numbers(1, 2));
  CHECK(in.notes.by.front() != std::this_thread::get_id());
  CHECK(in.notes.gone == 2);
}

TEST_CASE("who cannot be told for want of memory does not keep the others from it") {
  telling_queue in;
  kept_steps there;
  in.commit({{1, &there}, {told_elsewhere::fails_at, &there}, {2, &there}});
  in.end();
  for (const auto& step : there.take()) step();
  CHECK(in.notes.names == std::vector{1, told_elsewhere::fails_at, 2});
  CHECK(in.notes.gone == 3);
}
