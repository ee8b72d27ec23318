// The rate limit of one caller: GCRA, the bucket that needs one number and no timer. Time comes in
// from outside; nothing here is thread-safe.
#pragma once

#include <account/types.hpp>
#include <chrono>
#include <freshet/response.hpp>

namespace freshet::account {

/// A plan's rate as GCRA counts it. A value.
class rate_rule {
 public:
  rate_rule() = default;
  /// Error: invalid_configuration, for a rate or burst that is not positive or that no clock can
  /// count (a bucket that takes over ten years to refill).
  [[nodiscard]] static result<rate_rule> from(const plan& of);

  [[nodiscard]] std::chrono::nanoseconds interval() const noexcept { return interval_; }
  [[nodiscard]] std::int64_t burst() const noexcept { return burst_; }
  /// The part of one of so many servers, which do not know what callers ask of the others.
  [[nodiscard]] rate_rule shared_by(int servers) const noexcept;
  /// The time in which an empty bucket refills.
  [[nodiscard]] std::chrono::nanoseconds window() const noexcept { return interval_ * burst_; }

 private:
  std::chrono::nanoseconds interval_{500'000'000};
  std::int64_t burst_ = 10;
};

/// What a caller is told whose bucket will be full again after `owed`.
void show_rate(const rate_rule& rule, std::chrono::nanoseconds owed, rate_info& state);
/// The refusal of one who may call after `wait`: rate_limited, with retry_after in whole seconds.
[[nodiscard]] error rate_refusal(const rate_rule& rule, std::chrono::nanoseconds wait);

/// One caller's bucket; full at first.
class rate_bucket {
 public:
  rate_bucket() = default;
  /// One that will be full at `full_at`.
  explicit rate_bucket(std::chrono::steady_clock::time_point full_at) : full_at_(full_at) {}
  /// Takes one request at `now` (a monotonic clock). `state` is filled in both cases. Error:
  /// rate_limited, with retry_after in whole seconds after which the request passes.
  [[nodiscard]] result<void> take(const rate_rule& rule, std::chrono::steady_clock::time_point now,
                                  rate_info& state);
  /// Whether it is as a new one is.
  [[nodiscard]] bool is_full(std::chrono::steady_clock::time_point now) const noexcept {
    return full_at_ <= now;
  }
  [[nodiscard]] std::chrono::steady_clock::time_point full_at() const noexcept { return full_at_; }

 private:
  /// GCRA's theoretical arrival time: long past, at first.
  std::chrono::steady_clock::time_point full_at_ = std::chrono::steady_clock::time_point::min();
};

}  // namespace freshet::account
