// Work that can be stopped. Who wants an outcome holds a `stop_token` and may say that nobody wants
// it any more; who works for it counts his steps on a `meter`, which ends the work where it is
// unwanted, late, or beyond its bound. What was stopped is not finished for nobody.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <freshet/error.hpp>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

namespace freshet::base {

/// By how much what computes for calls is nicer than what answers them: enough that these hardly
/// wait for it, and not so much that it gets nothing where others are busy.
inline constexpr int yielding_niceness = 5;
/// Makes this thread, and what it starts, so much nicer; safe between fork and exec. On Linux the
/// niceness is the thread's own. Where it is refused, all are equal.
void yield_to_answers() noexcept;

/// One outcome that somebody wants, until a deadline. Shared by who wants it and who works for it;
/// thread-safe.
class stop_token {
 public:
  using time = std::chrono::steady_clock::time_point;

  explicit stop_token(time deadline = time::max()) noexcept : deadline_(deadline) {}

  /// Nobody wants the outcome any more.
  void stop() noexcept { stopped_.store(true, std::memory_order_relaxed); }
  /// Why it should end: cancelled or source_timeout; null to go on.
  [[nodiscard]] std::optional<errc> reason_to_end() const noexcept;

 private:
  const time deadline_;
  std::atomic<bool> stopped_ = false;
};

/// Thrown by meter::spend(), and caught by who made the meter: it unwinds however deep a pass is.
class work_ended final : public std::exception {
 public:
  explicit work_ended(errc code) noexcept : code_(code) {}
  /// cancelled, source_timeout, or unsupported_content where the bound was reached.
  [[nodiscard]] errc code() const noexcept { return code_; }
  [[nodiscard]] const char* what() const noexcept override { return "the work was ended"; }

 private:
  errc code_;
};

/// Counts steps; a step is about what looking at one node, token or selector costs (some 10 ns).
/// For one thread.
class meter {
 public:
  static constexpr std::uint64_t no_bound = std::numeric_limits<std::uint64_t>::max();

  /// Without work it only counts against the bound.
  explicit meter(std::shared_ptr<const stop_token> wanted = nullptr, std::uint64_t bound = no_bound)
      : wanted_(std::move(wanted)), bound_(bound), left_(bound) {
    begin_slice();
  }

  /// A meter for one part of the same work, with a bound of its own and no more than is left here.
  /// Who made it spends here what it has spent.
  [[nodiscard]] meter part(std::uint64_t bound) const {
    return meter(wanted_, std::min(bound, left_ + slice_));
  }
  /// Steps so far.
  [[nodiscard]] std::uint64_t spent() const noexcept { return bound_ - left_ - slice_; }

  /// Throws work_ended. Cheap: it looks at the clock once in a slice.
  void spend(std::uint64_t steps = 1) {
    if (steps < slice_) {
      slice_ -= steps;
      return;
    }
    look(steps);
  }

 private:
  /// Some 0.2 ms of work between two looks at the clock.
  static constexpr std::uint64_t slice_steps = 1u << 14;

  void begin_slice() noexcept {
    slice_ = left_ < slice_steps ? left_ : slice_steps;
    left_ -= slice_;
  }
  void look(std::uint64_t steps);

  std::shared_ptr<const stop_token> wanted_;
  std::uint64_t bound_;
  std::uint64_t slice_ = 0;  ///< left of the slice that was taken off `left_`
  std::uint64_t left_;
};

}  // namespace freshet::base
