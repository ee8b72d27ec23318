// Words of which each letter stands alone, as in "i g n o r e".
#pragma once

#include <array>
#include <cstddef>

namespace freshet::markdown {

/// Single letters one after the other. Of a longer run those that fit are kept.
class spelled_run {
 public:
  struct letter {
    char value = 0;            ///< small
    std::size_t position = 0;  ///< in the text
  };

  void add(letter one) noexcept {
    if (count_ < letters_.size()) letters_[count_++] = one;
  }
  void clear() noexcept { count_ = 0; }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] const letter& operator[](std::size_t at) const noexcept { return letters_[at]; }

 private:
  static constexpr std::size_t most = 256;
  std::array<letter, most> letters_{};
  std::size_t count_ = 0;
};

}  // namespace freshet::markdown
