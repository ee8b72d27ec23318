// Numbers are read off values; what would take a layout is not known to hide.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <cmath>
#include <markdown/sheets/colors.hpp>
#include <markdown/sheets/cut_shapes.hpp>
#include <markdown/sheets/lengths.hpp>
#include <markdown/sheets/placed_beyond.hpp>
#include <markdown/sheets/value_text.hpp>
#include <markdown/sheets/ways_to_hide.hpp>
#include <numbers>
#include <optional>

namespace freshet::markdown {

namespace {

/// Of an element with no font size of its own.
constexpr double own_font_px = 16;
/// A text moved so far is off the screen.
constexpr double off_screen_px = -900;
constexpr double unseen_opacity = 0.05;

/// What is as long as the whole width or height of any screen is of the smallest that is too long.
constexpr length_units on_any_screen{own_font_px, -off_screen_px / 100, -off_screen_px / 100,
                                     -off_screen_px / 100};

/// A share of one, of which `otherwise` is what cannot be known.
double share_in(std::string_view value, double otherwise) noexcept {
  return share_of(value).value_or(otherwise);
}

/// By so many pixels, or by the whole width or height of any screen. What is a share of something
/// else is not known.
bool is_off_screen(std::string_view length) noexcept {
  auto units = on_any_screen;
  units.percent_px = 0.16;
  return quantity_of(length, units).value_or(0) <= off_screen_px;
}

bool is_far(const cascaded_style& own, property one) noexcept { return is_off_screen(own.of(one)); }

/// The same to the other side, or by all of what it stands in.
bool is_beyond(std::string_view length) noexcept {
  return quantity_of(length, on_any_screen).value_or(0) >= -off_screen_px;
}

/// The numbers of a function, or of a value without one: angles in degrees.
struct value_numbers {
  std::array<double, 16> of{};
  std::size_t count = 0;
};
value_numbers numbers_in(const value_parts& parts) noexcept {
  value_numbers found;
  for (const auto part : parts) {
    auto units = on_any_screen;
    units.percent_px = 0.01;
    const auto number = quantity_of(part, units);
    if (!number || found.count == found.of.size()) return {};
    found.of[found.count++] = *number;
  }
  return found;
}

/// Text of this size at most is none.
constexpr double unseen_scale = 0.1;

bool is_unseen_scale(double factor) noexcept { return std::abs(factor) <= unseen_scale; }

/// "scale: 0", "scale: 1 0".
bool is_scaled_to_nothing(std::string_view scale) noexcept {
  const auto factors = numbers_in(parts_of(scale, css_spaces));
  constexpr std::size_t depth = 2;
  if (factors.count > depth && factors.of[depth] == 0) return true;
  const auto seen = std::min(factors.count, depth);
  return std::any_of(factors.of.begin(), factors.of.begin() + seen, is_unseen_scale);
}

/// Turned so that only its edge is seen.
bool is_edge(double degrees) noexcept {
  return std::abs(std::cos(degrees * std::numbers::pi / 180)) <= unseen_scale;
}

/// "rotate: x 90deg", "rotate: 1 0 0 90deg".
bool is_turned_away(std::string_view rotate) noexcept {
  const auto parts = parts_of(rotate, css_spaces);
  constexpr std::size_t with_vector = 4;
  if (parts.size() == 2) {
    return is_one_of(parts[0], {"x", "y"}) && is_edge(quantity_of(parts[1], {}).value_or(0));
  }
  const auto numbers = numbers_in(parts);
  return numbers.count == with_vector && numbers.of[2] == 0 && is_edge(numbers.of[3]);
}

/// Turned round, so that its back is seen: "rotateY(180deg)", "rotate: x 180deg".
bool is_turned_over(std::string_view transform, std::string_view rotate) noexcept {
  double front = 1;
  for (const auto one : functions_of(transform)) {
    const auto [name, inside] = function_in(one);
    if (!is_one_of(name, {"rotateX", "rotateY"})) continue;
    front *= std::cos(quantity_of(inside, {}).value_or(0) * std::numbers::pi / 180);
  }
  const auto parts = parts_of(rotate, css_spaces);
  if (parts.size() == 2 && is_one_of(parts[0], {"x", "y"})) {
    front *= std::cos(quantity_of(parts[1], {}).value_or(0) * std::numbers::pi / 180);
  }
  return front < 0;
}

/// "translate: -9999px", "translate: 0 -100vh".
bool is_moved_away(std::string_view translate) noexcept {
  const auto parts = parts_of(translate, css_spaces);
  return std::any_of(parts.begin(), parts.end(), is_off_screen);
}

/// Letters that run into each other.
bool is_blurred(std::string_view radius) noexcept {
  constexpr double unreadable_px = 20;
  return length_of(radius, own_font_px).value_or(0) >= unreadable_px;
}

bool is_filtered_away(std::string_view filter) noexcept {
  const auto functions = functions_of(filter);
  return std::any_of(functions.begin(), functions.end(), [](std::string_view one) {
    const auto [name, inside] = function_in(one);
    const bool fades = is_named(name, "opacity") || is_named(name, "contrast");
    if (fades) return share_in(base::trim(inside), 1) <= unseen_opacity;
    return is_named(name, "blur") && is_blurred(base::trim(inside));
  });
}

bool is_masked_away(const cascaded_style& own) noexcept {
  const auto color = color_of_image(own.of(property::mask));
  if (color && color->alpha <= unseen_opacity) return true;
  if (own.of(property::mask).empty() || own.is(property::mask, "none")) return false;
  const auto sizes = numbers_in(parts_of(own.of(property::mask_size), css_spaces));
  return std::any_of(sizes.of.begin(), sizes.of.begin() + sizes.count,
                     [](double size) { return size == 0; });
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

/// A matrix that leaves no area, or moves it away.
bool is_lost_by_matrix(const value_numbers& m, std::size_t wanted) noexcept {
  if (m.count != wanted) return false;
  constexpr std::size_t flat = 6;
  const auto at = [&](std::size_t two, std::size_t three) {
    return m.of[wanted == flat ? two : three];
  };
  if (std::abs(at(0, 0) * at(3, 5) - at(1, 1) * at(2, 4)) <= unseen_scale * unseen_scale)
    return true;
  return at(4, 12) <= off_screen_px || at(5, 13) <= off_screen_px;
}

/// "perspective(1px) translateZ(-100000px)": so far that nothing is left, or behind who looks.
bool is_gone_in_depth(double from_px, double z) noexcept {
  return from_px > 0 && (z >= from_px || from_px / (from_px - z) <= unseen_scale);
}

bool is_shrunk_or_moved_away(std::string_view transform) noexcept {
  constexpr std::size_t matrix = 6, matrix_3d = 16, vector_and_angle = 4;
  double x = 0, y = 0, perspective_px = 0;
  for (const auto one : functions_of(transform)) {
    const auto [name, inside] = function_in(one);
    const auto parts = parts_of(inside, ",");
    if (is_named(name, "perspective")) perspective_px = length_of(inside, own_font_px).value_or(0);
    if (is_named(name, "translateZ") &&
        is_gone_in_depth(perspective_px, length_of(inside, own_font_px).value_or(0))) {
      return true;
    }
    if (begins_with(name, "translate")) {
      const auto moved = [&](std::size_t at) {
        auto units = on_any_screen;
        units.percent_px = 0.16;
        return at < parts.size() ? quantity_of(parts[at], units).value_or(0) : 0;
      };
      const bool down = is_named(name, "translateY");
      if (!is_named(name, "translateX") && !down) y += moved(1);
      if (!is_named(name, "translateZ")) (down ? y : x) += moved(0);
      continue;
    }
    const auto numbers = numbers_in(parts);
    if (numbers.count == 0) continue;
    const auto first = numbers.of[0];
    if (is_one_of(name, {"scaleX", "scaleY"}) && is_unseen_scale(first)) return true;
    if (is_one_of(name, {"scale", "scale3d"}) &&
        (is_unseen_scale(first) || (numbers.count > 1 && is_unseen_scale(numbers.of[1])))) {
      return true;
    }
    if (is_one_of(name, {"rotateX", "rotateY", "skew", "skewX", "skewY"}) && is_edge(first)) {
      return true;
    }
    if (is_named(name, "rotate3d") && numbers.count == vector_and_angle && numbers.of[2] == 0 &&
        is_edge(numbers.of[3])) {
      return true;
    }
    if (is_named(name, "matrix") && is_lost_by_matrix(numbers, matrix)) return true;
    if (is_named(name, "matrix3d") && is_lost_by_matrix(numbers, matrix_3d)) return true;
  }
  return x <= off_screen_px || y <= off_screen_px;
}

/// Whether what does not fit into an element is not seen.
bool is_cutting(const cascaded_style& own) noexcept {
  for (const auto word : parts_of(own.of(property::overflow), css_spaces)) {
    if (is_one_of(word, {"hidden", "clip", "auto", "scroll"})) return true;
  }
  for (const auto word : parts_of(own.of(property::contain), css_spaces)) {
    if (is_one_of(word, {"paint", "strict", "content"})) return true;
  }
  return false;
}

/// Whether room is left in an element that has no height of its own.
bool has_room(const cascaded_style& own) noexcept {
  const auto is_some = [](std::string_view length) {
    if (length.find('%') != length.npos) return share_in(length, 0) != 0;
    return length_of(length, own_font_px).value_or(0) > 1;
  };
  // What is above a text moves it down, out of what is seen.
  const auto paddings = parts_of(own.of(property::padding), css_spaces);
  constexpr std::size_t bottom = 2;
  if (!paddings.empty() && is_some(paddings[paddings.size() > bottom ? bottom : 0])) return true;
  return is_some(own.of(property::min_height));
}

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

/// Shut in a box without height or width. A closed accordion is as high as nothing, too.
std::optional<property> no_size_of(const cascaded_style& own) noexcept {
  using enum property;
  if (!is_cutting(own)) return std::nullopt;
  // It grows to what is left in the row that it stands in.
  const bool grows =
      share_in(parts_of(own.of(flex), css_spaces).first(), 0) > 0 || own.is(flex, "auto");
  for (const auto side : {width, max_width}) {
    if (grows && side == width) continue;
    const auto least = length_of(own.of(min_width), own_font_px).value_or(0);
    if (is_no_extent(own.of(side)) && least <= 1) return side;
  }
  for (const auto side : {height, max_height}) {
    if (grows && side == height) continue;
    if (is_no_extent(own.of(side)) && !has_room(own)) return side;
  }
  if (is_below_its_box(own)) return line_height;
  const bool is_low = own.of(height).empty() && !own.of(line_height).empty() &&
                      share_in(own.of(line_height), 1) == 0;
  return is_low && !has_room(own) ? std::optional(line_height) : std::nullopt;
}

/// "-100%" and more.
bool is_all_of_it(std::string_view share) noexcept {
  return share.starts_with('-') && share.ends_with('%') && share_in(share, 0) <= -1;
}

/// Moved out of what cuts it.
bool is_indented_away(const cascaded_style& own) noexcept {
  const auto indent = own.of(property::text_indent);
  return is_cutting(own) && (is_beyond(indent) || is_all_of_it(indent));
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

}  // namespace

namespace {

constexpr double small_zoom = 0.5;

bool may_be_unreadable(std::string_view size) noexcept {
  constexpr double unreadable_px = 3;
  return length_of(size, own_font_px).value_or(own_font_px) <= unreadable_px;
}

bool may_be_lost_by_transform(const declaration& one) noexcept {
  return is_shrunk_or_moved_away(one.value) || is_turned_over(one.value, {}) ||
         may_be_beyond_the_page(one);
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
    case margin_top:
      return is_away && is_off_screen(one.value);
    case text_indent:
      return is_away &&
             (is_off_screen(one.value) || is_beyond(one.value) || is_all_of_it(one.value));
    case rotate:
      return is_turned_away(one.value) || is_turned_over({}, one.value);
    case text_security:
    case mask:
    case mask_size:
      return !named("none");
    case content:
      return is_replaced(one.value);
    case transform:
      return may_be_lost_by_transform(one);
    case scale:
      return is_scaled_to_nothing(one.value);
    case translate:
      return is_moved_away(one.value) || may_be_beyond_the_page(one);
    case filter:
      return is_filtered_away(one.value);
    case clip:
      return is_empty_rect(one.value);
    case clip_path:
      return is_cut_away(one.value);
    case width:
    case height:
    case max_width:
    case max_height:
      return is_small && is_no_extent(one.value);
    case color:
    case text_fill:
    case background:
      return color_of(one.value).has_value();
    default:
      return false;
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

hidden_by whole_of(const cascaded_style& own, html::tag_id tag) noexcept {
  using enum property;
  const auto until_shown = [&](property by) {
    return hidden_by{hiding::until_shown, by, own.selector_of(by)};
  };
  const auto for_good = [&](property by) {
    return hidden_by{hiding::for_good, by, own.selector_of(by)};
  };
  if (own.is(display, "none")) return until_shown(display);
  if (is_no_box(own.of(display))) return for_good(display);
  if (own.is(display, "contents")) return {};
  // What stands in a line has no size of its own and is not moved.
  const bool floats = own.is(position, "absolute") || own.is(position, "fixed");
  const bool is_box = floats || own.is(float_, "left") || own.is(float_, "right");
  const bool in_line =
      !is_box && (own.of(display).empty() ? is_usually_inline(tag) : own.is(display, "inline"));
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
  if (is_masked_away(own)) return for_good(mask);
  if (is_replaced(own.of(content))) return for_good(content);
  if (is_cut_away(own.of(clip_path))) return for_good(clip_path);
  if (floats && is_empty_rect(own.of(clip))) return for_good(clip);
  const bool moves = floats || own.is(position, "relative");
  for (const auto side : {left, top, right, bottom}) {
    if (moves && is_far(own, side)) return for_good(side);
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
  if (in_line) return {};
  if (is_indented_away(own)) return for_good(text_indent);
  if (const auto side = no_size_of(own)) return until_shown(*side);
  return {};
}

}  // namespace freshet::markdown
