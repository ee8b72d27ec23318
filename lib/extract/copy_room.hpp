// How much of a page may be copied into what is read of it. What refers to the same text again and
// again has it each time: without a bound a page of a megabyte asks for gigabytes.
#pragma once

#include <cstddef>

namespace freshet::extract {

/// Of one page; more than any has of its own.
inline constexpr std::size_t max_copied_bytes = 16u << 20;

class copy_room {
 public:
  /// Whether there is room for a text of so many bytes and what holds it; nothing fits any more
  /// behind the first that does not.
  [[nodiscard]] bool take(std::size_t bytes) noexcept {
    constexpr std::size_t holder_bytes = 64;
    const std::size_t needed = bytes + holder_bytes;
    is_full_ = is_full_ || needed > left_;
    if (!is_full_) left_ -= needed;
    return !is_full_;
  }
  [[nodiscard]] bool is_full() const noexcept { return is_full_; }

 private:
  std::size_t left_ = max_copied_bytes;
  bool is_full_ = false;
};

}  // namespace freshet::extract
