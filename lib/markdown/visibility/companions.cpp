// One table, by the property that may hide.
#include <markdown/visibility/companions.hpp>

namespace freshet::markdown {

namespace {

/// What says where an element is, and that it may be beyond the page.
constexpr property_set edges_and_moves =
    bit_of(property::left) | bit_of(property::top) | bit_of(property::right) |
    bit_of(property::bottom) | bit_of(property::width) | bit_of(property::height) |
    bit_of(property::transform) | bit_of(property::translate) | bit_of(property::rotate) |
    bit_of(property::backface) | bit_of(property::margin_top) | bit_of(property::margin_left);

/// What says how large a box is that may cut off what is in it.
constexpr property_set sizes =
    bit_of(property::flex) | bit_of(property::flex_basis) | bit_of(property::table_layout) |
    bit_of(property::overflow) | bit_of(property::contain) | bit_of(property::padding) |
    bit_of(property::min_width) | bit_of(property::min_height) | bit_of(property::height);
constexpr property_set contained = bit_of(property::container) | bit_of(property::intrinsic_size) |
                                   bit_of(property::aspect_ratio) | bit_of(property::top) |
                                   bit_of(property::bottom) | bit_of(property::left) |
                                   bit_of(property::right) | bit_of(property::width);
/// And how many lines of it.
constexpr property_set lines =
    bit_of(property::overflow) | bit_of(property::height) | bit_of(property::max_height) |
    bit_of(property::min_height) | bit_of(property::line_clamp) | bit_of(property::width) |
    bit_of(property::padding) | bit_of(property::padding_top) | bit_of(property::box_sizing) |
    bit_of(property::max_width) | bit_of(property::white_space);
constexpr property_set masks = bit_of(property::mask) | bit_of(property::mask_size) |
                               bit_of(property::mask_position) | bit_of(property::mask_composite);

property_set companions_of(property one) noexcept {
  using enum property;
  const auto placed = bit_of(one) | bit_of(display) | bit_of(position) | bit_of(float_);
  const auto painted = colors | bit_of(background_clip) | bit_of(position) | bit_of(text_shadow) |
                       bit_of(text_stroke) | bit_of(background_size);
  switch (one) {
    case margin_left:
    case margin_top:
    case far_left:
    case left:
    case top:
    case right:
    case bottom:
    case transform:
    case translate:
    case rotate:
    case scale:
      return placed | edges_and_moves | bit_of(scale);
    case color:
    case text_fill:
    case background:
    case background_image:
      return painted;
    case filter:
    case mix_blend:
    case box_shadow:
    case text_decoration:
    case text_stroke:
      return placed | painted | bit_of(paint_order);
    case width:
    case height:
    case max_width:
    case max_height:
    case line_height:
    case contain:
    case container:
    case flex:
    case flex_basis:
      return placed | sizes | (one == contain || one == container ? contained : 0);
    case grid_rows:
      return placed | bit_of(overflow) | bit_of(contain) | bit_of(padding) | bit_of(min_height);
    case text_indent:
      return placed | bit_of(overflow);
    case z_index:
      return placed | raising | bit_of(background);
    case mask:
    case mask_size:
    case mask_position:
    case mask_composite:
      return masks;
    case offset_path:
      return placed | bit_of(offset_distance);
    case font_size:
    case zoom:
    case letter_spacing:
    case size_adjust:
      return bit_of(font_size) | bit_of(zoom) | bit_of(letter_spacing) | bit_of(one);
    case cover:
      return placed | edges_and_moves | raising | bit_of(background) | bit_of(background_image) |
             bit_of(visibility);
    case cut_short:
      return placed | lines;
    case display:
    case visibility:
    case opacity:
    case clip_path:
      return bit_of(one) | bit_of(display);
    default:
      return placed;
  }
}

}  // namespace

property_set companions_of_all(property_set hiding) noexcept {
  property_set all = 0;
  for (unsigned i = 0; i < static_cast<unsigned>(property::count); ++i) {
    const auto one = static_cast<property>(i);
    if ((hiding & bit_of(one)) != 0) all |= companions_of(one);
  }
  return all;
}

}  // namespace freshet::markdown
