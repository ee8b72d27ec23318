// Which properties decide together whether something is seen.
#pragma once

#include <markdown/sheets/declarations.hpp>

namespace freshet::markdown {

/// The colors of texts and of what they stand on.
inline constexpr property_set colors = bit_of(property::color) | bit_of(property::text_fill) |
                                       bit_of(property::background) |
                                       bit_of(property::background_image);

/// What makes other colors of those, or lies upon them.
inline constexpr property_set of_paint =
    bit_of(property::filter) | bit_of(property::mix_blend) | bit_of(property::box_shadow) |
    bit_of(property::text_decoration) | bit_of(property::text_stroke);

/// What goes down to the texts below, which may say otherwise.
inline constexpr property_set of_texts =
    colors | of_paint | bit_of(property::visibility) | bit_of(property::font_size) |
    bit_of(property::zoom) | bit_of(property::letter_spacing) | bit_of(property::size_adjust);

/// What hides boxes, and no words of a line: what these stand in says which they are.
inline constexpr property_set of_boxes =
    bit_of(property::width) | bit_of(property::height) | bit_of(property::max_width) |
    bit_of(property::max_height) | bit_of(property::line_height) | bit_of(property::transform) |
    bit_of(property::translate) | bit_of(property::scale) | bit_of(property::rotate) |
    bit_of(property::content_visibility);
/// What is other in a row of boxes.
inline constexpr property_set of_rows = bit_of(property::contain) | bit_of(property::container) |
                                        bit_of(property::flex) | bit_of(property::flex_basis) |
                                        bit_of(property::margin_left) |
                                        bit_of(property::transform) | bit_of(property::translate);

/// What says whether an element begins at the left edge of what it stands in.
inline constexpr property_set of_edge =
    bit_of(property::margin_left) | bit_of(property::width) | bit_of(property::max_width) |
    bit_of(property::position) | bit_of(property::left) | bit_of(property::float_) |
    bit_of(property::display) | bit_of(property::transform) | bit_of(property::translate);

/// What says on which line of a box an element stands.
inline constexpr property_set of_flow =
    bit_of(property::display) | bit_of(property::position) | bit_of(property::float_) |
    bit_of(property::margin_top) | bit_of(property::height) | bit_of(property::top) |
    bit_of(property::bottom) | bit_of(property::left) | bit_of(property::padding) |
    bit_of(property::padding_top) | bit_of(property::transform) | bit_of(property::translate) |
    bit_of(property::white_space);

/// What may raise an element above others.
inline constexpr property_set raising =
    bit_of(property::position) | bit_of(property::z_index) | bit_of(property::transform) |
    bit_of(property::translate) | bit_of(property::scale) | bit_of(property::rotate) |
    bit_of(property::opacity) | bit_of(property::filter) | bit_of(property::mix_blend) |
    bit_of(property::clip_path) | bit_of(property::mask) | bit_of(property::contain) |
    bit_of(property::isolation);

/// What must be known of an element by which some of these may hide.
[[nodiscard]] property_set companions_of_all(property_set hiding) noexcept;

}  // namespace freshet::markdown
