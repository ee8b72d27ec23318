// Numbers are read off values; what would take a layout is not known to hide.
#include <algorithm>
#include <array>
#include <base/number.hpp>
#include <base/unicode.hpp>
#include <markdown/tree/ways_to_hide.hpp>

namespace freshet::markdown {

namespace {

/// Of an element with no font size of its own.
constexpr double own_font_px = 16;
/// A text moved so far is off the screen.
constexpr double off_screen_px = -900;
constexpr double unseen_opacity = 0.05;

double number_in(std::string_view value, double otherwise) noexcept {
  return base::take_number<double>(value).value_or(otherwise);
}

/// By so many pixels, or by the whole width or height of any screen.
bool is_off_screen(std::string_view length) noexcept {
  if (length_of(length, own_font_px).value_or(0) <= off_screen_px) return true;
  constexpr double whole_screen = -100;
  const bool is_of_screen = length.ends_with("vw") || length.ends_with("vh");
  return is_of_screen && number_in(length, 0) <= whole_screen;
}

bool is_far(const cascaded_style& own, property one) noexcept { return is_off_screen(own.of(one)); }

/// "scale: 0", "scale: 1 0".
bool is_scaled_to_nothing(std::string_view scale) noexcept {
  while (!scale.empty()) {
    const auto number = base::take_number<double>(scale);
    if (!number) return false;
    if (*number == 0) return true;
    scale = base::trim(scale);
  }
  return false;
}

/// "translate: -9999px", "translate: 0 -100vh".
bool is_moved_away(std::string_view translate) noexcept {
  const auto second = std::min(translate.find(' '), translate.size());
  return is_off_screen(translate.substr(0, second)) ||
         is_off_screen(base::trim(translate.substr(second)));
}

bool is_filtered_away(std::string_view filter) noexcept {
  constexpr std::string_view function = "opacity(";
  const auto at = filter.find(function);
  if (at == filter.npos) return false;
  auto rest = filter.substr(at + function.size());
  const auto share = base::take_number<double>(rest);
  return share && *share / (rest.starts_with('%') ? 100 : 1) <= unseen_opacity;
}

/// No size, but not a share of its container's.
bool is_no_extent(std::string_view value) noexcept {
  return value.find('%') == value.npos && length_of(value, own_font_px).value_or(2) <= 1;
}

/// Cut off from all sides up to the middle.
bool is_cut_away(std::string_view path) noexcept {
  constexpr std::string_view inset = "inset(", circle = "circle(", ellipse = "ellipse(",
                             polygon = "polygon(";
  constexpr double half = 50;
  if (path.starts_with(circle) || path.starts_with(ellipse)) {
    return number_in(path.substr(path.find('(') + 1), 1) == 0;
  }
  if (path.starts_with(polygon)) {
    // Points that are all the same.
    return path.find_first_not_of("polygn(0)px%, ") == path.npos;
  }
  if (!path.starts_with(inset)) return false;
  path = base::trim(path.substr(inset.size()));
  return number_in(path, 0) >= half && path.find('%') != path.npos;
}

/// "rect(0 0 0 0)", "rect(1px, 1px, 1px, 1px)": nothing is between the edges.
bool is_empty_rect(std::string_view clip) noexcept {
  constexpr std::string_view rect = "rect(";
  if (!clip.starts_with(rect)) return false;
  clip.remove_prefix(rect.size());
  std::array<double, 4> edges{};
  for (auto& edge : edges) {
    clip.remove_prefix(std::min(clip.find_first_not_of(" ,"), clip.size()));
    const auto number = base::take_number<double>(clip);
    if (!number) return false;
    edge = *number;
    clip.remove_prefix(std::min(clip.find_first_of(" ,)"), clip.size()));
  }
  return edges[1] - edges[3] <= 1 || edges[2] - edges[0] <= 1;
}

bool is_shrunk_or_moved_away(std::string_view transform) noexcept {
  for (const std::string_view name : {"scale(", "scalex(", "scaleX(", "scaley(", "scaleY("}) {
    const auto at = transform.find(name);
    if (at != transform.npos && number_in(transform.substr(at + name.size()), 1) == 0) return true;
  }
  for (const std::string_view name : {"translate(", "translateX(", "translateY("}) {
    const auto at = transform.find(name);
    if (at == transform.npos) continue;
    auto value = transform.substr(at + name.size());
    value = value.substr(0, value.find_first_of(",)"));
    if (is_off_screen(value)) return true;
  }
  // Turned so that only its edge is seen; made a point or a line.
  for (const std::string_view name :
       {"rotateX(90deg", "rotateY(90deg", "matrix(0,0,0,0,", "matrix(0, 0, 0, 0,"}) {
    if (transform.find(name) != transform.npos) return true;
  }
  return false;
}

}  // namespace

bool may_hide(const declaration& one) noexcept {
  using enum property;
  constexpr double unreadable_px = 2;
  const auto named = [&](std::string_view name) {
    return base::equals_ignoring_ascii_case(one.value, name);
  };
  // Most values say no by their first letter.
  const char first = one.value.empty() ? ' ' : one.value.front();
  // "calc(0px)", "min(0px, 1em)": what is computed may be, too.
  const bool is_small =
      (first >= '-' && first <= '2') || first == '+' || first == 'c' || first == 'm';
  switch (one.of) {
    case display:
      return named("none");
    case visibility:
      return named("hidden") || named("collapse");
    case content_visibility:
      return named("hidden");
    case opacity:
      return is_small && number_in(one.value, 1) <= unseen_opacity;
    case font_size:
      return is_small && length_of(one.value, own_font_px).value_or(own_font_px) <= unreadable_px;
    case left:
    case top:
    case right:
    case bottom:
    case margin_left:
    case margin_top:
    case text_indent:
      return first == '-' && is_off_screen(one.value);
    case transform:
      return is_shrunk_or_moved_away(one.value);
    case scale:
      return is_scaled_to_nothing(one.value);
    case translate:
      return is_moved_away(one.value);
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
  // What stands in a line has no size of its own and is not moved.
  const bool floats = own.is(position, "absolute") || own.is(position, "fixed");
  const bool in_line =
      !floats && (own.of(display).empty() ? is_usually_inline(tag) : own.is(display, "inline"));
  if (!in_line && own.is(content_visibility, "hidden")) {
    return until_shown(content_visibility);
  }
  if (number_in(own.of(opacity), 1) <= unseen_opacity) return until_shown(opacity);
  if (is_filtered_away(own.of(filter))) return until_shown(filter);
  if (!in_line && is_shrunk_or_moved_away(own.of(transform))) return until_shown(transform);
  if (!in_line && is_scaled_to_nothing(own.of(scale))) return until_shown(scale);
  if (!in_line && is_moved_away(own.of(translate))) return until_shown(translate);
  if (is_cut_away(own.of(clip_path))) return for_good(clip_path);
  if (floats && is_empty_rect(own.of(clip))) return for_good(clip);
  const bool moves = floats || own.is(position, "relative");
  for (const auto side : {left, top, right, bottom}) {
    if (moves && is_far(own, side)) return for_good(side);
  }
  for (const auto side : {text_indent, margin_left, margin_top}) {
    // What is in a line hands its indent down to the blocks in it.
    const bool moved = side != margin_top || !in_line;
    if (moved && is_far(own, side)) return for_good(side);
  }
  if (in_line) return {};
  // A closed accordion is as high as nothing, too.
  if (own.is(overflow, "hidden") || own.is(overflow, "clip")) {
    for (const auto side : {width, height, max_width, max_height}) {
      if (is_no_extent(own.of(side))) return until_shown(side);
    }
  }
  return {};
}

}  // namespace freshet::markdown
