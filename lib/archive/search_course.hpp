// Whether a search still matters: there is time left, and who asked for it has not gone. A store
// looks at it as it goes on, so that what nobody waits for takes nothing from others.
#pragma once

#include <atomic>
#include <chrono>
#include <freshet/result.hpp>

namespace freshet::archive {

/// Thread-safe.
class search_course {
 public:
  explicit search_course(std::chrono::steady_clock::time_point deadline) : deadline_(deadline) {}

  /// Nobody waits for it any more.
  void leave() noexcept { is_left_ = true; }
  [[nodiscard]] bool is_left() const noexcept { return is_left_; }
  [[nodiscard]] bool goes_on() const noexcept { return !is_left_ && left().count() > 0; }
  /// May be negative.
  [[nodiscard]] std::chrono::milliseconds left() const noexcept {
    return std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ -
                                                                 std::chrono::steady_clock::now());
  }
  /// Why it does not go on: cancelled, source_timeout.
  [[nodiscard]] error ending() const {
    if (is_left_) return error(errc::cancelled, "the request was cancelled");
    return error(errc::source_timeout, "the archive was still searched when its time was up");
  }

 private:
  std::chrono::steady_clock::time_point deadline_;
  std::atomic<bool> is_left_ = false;
};

}  // namespace freshet::archive
