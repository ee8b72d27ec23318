// Names in SVG and MathML as the standard adjusts them: the tokenizer has made them lower case.
#pragma once

#include <string_view>

namespace freshet::html {

/// The adjusted name, in static storage, or the name itself.
[[nodiscard]] std::string_view svg_element_name(std::string_view lower) noexcept;
[[nodiscard]] std::string_view svg_attribute_name(std::string_view lower) noexcept;
[[nodiscard]] std::string_view math_attribute_name(std::string_view lower) noexcept;

}  // namespace freshet::html
