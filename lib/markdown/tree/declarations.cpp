// Declarations are read in place, one after the other; what says nothing of being seen is skipped
// by its first letter and length.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/number.hpp>
#include <base/percent.hpp>
#include <base/unicode.hpp>
#include <cmath>
#include <markdown/tree/declarations.hpp>

namespace freshet::markdown {

namespace {

struct property_name {
  std::string_view name;
  property of;
};
/// By their first letters; `count`: a shorthand.
constexpr property_name property_names[] = {
    {"-webkit-text-fill-color", property::text_fill},
    {"-webkit-background-clip", property::background_clip},
    {"background", property::background},
    {"background-color", property::background},
    {"background-clip", property::background_clip},
    {"bottom", property::bottom},
    {"color", property::color},
    {"clip", property::clip},
    {"clip-path", property::clip_path},
    {"content-visibility", property::content_visibility},
    {"display", property::display},
    {"filter", property::filter},
    {"font-size", property::font_size},
    {"font", property::count},
    {"height", property::height},
    {"inset", property::count},
    {"left", property::left},
    {"margin", property::count},
    {"margin-left", property::margin_left},
    {"margin-top", property::margin_top},
    {"max-width", property::max_width},
    {"max-height", property::max_height},
    {"opacity", property::opacity},
    {"overflow", property::overflow},
    {"overflow-y", property::overflow},
    {"position", property::position},
    {"right", property::right},
    {"scale", property::scale},
    {"top", property::top},
    {"text-indent", property::text_indent},
    {"transform", property::transform},
    {"translate", property::translate},
    {"visibility", property::visibility},
    {"width", property::width},
};

/// Where the names with a first letter stand.
struct name_range {
  std::uint8_t begin = 0, end = 0;
};
constexpr auto names_by_letter = [] {
  std::array<name_range, 128> made{};
  for (std::uint8_t i = 0; i < std::size(property_names); ++i) {
    auto& one = made[static_cast<std::size_t>(property_names[i].name.front())];
    if (one.end == 0) one.begin = i;
    one.end = static_cast<std::uint8_t>(i + 1);
  }
  return made;
}();

name_range names_with(char first) noexcept {
  const auto byte = static_cast<unsigned char>(base::lower(first));
  return byte < names_by_letter.size() ? names_by_letter[byte] : name_range{};
}

bool is_named(std::string_view text, std::string_view name) noexcept {
  return base::equals_ignoring_ascii_case(text, name);
}

bool begins_with(std::string_view text, std::string_view prefix) noexcept {
  return text.size() >= prefix.size() && is_named(text.substr(0, prefix.size()), prefix);
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> names) noexcept {
  return std::ranges::any_of(names, [&](std::string_view name) { return is_named(text, name); });
}

bool is_css_space(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

/// The parts of a value between spaces, those in parentheses whole.
std::vector<std::string_view> tokens_of(std::string_view value) {
  constexpr std::size_t most = 32;
  std::vector<std::string_view> found;
  std::size_t begin = 0, depth = 0;
  for (std::size_t at = 0; at <= value.size() && found.size() < most; ++at) {
    const bool end = at == value.size();
    if (!end && value[at] == '(') ++depth;
    if (!end && value[at] == ')' && depth > 0) --depth;
    if (!end && (depth > 0 || !is_css_space(value[at]))) continue;
    if (at > begin) found.push_back(value.substr(begin, at - begin));
    begin = at + 1;
  }
  return found;
}

/// top, right, bottom, left of one to four values.
void read_sides(const declaration& whole, std::array<property, 4> sides,
                std::vector<declaration>& out) {
  const auto parts = tokens_of(whole.value);
  if (parts.empty()) return;
  const std::size_t from[] = {0, parts.size() > 1 ? 1u : 0u, parts.size() > 2 ? 2u : 0u,
                              parts.size() > 3   ? 3u
                              : parts.size() > 1 ? 1u
                                                 : 0u};
  for (std::size_t side = 0; side < sides.size(); ++side) {
    if (sides[side] != property::count) {
      out.push_back({sides[side], whole.important, parts[from[side]]});
    }
  }
}

/// "italic 12px/1.5 serif": the size stands before the slash.
void read_font(const declaration& whole, std::vector<declaration>& out) {
  for (const auto part : tokens_of(whole.value)) {
    const auto size = part.substr(0, part.find('/'));
    if (size.empty() || (!base::is_digit(size.front()) && size.front() != '.')) continue;
    const bool weight = size.size() == 3 && size.find_first_not_of("0123456789") == size.npos;
    if (weight) continue;
    out.push_back({property::font_size, whole.important, size});
    return;
  }
}

void read_one(std::string_view name, const declaration& made, std::vector<declaration>& out) {
  using enum property;
  const auto known = property_named(name);
  if (!known) return;
  if (*known == count) {
    if (is_named(name, "inset")) return read_sides(made, {top, right, bottom, left}, out);
    if (is_named(name, "font")) return read_font(made, out);
    return read_sides(made, {margin_top, count, count, margin_left}, out);
  }
  auto whole = made;
  whole.of = *known;
  if (whole.of == background) whole.value = color_in_background(whole.value);
  out.push_back(whole);
}

/// Where a declaration ends: at a ";" that is in no parenthesis and no string.
std::size_t end_of_declaration(std::string_view text) noexcept {
  std::size_t depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      at = text.find(c, at + 1);
      if (at == text.npos) return text.size();
    } else if (c == '(') {
      ++depth;
    } else if (c == ')' && depth > 0) {
      --depth;
    } else if (c == ';' && depth == 0) {
      return at;
    }
  }
  return text.size();
}

std::string_view without_comments_before(std::string_view text) noexcept {
  text = base::trim(text);
  while (text.starts_with("/*")) {
    const auto end = text.find("*/", 2);
    if (end == text.npos) return {};
    text = base::trim(text.substr(end + 2));
  }
  return text;
}

struct named_color {
  std::string_view name;
  int hex;
};
constexpr named_color named_colors[] = {
    {"white", 0xFFFFFF},     {"black", 0x000000},       {"red", 0xFF0000},
    {"green", 0x008000},     {"blue", 0x0000FF},        {"yellow", 0xFFFF00},
    {"gray", 0x808080},      {"grey", 0x808080},        {"silver", 0xC0C0C0},
    {"navy", 0x000080},      {"maroon", 0x800000},      {"purple", 0x800080},
    {"teal", 0x008080},      {"olive", 0x808000},       {"lime", 0x00FF00},
    {"aqua", 0x00FFFF},      {"cyan", 0x00FFFF},        {"fuchsia", 0xFF00FF},
    {"magenta", 0xFF00FF},   {"orange", 0xFFA500},      {"whitesmoke", 0xF5F5F5},
    {"snow", 0xFFFAFA},      {"ivory", 0xFFFFF0},       {"ghostwhite", 0xF8F8FF},
    {"lightgray", 0xD3D3D3}, {"lightgrey", 0xD3D3D3},   {"gainsboro", 0xDCDCDC},
    {"beige", 0xF5F5DC},     {"linen", 0xFAF0E6},       {"azure", 0xF0FFFF},
    {"mintcream", 0xF5FFFA}, {"floralwhite", 0xFFFAF0}, {"seashell", 0xFFF5EE},
    {"honeydew", 0xF0FFF0},  {"darkgray", 0xA9A9A9},    {"dimgray", 0x696969},
    {"pink", 0xFFC0CB},      {"tomato", 0xFF6347}};

rgb color_of_hex(int hex) noexcept { return {hex >> 16, hex >> 8 & 0xFF, hex & 0xFF, 1}; }

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

/// The numbers of "rgb(1, 2, 3)" and "rgb(10% 20% 30% / 50%)", a percentage of `whole`.
std::optional<rgb> read_function_color(std::string_view inside) noexcept {
  constexpr std::size_t most = 4;
  std::array<double, most> parts{0, 0, 0, 1};
  std::size_t count = 0;
  while (count < most) {
    const auto begin = inside.find_first_not_of(" ,/");
    if (begin == inside.npos || inside[begin] == ')') break;
    inside.remove_prefix(begin);
    const auto number = base::take_number<double>(inside);
    if (!number) return std::nullopt;
    const bool percent = inside.starts_with('%');
    const double whole = count == 3 ? 1 : 255;
    parts[count++] = percent ? *number * whole / 100 : *number;
    if (percent) inside.remove_prefix(1);
  }
  if (count < 3) return std::nullopt;
  const auto channel = [](double value) { return static_cast<int>(std::clamp(value, 0.0, 255.0)); };
  return rgb{channel(parts[0]), channel(parts[1]), channel(parts[2]), parts[3]};
}

}  // namespace

bool may_name_property(char first) noexcept { return names_with(first).end != 0; }

std::optional<property> property_named(std::string_view name) noexcept {
  if (name.empty()) return std::nullopt;
  const auto range = names_with(name.front());
  for (auto i = range.begin; i < range.end; ++i) {
    const auto& one = property_names[i];
    if (one.name.size() != name.size() || base::lower(name[1]) != one.name[1]) continue;
    if (name == one.name || is_named(name, one.name)) return one.of;
  }
  return std::nullopt;
}

property_set properties_of_shorthand(std::string_view name) noexcept {
  using enum property;
  if (is_named(name, "font")) return bit_of(font_size);
  if (is_named(name, "inset")) return bit_of(top) | bit_of(right) | bit_of(bottom) | bit_of(left);
  return bit_of(margin_top) | bit_of(margin_left);
}

void read_declarations(std::string_view text, std::vector<declaration>& out) {
  while (!text.empty()) {
    text = without_comments_before(text);
    const auto end = end_of_declaration(text);
    const auto one = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto colon = one.find(':');
    if (colon == one.npos) continue;
    auto value = one.substr(colon + 1);
    const auto mark = value.rfind('!');
    declaration made;
    made.important =
        mark != value.npos && is_named(base::trim(value.substr(mark + 1)), "important");
    made.value = base::trim(value.substr(0, mark));
    // A value that is none leaves the one before it.
    if (!made.value.empty()) read_one(base::trim(one.substr(0, colon)), made, out);
  }
}

std::string_view color_in_background(std::string_view value) {
  if (value.find("url(") != value.npos || value.find("gradient(") != value.npos) return value;
  if (is_one_of(value, {"none", "initial", "unset"})) return "transparent";
  const auto parts = tokens_of(value);
  const auto color =
      std::ranges::find_if(parts, [](std::string_view part) { return color_of(part).has_value(); });
  return color == parts.end() ? value : *color;
}

namespace {

/// The alpha of a color by its function, whatever its other numbers are: behind a slash, or the
/// fourth of those between commas.
std::optional<double> alpha_in_function(std::string_view value) noexcept {
  auto at = value.rfind('/');
  if (at == value.npos && std::ranges::count(value, ',') == 3) at = value.rfind(',');
  if (at == value.npos) return std::nullopt;
  auto rest = base::trim(value.substr(at + 1));
  return base::take_number<double>(rest);
}

/// Functions whose colors are not computed: only whether they are seen is known.
bool is_other_color_function(std::string_view value) noexcept {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"hsl(", "hsla(", "hwb(", "lab(", "lch(", "oklab(",
                                              "oklch(", "color("},
      [&](std::string_view name) { return begins_with(value, name); });
}

}  // namespace

std::optional<rgb> color_of(std::string_view value) noexcept {
  if (value.starts_with('#')) return read_hex(value.substr(1));
  if (begins_with(value, "rgb(")) return read_function_color(value.substr(4));
  if (begins_with(value, "rgba(")) return read_function_color(value.substr(5));
  if (is_named(value, "transparent")) return rgb{0, 0, 0, 0};
  if (is_other_color_function(value) && alpha_in_function(value) == 0) return rgb{0, 0, 0, 0};
  for (const auto& one : named_colors) {
    if (is_named(value, one.name)) return color_of_hex(one.hex);
  }
  return std::nullopt;
}

bool is_same(const rgb& one, const rgb& other) noexcept {
  constexpr int least = 9;  // of 255: no screen shows less
  return std::abs(one.red - other.red) < least && std::abs(one.green - other.green) < least &&
         std::abs(one.blue - other.blue) < least;
}

std::optional<double> length_of(std::string_view value, double font_px) noexcept {
  // Of what is computed only that is known which no number can change.
  for (const std::string_view function : {"calc(", "min(", "max(", "clamp("}) {
    if (!begins_with(value, function)) continue;
    const bool is_nothing = value.substr(function.size()).find_first_of("123456789") == value.npos;
    const bool has_number = value.find('0') != value.npos && value.find("var(") == value.npos;
    return is_nothing && has_number ? std::optional(0.0) : std::nullopt;
  }
  const auto number = base::take_number<double>(value);
  if (!number) return std::nullopt;
  if (*number == 0 || value.empty() || is_named(value, "px")) return *number;
  struct unit {
    std::string_view name;
    double px;
  };
  // A share of the screen is one of the smallest screen.
  const unit units[] = {{"pt", 4.0 / 3},     {"em", font_px},      {"rem", 16}, {"ex", font_px / 2},
                        {"ch", font_px / 2}, {"%", font_px / 100}, {"vw", 3.6}, {"vh", 6},
                        {"cm", 37.8},        {"mm", 3.78},         {"in", 96},  {"pc", 16}};
  for (const auto& one : units) {
    if (is_named(value, one.name)) return *number * one.px;
  }
  return std::nullopt;
}

void cascaded_style::add(const declaration& one, std::uint64_t weight,
                         std::uint32_t selector) noexcept {
  const auto at = static_cast<std::size_t>(one.of);
  if (!values_[at].empty() && weight < weights_[at]) return;
  values_[at] = one.value;
  weights_[at] = weight;
  selectors_[at] = selector;
}

bool cascaded_style::is(property one, std::string_view value) const noexcept {
  return is_named(of(one), value);
}

}  // namespace freshet::markdown
