// Boxes that show a few lines of what is in them, by what their declarations come to.
#pragma once

#include <markdown/sheets/declarations.hpp>
#include <optional>

namespace freshet::markdown {

/// A line, and what a box may be higher by than its lines.
inline constexpr double low_line_px = 16, spare_of_lines_px = 4;

/// Whether a value of "overflow" shows no way to what does not fit.
[[nodiscard]] bool is_cutting_off(std::string_view overflow) noexcept;
/// Whether a declaration leaves room for a few lines of text at most.
[[nodiscard]] bool is_of_few_lines(const declaration& one) noexcept;
/// Whether a declaration makes a box so narrow that a line may be cut off at its edge.
[[nodiscard]] bool is_of_few_letters(const declaration& one) noexcept;
/// Whether a value of "white-space" leaves all of a text in one line.
[[nodiscard]] bool is_unwrapped(std::string_view white_space) noexcept;
/// Whether nothing says how high an element is at least.
[[nodiscard]] bool min_height_is_none(const cascaded_style& own) noexcept;
/// How many lines one shows at most; null where that is not said.
[[nodiscard]] std::optional<double> lines_shown(const cascaded_style& own) noexcept;

}  // namespace freshet::markdown
