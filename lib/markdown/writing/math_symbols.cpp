// Looking up the characters of formulas.
#include <algorithm>
#include <array>
#include <markdown/writing/math_symbols.hpp>

namespace freshet::markdown {

namespace {

struct entry {
  char32_t point;
  std::string_view tex;
  math_kind kind;
};

constexpr auto plain = math_kind::plain;
constexpr auto letter = math_kind::letter;
constexpr auto infix = math_kind::infix;
constexpr auto large = math_kind::large;

/// Ascending by code point.
constexpr entry symbols[] = {
#define FRESHET_MATH(point, tex, kind) {point, tex, kind},
#include <markdown/writing/math_symbols.def>
#undef FRESHET_MATH
};

static_assert(std::is_sorted(std::begin(symbols), std::end(symbols),
                             [](const entry& a, const entry& b) { return a.point < b.point; }));

/// The styles of the mathematical alphabets, 52 letters each, in the order of Unicode.
constexpr std::array<std::string_view, 13> letter_styles = {
    "\\mathbf",   "",         "\\boldsymbol", "\\mathcal", "\\mathcal", "\\mathfrak", "\\mathbb",
    "\\mathfrak", "\\mathsf", "\\mathsf",     "\\mathsf",  "\\mathsf",  "\\mathtt"};

constexpr char32_t first_letter = 0x1D400, first_greek = 0x1D6A8, first_digit = 0x1D7CE,
                   last_digit = 0x1D7FF;
constexpr char32_t letters = 26, letters_of_style = 52, greek_of_style = 58;

}  // namespace

math_sign math_symbol(char32_t point) noexcept {
  // Function application, invisible times, separator and plus; zero-width characters.
  if (point >= 0x2061 && point <= 0x2064) return {{}, math_kind::ignored};
  if (point == 0x200B || point == 0xFEFF) return {{}, math_kind::ignored};
  const auto found = std::ranges::lower_bound(symbols, point, {}, &entry::point);
  if (found == std::end(symbols) || found->point != point) return {};
  return {found->tex, found->kind};
}

std::string math_letter(char32_t point, std::string_view as_it_is) {
  if (point < first_letter || point > last_digit) return std::string(as_it_is);
  if (point >= first_digit) {
    return std::string(1, static_cast<char>('0' + (point - first_digit) % 10));
  }
  if (point >= first_greek) {
    const auto index = (point - first_greek) % greek_of_style;
    // Capitals, nabla, small letters; what follows them is rare.
    const char32_t plain_point = index < 25    ? 0x391 + index
                                 : index == 25 ? 0x2207
                                               : 0x3B1 + index - 26;
    return index > 50 ? std::string(as_it_is) : std::string(math_symbol(plain_point).tex);
  }
  const auto index = point - first_letter;
  const auto in_style = index % letters_of_style;
  const char c = in_style < letters ? static_cast<char>('A' + in_style)
                                    : static_cast<char>('a' + in_style - letters);
  const auto style = letter_styles[index / letters_of_style];
  return style.empty() ? std::string(1, c) : std::string(style) + "{" + c + "}";
}

}  // namespace freshet::markdown
