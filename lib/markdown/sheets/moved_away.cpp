// Functions are taken one by one, as they stand: each that leaves nothing hides, whatever is
// behind.
#include <algorithm>
#include <base/unicode.hpp>
#include <cmath>
#include <markdown/sheets/moved_away.hpp>
#include <markdown/sheets/turns.hpp>
#include <numbers>

namespace freshet::markdown {

namespace {

/// What is as long as the whole width or height of any screen is of the smallest that is too long.
constexpr length_units on_any_screen{own_font_px, -off_screen_px / 100, -off_screen_px / 100,
                                     -off_screen_px / 100};

constexpr double far_down_px = 30'000;

}  // namespace

bool is_off_screen(std::string_view length) noexcept {
  auto units = on_any_screen;
  units.percent_px = 0.16;
  return quantity_of(length, units).value_or(0) <= off_screen_px;
}

bool is_beyond(std::string_view length) noexcept {
  return quantity_of(length, on_any_screen).value_or(0) >= -off_screen_px;
}

bool is_far_right(std::string_view length) noexcept {
  constexpr double far_px = 2560;
  // What is a share of something else is not known.
  return quantity_of(length, {own_font_px, 0, far_px / 100, 0}).value_or(0) >= far_px;
}

bool is_far_down(std::string_view length) noexcept {
  return quantity_of(length, {own_font_px, 0, 3.6, 6}).value_or(0) >= far_down_px;
}

bool is_moved_far_right(std::string_view transform) noexcept {
  const auto functions = functions_of(transform);
  if (functions.size() != 1) return false;
  const auto [name, inside] = function_in(functions[0]);
  return is_one_of(name, {"translate", "translateX", "translate3d"}) &&
         is_far_right(parts_of(inside, ",").first());
}

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

namespace {

/// Text of this size at most is none.
constexpr double unseen_scale = 0.1;

bool is_unseen_scale(double factor) noexcept { return std::abs(factor) <= unseen_scale; }

}  // namespace

double scale_of(std::string_view transform, std::string_view scale) noexcept {
  double size = 1;
  const auto take = [&](const value_numbers& factors) {
    if (factors.count == 0) return;
    size *= std::min(std::abs(factors.of[0]), std::abs(factors.of[factors.count > 1 ? 1 : 0]));
  };
  for (const auto one : functions_of(transform)) {
    const auto [name, inside] = function_in(one);
    if (is_one_of(name, {"scale", "scale3d", "scaleX", "scaleY"})) {
      take(numbers_in(parts_of(inside, ",")));
    }
  }
  take(numbers_in(parts_of(scale, css_spaces)));
  return size;
}

bool is_scaled_to_nothing(std::string_view scale) noexcept {
  const auto factors = numbers_in(parts_of(scale, css_spaces));
  constexpr std::size_t depth = 2;
  if (factors.count > depth && factors.of[depth] == 0) return true;
  const auto seen = std::min(factors.count, depth);
  return std::any_of(factors.of.begin(), factors.of.begin() + seen, is_unseen_scale);
}

namespace {

/// Turned so that only its edge is seen.
bool is_edge(double degrees) noexcept {
  return std::abs(std::cos(degrees * std::numbers::pi / 180)) <= unseen_scale;
}

}  // namespace

bool is_turned_away(std::string_view rotate) noexcept {
  const auto parts = parts_of(rotate, css_spaces);
  constexpr std::size_t with_vector = 4;
  if (parts.size() == 2) {
    return is_one_of(parts[0], {"x", "y"}) && is_edge(quantity_of(parts[1], {}).value_or(0));
  }
  const auto numbers = numbers_in(parts);
  return numbers.count == with_vector && numbers.of[2] == 0 && is_edge(numbers.of[3]);
}

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

bool is_moved_away(std::string_view translate) noexcept {
  const auto parts = parts_of(translate, css_spaces);
  return std::any_of(parts.begin(), parts.end(), is_off_screen) ||
         (parts.size() > 1 && is_far_down(parts[1]));
}

namespace {

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

/// By several functions together.
bool is_flattened(std::string_view transform) noexcept {
  return functions_of(transform).size() > 1 && least_stretch(transform) <= unseen_scale;
}

}  // namespace

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
  return x <= off_screen_px || y <= off_screen_px || y >= far_down_px || is_flattened(transform);
}

bool is_put_away(std::string_view offset_path) noexcept {
  const auto at = offset_path.find("path(");
  if (at == offset_path.npos) return false;
  const auto [name, inside] = function_in(offset_path.substr(at));
  // "M-9999 0": two numbers behind the letter.
  const auto begin = inside.find_first_of("Mm");
  if (begin == inside.npos) return false;
  const auto numbers = parts_of(inside.substr(begin + 1), " ,\t\n\"'LlHhVvZzCcSsQqTtAa");
  const auto is_far = [&](std::size_t place) {
    return place < numbers.size() && quantity_of(numbers[place], {}).value_or(0) <= off_screen_px;
  };
  return is_far(0) || is_far(1);
}

}  // namespace freshet::markdown
