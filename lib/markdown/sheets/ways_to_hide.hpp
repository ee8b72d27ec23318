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
inline constexpr double faint_opacity = 0.5;
/// What "opacity(20%)" and its like let through; 1 where there is none.
[[nodiscard]] double opacity_of_filter(std::string_view filter) noexcept;

/// Whether a declaration can be a part of what hides.
[[nodiscard]] bool may_hide(const declaration& one) noexcept;

/// What stands in a line of text unless a style says otherwise.
[[nodiscard]] bool is_usually_inline(html::tag_id tag) noexcept;

/// How an element stands in what is around it.
struct box_kind {
  bool in_line = false;   ///< as a word does: it has no size of its own and is not moved
  bool is_alone = false;  ///< no row or grid of boxes may give it a height
  bool is_table = false;  ///< or a part of one, whose height is the least that it has
  bool in_row = false;    ///< of boxes
  bool is_row = false;    ///< of a table
  double high_px = 1e6;   ///< its text at most
  double line_px = 1e6;   ///< as wide as its text, where that stands in one line on any screen
};

/// Whether it is placed freely, and no word of a line whatever it is.
[[nodiscard]] bool floats(const cascaded_style& own) noexcept;
/// Whether what does not fit into an element is not seen.
[[nodiscard]] bool is_cutting(const cascaded_style& own) noexcept;
/// "0 0fr": rows of a grid without height.
[[nodiscard]] bool are_no_rows(std::string_view rows) noexcept;
/// Whether room is left in an element that has no height of its own.
[[nodiscard]] bool has_room(const cascaded_style& own) noexcept;
/// "-100%" and more.
[[nodiscard]] bool is_all_of_it(std::string_view share) noexcept;

/// What hides an element whole; visibility, size and color of its texts are not looked at.
[[nodiscard]] hidden_by whole_of(const cascaded_style& own, box_kind kind) noexcept;

}  // namespace freshet::markdown
