// What is placed beyond the edges of a page at which it begins: to the left and above nobody
// scrolls.
#pragma once

#include <markdown/sheets/declarations.hpp>
#include <optional>

namespace freshet::markdown {

/// What can place it there.
inline constexpr property_set placing = bit_of(property::left) | bit_of(property::top) |
                                        bit_of(property::right) | bit_of(property::bottom) |
                                        bit_of(property::transform) | bit_of(property::translate);

/// Whether a declaration can be a part of that.
[[nodiscard]] bool may_be_beyond_the_page(const declaration& one) noexcept;

/// What places an element there, of which all is as high as this at most and begins so far below
/// its place, if it stands in nothing that is placed itself: in the page, or, where it is fixed, on
/// the screen.
[[nodiscard]] std::optional<property> placed_beyond_the_page(const cascaded_style& own,
                                                             double height_px,
                                                             double margin_px) noexcept;

}  // namespace freshet::markdown
