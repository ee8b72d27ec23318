#include <catch2/catch.hpp>
#include <condition_variable>
#include <engine/runtime/workers.hpp>
#include <map>
#include <string>

using namespace freshet::detail;

namespace {

/// Pieces that say when they have begun, and stay until they are let go.
class held_pieces {
 public:
  std::function<void()> named(const std::string& name) {
    return [this, name] {
      std::unique_lock lock(mutex_);
      begun_ += name;
      changed_.notify_all();
      changed_.wait(lock, [&] { return let_go_.contains(name) || let_go_.contains("all"); });
    };
  }
  void let_go(const std::string& name) {
    const std::lock_guard lock(mutex_);
    let_go_[name] = true;
    changed_.notify_all();
  }
  /// What has begun, once so many have.
  std::string begun(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return begun_.size() >= count; });
    return begun_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string begun_;
  std::map<std::string, bool> let_go_;
};

constexpr worker_options roomy{
    .threads = 4, .threads_per_owner = 4, .bytes = 100, .bytes_per_owner = 60};

}  // namespace

TEST_CASE("an owner's pieces that run at once take no more memory than is its share") {
  held_pieces pieces;
  workers pool(roomy);
  pool.post(pieces.named("a"), 1, 40);
  CHECK(pieces.begun(1) == "a");
  pool.post(pieces.named("b"), 1, 40);  // 80 of 60
  pool.post(pieces.named("c"), 2, 40);
  CHECK(pieces.begun(2) == "ac");
  pool.post(pieces.named("d"), 3, 40);  // 120 of 100
  pool.post(pieces.named("e"), 4, 10);  // has room, but d was first
  pool.post(pieces.named("f"), 5, 0);
  CHECK(pieces.begun(3) == "acf");
  CHECK(pool.waiting() == 3);
  pieces.let_go("a");
  pieces.begun(4);
  pieces.let_go("all");
  CHECK(pieces.begun(6).size() == 6);
}

TEST_CASE("a piece that takes more than all may runs alone, and is not left waiting") {
  held_pieces pieces;
  workers pool(roomy);
  pool.post(pieces.named("a"), 1, 1'000);
  CHECK(pieces.begun(1) == "a");
  pool.post(pieces.named("b"), 2, 1);
  pool.post(pieces.named("c"), 2, 1'000);
  pool.post(pieces.named("d"), 3);
  CHECK(pieces.begun(2) == "ad");
  CHECK(pool.waiting() == 2);
  pieces.let_go("all");
  CHECK(pieces.begun(4).size() == 4);
}

TEST_CASE("what is short runs at once beside any number of long pieces") {
  held_pieces pieces;
  workers pool({.threads = 2,
                .threads_per_owner = 1,
                .bytes = 100,
                .bytes_per_owner = 60,
                .short_threads = 1,
                .short_bytes = 5});
  pool.post(pieces.named("a"), 1, 60);
  CHECK(pieces.begun(1) == "a");
  pool.post(pieces.named("c"), 3, 30);
  CHECK(pieces.begun(2) == "ac");
  pool.post(pieces.named("b"), 2, 60);  // no room
  pool.post(pieces.named("d"), 4, 60);
  pool.post(pieces.named("e"), 1, 5);  // of an owner of whom something runs
  pool.post(pieces.named("f"), 5, 5);
  CHECK(pieces.begun(3) == "acf");
  pieces.let_go("c");
  pieces.let_go("f");
  pool.post(pieces.named("g"), 6, 1);
  CHECK(pieces.begun(4) == "acfg");
  CHECK(pool.waiting() == 3);
  pieces.let_go("all");
  CHECK(pieces.begun(7).size() == 7);
}

TEST_CASE("a short piece that ends lets what is long of its owner begin") {
  held_pieces pieces;
  workers pool({.threads = 2, .threads_per_owner = 1, .short_threads = 1, .short_bytes = 5});
  pool.post(pieces.named("a"), 1, 60);
  pieces.begun(1);
  pool.post(pieces.named("b"), 2, 60);
  pieces.begun(2);
  pool.post(pieces.named("c"), 3, 5);
  CHECK(pieces.begun(3) == "abc");
  pool.post(pieces.named("d"), 3, 60);
  pieces.let_go("a");
  pool.post(pieces.named("e"), 4, 60);
  CHECK(pieces.begun(4) == "abce");
  pieces.let_go("b");
  pieces.let_go("c");
  CHECK(pieces.begun(5) == "abced");
  pieces.let_go("all");
}

TEST_CASE("who stops the threads waits for all that has queued, what had no room too") {
  held_pieces pieces;
  pieces.let_go("all");
  {
    workers pool(roomy);
    for (int i = 0; i < 50; ++i) pool.post(pieces.named("x"), i % 3, i % 2 == 0 ? 90 : 10);
  }
  CHECK(pieces.begun(50).size() == 50);
}
