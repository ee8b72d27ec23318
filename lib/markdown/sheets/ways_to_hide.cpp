// Numbers are read off values; what would take a layout is not known to hide.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <cmath>
#include <markdown/sheets/blended_colors.hpp>
#include <markdown/sheets/colors.hpp>
#include <markdown/sheets/contained_boxes.hpp>
#include <markdown/sheets/cut_shapes.hpp>
#include <markdown/sheets/drawn_over.hpp>
#include <markdown/sheets/few_lines.hpp>
#include <markdown/sheets/lengths.hpp>
#include <markdown/sheets/moved_away.hpp>
#include <markdown/sheets/placed_beyond.hpp>
#include <markdown/sheets/value_text.hpp>
#include <markdown/sheets/ways_to_hide.hpp>
#include <optional>

namespace freshet::markdown {

namespace {

constexpr double unseen_opacity = 0.07;

/// A share of one, of which `otherwise` is what cannot be known.
double share_in(std::string_view value, double otherwise) noexcept {
  return share_of(value).value_or(otherwise);
}

bool is_far(const cascaded_style& own, property one) noexcept { return is_off_screen(own.of(one)); }

/// Letters that run into each other.
bool is_blurred(std::string_view radius) noexcept {
  constexpr double unreadable_px = 5;
  return length_of(radius, own_font_px).value_or(0) >= unreadable_px;
}

bool is_filtered_away(std::string_view filter) noexcept {
  const auto functions = functions_of(filter);
  return std::any_of(functions.begin(), functions.end(), [](std::string_view one) {
    const auto [name, inside] = function_in(one);
    if (is_named(name, "opacity")) return share_in(base::trim(inside), 1) <= unseen_opacity;
    return is_named(name, "blur") && is_blurred(base::trim(inside));
  });
}

bool is_masked_away(const cascaded_style& own) noexcept {
  const auto mask = own.of(property::mask);
  const auto color = color_of_image(mask);
  if (color && color->alpha <= unseen_opacity) return true;
  if (mask.empty() || is_named(mask, "none")) return false;
  const auto is_none = [](std::string_view sizes) {
    const auto all = numbers_in(parts_of(sizes, css_spaces));
    return std::any_of(all.of.begin(), all.of.begin() + all.count,
                       [](double size) { return size == 0; });
  };
  const auto layers = parts_of(mask, ",");
  // What takes the same away again leaves nothing.
  const auto composite = own.of(property::mask_composite);
  if (layers.size() == 2 && layers[0] == layers[1] &&
      is_one_of(composite, {"exclude", "subtract", "xor", "source-out"})) {
    return true;
  }
  const auto place = parts_of(own.of(property::mask_position), css_spaces);
  const auto is_away = [](std::string_view length) {
    return is_off_screen(length) || is_far_right(length);
  };
  if (std::any_of(place.begin(), place.end(), is_away)) return true;
  if (layers.size() == 1) {
    const auto parts = parts_of(mask, "/");
    if (parts.size() == 2) {
      // Sizes stand before the words.
      const auto end = std::min(parts[1].find_first_of("abcdfghijklmnoqrstuvwyz"), parts[1].size());
      if (is_none(parts[1].substr(0, end))) return true;
    }
  }
  return is_none(own.of(property::mask_size));
}

/// A picture stands in place of what is in the element.
bool is_replaced(std::string_view content) noexcept {
  return content.find("url(") != content.npos || content.find("gradient(") != content.npos;
}

/// No size, but not a share of its container's.
bool is_no_extent(std::string_view value) noexcept {
  constexpr double least_px = 4;
  return value.find('%') == value.npos &&
         length_of(value, own_font_px).value_or(least_px) < least_px;
}

/// No width in any container: "0%".
bool is_no_width(std::string_view value) noexcept {
  constexpr double least_px = 4;
  auto units = length_units{};
  units.percent_px = 12;  // of a desk
  return is_no_extent(value) ||
         (value.find('%') != value.npos && quantity_of(value, units).value_or(least_px) < least_px);
}

}  // namespace

bool is_cutting(const cascaded_style& own) noexcept {
  const auto words = parts_of(own.of(property::overflow), css_spaces);
  // "clip visible" cuts in one direction, where other words are those of both.
  const bool is_one_way = words.size() == 2 &&
                          is_named(words[0], "clip") != is_named(words[1], "clip") &&
                          (is_named(words[0], "visible") || is_named(words[1], "visible"));
  for (const auto word : words) {
    if (!is_one_way && is_one_of(word, {"hidden", "clip", "auto", "scroll", "overlay"}))
      return true;
  }
  for (const auto word : parts_of(own.of(property::contain), css_spaces)) {
    if (is_one_of(word, {"paint", "strict", "content"})) return true;
  }
  return false;
}

bool are_no_rows(std::string_view rows) noexcept {
  const auto parts = parts_of(rows, css_spaces);
  return !parts.empty() && std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
    const auto size = part.ends_with("fr") ? part.substr(0, part.size() - 2) : part;
    return length_of(size, own_font_px).value_or(1) < 1;
  });
}

bool has_room(const cascaded_style& own) noexcept {
  const auto is_some = [](std::string_view length) {
    if (length.find('%') != length.npos) return share_in(length, 0) != 0;
    return length_of(length, own_font_px).value_or(0) > 1;
  };
  // What is above a text moves it down, out of what is seen.
  const auto paddings = parts_of(own.of(property::padding), css_spaces);
  constexpr std::size_t bottom = 2;
  if (!paddings.empty() && is_some(paddings[paddings.size() > bottom ? bottom : 0])) return true;
  return is_one_of(own.of(property::min_height), {"min-content", "max-content", "fit-content"}) ||
         is_some(own.of(property::min_height));
}

namespace {

/// "table-column": what says how wide columns are, and shows nothing.
bool is_no_box(std::string_view display) noexcept {
  return is_one_of(display, {"table-column", "table-column-group"});
}

/// A line that is taller than any is for its looks.
constexpr double tall_line_px = 48;
double line_px(std::string_view value) noexcept {
  const bool is_factor = !value.empty() && base::is_digit(value.back());
  return is_factor ? share_in(value, 0) * own_font_px : length_of(value, own_font_px).value_or(0);
}

/// In the middle of a line that is taller than the box around it.
bool is_below_its_box(const cascaded_style& own) noexcept {
  const auto height = own.of(property::height);
  if (height.empty() || height.find('%') != height.npos) return false;
  const auto high_px = length_of(height, own_font_px);
  const auto line = line_px(own.of(property::line_height));
  return high_px && line >= tall_line_px && (line - own_font_px) / 2 >= *high_px;
}

/// "flex: 0 0 0" and "flex-basis: 0".
bool is_no_basis(const cascaded_style& own) noexcept {
  constexpr std::size_t place = 2;
  const auto words = parts_of(own.of(property::flex), css_spaces);
  const auto basis = own.of(property::flex_basis);
  if (!basis.empty()) return length_of(basis, own_font_px).value_or(1) == 0;
  return words.size() > place && length_of(words[place], own_font_px).value_or(1) == 0;
}

/// Shut in a box without height or width. A closed accordion is as high as nothing, too.
std::optional<property> no_size_of(const cascaded_style& own, box_kind kind) noexcept {
  using enum property;
  if (!is_cutting(own)) return std::nullopt;
  // It grows to what is left in the row that it stands in.
  const bool grows =
      share_in(parts_of(own.of(flex), css_spaces).first(), 0) > 0 || own.is(flex, "auto");
  if (kind.in_row && !grows && is_no_basis(own) && own.of(min_width).empty()) return flex_basis;
  const bool is_stretched = kind.is_table && !own.is(table_layout, "fixed");
  for (const auto side : {width, max_width}) {
    if ((grows || is_stretched) && side == width) continue;
    const auto least = length_of(own.of(min_width), own_font_px).value_or(0);
    if (is_no_width(own.of(side)) && least <= 1) return side;
  }
  for (const auto side : {height, max_height}) {
    if ((grows || kind.is_table) && side == height) continue;
    // What is placed has the height of what it is placed in.
    const bool is_none = floats(own) ? is_no_width(own.of(side)) : is_no_extent(own.of(side));
    if (is_none && !has_room(own)) return side;
  }
  if (is_below_its_box(own)) return line_height;
  if (is_left_without_width(own)) return contain;
  if (kind.is_alone && is_left_without_height(own))
    return own.of(contain).empty() ? container : contain;
  const bool is_low = own.of(height).empty() && !own.of(line_height).empty() &&
                      share_in(own.of(line_height), 1) == 0;
  return is_low && !has_room(own) ? std::optional(line_height) : std::nullopt;
}

}  // namespace

bool is_all_of_it(std::string_view share) noexcept {
  return share.starts_with('-') && share.ends_with('%') && share_in(share, 0) <= -1;
}

namespace {

/// Moved out of what cuts it.
bool is_indented_away(const cascaded_style& own, double line_px) noexcept {
  const auto indent = own.of(property::text_indent);
  if (indent.empty() || !is_cutting(own)) return false;
  if (is_beyond(indent) || is_all_of_it(indent)) return true;
  const auto moved_px = length_of(indent, own_font_px).value_or(0);
  const auto wide_px = length_of(own.of(property::width), own_font_px);
  return moved_px <= -line_px || (line_px < 1e6 && wide_px && moved_px >= *wide_px);
}

/// Placed on the screen, beyond its edges: nobody scrolls there.
bool is_placed_beyond(const cascaded_style& own) noexcept {
  using enum property;
  for (const auto side : {left, top, right, bottom}) {
    if (is_beyond(own.of(side))) return true;
    if (is_all_of_it(own.of(side))) return true;
  }
  return false;
}

/// By more than the first line of a paragraph is.
bool is_indented_far(std::string_view indent) noexcept {
  constexpr double far_px = 100;
  return is_off_screen(indent) || std::abs(length_of(indent, own_font_px).value_or(0)) >= far_px;
}

constexpr double small_zoom = 0.5, line_high_px = 20;
/// Of this at most, several together leave nothing.
constexpr double small_scale = 0.5;

bool may_be_unreadable(std::string_view size) noexcept {
  constexpr double unreadable_px = 3;
  return length_of(size, own_font_px).value_or(own_font_px) <= unreadable_px;
}

bool may_be_lost_by_transform(const declaration& one) noexcept {
  return scale_of(one.value, {}) <= small_scale || is_shrunk_or_moved_away(one.value) ||
         is_turned_over(one.value, {}) || is_moved_far_right(one.value) ||
         may_be_beyond_the_page(one);
}

/// By what is made of an element as a whole, or drawn with it.
bool may_hide_by_effect(const declaration& one) noexcept {
  using enum property;
  switch (one.of) {
    case rotate:
      return is_turned_away(one.value) || is_turned_over({}, one.value);
    case text_security:
    case mask:
    case mask_size:
    case mask_position:
    case mask_composite:
      return !is_named(one.value, "none");
    case content:
      return is_replaced(one.value);
    case transform:
      return may_be_lost_by_transform(one);
    case scale:
      return scale_of({}, one.value) <= small_scale || is_scaled_to_nothing(one.value);
    case translate:
      return is_moved_away(one.value) || may_be_beyond_the_page(one) ||
             is_far_right(parts_of(one.value, css_spaces).first());
    case filter:
      return is_filtered_away(one.value) || turns_colors(one.value) ||
             opacity_of_filter(one.value) <= faint_opacity;
    case mix_blend:
      return is_blending(one.value);
    case text_decoration:
      return is_struck_out(one.value);
    case text_stroke:
      return covers_letters(one.value);
    case box_shadow:
      return one.value.find("inset") != one.value.npos && has_filling_shadow(one.value);
    case size_adjust:
      return share_in(one.value, 1) <= unseen_opacity;
    case offset_path:
      return is_put_away(one.value);
    case grid_rows:
      return are_no_rows(one.value);
    case contain:
      return is_sized_without_content(one.value) || one.value.find("inline-size") != one.value.npos;
    case container:
      return is_size_container(one.value);
    case z_index:
      return one.value.starts_with('-');
    case flex_basis:
      return length_of(one.value, own_font_px).value_or(1) == 0;
    case flex: {
      const auto words = parts_of(one.value, css_spaces);
      return words.size() > 2 && length_of(words[2], own_font_px).value_or(1) == 0 &&
             share_in(words[0], 1) == 0;
    }
    default:
      return false;
  }
}

}  // namespace

bool may_hide(const declaration& one) noexcept {
  using enum property;
  const auto named = [&](std::string_view name) { return is_named(one.value, name); };
  // Most values say no by their first letter.
  const char first = one.value.empty() ? ' ' : one.value.front();
  // "calc(0px)", "min(0px, 1em)": what is computed may be, too.
  const bool is_computed = base::is_letter(first) && one.value.find('(') != one.value.npos;
  const bool is_number = first == '-' || first == '+' || first == '.' || base::is_digit(first);
  const bool is_small = is_computed || (is_number && first <= '5');
  const bool is_away = is_computed || is_number;
  switch (one.of) {
    case display:
      return named("none") || is_no_box(one.value);
    case visibility:
      return named("hidden") || named("collapse");
    case content_visibility:
      return named("hidden");
    case opacity:
      return is_small && share_in(one.value, 1) <= faint_opacity;
    case font_size:
      return is_small && may_be_unreadable(one.value);
    case zoom:
      return is_small && share_in(one.value, 1) <= small_zoom;
    case letter_spacing:
      return is_away && length_of(one.value, own_font_px).value_or(0) <= -own_font_px / 2;
    case line_height:
      return share_in(one.value, 1) == 0 || line_px(one.value) >= tall_line_px;
    case left:
    case top:
    case right:
    case bottom:
      return is_away &&
             (is_off_screen(one.value) || is_beyond(one.value) || may_be_beyond_the_page(one));
    case margin_left:
      return is_away && (is_off_screen(one.value) || is_all_of_it(one.value) ||
                         is_far_right(one.value) || may_be_beyond_the_page(one));
    case margin_right:
      return is_away && is_off_screen(one.value);
    case margin_top:
      return is_away &&
             (is_off_screen(one.value) || is_far_down(one.value) || may_be_beyond_the_page(one));
    case text_indent:
      return is_away &&
             (is_indented_far(one.value) || is_beyond(one.value) || is_all_of_it(one.value));
    case clip:
      return is_empty_rect(one.value, line_high_px);
    case clip_path:
      return is_cut_away(one.value, line_high_px);
    case width:
    case height:
    case max_width:
    case max_height:
      return is_small && is_no_width(one.value);
    case color:
    case text_fill:
    case background:
      return color_of(one.value).has_value();
    default:
      return may_hide_by_effect(one);
  }
}

bool is_usually_inline(html::tag_id tag) noexcept {
  using enum html::tag_id;
  switch (tag) {
    case a:
    case abbr:
    case b:
    case cite:
    case code:
    case del:
    case em:
    case font:
    case i:
    case ins:
    case label:
    case mark:
    case q:
    case s:
    case small:
    case span:
    case strong:
    case sub:
    case sup:
    case time:
    case u:
      return true;
    default:
      return false;
  }
}

bool floats(const cascaded_style& own) noexcept {
  using enum property;
  return own.is(position, "absolute") || own.is(position, "fixed");
}

double opacity_of_filter(std::string_view filter) noexcept {
  double through = 1;
  for (const auto one : functions_of(filter)) {
    const auto [name, inside] = function_in(one);
    if (is_named(name, "opacity")) through *= std::clamp(share_in(base::trim(inside), 1), 0.0, 1.0);
  }
  return through;
}

hidden_by whole_of(const cascaded_style& own, box_kind kind) noexcept {
  using enum property;
  const auto until_shown = [&](property by) {
    return hidden_by{hiding::until_shown, by, own.selector_of(by)};
  };
  const auto for_good = [&](property by) {
    return hidden_by{hiding::for_good, by, own.selector_of(by)};
  };
  if (own.is(display, "none")) return until_shown(display);
  if (is_no_box(own.of(display))) return for_good(display);
  if (kind.is_row && own.is(visibility, "collapse")) return until_shown(visibility);
  if (own.is(display, "contents")) return {};
  const bool in_line = kind.in_line, is_free = floats(own);
  if (!in_line && own.is(content_visibility, "hidden")) {
    return until_shown(content_visibility);
  }
  if (share_in(own.of(opacity), 1) <= unseen_opacity) return until_shown(opacity);
  if (is_filtered_away(own.of(filter))) return until_shown(filter);
  if (!in_line && is_shrunk_or_moved_away(own.of(transform))) return until_shown(transform);
  if (!in_line && is_scaled_to_nothing(own.of(scale))) return until_shown(scale);
  if (!in_line && is_moved_away(own.of(translate))) return until_shown(translate);
  if (!in_line && is_turned_away(own.of(rotate))) return until_shown(rotate);
  if (!in_line && own.is(backface, "hidden") && is_turned_over(own.of(transform), own.of(rotate))) {
    return until_shown(own.of(rotate).empty() ? transform : rotate);
  }
  if (is_one_of(own.of(text_security), {"disc", "circle", "square"})) {
    return for_good(text_security);
  }
  if (!in_line && is_put_away(own.of(offset_path)) && share_in(own.of(offset_distance), 0) == 0) {
    return until_shown(offset_path);
  }
  if (is_masked_away(own)) return for_good(mask);
  if (is_replaced(own.of(content))) return for_good(content);
  if (is_cut_away(own.of(clip_path), kind.high_px)) return for_good(clip_path);
  if (is_free && is_empty_rect(own.of(clip), kind.high_px)) return for_good(clip);
  const bool moves = is_free || own.is(position, "relative");
  for (const auto side : {left, top, right, bottom}) {
    if (moves && is_far(own, side)) return for_good(side);
  }
  if (own.is(position, "relative") && is_far_right(own.of(left))) return for_good(left);
  for (const auto side : {top, margin_top}) {
    if ((side == top ? moves : !in_line) && is_far_down(own.of(side))) return for_good(side);
  }
  for (const auto side : {right, bottom}) {
    if (own.is(position, "relative") && is_beyond(own.of(side))) return for_good(side);
  }
  if (own.is(position, "fixed") && is_placed_beyond(own)) return for_good(left);
  for (const auto side : {text_indent, margin_left, margin_top}) {
    // What is in a line hands its indent down to the blocks in it.
    const bool moved = side != margin_top || !in_line;
    if (moved && is_far(own, side)) return for_good(side);
  }
  if (is_far_right(own.of(text_indent))) return for_good(text_indent);
  if (own.is(float_, "right") && is_far(own, margin_right)) return for_good(margin_right);
  if (in_line) return {};
  if (is_indented_away(own, kind.line_px)) return for_good(text_indent);
  if (const auto side = no_size_of(own, kind)) return until_shown(*side);
  return {};
}

}  // namespace freshet::markdown
