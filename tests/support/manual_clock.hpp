// A clock that goes only where a test sets it. Thread-safe.
#pragma once

#include <atomic>
#include <base/clock.hpp>
#include <chrono>
#include <cstdint>

namespace freshet::test {

/// Noon on 21 November 2026.
inline const time_point start_time{std::chrono::sys_days{std::chrono::year{2026} / 11 / 21} +
                                   std::chrono::hours(12)};

class manual_clock final : public base::clock {
 public:
  [[nodiscard]] time_point now() const override {
    return time_point(std::chrono::milliseconds(now_ms_.load()));
  }
  [[nodiscard]] std::chrono::steady_clock::time_point steady() const override {
    return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(steady_ns_.load()));
  }
  void set(time_point at) { now_ms_ = at.time_since_epoch().count(); }
  /// The time of day alone: somebody sets it.
  void jump(std::chrono::milliseconds by) { now_ms_ += by.count(); }
  /// Both clocks.
  void advance(std::chrono::nanoseconds by) {
    now_ms_ += std::chrono::duration_cast<std::chrono::milliseconds>(by).count();
    steady_ns_ += by.count();
  }
  void set_steady(std::chrono::nanoseconds at) { steady_ns_ = at.count(); }

 private:
  std::atomic<std::int64_t> now_ms_{start_time.time_since_epoch().count()};
  std::atomic<std::int64_t> steady_ns_{1'000'000'000'000};
};

}  // namespace freshet::test
