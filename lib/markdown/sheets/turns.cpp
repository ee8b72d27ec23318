// A matrix of three by three for each function; the box is seen from the front.
#include <algorithm>
#include <array>
#include <cmath>
#include <markdown/sheets/moved_away.hpp>
#include <markdown/sheets/turns.hpp>
#include <markdown/sheets/value_text.hpp>
#include <numbers>
#include <optional>

namespace freshet::markdown {

namespace {

constexpr std::size_t sides = 3;
using linear_map = std::array<std::array<double, sides>, sides>;
constexpr linear_map unchanged = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

linear_map product(const linear_map& outer, const linear_map& inner) noexcept {
  linear_map made{};
  for (std::size_t row = 0; row < sides; ++row) {
    for (std::size_t column = 0; column < sides; ++column) {
      for (std::size_t at = 0; at < sides; ++at)
        made[row][column] += outer[row][at] * inner[at][column];
    }
  }
  return made;
}

double radians(double degrees) noexcept { return degrees * std::numbers::pi / 180; }

/// About an axis, which need not be of length one.
linear_map turned_about(double x, double y, double z, double degrees) noexcept {
  const auto length = std::sqrt(x * x + y * y + z * z);
  if (length == 0) return unchanged;
  x /= length;
  y /= length;
  z /= length;
  const auto c = std::cos(radians(degrees)), s = std::sin(radians(degrees)), rest = 1 - c;
  return {{{c + x * x * rest, x * y * rest - z * s, x * z * rest + y * s},
           {y * x * rest + z * s, c + y * y * rest, y * z * rest - x * s},
           {z * x * rest - y * s, z * y * rest + x * s, c + z * z * rest}}};
}

/// Of one function; null where it is none that is known.
std::optional<linear_map> map_of(const css_function& function) noexcept {
  const auto& [name, inside] = function;
  if (begins_with(name, "translate") || is_named(name, "perspective")) return unchanged;
  const auto numbers = numbers_in(parts_of(inside, ","));
  if (numbers.count == 0) return std::nullopt;
  const auto at = [&](std::size_t place, double otherwise) {
    return place < numbers.count ? numbers.of[place] : otherwise;
  };
  const auto first = numbers.of[0];
  if (is_named(name, "rotateX")) return turned_about(1, 0, 0, first);
  if (is_named(name, "rotateY")) return turned_about(0, 1, 0, first);
  if (is_one_of(name, {"rotate", "rotateZ"})) return turned_about(0, 0, 1, first);
  if (is_named(name, "rotate3d")) return turned_about(first, at(1, 0), at(2, 0), at(3, 0));
  auto made = unchanged;
  if (is_one_of(name, {"scale", "scale3d"})) {
    made[0][0] = first;
    made[1][1] = at(1, first);
    made[2][2] = at(2, 1);
  } else if (is_named(name, "scaleX")) {
    made[0][0] = first;
  } else if (is_named(name, "scaleY")) {
    made[1][1] = first;
  } else if (is_one_of(name, {"skew", "skewX"})) {
    made[0][1] = std::tan(radians(first));
    made[1][0] = std::tan(radians(at(1, 0)));
  } else if (is_named(name, "skewY")) {
    made[1][0] = std::tan(radians(first));
  } else if (is_named(name, "matrix")) {
    made[0] = {first, at(2, 0), 0};
    made[1] = {at(1, 0), at(3, 1), 0};
  } else if (!is_named(name, "scaleZ")) {
    return std::nullopt;
  }
  return made;
}

}  // namespace

double least_stretch(std::string_view transform) noexcept {
  auto all = unchanged;
  for (const auto one : functions_of(transform)) {
    const auto next = map_of(function_in(one));
    if (!next) return 1;
    all = product(all, *next);
  }
  // Of the part that is seen from the front: what it does to a circle is an ellipse.
  const auto a = all[0][0], b = all[0][1], c = all[1][0], d = all[1][1];
  const auto sum = a * a + b * b + c * c + d * d, area = std::abs(a * d - b * c);
  const auto longest = std::sqrt((sum + std::sqrt(std::max(sum * sum - 4 * area * area, 0.0))) / 2);
  return longest == 0 ? 0 : area / longest;
}

}  // namespace freshet::markdown
