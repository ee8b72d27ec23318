// Time, injected: what decides by the time of day asks this, never the system. Waiting for programs
// and browsers goes by the steady clock, without it.
#pragma once

#include <chrono>
#include <freshet/item.hpp>

namespace freshet::base {

/// Where time comes from. Thread-safe.
class clock {
 public:
  virtual ~clock() = default;
  /// UTC; may jump.
  [[nodiscard]] virtual time_point now() const = 0;
  /// Monotonic: for durations, deadlines and buckets.
  [[nodiscard]] virtual std::chrono::steady_clock::time_point steady() const = 0;
};

/// The machine's clocks. Static storage.
[[nodiscard]] const clock& system_clock();

/// Processor time that the calling thread has used.
[[nodiscard]] std::chrono::nanoseconds thread_processor_time() noexcept;

/// A clock that always shows `at` in UTC while its steady time runs: the sandbox's, whose
/// recordings have a date.
class fixed_clock final : public clock {
 public:
  explicit fixed_clock(time_point at) : at_(at) {}
  [[nodiscard]] time_point now() const override { return at_; }
  [[nodiscard]] std::chrono::steady_clock::time_point steady() const override {
    return std::chrono::steady_clock::now();
  }

 private:
  time_point at_;
};

}  // namespace freshet::base
