// Letters from any thread to one that takes them, which is woken once for all that wait. It does
// not know what they say, nor how the other thread is woken.
#pragma once

#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace freshet::server {

/// Thread-safe.
template <class Letter>
class letter_box {
 public:
  /// Whether whoever takes them has to be woken: nobody has since the box was found empty.
  [[nodiscard]] bool put(Letter&& letter) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(letter));
    return !std::exchange(is_told_, true);
  }
  /// The oldest; null where there is none, and the next put() wakes again.
  [[nodiscard]] std::optional<Letter> take() {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty()) {
      is_told_ = false;
      return std::nullopt;
    }
    std::optional<Letter> letter(std::move(waiting_.front()));
    waiting_.pop_front();
    return letter;
  }
  /// Waking did not succeed: the next put() tries again.
  void untell() noexcept {
    const std::lock_guard lock(mutex_);
    is_told_ = false;
  }

 private:
  std::mutex mutex_;
  std::deque<Letter> waiting_;
  bool is_told_ = false;
};

}  // namespace freshet::server
