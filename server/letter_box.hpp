// Letters from any thread to one that takes them, which is woken once for all that wait. It does
// not know what they say, nor how the other thread is woken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace freshet::server {

/// What became of a letter.
enum class posting : std::uint8_t {
  waits,    ///< with others, for whose sake somebody has been woken
  first,    ///< whoever takes them has to be woken: nobody has since the box was found empty
  refused,  ///< the box is closed; the letter is what it was
};

/// Thread-safe.
template <class Letter>
class letter_box {
 public:
  [[nodiscard]] posting put(Letter&& letter) {
    const std::lock_guard lock(mutex_);
    if (is_closed_) return posting::refused;
    waiting_.push_back(std::move(letter));
    return std::exchange(is_told_, true) ? posting::waits : posting::first;
  }
  /// All of them, the oldest first, in place of what `into` has held, whose room is used again.
  /// False: there is none, and the next put() wakes again.
  [[nodiscard]] bool take(std::vector<Letter>& into) {
    into.clear();
    if (into.capacity() > most_room) into = std::vector<Letter>();
    const std::lock_guard lock(mutex_);
    is_told_ = !waiting_.empty();
    waiting_.swap(into);
    return is_told_;
  }
  /// Waking did not succeed: the next put() tries again.
  void untell() noexcept {
    const std::lock_guard lock(mutex_);
    is_told_ = false;
  }
  /// Takes no more; what waits can still be taken.
  void close() noexcept {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
  }

 private:
  /// Beyond so many letters the room of a rush is given back.
  static constexpr std::size_t most_room = 512;

  std::mutex mutex_;
  std::vector<Letter> waiting_;
  bool is_told_ = false, is_closed_ = false;
};

}  // namespace freshet::server
