// The one thread on which everything behind the front runs, as the layers see it: a queue of tasks
// and a heap of timers. The curl engine provides it; tests put a virtual one in its place.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

namespace freshet::http {

class scheduler {
 public:
  using task = std::function<void()>;
  using time = std::chrono::steady_clock::time_point;

  virtual ~scheduler() = default;

  /// Runs a task on the thread, after those posted before. From any thread.
  virtual void post(task what) = 0;

  /// Monotonic; the clock of the timers below and of every deadline.
  [[nodiscard]] virtual time now() const = 0;
  /// Runs a task at or after a moment, never before at() has returned. On the thread only. The
  /// number is never 0.
  virtual std::uint64_t at(time when, task action) = 0;
  /// Forgets a timer; one that has run, or 0, is ignored. On the thread only.
  virtual void drop(std::uint64_t timer) = 0;
};

}  // namespace freshet::http
