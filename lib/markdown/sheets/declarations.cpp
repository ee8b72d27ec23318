// Declarations are read in place, one after the other; what says nothing of being seen is skipped
// by its first letter and length.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <bit>
#include <markdown/sheets/colors.hpp>
#include <markdown/sheets/declarations.hpp>
#include <markdown/sheets/lengths.hpp>
#include <markdown/sheets/sheet_text.hpp>
#include <markdown/sheets/valid_values.hpp>
#include <markdown/sheets/value_text.hpp>
#include <utility>

namespace freshet::markdown {

namespace {

struct property_name {
  std::string_view name;
  property of;
};
/// By their first letters; `count`: a shorthand.
constexpr property_name property_names[] = {
    {"-webkit-text-fill-color", property::text_fill},
    {"-webkit-backface-visibility", property::backface},
    {"-webkit-text-security", property::text_security},
    {"-webkit-text-stroke", property::text_stroke},
    {"-webkit-text-stroke-width", property::text_stroke},
    {"-webkit-background-clip", property::background_clip},
    {"-webkit-mask", property::mask},
    {"-webkit-mask-image", property::mask},
    {"-webkit-mask-size", property::mask_size},
    {"-webkit-mask-position", property::mask_position},
    {"-webkit-mask-composite", property::mask_composite},
    {"-webkit-line-clamp", property::line_clamp},
    {"-webkit-filter", property::filter},
    {"-webkit-transform", property::transform},
    {"-webkit-animation", property::count},
    {"-webkit-animation-name", property::animation},
    {"-webkit-animation-fill-mode", property::animation_fill},
    {"-webkit-clip-path", property::clip_path},
    {"-webkit-opacity", property::opacity},
    {"all", property::count},
    {"aspect-ratio", property::aspect_ratio},
    {"animation", property::count},
    {"animation-name", property::animation},
    {"animation-fill-mode", property::animation_fill},
    {"backface-visibility", property::backface},
    {"background", property::count},
    {"background-color", property::background},
    {"background-image", property::background_image},
    {"background-clip", property::background_clip},
    {"background-size", property::background_size},
    {"bottom", property::bottom},
    {"block-size", property::height},
    {"box-shadow", property::box_shadow},
    {"box-sizing", property::box_sizing},
    {"color", property::color},
    {"color-scheme", property::color_scheme},
    {"clip", property::clip},
    {"clip-path", property::clip_path},
    {"contain", property::contain},
    {"container", property::container},
    {"container-type", property::container},
    {"contain-intrinsic-size", property::intrinsic_size},
    {"contain-intrinsic-height", property::intrinsic_size},
    {"contain-intrinsic-block-size", property::intrinsic_size},
    {"content", property::content},
    {"content-visibility", property::content_visibility},
    {"display", property::display},
    {"filter", property::filter},
    {"float", property::float_},
    {"flex", property::flex},
    {"flex-basis", property::flex_basis},
    {"flex-grow", property::flex},
    {"font-size", property::font_size},
    {"font-size-adjust", property::size_adjust},
    {"font", property::count},
    {"grid", property::count},
    {"grid-area", property::grid_cell},
    {"grid-row", property::grid_cell},
    {"grid-column", property::grid_cell},
    {"grid-auto-rows", property::grid_rows},
    {"grid-template", property::count},
    {"grid-template-rows", property::grid_rows},
    {"height", property::height},
    {"inset", property::count},
    {"isolation", property::isolation},
    {"inset-inline", property::count},
    {"inset-block", property::count},
    {"inset-inline-start", property::left},
    {"inset-inline-end", property::right},
    {"inset-block-start", property::top},
    {"inset-block-end", property::bottom},
    {"inline-size", property::width},
    {"left", property::left},
    {"letter-spacing", property::letter_spacing},
    {"line-clamp", property::line_clamp},
    {"line-height", property::line_height},
    {"margin", property::count},
    {"margin-left", property::margin_left},
    {"margin-top", property::margin_top},
    {"margin-right", property::margin_right},
    {"margin-inline-end", property::margin_right},
    {"margin-inline", property::count},
    {"margin-block", property::count},
    {"margin-inline-start", property::margin_left},
    {"margin-block-start", property::margin_top},
    {"max-width", property::max_width},
    {"max-height", property::max_height},
    {"max-inline-size", property::max_width},
    {"max-block-size", property::max_height},
    {"min-width", property::min_width},
    {"min-height", property::min_height},
    {"min-inline-size", property::min_width},
    {"min-block-size", property::min_height},
    {"mask", property::mask},
    {"mask-image", property::mask},
    {"mask-composite", property::mask_composite},
    {"mask-position", property::mask_position},
    {"mask-size", property::mask_size},
    {"mix-blend-mode", property::mix_blend},
    {"offset", property::offset_path},
    {"offset-distance", property::offset_distance},
    {"offset-path", property::offset_path},
    {"opacity", property::opacity},
    {"overflow", property::overflow},
    {"overflow-x", property::overflow},
    {"overflow-y", property::overflow},
    {"overflow-block", property::overflow},
    {"overflow-inline", property::overflow},
    {"position", property::position},
    {"padding", property::padding},
    {"padding-bottom", property::padding},
    {"padding-top", property::padding_top},
    {"padding-block-start", property::padding_top},
    {"padding-block", property::padding},
    {"padding-block-end", property::padding},
    {"paint-order", property::paint_order},
    {"right", property::right},
    {"rotate", property::rotate},
    {"scale", property::scale},
    {"table-layout", property::table_layout},
    {"top", property::top},
    {"text-decoration", property::text_decoration},
    {"text-indent", property::text_indent},
    {"text-shadow", property::text_shadow},
    {"text-wrap", property::white_space},
    {"text-wrap-mode", property::white_space},
    {"transform", property::transform},
    {"translate", property::translate},
    {"visibility", property::visibility},
    {"white-space", property::white_space},
    {"width", property::width},
    {"will-change", property::isolation},
    {"z-index", property::z_index},
    {"zoom", property::zoom},
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

/// top, right, bottom, left of one to four values.
void read_sides(const declaration& whole, std::array<property, 4> sides,
                std::vector<declaration>& out) {
  const auto parts = parts_of(whole.value, css_spaces);
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
  if (is_global_value(whole.value)) {
    out.push_back({property::font_size, whole.important, whole.value});
    return;
  }
  const auto parts = parts_of(whole.value, css_spaces);
  // Its family stands at the end, whatever else is said.
  const auto last = parts.empty() ? std::string_view() : parts[parts.size() - 1];
  for (const auto part : parts) {
    if (part.data() == last.data() && !has_variable(part)) return;
    const auto size = part.substr(0, part.find('/'));
    if (!is_length(size) && !has_variable(size)) continue;
    const bool weight = size.size() == 3 && size.find_first_not_of("0123456789") == size.npos;
    if (weight) continue;
    out.push_back({property::font_size, whole.important, size});
    return;
  }
}

/// "0 / 1fr": rows, and columns behind them.
void read_grid(const declaration& whole, std::vector<declaration>& out) {
  const auto rows = base::trim(whole.value.substr(0, whole.value.find('/')));
  if (!rows.empty()) out.push_back({property::grid_rows, whole.important, rows});
}

/// The start and the end of one or two values.
void read_ends(const declaration& whole, property start, property end,
               std::vector<declaration>& out) {
  const auto parts = parts_of(whole.value, css_spaces);
  if (parts.empty()) return;
  if (start != property::count) out.push_back({start, whole.important, parts[0]});
  if (end != property::count) {
    out.push_back({end, whole.important, parts[parts.size() > 1 ? 1 : 0]});
  }
}

/// Color and picture; both are told apart later where they wait for custom properties.
void read_background(const declaration& whole, std::vector<declaration>& out) {
  if (!is_background(whole.value)) return;
  const bool waits = has_variable(whole.value) || is_global_value(whole.value);
  out.push_back({property::background, whole.important,
                 waits ? whole.value : color_in_background(whole.value)});
  out.push_back({property::background_image, whole.important,
                 waits ? whole.value : image_in_background(whole.value)});
}

/// "all: unset" and its like, of every property.
void read_all(const declaration& whole, std::vector<declaration>& out) {
  if (!is_global_value(whole.value)) return;
  for (unsigned i = 0; i < static_cast<unsigned>(property::count); ++i) {
    out.push_back({static_cast<property>(i), whole.important, whole.value});
  }
}

void read_shorthand(std::string_view name, const declaration& made, std::vector<declaration>& out) {
  using enum property;
  if (is_named(name, "all")) return read_all(made, out);
  if (is_named(name, "background")) return read_background(made, out);
  if (is_named(name, "font")) return read_font(made, out);
  if (is_one_of(name, {"animation", "-webkit-animation"})) {
    // How it fills is told by the same words.
    out.push_back({animation, made.important, made.value});
    out.push_back({animation_fill, made.important, made.value});
    return;
  }
  if (is_one_of(name, {"grid", "grid-template"})) return read_grid(made, out);
  if (is_named(name, "inset")) return read_sides(made, {top, right, bottom, left}, out);
  if (is_named(name, "inset-inline")) return read_ends(made, left, right, out);
  if (is_named(name, "inset-block")) return read_ends(made, top, bottom, out);
  if (is_named(name, "margin-inline")) return read_ends(made, margin_left, count, out);
  if (is_named(name, "margin-block")) return read_ends(made, margin_top, count, out);
  read_sides(made, {margin_top, margin_right, count, margin_left}, out);
}

void read_one(const named_declaration& one, std::vector<declaration>& out) {
  const auto known = property_named(one.name);
  if (!known) return;
  const declaration made{*known, one.important, one.value};
  const auto before = out.size();
  if (*known == property::count) {
    read_shorthand(one.name, made, out);
  } else {
    out.push_back(made);
  }
  // A value that is none leaves the one before it; a shorthand is taken whole, or not at all.
  if (std::any_of(out.begin() + static_cast<std::ptrdiff_t>(before), out.end(),
                  [](const declaration& each) { return !is_valid(each); })) {
    out.resize(before);
  }
}

/// Where a declaration ends: at a ";" that is in no parenthesis and no string, or where a block
/// does that stands in place of one.
std::size_t end_of_declaration(std::string_view text) noexcept {
  static constexpr byte_set marks("\"'(){;\\");
  std::size_t depth = 0;
  for (std::size_t at = 0; (at = marks.next_in(text, at)) < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\') {
      ++at;
    } else if (c == '"' || c == '\'') {
      at = end_of_string(text, at);
    } else if (c == '(') {
      ++depth;
    } else if (c == ')') {
      depth -= depth > 0 ? 1 : 0;
    } else if (c == '{') {
      return std::min(end_of_block(text, at + 1), text.size());
    } else if (depth == 0) {
      return at;
    }
  }
  return text.size();
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
  if (is_named(name, "all")) return bit_of(count) - 1;
  if (is_named(name, "background")) return bit_of(background) | bit_of(background_image);
  if (is_named(name, "font")) return bit_of(font_size);
  if (is_one_of(name, {"animation", "-webkit-animation"})) {
    return bit_of(animation) | bit_of(animation_fill);
  }
  if (is_one_of(name, {"grid", "grid-template"})) return bit_of(grid_rows);
  if (is_named(name, "inset")) return bit_of(top) | bit_of(right) | bit_of(bottom) | bit_of(left);
  if (is_named(name, "inset-inline")) return bit_of(left) | bit_of(right);
  if (is_named(name, "inset-block")) return bit_of(top) | bit_of(bottom);
  return bit_of(margin_top) | bit_of(margin_right) | bit_of(margin_left);
}

stand_in stand_in_of(std::string_view value) noexcept {
  constexpr std::pair<std::string_view, decltype(stand_in::kind)> named[] = {
      {"var", stand_in::variable},
      {"env", stand_in::environment},
      {"attr", stand_in::attribute},
      {"if", stand_in::choice},
      {"sibling-index", stand_in::sibling_index},
      {"sibling-count", stand_in::sibling_count}};
  for (auto open = value.find('('); open != value.npos; open = value.find('(', open + 1)) {
    auto begin = open;
    while (begin > 0 && is_name_byte(value[begin - 1])) --begin;
    const auto name = value.substr(begin, open - begin);
    for (const auto& [one, kind] : named) {
      if (is_named(name, one)) return {kind, begin, open};
    }
    if (!custom_name(name).empty()) return {stand_in::function, begin, open};
  }
  return {};
}

std::optional<named_declaration> take_declaration(std::string_view& text) noexcept {
  while (!(text = base::trim(text)).empty()) {
    const auto end = end_of_declaration(text);
    const auto one = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto colon = one.find(':');
    if (colon == one.npos || holds_byte(one, '{')) continue;
    named_declaration made;
    made.name = base::trim(one.substr(0, colon));
    const auto value = base::trim(one.substr(colon + 1));
    const auto mark = value.rfind('!');
    const auto behind = mark == value.npos ? value : base::trim(value.substr(mark + 1));
    made.important = mark != value.npos && is_named(behind, "important");
    // Another word there makes it none.
    if (mark != value.npos && !made.important && std::ranges::all_of(behind, base::is_letter))
      continue;
    made.value = base::trim(value.substr(0, mark));
    // A custom property may be nothing.
    if (made.value.empty() && !custom_name(made.name).empty()) made.value = " ";
    if (!made.value.empty()) return made;
  }
  return std::nullopt;
}

void read_declarations(std::string_view text, std::vector<declaration>& out) {
  while (const auto one = take_declaration(text)) read_one(*one, out);
}

void cascade::add(const declaration& one, std::uint64_t weight, std::uint32_t selector) noexcept {
  const auto at = static_cast<std::size_t>(one.of);
  const bool is_known = (known_ & bit_of(one.of)) != 0 && said_[at].length > 0;
  if (is_known && weight < weights_[at]) return;
  weights_[at] = weight;
  said_[at].selector = selector;
  set(one.of, one.value);
}

void cascade::set(property one, std::string_view value) noexcept {
  auto& said = said_[static_cast<std::size_t>(one)];
  said.begin = value.data();
  said.length = static_cast<std::uint32_t>(value.size());
  known_ |= bit_of(one);
}

bool cascade::is(property one, std::string_view value) const noexcept {
  return is_named(of(one), value);
}

cascaded_style::cascaded_style(const cascade& made) {
  each_property(made.known(), [&](property one) {
    if (!made.of(one).empty()) known_ |= bit_of(one);
  });
  if (known_ == 0) return;
  const auto said = std::make_shared<stated_value[]>(place_of(property::count));
  std::size_t place = 0;
  each_property(known_, [&](property one) { said[place++] = made.at(one); });
  said_ = said;
}

bool cascaded_style::is(property one, std::string_view value) const noexcept {
  return is_named(of(one), value);
}

bool cascaded_style::is_same_as(const cascaded_style& other) const noexcept {
  if (known_ != other.known_) return false;
  const auto is_same = [](const stated_value& one, const stated_value& another) {
    return one.begin == another.begin && one.length == another.length &&
           one.selector == another.selector;
  };
  const auto count = known_ == 0 ? 0 : place_of(property::count);
  return std::equal(said_.get(), said_.get() + count, other.said_.get(), is_same);
}

/// How many of the known ones come before it.
std::size_t cascaded_style::place_of(property one) const noexcept {
  constexpr unsigned bits_of_half = 64;
  const auto before = known_ & (bit_of(one) - 1);
  return static_cast<std::size_t>(
      std::popcount(static_cast<std::uint64_t>(before)) +
      std::popcount(static_cast<std::uint64_t>(before >> bits_of_half)));
}

}  // namespace freshet::markdown
