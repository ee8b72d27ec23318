// The circuit breaker of one host: after too many failures in a window it lets nothing through for
// a while, then one probe. It counts what it is told and knows no HTTP.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>

namespace freshet::http {

struct breaker_limits {
  std::chrono::milliseconds window{10'000};
  int minimum_volume = 10;                    ///< outcomes in the window before it may open
  double failure_ratio = 0.5;                 ///< at which it opens
  std::chrono::milliseconds open_for{5'000};  ///< the first time; doubled after a failed probe
  std::chrono::milliseconds open_cap{60'000};
  std::chrono::milliseconds probe_wait{1'000};  ///< what others are told while a probe is out
  /// What a host has to answer in; that it took longer than who had less is nothing of its.
  std::chrono::milliseconds fair_time{3'000};
};

class breaker {
 public:
  using time = std::chrono::steady_clock::time_point;
  using wait = std::chrono::milliseconds;

  explicit breaker(breaker_limits limits = {}) : limits_(limits) {}

  /// How long nothing will be let through; null if something may be, now.
  [[nodiscard]] std::optional<wait> refusal(time now) const noexcept;

  enum class pass { no, yes, probe };
  /// Asks to let one request through. A probe's outcome must be told by one of the three below.
  [[nodiscard]] pass try_pass(time now) noexcept;

  void succeeded(time now, pass way) noexcept;
  /// `jitter` in [0, 1): spreads the moment at which it may try again. True if it has just opened.
  bool failed(time now, pass way, double jitter) noexcept;
  /// The request ended without telling anything of the host.
  void abandoned(pass as) noexcept;

  /// Whether it has nothing to remember.
  [[nodiscard]] bool is_idle(time now) const noexcept;

 private:
  static constexpr std::size_t slots = 10;
  struct slot {
    std::int64_t period = -1;
    int failures = 0, total = 0;
  };
  slot& slot_at(time now) noexcept;
  void open(time now, double jitter) noexcept;

  breaker_limits limits_;
  std::array<slot, slots> counts_{};
  bool open_ = false;
  bool probing_ = false;
  int failed_probes_ = 0;
  time until_{};
};

}  // namespace freshet::http
