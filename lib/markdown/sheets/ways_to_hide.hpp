// The ways in which an element hides itself with all that is in it, by what its declarations come
// to.
#pragma once

#include <cstdint>
#include <html/tag.hpp>
#include <markdown/sheets/declarations.hpp>
#include <string_view>

namespace freshet::markdown {

/// How a part of a page is hidden. Scripts may show what is hidden `until_shown`; what is off the
/// screen or has no size was never meant to be read.
enum class hiding : std::uint8_t { none, until_shown, for_good };

/// The way in which something is hidden, and by what.
struct hidden_by {
  hiding how = hiding::none;
  property by = property::count;         ///< the one that hides, if it is one
  std::uint32_t selector = no_selector;  ///< whose rule says so, if it is of a sheet
};

/// Of this at most, several together let nothing through.
inline constexpr double faint_opacity = 0.25;

/// Whether a declaration can be a part of what hides.
[[nodiscard]] bool may_hide(const declaration& one) noexcept;

/// What stands in a line of text unless a style says otherwise.
[[nodiscard]] bool is_usually_inline(html::tag_id tag) noexcept;

/// What hides an element whole; visibility, size and color of its texts are not looked at.
[[nodiscard]] hidden_by whole_of(const cascaded_style& own, html::tag_id tag) noexcept;

}  // namespace freshet::markdown
