// What filters and modes of blending make of the colors of texts and grounds.
#pragma once

#include <markdown/sheets/colors.hpp>
#include <string_view>

namespace freshet::markdown {

/// Whether a filter turns colors so far that a text may be lost in its ground.
[[nodiscard]] bool turns_colors(std::string_view filter) noexcept;

/// A color behind all functions of a filter; those that make no other color are stepped over.
[[nodiscard]] rgb filtered(const rgb& color, std::string_view filter) noexcept;

/// Whether a mode is one, and not "normal".
[[nodiscard]] bool is_blending(std::string_view mode) noexcept;

/// An opaque color upon another.
[[nodiscard]] rgb blended(const rgb& color, const rgb& ground, std::string_view mode) noexcept;

}  // namespace freshet::markdown
