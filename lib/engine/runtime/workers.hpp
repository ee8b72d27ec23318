// The threads on which calls are planned, read and merged, so that the network thread and the
// ledger thread never wait for a page to be parsed.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace freshet::detail {

/// A fixed set of threads over one queue. Thread-safe. Work that may run out of memory has to see
/// to its own failure: what it throws is dropped.
class workers {
 public:
  explicit workers(std::size_t threads);
  ~workers();  ///< finishes what has queued
  workers(const workers&) = delete;
  workers& operator=(const workers&) = delete;

  /// Throws std::bad_alloc, and has not taken the work then.
  void post(std::function<void()> work);

 private:
  void run();
  void stop() noexcept;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> queue_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace freshet::detail
