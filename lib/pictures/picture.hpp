// Pictures as bytes: which kind they are, by what stands in them and not by what a server says, and
// the sandbox's own, drawn. Drawings with scripts in them (SVG) are no pictures here.
#pragma once

#include <string>
#include <string_view>

namespace freshet::pictures {

/// No larger picture is fetched or kept.
inline constexpr std::size_t max_picture_bytes = 2u << 20;

/// "image/png", "image/jpeg", "image/webp", "image/gif" or "image/avif"; "" for all else.
[[nodiscard]] std::string_view media_type_of(std::string_view bytes) noexcept;

/// A small landscape as PNG, the same for the same name: what the sandbox has in the place of a
/// picture that nobody took.
[[nodiscard]] std::string draw_picture(std::string_view name);

}  // namespace freshet::pictures
