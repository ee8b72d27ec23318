// Colors are read by their function; those of other spaces are turned into sRGB by the matrices of
// CSS Color 4, which the primaries of a wide screen are taken for, too.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/percent.hpp>
#include <base/unicode.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <markdown/sheets/colors.hpp>
#include <markdown/sheets/lengths.hpp>
#include <markdown/sheets/value_text.hpp>
#include <numbers>
#include <span>
#include <utility>

namespace freshet::markdown {

namespace {

struct named_color {
  std::string_view name;
  std::uint32_t hex;
};
constexpr named_color named_colors[] = {
#include <markdown/sheets/color_names.def>
};

constexpr std::size_t longest_color_name = 20;

std::optional<rgb> named(std::string_view value) noexcept {
  if (value.size() > longest_color_name || value.empty()) return std::nullopt;
  std::array<char, longest_color_name> lower{};
  std::ranges::transform(value, lower.begin(), [](char c) { return base::lower(c); });
  const std::string_view name(lower.data(), value.size());
  if (name == "transparent") return rgb{0, 0, 0, 0};
  const auto* const found = std::ranges::lower_bound(named_colors, name, {}, &named_color::name);
  if (found == std::end(named_colors) || found->name != name) return std::nullopt;
  constexpr std::uint32_t byte = 0xFF;
  return rgb{static_cast<int>(found->hex >> 16), static_cast<int>(found->hex >> 8 & byte),
             static_cast<int>(found->hex & byte), 1};
}

std::optional<rgb> read_hex(std::string_view digits) noexcept {
  constexpr std::size_t longest = 8;
  if (digits.size() > longest ||
      !std::ranges::all_of(digits, [](char c) { return base::hex_value(c) >= 0; })) {
    return std::nullopt;
  }
  const bool is_short = digits.size() == 3 || digits.size() == 4;
  if (!is_short && digits.size() != 6 && digits.size() != longest) return std::nullopt;
  const auto part = [&](std::size_t at) {
    return is_short ? base::hex_value(digits[at]) * 17
                    : base::hex_value(digits[2 * at]) * 16 + base::hex_value(digits[2 * at + 1]);
  };
  const bool has_alpha = digits.size() == 4 || digits.size() == longest;
  return rgb{part(0), part(1), part(2), has_alpha ? part(3) / 255.0 : 1};
}

/// Hexadecimal or a name.
std::optional<rgb> plain_color(std::string_view value) noexcept {
  return value.starts_with('#') ? read_hex(value.substr(1)) : named(value);
}

/// Colors that are made of others, and those of others.
constexpr int deepest_color = 4;
std::optional<rgb> color_in(std::string_view value, int depth) noexcept;

using channels = std::array<double, 4>;

/// What 100 % of each channel of a function is.
constexpr double chroma_of_lab = 125, chroma_of_lch = 150, chroma_of_ok = 0.4;

double to_byte(double linear_or_not) noexcept {
  return std::clamp(std::round(linear_or_not * 255), 0.0, 255.0);
}

rgb of_shares(double red, double green, double blue, double alpha) noexcept {
  return {static_cast<int>(to_byte(red)), static_cast<int>(to_byte(green)),
          static_cast<int>(to_byte(blue)), alpha};
}

double to_gamma(double linear) noexcept {
  const double size = std::abs(linear);
  if (size <= 0.0031308) return linear * 12.92;
  return std::copysign(1.055 * std::pow(size, 1 / 2.4) - 0.055, linear);
}

rgb of_linear(double red, double green, double blue, double alpha) noexcept {
  return of_shares(to_gamma(red), to_gamma(green), to_gamma(blue), alpha);
}

rgb of_hsl(double hue, double saturation, double lightness, double alpha) noexcept {
  const auto channel = [&](double n) {
    const double k = std::fmod(std::fmod(n + hue / 30, 12) + 12, 12);
    const double a = saturation * std::min(lightness, 1 - lightness);
    return lightness - a * std::max(-1.0, std::min({k - 3, 9 - k, 1.0}));
  };
  return of_shares(channel(0), channel(8), channel(4), alpha);
}

rgb of_hwb(double hue, double white, double black, double alpha) noexcept {
  if (white + black >= 1) {
    const double grey = white / (white + black);
    return of_shares(grey, grey, grey, alpha);
  }
  const auto pure = of_hsl(hue, 1, 0.5, 1);
  const auto channel = [&](int byte) { return byte / 255.0 * (1 - white - black) + white; };
  return of_shares(channel(pure.red), channel(pure.green), channel(pure.blue), alpha);
}

/// Of light D50, which Lab stands in.
rgb of_xyz(double x, double y, double z, double alpha) noexcept {
  return of_linear(3.1341359 * x - 1.6173863 * y - 0.4906619 * z,
                   -0.9787955 * x + 1.9162543 * y + 0.0334429 * z,
                   0.0719554 * x - 0.2289768 * y + 1.4053860 * z, alpha);
}

rgb of_lab(double lightness, double a, double b, double alpha) noexcept {
  const double y = (lightness + 16) / 116;
  const auto whole = [](double f) {
    constexpr double least = 6.0 / 29;
    return f > least ? f * f * f : 3 * least * least * (f - 4.0 / 29);
  };
  return of_xyz(0.9642956 * whole(y + a / 500), whole(y), 0.8251046 * whole(y - b / 200), alpha);
}

rgb of_oklab(double lightness, double a, double b, double alpha) noexcept {
  const auto cube = [](double value) { return value * value * value; };
  const double l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b);
  const double m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b);
  const double s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b);
  return of_linear(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
                   -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                   -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s, alpha);
}

/// "calc(r * 2 + 1)", of the other color's channels.
std::optional<double> computed_channel(std::string_view value,
                                       std::span<const std::string_view> names,
                                       std::span<const double> own) noexcept {
  constexpr std::size_t longest = 128;
  std::array<char, longest> made{};
  std::size_t size = 0;
  for (std::size_t at = 0; at < value.size();) {
    auto end = at;
    while (end < value.size() && base::is_letter(value[end])) ++end;
    auto word = value.substr(at, std::max(end - at, std::size_t{1}));
    at += word.size();
    std::array<char, 32> digits{};
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!is_named(word, names[i])) continue;
      const auto [stop, failure] = std::to_chars(digits.data(), digits.data() + digits.size(),
                                                 own[i], std::chars_format::fixed, 4);
      if (failure != std::errc{}) return std::nullopt;
      word = {digits.data(), static_cast<std::size_t>(stop - digits.data())};
      break;
    }
    if (size + word.size() > longest) return std::nullopt;
    std::ranges::copy(word, made.begin() + static_cast<std::ptrdiff_t>(size));
    size += word.size();
  }
  return quantity_of({made.data(), size}, {});
}

/// The numbers of a function, percentages as shares of `whole`; of a color that is made "from"
/// another, the other's where a channel has its name.
std::optional<channels> numbers_in(const value_parts& parts, const channels& whole,
                                   const std::optional<rgb>& origin) noexcept {
  if (parts.size() < 3) return std::nullopt;
  channels found{0, 0, 0, origin ? origin->alpha : 1};
  for (std::size_t i = 0; i < found.size() && i < parts.size(); ++i) {
    length_units units;
    units.percent_px = whole[i] / 100;
    const auto number = quantity_of(parts[i], units);
    if (number) {
      found[i] = *number;
    } else if (is_named(parts[i], "none")) {
      found[i] = 0;
    } else if (origin) {
      constexpr std::string_view names[] = {"r", "g", "b", "alpha"};
      const double own[] = {static_cast<double>(origin->red), static_cast<double>(origin->green),
                            static_cast<double>(origin->blue), origin->alpha};
      const auto* const name = std::ranges::find_if(
          names, [&](std::string_view one) { return is_named(parts[i], one); });
      if (name != std::end(names)) {
        found[i] = own[name - names];
      } else if (const auto made = computed_channel(parts[i], names, own)) {
        found[i] = *made;
      } else {
        return std::nullopt;
      }
    } else {
      return std::nullopt;
    }
  }
  found[3] = std::clamp(found[3], 0.0, 1.0);
  return found;
}

std::optional<rgb> of_space(std::string_view space, const channels& c) noexcept {
  if (is_named(space, "srgb-linear")) return of_linear(c[0], c[1], c[2], c[3]);
  if (is_named(space, "xyz-d50")) return of_xyz(c[0], c[1], c[2], c[3]);
  if (is_one_of(space, {"xyz", "xyz-d65"})) {
    return of_linear(3.2409699 * c[0] - 1.5373832 * c[1] - 0.4986108 * c[2],
                     -0.9692436 * c[0] + 1.8759675 * c[1] + 0.0415551 * c[2],
                     0.0556301 * c[0] - 0.2039770 * c[1] + 1.0569715 * c[2], c[3]);
  }
  if (!is_one_of(space, {"srgb", "display-p3", "a98-rgb", "prophoto-rgb", "rec2020"}))
    return std::nullopt;
  return of_shares(c[0], c[1], c[2], c[3]);
}

/// color-mix(in srgb, white 20%, #000)
std::optional<rgb> read_mix(std::string_view inside, int depth) noexcept {
  const auto parts = parts_of(inside, ",");
  if (parts.size() != 3 || !begins_with(parts[0], "in ")) return std::nullopt;
  std::array<std::optional<rgb>, 2> colors;
  std::array<std::optional<double>, 2> shares;
  for (std::size_t i = 0; i < 2; ++i) {
    for (const auto word : parts_of(parts[i + 1], css_spaces)) {
      if (const auto share = share_of(word)) {
        shares[i] = *share;
      } else {
        colors[i] = color_in(word, depth + 1);
      }
    }
    if (!colors[i]) return std::nullopt;
  }
  if (!shares[0]) shares[0] = shares[1] ? 1 - *shares[1] : 0.5;
  if (!shares[1]) shares[1] = 1 - *shares[0];
  const double sum = *shares[0] + *shares[1];
  if (sum <= 0) return std::nullopt;
  const double first = *shares[0] / sum;
  const auto &one = *colors[0], &other = *colors[1];
  const double alpha = one.alpha * first + other.alpha * (1 - first);
  const auto channel = [&](int a, int b) {
    return alpha == 0 ? 0 : (a * one.alpha * first + b * other.alpha * (1 - first)) / alpha / 255;
  };
  return of_shares(channel(one.red, other.red), channel(one.green, other.green),
                   channel(one.blue, other.blue), alpha * std::min(sum, 1.0));
}

/// Black or white, whichever is further from a color in light.
std::optional<rgb> read_contrast(std::string_view inside, int depth) noexcept {
  const auto color = color_in(base::trim(inside), depth + 1);
  if (!color) return std::nullopt;
  const auto linear = [](int byte) {
    const double share = byte / 255.0;
    return share <= 0.04045 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
  };
  const double light =
      0.2126 * linear(color->red) + 0.7152 * linear(color->green) + 0.0722 * linear(color->blue);
  constexpr double flare = 0.05;
  return 1.05 / (light + flare) >= (light + flare) / flare ? paper : rgb{};
}

/// Whether a color takes its channels from another as they are there: "lch(from white l c h)".
bool takes_all_channels(std::string_view name, const value_parts& words, std::size_t first,
                        std::string_view space) noexcept {
  constexpr std::pair<std::string_view, std::string_view> channels_by_name[] = {
      {"rgb", "rgb"}, {"rgba", "rgb"}, {"hsl", "hsl"},   {"hsla", "hsl"}, {"hwb", "hwb"},
      {"lab", "lab"}, {"lch", "lch"},  {"oklab", "lab"}, {"oklch", "lch"}};
  std::string_view own = begins_with(space, "xyz") ? "xyz" : "rgb";
  for (const auto& [one, letters] : channels_by_name) {
    if (is_named(name, one)) own = letters;
  }
  if (words.size() != first + own.size()) return false;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (!is_named(words[first + i], own.substr(i, 1))) return false;
  }
  return true;
}

std::optional<rgb> read_function(std::string_view name, std::string_view inside,
                                 int depth) noexcept {
  if (is_named(name, "color-mix")) return read_mix(inside, depth);
  if (is_named(name, "contrast-color")) return read_contrast(inside, depth);
  auto words = parts_of(inside, " ,/\t\n\r\f");
  std::optional<rgb> origin;
  std::size_t first = 0;
  if (!words.empty() && is_named(words[0], "from")) {
    if (words.size() > 1) origin = color_in(words[1], depth + 1);
    if (!origin) return std::nullopt;
    first = 2;
  }
  const bool of_a_space = is_named(name, "color");
  const auto space = of_a_space && words.size() > first ? words[first++] : std::string_view();
  if (origin && takes_all_channels(name, words, first, space)) return origin;
  value_parts parts;
  for (std::size_t i = first; i < words.size(); ++i) parts.add(words[i]);
  const auto numbers = [&](double a, double b, double c) {
    return numbers_in(parts, {a, b, c, 1}, origin);
  };
  if (is_one_of(name, {"rgb", "rgba"})) {
    const auto c = numbers(255, 255, 255);
    if (!c) return c ? std::optional(rgb{}) : std::nullopt;
    return of_shares((*c)[0] / 255, (*c)[1] / 255, (*c)[2] / 255, (*c)[3]);
  }
  if (of_a_space) {
    const auto c = numbers(1, 1, 1);
    return c ? of_space(space, *c) : std::nullopt;
  }
  if (is_one_of(name, {"hsl", "hsla", "hwb"})) {
    const auto c = numbers(360, 100, 100);
    if (!c) return std::nullopt;
    const double second = std::clamp((*c)[1] / 100, 0.0, 1.0);
    const double third = std::clamp((*c)[2] / 100, 0.0, 1.0);
    return is_named(name, "hwb") ? of_hwb((*c)[0], second, third, (*c)[3])
                                 : of_hsl((*c)[0], second, third, (*c)[3]);
  }
  const bool by_hue = is_one_of(name, {"lch", "oklch"}), ok = begins_with(name, "ok");
  if (!by_hue && !is_one_of(name, {"lab", "oklab"})) return std::nullopt;
  const double chroma = ok ? chroma_of_ok : by_hue ? chroma_of_lch : chroma_of_lab;
  auto c = numbers(ok ? 1 : 100, chroma, by_hue ? 360 : chroma);
  if (!c) return std::nullopt;
  if (by_hue) {
    const double angle = (*c)[2] * std::numbers::pi / 180, size = (*c)[1];
    (*c)[1] = size * std::cos(angle);
    (*c)[2] = size * std::sin(angle);
  }
  return ok ? of_oklab((*c)[0], (*c)[1], (*c)[2], (*c)[3])
            : of_lab((*c)[0], (*c)[1], (*c)[2], (*c)[3]);
}

bool is_gradient(std::string_view name) noexcept {
  constexpr std::string_view end = "gradient";
  return name.size() >= end.size() && is_named(name.substr(name.size() - end.size()), end);
}

/// Whether a part of a gradient only says where its colors stand.
bool is_place_in_gradient(std::string_view part) noexcept {
  if (share_of(part)) return true;
  return is_one_of(part, {"to", "top", "left", "right", "bottom", "at", "center", "from", "circle",
                          "ellipse", "closest-side", "closest-corner", "farthest-side",
                          "farthest-corner", "in", "srgb", "oklab", "oklch", "hsl"});
}

}  // namespace

namespace {

std::optional<rgb> color_in(std::string_view value, int depth) noexcept {
  if (depth > deepest_color) return std::nullopt;
  // In another color it is that of the text, which is mostly black.
  if (depth > 0 && is_named(value, "currentcolor")) return rgb{};
  constexpr std::string_view by_scheme = "light-dark(";
  while (begins_with(value, by_scheme)) {
    const auto parts = parts_of(function_in(value).inside, ",");
    if (parts.empty()) return std::nullopt;
    value = parts[0];
  }
  if (const auto function = function_in(value); !function.name.empty()) {
    return read_function(function.name, function.inside, depth);
  }
  return plain_color(value);
}

}  // namespace

std::optional<rgb> color_of(std::string_view value) noexcept { return color_in(value, 0); }

std::optional<rgb> color_of_attribute(std::string_view value) {
  constexpr std::size_t digits = 6;
  value = base::trim(value);
  auto color = color_of(value);
  if (!color && value.size() == digits) color = color_of("#" + std::string(value));
  return color;
}

std::string_view color_in_background(std::string_view value) noexcept {
  for (const auto part : parts_of(value, " ,\t\n\r\f")) {
    if (color_of(part) || is_named(part, "currentcolor")) return part;
  }
  return "transparent";
}

std::string_view image_in_background(std::string_view value) noexcept {
  std::string_view image = "none";
  std::size_t images = 0;
  bool is_placed = false;
  for (const auto part : parts_of(value, " ,\t\n\r\f")) {
    if (part.find('(') != part.npos && !color_of(part)) {
      image = part;
      ++images;
    }
    is_placed |= part.front() == '/' || base::is_digit(part.front());
  }
  return images > 1 || (images == 1 && is_placed) ? value : image;
}

std::optional<rgb> color_of_image(std::string_view value) noexcept {
  constexpr double nearly_none = 0.02, solid = 0.99;
  const auto layers = parts_of(value, ",");
  if (layers.size() > 1) {
    // The first lies above the others.
    for (const auto layer : layers) {
      const auto color = color_of_image(layer);
      if (color && color->alpha >= solid) return color;
      if (!color || color->alpha > nearly_none) return std::nullopt;
    }
    return rgb{0, 0, 0, 0};
  }
  const auto [name, inside] = function_in(value);
  if (!is_gradient(name)) return std::nullopt;
  std::optional<rgb> only;
  for (const auto stop : parts_of(inside, ",")) {
    for (const auto part : parts_of(stop, css_spaces)) {
      if (is_place_in_gradient(part)) continue;
      const auto color = color_of(part);
      if (!color) return std::nullopt;
      if (only && (!is_same(*only, *color) || std::abs(only->alpha - color->alpha) > 0.04)) {
        return std::nullopt;
      }
      only = color;
    }
  }
  return only;
}

rgb over(const rgb& color, const rgb& ground) noexcept {
  const auto channel = [&](int a, int b) {
    return static_cast<int>(std::round(a * color.alpha + b * (1 - color.alpha)));
  };
  return {channel(color.red, ground.red), channel(color.green, ground.green),
          channel(color.blue, ground.blue), 1};
}

bool is_same(const rgb& one, const rgb& other) noexcept {
  constexpr int least = 24;  // of 255: nobody reads what differs by less
  return std::abs(one.red - other.red) < least && std::abs(one.green - other.green) < least &&
         std::abs(one.blue - other.blue) < least;
}

}  // namespace freshet::markdown
