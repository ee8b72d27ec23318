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

/// A fixed set of threads over one queue. Thread-safe. Work must not throw.
class workers {
 public:
  explicit workers(std::size_t threads);
  ~workers();  ///< finishes what has queued
  workers(const workers&) = delete;
  workers& operator=(const workers&) = delete;

  void post(std::function<void()> work);

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> queue_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace freshet::detail
