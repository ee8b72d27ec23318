// Thicknesses are judged for letters of the usual size.
#include <algorithm>
#include <markdown/sheets/drawn_over.hpp>
#include <markdown/sheets/lengths.hpp>
#include <markdown/sheets/value_text.hpp>

namespace freshet::markdown {

namespace {

constexpr double usual_letters_px = 16;

bool has_length(const value_parts& parts, double least_px) noexcept {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
    return length_of(part, usual_letters_px).value_or(0) >= least_px;
  });
}

}  // namespace

bool is_struck_out(std::string_view text_decoration) noexcept {
  constexpr double high_px = 15;
  const auto parts = parts_of(text_decoration, css_spaces);
  const bool is_through = std::any_of(parts.begin(), parts.end(), [](std::string_view part) {
    return is_named(part, "line-through");
  });
  return is_through && has_length(parts, high_px);
}

bool covers_letters(std::string_view text_stroke) noexcept {
  // Half of it lies inside of the letters, which are thin.
  constexpr double thick_px = 3;
  return has_length(parts_of(text_stroke, css_spaces), thick_px);
}

bool fills_by_shadow(std::string_view shadow) noexcept {
  constexpr double half_of_line_px = 20;
  constexpr std::size_t place_of_spread = 3;
  bool is_inside = false;
  std::size_t lengths = 0;
  double spread_px = 0;
  for (const auto part : parts_of(shadow, css_spaces)) {
    is_inside |= is_named(part, "inset");
    const auto length = length_of(part, usual_letters_px);
    if (!length) continue;
    if (lengths == place_of_spread) spread_px = *length;
    ++lengths;
  }
  return is_inside && spread_px >= half_of_line_px;
}

bool has_filling_shadow(std::string_view shadows) noexcept {
  const auto all = parts_of(shadows, ",");
  return std::any_of(all.begin(), all.end(), fills_by_shadow);
}

}  // namespace freshet::markdown
