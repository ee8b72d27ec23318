// Properties that are handed down, and what they say of an element itself.
#pragma once

#include <markdown/sheets/value_text.hpp>
#include <string_view>

namespace freshet::markdown {

/// Of an element with no font size of its own.
inline constexpr double inherited_font_px = 16;

/// Whether a property that is handed down says something itself.
[[nodiscard]] inline bool is_stated(std::string_view value) noexcept {
  return !value.empty() &&
         !is_one_of(value, {"inherit", "unset", "revert", "revert-layer", "revert-rule"});
}

}  // namespace freshet::markdown
