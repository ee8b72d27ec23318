// Shapes that cut an element: whether they leave anything of it, whatever its size is.
#pragma once

#include <string_view>

namespace freshet::markdown {

/// Whether what a value of "clip-path" leaves is nothing of a text that is so high at most.
[[nodiscard]] bool is_cut_away(std::string_view path, double high_px) noexcept;

/// "rect(0 0 0 0)", "rect(1px, 1px, 1px, 1px)": nothing is between the edges, or of the text.
[[nodiscard]] bool is_empty_rect(std::string_view clip, double high_px) noexcept;

}  // namespace freshet::markdown
