// The work of reading what poppler's programs wrote, which may be tens of megabytes: counted, and
// ended where nobody waits for it any more.
#pragma once

#include <atomic>
#include <base/work.hpp>
#include <chrono>
#include <cstdint>

namespace freshet::pdf {

/// A step is about what a tag costs. For one thread.
class reading_meter {
 public:
  using time = std::chrono::steady_clock::time_point;

  /// `stop`: as reading_course has it; may be null.
  explicit reading_meter(const std::atomic<bool>* stop = nullptr,
                         time deadline = time::max()) noexcept
      : stop_(stop), deadline_(deadline) {}

  /// Throws base::work_ended: cancelled, or source_timeout.
  void spend(std::uint64_t steps = 1) {
    spent_ += steps;
    if (spent_ >= next_look_) look();
  }
  [[nodiscard]] std::uint64_t spent() const noexcept { return spent_; }

 private:
  /// Some 0.2 ms.
  static constexpr std::uint64_t steps_between_looks = 2'000;

  void look() {
    next_look_ = spent_ + steps_between_looks;
    if (stop_ != nullptr && *stop_) throw base::work_ended(errc::cancelled);
    if (std::chrono::steady_clock::now() >= deadline_) {
      throw base::work_ended(errc::source_timeout);
    }
  }

  const std::atomic<bool>* stop_;
  time deadline_;
  std::uint64_t spent_ = 0, next_look_ = steps_between_looks;
};

}  // namespace freshet::pdf
