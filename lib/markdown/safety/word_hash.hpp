// Words as numbers, by which a table of them is asked: as they are written, and with their letters
// in any order.
#pragma once

#include <array>
#include <base/ascii.hpp>
#include <base/hash_spread.hpp>
#include <cstddef>
#include <cstdint>

namespace freshet::markdown {

inline constexpr std::uint64_t word_hash_begin = 0xcbf29ce484222325u;
[[nodiscard]] constexpr std::uint64_t hash_with(std::uint64_t hash, char32_t point) noexcept {
  return (hash ^ point) * 0x100000001b3u;
}

/// What a letter counts in any order: of letters whose numbers come to the same, these do not.
[[nodiscard]] constexpr std::uint64_t sum_of_letter(char32_t point) noexcept {
  auto mixed = hash_with(word_hash_begin, point);
  mixed = (mixed ^ mixed >> 31u) * base::hash_spread;
  return mixed ^ mixed >> 29u;
}

inline constexpr std::size_t ascii_size = 0x80;
inline constexpr auto sums_of_ascii = [] {
  std::array<std::uint64_t, ascii_size> made{};
  for (std::size_t c = 0; c < ascii_size; ++c) made[c] = sum_of_letter(static_cast<char32_t>(c));
  return made;
}();

/// Letters of ASCII, small, and digits; 0 for what is neither.
inline constexpr auto ascii_letters = [] {
  std::array<unsigned char, 0x100> made{};
  for (std::size_t c = 0; c < ascii_size; ++c) {
    const char one = static_cast<char>(c);
    if (base::is_alphanumeric(one)) made[c] = static_cast<unsigned char>(base::lower(one));
  }
  return made;
}();

/// A word whose inner letters may stand in any order, which people read all the same: "ingore".
/// Known by its first letter, its last and the sum of all.
class scrambled_word {
 public:
  void add(char32_t point) noexcept {
    if (count_ == 0) first_ = point;
    last_ = point;
    sum_ += point < ascii_size ? sums_of_ascii[point] : sum_of_letter(point);
    ++count_;
  }
  /// 0 for one that is too short for that to be known.
  [[nodiscard]] std::uint64_t hash() const noexcept {
    constexpr std::uint32_t least = 6;
    return count_ < least ? 0 : hash_with(hash_with(sum_, first_), last_);
  }

 private:
  char32_t first_ = 0, last_ = 0;
  std::uint64_t sum_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace freshet::markdown
