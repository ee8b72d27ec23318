// The characters of formulas and their TeX. A table and the alphabets of Unicode, nothing else.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace freshet::markdown {

enum class math_kind : std::uint8_t { none, plain, letter, infix, large, ignored };

struct math_sign {
  std::string_view tex;
  math_kind kind = math_kind::none;
};

/// The TeX of a character; `none` if it stands for itself, `ignored` if it cannot be seen.
[[nodiscard]] math_sign math_symbol(char32_t point) noexcept;

/// A letter of the mathematical alphabets (U+1D400 on) as TeX; any other character as it is.
[[nodiscard]] std::string math_letter(char32_t point, std::string_view as_it_is);

}  // namespace freshet::markdown
