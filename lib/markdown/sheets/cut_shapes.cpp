// Points are taken for those of a box of a usual size: what has no area there has none in any.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <cmath>
#include <markdown/sheets/cut_shapes.hpp>
#include <markdown/sheets/lengths.hpp>
#include <markdown/sheets/value_text.hpp>
#include <optional>

namespace freshet::markdown {

namespace {

constexpr double inherited_px = 16;

/// What is left between edges that are cut off, as of a box of this size.
constexpr double any_box_px = 100;

/// A text is not known to go on for so far.
constexpr double wide_px = 800;

std::optional<double> of_any_box(std::string_view length) noexcept {
  return quantity_of(length, {inherited_px, any_box_px / 100, 9, 9});
}

bool is_inset_to_nothing(std::string_view inside) noexcept {
  constexpr double more_than_most_boxes = 900;
  std::array<double, 4> edges{};
  std::size_t count = 0;
  bool is_share = false;
  for (const auto part : parts_of(inside, css_spaces)) {
    const auto edge = of_any_box(part);
    if (!edge || count == edges.size()) break;
    is_share |= part.find('%') != part.npos || *edge >= more_than_most_boxes;
    edges[count++] = *edge;
  }
  if (count == 0 || !is_share) return false;
  const auto at = [&](std::size_t side) {
    const std::size_t last[] = {0, 0, 0, 1};
    while (side >= count) side = last[side];
    return edges[side];
  };
  constexpr double nothing_px = 1;  // of a hundred
  return at(0) + at(2) >= any_box_px - nothing_px || at(1) + at(3) >= any_box_px - nothing_px;
}

/// Edges of what points are in.
struct extent {
  double left = 1e9, top = 1e9, right = -1e9, bottom = -1e9;
  bool is_known = true;

  void add_x(double x) noexcept {
    left = std::min(left, x);
    right = std::max(right, x);
  }
  void add_y(double y) noexcept {
    top = std::min(top, y);
    bottom = std::max(bottom, y);
  }
  /// A line without width, or one that is not in a box of which this much may be text.
  [[nodiscard]] bool is_nothing(double high_px) const noexcept {
    if (!is_known || left > right || top > bottom) return false;
    return right - left <= least_px || bottom - top <= least_px || right <= 0 || bottom <= 0 ||
           left >= wide_px || top >= high_px;
  }

 private:
  static constexpr double least_px = 2;
};

/// Whether there is nothing between points, or nothing of the box: in percent and pixels alike.
bool is_flat(std::string_view inside) noexcept {
  double area = 0, first_x = 0, first_y = 0, x = 0, y = 0;
  double right = 0, bottom = 0, left = any_box_px, top = any_box_px;
  bool has_first = false;
  extent in_px;
  for (const auto point : parts_of(inside, ",")) {
    if (is_one_of(point, {"evenodd", "nonzero"})) continue;
    const auto parts = parts_of(point, css_spaces);
    if (parts.size() != 2) return false;
    const auto next_x = of_any_box(parts[0]), next_y = of_any_box(parts[1]);
    if (!next_x || !next_y) return false;
    if (has_first) area += x * *next_y - *next_x * y;
    if (!has_first) {
      first_x = *next_x;
      first_y = *next_y;
    }
    has_first = true;
    right = std::max(right, *next_x);
    bottom = std::max(bottom, *next_y);
    in_px.is_known &= point.find('%') == point.npos;
    in_px.add_x(*next_x);
    in_px.add_y(*next_y);
    // Of pixels nobody knows whether a box is as wide.
    left = std::min(left, parts[0].ends_with('%') ? *next_x : 0);
    top = std::min(top, parts[1].ends_with('%') ? *next_y : 0);
    x = *next_x;
    y = *next_y;
  }
  area += x * first_y - first_x * y;
  const bool is_outside = right <= 0 || bottom <= 0 || left >= any_box_px || top >= any_box_px;
  return has_first && (std::abs(area) < 1 || is_outside || in_px.is_nothing(1e6));
}

/// "M0 0L9 0Z" in pixels; unknown where it turns, or goes on from where it is.
extent extent_of_path(std::string_view path) noexcept {
  extent found;
  path = path.substr(std::min(path.find_first_of("\"'"), path.size()));
  char command = 0;
  double x = 0, y = 0;
  bool is_x = true;
  std::size_t at = 0;
  while (at < path.size()) {
    const char c = path[at];
    if (base::is_letter(c)) {
      found.is_known &= std::string_view("MLHVZmlhvz").find(c) != std::string_view::npos;
      command = c;
      is_x = true;
      ++at;
    } else if (base::is_digit(c) || c == '-' || c == '.') {
      auto end = at + 1;
      while (end < path.size() && (base::is_digit(path[end]) || path[end] == '.')) ++end;
      const auto number = quantity_of(path.substr(at, end - at), {});
      found.is_known &= number.has_value();
      const auto kind = base::lower(command);
      const bool across = kind == 'h' || (kind != 'v' && is_x);
      auto& place = across ? x : y;
      // Small letters go on from where the line is.
      place = (kind == command ? place : 0) + number.value_or(0);
      across ? found.add_x(x) : found.add_y(y);
      is_x = !is_x;
      at = end;
    } else {
      ++at;
    }
  }
  return found;
}

/// "from 0 0, line to 9px 0, close".
extent extent_of_shape(std::string_view inside) noexcept {
  extent found;
  for (const auto step : parts_of(inside, ",")) {
    const auto words = parts_of(step, css_spaces);
    const auto number = [&](std::size_t place) {
      const auto px = place < words.size() ? quantity_of(words[place], {16, any_box_px / 100, 9, 9})
                                           : std::nullopt;
      found.is_known &= px.has_value();
      return px.value_or(0);
    };
    std::size_t first = 0;
    while (first < words.size() && is_one_of(words[first], {"from", "evenodd", "nonzero"})) ++first;
    const auto name = words.size() > first ? words[first] : std::string_view();
    if (is_named(name, "close")) continue;
    const bool is_to = words.size() > first + 1 && is_named(words[first + 1], "to");
    if (is_named(name, "hline") && is_to) {
      found.add_x(number(first + 2));
    } else if (is_named(name, "vline") && is_to) {
      found.add_y(number(first + 2));
    } else if (first > 0 || (is_one_of(name, {"line", "move"}) && is_to)) {
      const auto place = first > 0 ? first : first + 2;
      found.add_x(number(place));
      found.add_y(number(place + 1));
    } else {
      found.is_known = false;
    }
  }
  return found;
}

/// "M0 0L0 0Z": a path of one number.
bool is_point(std::string_view path) noexcept {
  const auto first = path.find_first_not_of(" \"'");
  return first != path.npos && path.find_first_of("123456789") == path.npos;
}

/// "30px": cut off above and below by more than all of it.
bool is_inset_beyond(std::string_view inside, double high_px) noexcept {
  const auto parts = parts_of(inside, css_spaces);
  if (parts.empty() || inside.find('%') != inside.npos) return false;
  const auto top = quantity_of(parts[0], {}).value_or(0);
  constexpr std::size_t bottom = 2;
  return top + quantity_of(parts[parts.size() > bottom ? bottom : 0], {}).value_or(0) >= high_px;
}

}  // namespace

bool is_cut_away(std::string_view path, double high_px) noexcept {
  const auto functions = functions_of(path);
  if (functions.empty()) return false;
  const auto [name, inside] = function_in(functions[0]);
  const auto parts = parts_of(inside, css_spaces);
  // A point of a letter tells nobody anything.
  constexpr double point_px = 2;
  const auto is_before = [&](std::size_t place, double size) {
    return parts.size() > place && of_any_box(parts[place]).value_or(0) + size <= 0;
  };
  const auto is_nothing = [](std::string_view length) {
    return of_any_box(length).value_or(1) <= 0;
  };
  const auto is_behind = [&](std::size_t place, double size) {
    return parts.size() > place && parts[place].ends_with('%') &&
           of_any_box(parts[place]).value_or(0) - size >= any_box_px;
  };
  // In pixels, of a text that begins at the first edge.
  const auto is_far = [&](std::size_t place, double size, double most_px) {
    return parts.size() > place && !parts[place].ends_with('%') &&
           length_of(parts[place], inherited_px).value_or(0) - size >= most_px;
  };
  if (is_named(name, "inset")) {
    return is_inset_to_nothing(inside) || is_inset_beyond(inside, high_px);
  }
  if (is_named(name, "circle")) {
    const auto radius = parts.empty() ? std::nullopt : of_any_box(parts[0]);
    if (!radius) return false;
    const bool is_placed = parts.size() > 2 && is_named(parts[1], "at");
    return *radius <= point_px ||
           (is_placed && (is_before(2, *radius) || is_before(3, *radius) || is_behind(2, *radius) ||
                          is_behind(3, *radius) || is_far(2, *radius, wide_px)));
  }
  if (is_named(name, "ellipse")) {
    constexpr std::size_t with_place = 5;
    const bool is_placed = parts.size() == with_place && is_named(parts[2], "at");
    const auto radius = [&](std::size_t at) { return of_any_box(parts[at]).value_or(any_box_px); };
    return !parts.empty() && (is_nothing(parts[0]) || (parts.size() > 1 && is_nothing(parts[1])) ||
                              (is_placed && (is_behind(3, radius(0)) || is_behind(4, radius(1)) ||
                                             is_far(3, radius(0), wide_px) ||
                                             is_before(3, radius(0)) || is_before(4, radius(1)))));
  }
  if (is_named(name, "polygon")) return is_flat(inside);
  if (is_named(name, "path")) return is_point(inside) || extent_of_path(inside).is_nothing(high_px);
  if (is_named(name, "shape")) return extent_of_shape(inside).is_nothing(high_px);
  constexpr std::size_t sides = 4;
  if (parts.size() < sides) return false;
  if (is_named(name, "xywh")) {
    const auto width = of_any_box(parts[2]), height = of_any_box(parts[3]);
    return is_nothing(parts[2]) || is_nothing(parts[3]) || (width && is_before(0, *width)) ||
           (height && is_before(1, *height)) || is_behind(0, 0) || is_behind(1, 0) ||
           is_far(0, 0, wide_px) || is_far(1, 0, high_px);
  }
  if (!is_named(name, "rect")) return false;
  const auto top = of_any_box(parts[0]), right = of_any_box(parts[1]);
  const auto bottom = of_any_box(parts[2]), left = of_any_box(parts[3]);
  return (top && bottom && *bottom <= *top + 1) || (left && right && *right <= *left + 1) ||
         is_nothing(parts[1]) || is_nothing(parts[2]) || is_far(0, 0, high_px) ||
         is_far(3, 0, wide_px);
}

bool is_empty_rect(std::string_view clip, double high_px) noexcept {
  const auto [name, inside] = function_in(clip);
  if (!is_named(name, "rect")) return false;
  const auto parts = parts_of(inside, " ,\t\n\r\f");
  constexpr std::size_t sides = 4;
  if (parts.size() != sides) return false;
  const auto edge = [&](std::size_t side, double otherwise) {
    if (is_named(parts[side], "auto")) return otherwise;
    return length_of(parts[side], inherited_px).value_or(otherwise);
  };
  constexpr double far = 1e6, beyond = 800;
  if (edge(1, far) <= 0 || edge(2, far) <= 0 || edge(3, 0) >= beyond || edge(0, 0) >= high_px)
    return true;
  return edge(1, far) - edge(3, 0) <= 1 || edge(2, far) - edge(0, 0) <= 1;
}

}  // namespace freshet::markdown
