// What is placed beyond the edges of a page at which it begins: to the left and above nobody
// scrolls.
#pragma once

#include <markdown/sheets/declarations.hpp>
#include <optional>

namespace freshet::markdown {

/// What can place it there.
inline constexpr property_set placing =
    bit_of(property::left) | bit_of(property::top) | bit_of(property::right) |
    bit_of(property::bottom) | bit_of(property::transform) | bit_of(property::translate) |
    bit_of(property::margin_left) | bit_of(property::margin_top);

/// Whether a declaration can be a part of that.
[[nodiscard]] bool may_be_beyond_the_page(const declaration& one) noexcept;

/// Whether a declaration may move what is at the left edge out of the page.
[[nodiscard]] bool is_far_left(const declaration& one) noexcept;

/// Whether a declaration may pull an element up, over what stands before it.
[[nodiscard]] bool is_pulling_up(const declaration& one) noexcept;
/// By how much an element that stands in the flow is; less than 0 where it is moved down.
[[nodiscard]] double pulled_up_px(const cascaded_style& own) noexcept;

/// How much room a text takes at most, and how far below its place it begins.
struct text_room {
  double width_px, height_px, margin_px;
};

/// What places an element of such a text there, if it stands in nothing that is placed itself: in
/// the page, or, where it is fixed, on the screen.
[[nodiscard]] std::optional<property> placed_beyond_the_page(const cascaded_style& own,
                                                             const text_room& text) noexcept;

}  // namespace freshet::markdown
