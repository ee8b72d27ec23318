// The threads on which calls are planned, read and merged, so that the network thread and the
// ledger thread never wait for a page to be parsed. Accounts take turns by the processor time that
// they used, and none holds all threads, nor all of the memory that reading takes. Some threads do
// what is short alone, for accounts of which nothing else runs: a small page waits for no large
// one.
#pragma once

#include <algorithm>
#include <base/fair_queue.hpp>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <vector>

namespace freshet::detail {

using base::owner_id;

/// What reading an answer of a source takes of memory at most: 160 bytes for each of its own were
/// measured over pages of table cells with a letter each, and 450 MB where the tree's bounds end
/// them.
constexpr std::size_t bytes_to_read(std::size_t size) noexcept {
  return std::min<std::size_t>(160 * size, 512u << 20);
}

struct worker_options {
  std::size_t threads = 2;
  /// Threads that one owner may hold at once; 0: all of them. The engine itself, owner 0, may.
  std::size_t threads_per_owner = 0;
  /// What the work that runs at once may take of memory, and of it one owner's; 0: any. One piece
  /// always runs: its own bound is that of what it reads.
  std::size_t bytes = 0, bytes_per_owner = 0;
  /// Threads beside those, for work that takes `short_bytes` at most, of owners of whom nothing
  /// runs.
  std::size_t short_threads = 0, short_bytes = 0;
  /// Whether what answers people and programs at once goes first where processors are short.
  bool yields = false;
};

/// A fixed set of threads over one queue. Thread-safe. Work that may run out of memory has to see
/// to its own failure: what it throws is dropped.
class workers {
 public:
  explicit workers(worker_options options);
  explicit workers(std::size_t threads) : workers(worker_options{threads}) {}
  ~workers();  ///< finishes what has queued
  workers(const workers&) = delete;
  workers& operator=(const workers&) = delete;

  /// `bytes`: what it is likely to take of memory while it runs. Throws std::bad_alloc, and has not
  /// taken the work then.
  void post(std::function<void()> work, owner_id owner = 0, std::size_t bytes = 0);
  /// What has been posted and is not begun.
  [[nodiscard]] std::size_t waiting() const {
    const std::lock_guard lock(mutex_);
    return queue_.size();
  }

 private:
  struct piece {
    std::function<void()> work;
    std::size_t bytes;
  };

  /// Threads that take the same work.
  struct crew {
    bool is_for_short;
    /// Of who wakes, too: what it was woken for may be the last of the engine, with all of this.
    std::shared_ptr<std::condition_variable> wake = std::make_shared<std::condition_variable>();
    std::size_t sleeping = 0;
    bool waking = false;  ///< somebody was woken, and has not looked yet
  };

  void run(crew& own);
  void stop() noexcept;
  /// Whether there is room for what a piece takes: asked of each in its turn.
  struct may_run {
    const workers& of;
    bool is_for_short;
    bool is_full = false;
    bool operator()(owner_id owner, const piece& next) noexcept;
  };
  [[nodiscard]] std::size_t most_of_owner(const crew& who) const noexcept {
    return who.is_for_short ? 1 : options_.threads_per_owner;
  }
  [[nodiscard]] std::optional<base::fair_queue<piece>::taken_entry> take(const crew& who) noexcept;
  void finish(owner_id owner, std::size_t bytes, double used_s) noexcept;
  /// Whom to wake, once the lock is given back: a thread that is woken before goes to sleep again
  /// until then, and takes the processor from who has the lock. One of a crew, where there is some
  /// work for it, one sleeps and none is on its way; null for nobody.
  [[nodiscard]] std::shared_ptr<std::condition_variable> to_wake() noexcept;

  const worker_options options_;
  mutable std::mutex mutex_;
  crew all_{false}, short_{true};
  base::fair_queue<piece> queue_;
  std::size_t bytes_ = 0;                               ///< of all that runs
  std::unordered_map<owner_id, std::size_t> bytes_of_;  ///< of who has any
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace freshet::detail
