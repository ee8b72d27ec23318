// Looking for any of a few dozen marks in a text, in one pass and without a copy: three tables say
// of a byte with which marks it agrees as their first, second and third, whatever its case.
#pragma once

#include <array>
#include <base/unicode.hpp>
#include <bit>
#include <cstdint>
#include <string_view>

namespace freshet::sources {

/// Marks in lower case, each of three bytes at least.
template <std::size_t Count>
class mark_set {
 public:
  static_assert(Count <= 32, "one bit a mark");

  constexpr explicit mark_set(const std::array<std::string_view, Count>& marks) : marks_(marks) {
    for (std::size_t i = 0; i < Count; ++i) {
      for (std::size_t place = 0; place < tables_.size(); ++place) {
        const auto byte = static_cast<unsigned char>(marks[i][place]);
        tables_[place][byte] |= std::uint32_t{1} << i;
        if (byte >= 'a' && byte <= 'z') tables_[place][byte - 'a' + 'A'] |= std::uint32_t{1} << i;
      }
    }
  }

  /// Whether one of them stands in `text`; ASCII letters match in either case.
  [[nodiscard]] bool is_in(std::string_view text) const noexcept {
    for (std::size_t at = 0; at + tables_.size() <= text.size(); ++at) {
      auto candidates = agreeing(text, at);
      for (; candidates != 0; candidates &= candidates - 1) {
        const auto mark = marks_[static_cast<std::size_t>(std::countr_zero(candidates))];
        if (base::equals_ignoring_ascii_case(text.substr(at, mark.size()), mark)) return true;
      }
    }
    return false;
  }

 private:
  [[nodiscard]] std::uint32_t agreeing(std::string_view text, std::size_t index) const noexcept {
    return tables_[0][static_cast<unsigned char>(text[index])] &
           tables_[1][static_cast<unsigned char>(text[index + 1])] &
           tables_[2][static_cast<unsigned char>(text[index + 2])];
  }

  std::array<std::string_view, Count> marks_;
  std::array<std::array<std::uint32_t, 256>, 3> tables_{};
};

}  // namespace freshet::sources
