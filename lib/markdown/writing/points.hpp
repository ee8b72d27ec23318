// What code points beyond ASCII are to markdown: delimiters are judged by what stands beside them.
#pragma once

namespace freshet::markdown {

[[nodiscard]] bool is_space_point(char32_t point) noexcept;
/// The punctuation of Unicode that pages use.
[[nodiscard]] bool is_punctuation_point(char32_t point) noexcept;

}  // namespace freshet::markdown
