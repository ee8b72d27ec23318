// The threads on which calls are planned, read and merged, so that the network thread and the
// ledger thread never wait for a page to be parsed. Accounts take turns by the processor time that
// they used, and none holds all threads.
#pragma once

#include <base/fair_queue.hpp>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace freshet::detail {

using base::owner_id;

struct worker_options {
  std::size_t threads = 2;
  /// Threads that one owner may hold at once; 0: all of them. The engine itself, owner 0, may.
  std::size_t threads_per_owner = 0;
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

  /// Throws std::bad_alloc, and has not taken the work then.
  void post(std::function<void()> work, owner_id owner = 0);
  /// What has been posted and is not begun.
  [[nodiscard]] std::size_t waiting() const {
    const std::lock_guard lock(mutex_);
    return queue_.size();
  }

 private:
  void run();
  void stop() noexcept;
  /// Has one thread look for work, where there is some, one sleeps and none is on its way.
  void wake_one() noexcept;

  const worker_options options_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  base::fair_queue<std::function<void()>> queue_;
  std::size_t sleeping_ = 0;
  bool waking_ = false;  ///< somebody was woken, and has not looked yet
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace freshet::detail
