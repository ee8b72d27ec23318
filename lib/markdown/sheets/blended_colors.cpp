// The formulas are those of Filter Effects 1 and Compositing 1, channel by channel; modes that take
// apart hue and light leave black and white what they are.
#include <algorithm>
#include <array>
#include <base/unicode.hpp>
#include <cmath>
#include <markdown/sheets/blended_colors.hpp>
#include <markdown/sheets/lengths.hpp>
#include <markdown/sheets/value_text.hpp>
#include <numbers>

namespace freshet::markdown {

namespace {

using three_shares = std::array<double, 3>;

three_shares shares_of(const rgb& color) noexcept {
  constexpr double most = 255;
  return {color.red / most, color.green / most, color.blue / most};
}

rgb color_of_shares(const three_shares& shares, double alpha) noexcept {
  const auto byte = [](double share) {
    return static_cast<int>(std::round(std::clamp(share, 0.0, 1.0) * 255));
  };
  return {byte(shares[0]), byte(shares[1]), byte(shares[2]), alpha};
}

/// What a function is told; all of it where it is told nothing.
double amount_in(std::string_view inside) noexcept {
  return share_of(base::trim(inside)).value_or(1);
}

/// Between a color and what a whole filter makes of it: rows of a matrix.
three_shares toned(const three_shares& c, const std::array<three_shares, 3>& whole,
                   double amount) noexcept {
  three_shares made{};
  for (std::size_t i = 0; i < made.size(); ++i) {
    const double other = whole[i][0] * c[0] + whole[i][1] * c[1] + whole[i][2] * c[2];
    made[i] = c[i] * (1 - amount) + other * amount;
  }
  return made;
}

constexpr three_shares luminance = {0.2126, 0.7152, 0.0722};
constexpr std::array<three_shares, 3> grey = {luminance, luminance, luminance};
constexpr std::array<three_shares, 3> brown = {
    {{0.393, 0.769, 0.189}, {0.349, 0.686, 0.168}, {0.272, 0.534, 0.131}}};

three_shares turned(const three_shares& c, double degrees) noexcept {
  const double cosine = std::cos(degrees * std::numbers::pi / 180);
  const double sine = std::sin(degrees * std::numbers::pi / 180);
  return {(0.213 + 0.787 * cosine - 0.213 * sine) * c[0] +
              (0.715 - 0.715 * cosine - 0.715 * sine) * c[1] +
              (0.072 - 0.072 * cosine + 0.928 * sine) * c[2],
          (0.213 - 0.213 * cosine + 0.143 * sine) * c[0] +
              (0.715 + 0.285 * cosine + 0.140 * sine) * c[1] +
              (0.072 - 0.072 * cosine - 0.283 * sine) * c[2],
          (0.213 - 0.213 * cosine - 0.787 * sine) * c[0] +
              (0.715 - 0.715 * cosine + 0.715 * sine) * c[1] +
              (0.072 + 0.928 * cosine + 0.072 * sine) * c[2]};
}

three_shares behind(const three_shares& c, std::string_view name,
                    std::string_view inside) noexcept {
  const auto each = [&](auto make) {
    three_shares made = c;
    for (auto& one : made) one = std::clamp(make(one), 0.0, 1.0);
    return made;
  };
  const double amount = amount_in(inside), part = std::clamp(amount, 0.0, 1.0);
  if (is_named(name, "brightness")) return each([&](double one) { return one * amount; });
  if (is_named(name, "contrast")) return each([&](double one) { return (one - .5) * amount + .5; });
  if (is_named(name, "invert")) {
    return each([&](double one) { return one * (1 - part) + (1 - one) * part; });
  }
  if (is_named(name, "grayscale")) return toned(c, grey, part);
  if (is_named(name, "saturate")) return toned(c, grey, 1 - amount);
  if (is_named(name, "sepia")) return toned(c, brown, part);
  if (is_named(name, "hue-rotate")) {
    return turned(c, quantity_of(base::trim(inside), {}).value_or(0));
  }
  return c;
}

double blended_channel(double source, double ground, std::string_view mode) noexcept {
  const auto multiply = [](double a, double b) { return a * b; };
  const auto screen = [](double a, double b) { return a + b - a * b; };
  const auto hard = [&](double a, double b) {
    return a <= .5 ? multiply(b, 2 * a) : screen(b, 2 * a - 1);
  };
  if (is_named(mode, "multiply")) return multiply(source, ground);
  if (is_named(mode, "screen")) return screen(source, ground);
  if (is_named(mode, "lighten")) return std::max(source, ground);
  if (is_named(mode, "darken")) return std::min(source, ground);
  if (is_named(mode, "overlay")) return hard(ground, source);
  if (is_named(mode, "hard-light")) return hard(source, ground);
  if (is_named(mode, "difference")) return std::abs(source - ground);
  if (is_named(mode, "exclusion")) return source + ground - 2 * source * ground;
  if (is_named(mode, "plus-lighter")) return std::min(source + ground, 1.0);
  if (is_named(mode, "color-dodge")) {
    if (ground == 0) return 0;
    return source >= 1 ? 1 : std::min(1.0, ground / (1 - source));
  }
  if (is_named(mode, "color-burn")) {
    if (ground >= 1) return 1;
    return source <= 0 ? 0 : 1 - std::min(1.0, (1 - ground) / source);
  }
  if (is_named(mode, "soft-light")) {
    if (source <= .5) return ground - (1 - 2 * source) * ground * (1 - ground);
    const double root =
        ground <= .25 ? ((16 * ground - 12) * ground + 4) * ground : std::sqrt(ground);
    return ground + (2 * source - 1) * (root - ground);
  }
  return source;
}

double luminosity(const three_shares& c) noexcept { return 0.3 * c[0] + 0.59 * c[1] + 0.11 * c[2]; }

}  // namespace

bool turns_colors(std::string_view filter) noexcept {
  constexpr double dark = 0.3, bright = 3, faint = 0.2, turned_over = 0.3;
  const auto functions = functions_of(filter);
  return std::any_of(functions.begin(), functions.end(), [&](std::string_view one) {
    const auto [name, inside] = function_in(one);
    const double amount = amount_in(inside);
    if (is_named(name, "brightness")) return amount <= dark || amount >= bright;
    if (is_named(name, "contrast")) return amount <= faint;
    return is_named(name, "invert") && amount >= turned_over;
  });
}

rgb filtered(const rgb& color, std::string_view filter) noexcept {
  auto made = shares_of(color);
  for (const auto one : functions_of(filter)) {
    const auto [name, inside] = function_in(one);
    made = behind(made, name, inside);
  }
  return color_of_shares(made, color.alpha);
}

bool is_blending(std::string_view mode) noexcept {
  return is_one_of(mode, {"multiply", "screen", "lighten", "darken", "overlay", "hard-light",
                          "soft-light", "difference", "exclusion", "plus-lighter", "color-dodge",
                          "color-burn", "hue", "saturation", "color", "luminosity"});
}

rgb blended(const rgb& color, const rgb& ground, std::string_view mode) noexcept {
  const auto source = shares_of(color), below = shares_of(ground);
  if (is_one_of(mode, {"hue", "saturation", "color"})) {
    // The light is the ground's: where that is white or black, nothing else is left.
    const double light = luminosity(below);
    constexpr double nearly = 0.02;
    return light <= nearly || light >= 1 - nearly ? ground : color;
  }
  three_shares made{};
  for (std::size_t i = 0; i < made.size(); ++i) {
    made[i] = blended_channel(source[i], below[i], mode);
  }
  return color_of_shares(made, 1);
}

}  // namespace freshet::markdown
