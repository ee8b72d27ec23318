// What is drawn upon letters or right behind them and is no background: thick lines, outlines and
// shadows.
#pragma once

#include <string_view>

namespace freshet::markdown {

/// A line through the letters that is as thick as they are high.
[[nodiscard]] bool is_struck_out(std::string_view text_decoration) noexcept;

/// An outline that leaves nothing of what is inside of it.
[[nodiscard]] bool covers_letters(std::string_view text_stroke) noexcept;

/// A shadow inside of a box that fills one of the height of a line: "inset 0 0 0 99px #000".
[[nodiscard]] bool fills_by_shadow(std::string_view shadow) noexcept;
/// Whether one of several does.
[[nodiscard]] bool has_filling_shadow(std::string_view shadows) noexcept;

}  // namespace freshet::markdown
