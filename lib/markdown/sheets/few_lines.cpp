// Lines are taken for low ones: what is cut off then is cut off with any font.
#include <algorithm>
#include <markdown/sheets/few_lines.hpp>
#include <markdown/sheets/lengths.hpp>
#include <markdown/sheets/moved_away.hpp>
#include <markdown/sheets/value_text.hpp>

namespace freshet::markdown {

bool is_cutting_off(std::string_view overflow) noexcept {
  const auto words = parts_of(overflow, css_spaces);
  return !words.empty() && std::all_of(words.begin(), words.end(), [](std::string_view word) {
    return is_one_of(word, {"hidden", "clip"});
  });
}

bool is_of_few_lines(const declaration& one) noexcept {
  using enum property;
  if (one.of == line_clamp) return share_of(one.value).value_or(0) >= 1;
  if (one.of != height && one.of != max_height) return false;
  constexpr double least_px = 4, most_px = 60;
  if (one.value.find('%') != one.value.npos) return false;
  const auto px = length_of(one.value, own_font_px);
  return px && *px >= least_px && *px <= most_px;
}

bool is_of_few_letters(const declaration& one) noexcept {
  if (one.of != property::width && one.of != property::max_width) return false;
  constexpr double least_px = 4, most_px = 800;
  if (one.value.find('%') != one.value.npos) return false;
  const auto px = length_of(one.value, own_font_px);
  return px && *px >= least_px && *px <= most_px;
}

bool is_unwrapped(std::string_view white_space) noexcept {
  return is_one_of(white_space, {"nowrap", "pre"});
}

bool min_height_is_none(const cascaded_style& own) noexcept {
  return own.of(property::min_height).empty() ||
         length_of(own.of(property::min_height), own_font_px).value_or(1) == 0;
}

std::optional<double> lines_shown(const cascaded_style& own) noexcept {
  using enum property;
  if (own.is(display, "-webkit-box")) {
    if (const auto lines = share_of(own.of(line_clamp)); lines && *lines >= 1) return lines;
  }
  std::optional<double> high_px;
  for (const auto side : {height, max_height}) {
    const auto value = own.of(side);
    if (value.empty() || value.find('%') != value.npos) continue;
    const auto px = length_of(value, own_font_px);
    if (px && (!high_px || *px < *high_px)) high_px = px;
  }
  if (!high_px) return std::nullopt;
  return (*high_px - spare_of_lines_px) / low_line_px;
}

}  // namespace freshet::markdown
