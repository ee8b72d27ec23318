// Element names as numbers, so that the passes over a page compare integers and not strings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace freshet::html {

/// An element's name. `other` is a name that nothing here asks for, and what is no element.
enum class tag_id : std::uint8_t {
  other,
#define FRESHET_TAG(identifier, name) identifier,
#include <html/tags.def>
#undef FRESHET_TAG
  count  ///< not a tag: how many there are
};

/// No name in the table is longer, in bytes.
inline constexpr std::size_t longest_tag_name = 16;

/// The number of a name in lower case.
[[nodiscard]] tag_id tag_of(std::string_view name) noexcept;
/// The number of a name in whatever case. Sixteen bytes must be readable at `name`.
[[nodiscard]] tag_id tag_of_padded(const char* name, std::size_t size) noexcept;
/// The name of a number, in static storage; "" for `other`.
[[nodiscard]] std::string_view name_of(tag_id tag) noexcept;

}  // namespace freshet::html
