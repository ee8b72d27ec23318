// Declarations of CSS as far as they decide whether text is seen: the properties, the cascade
// between declarations of one element, and what the values mean. Layout is not computed.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace freshet::markdown {

enum class property : std::uint8_t {
  display,
  visibility,
  opacity,
  content_visibility,
  font_size,
  color,
  text_fill,
  background,
  background_clip,
  position,
  left,
  top,
  right,
  bottom,
  margin_left,
  margin_top,
  text_indent,
  transform,
  clip,
  clip_path,
  overflow,
  width,
  height,
  max_width,
  max_height,
  scale,
  translate,
  rotate,
  filter,
  background_image,
  mask,
  mask_size,
  content,
  contain,
  zoom,
  letter_spacing,
  line_height,
  text_shadow,
  text_stroke,
  padding,
  min_width,
  min_height,
  animation,
  animation_fill,
  float_,
  flex,
  color_scheme,
  text_security,
  backface,
  mix_blend,
  box_shadow,
  text_decoration,
  paint_order,
  size_adjust,
  offset_path,
  offset_distance,
  grid_rows,
  intrinsic_size,
  aspect_ratio,
  container,
  z_index,
  isolation,  ///< and "will-change"
  mask_position,
  mask_composite,
  background_size,
  flex_basis,
  table_layout,
  line_clamp,
  margin_right,
  padding_top,
  box_sizing,
  grid_cell,  ///< "grid-area", "grid-row" or "grid-column"
  white_space,
  // None of these is written.
  cover,      ///< of a box with a ground, placed upon what is around it
  cut_short,  ///< of one that shows the first lines of what is in it
  far_left,   ///< moved to the left by all of its width, or so far
  count
};

/// A bit for each.
__extension__ typedef unsigned __int128 property_set;
static_assert(static_cast<unsigned>(property::count) < 128);
[[nodiscard]] constexpr property_set bit_of(property one) noexcept {
  return property_set{1} << static_cast<unsigned>(one);
}

/// Calls with each property of a set, in their order.
template <class Function>
void each_property(property_set set, const Function& call) {
  constexpr unsigned bits_of_half = 64;
  for (unsigned first = 0; first <= bits_of_half; first += bits_of_half) {
    for (auto half = static_cast<std::uint64_t>(set >> first); half != 0; half &= half - 1) {
      call(static_cast<property>(first + static_cast<unsigned>(std::countr_zero(half))));
    }
  }
}

/// Whether a property of this file begins so: most others need no further look.
[[nodiscard]] bool may_name_property(char first) noexcept;
/// `count` for a shorthand (margin, inset, font, all); null for what this file does not know.
[[nodiscard]] std::optional<property> property_named(std::string_view name) noexcept;
[[nodiscard]] property_set properties_of_shorthand(std::string_view name) noexcept;

struct declaration {
  property of = property::display;
  bool important = false;
  std::string_view value;  ///< trimmed; of a shorthand, the part for this property
};

/// One of any name.
struct named_declaration {
  std::string_view name, value;  ///< trimmed
  bool important = false;
};
/// Takes the first declaration off a text; null at its end.
[[nodiscard]] std::optional<named_declaration> take_declaration(std::string_view& text) noexcept;

/// The name of a custom property; "" if it is none.
[[nodiscard]] constexpr std::string_view custom_name(std::string_view name) noexcept {
  return name.starts_with("--") && name.size() > 2 ? name : std::string_view();
}
/// A function of a value in whose place an element puts something else.
struct stand_in {
  enum {
    none,
    variable,
    environment,
    attribute,
    choice,
    sibling_index,
    sibling_count,
    function
  } kind = none;
  std::size_t begin = std::string_view::npos, open = std::string_view::npos;  ///< "var" and "("
};
/// The first one of a value, which is only known where the element is.
[[nodiscard]] stand_in stand_in_of(std::string_view value) noexcept;
[[nodiscard]] inline bool has_variable(std::string_view value) noexcept {
  return stand_in_of(value).kind != stand_in::none;
}

/// Appends the declarations of a style attribute or of a rule's body that this file knows and whose
/// values a browser takes, with shorthands taken apart. Blocks inside of it are stepped over.
void read_declarations(std::string_view text, std::vector<declaration>& out);

/// Of what no selector says, but an element itself.
inline constexpr std::uint32_t no_selector = 0xFFFFFFFF;

/// A value as it stands in its sheet, and the selector of the rule that says so.
struct stated_value {
  const char* begin;
  std::uint32_t length, selector;

  [[nodiscard]] std::string_view text() const noexcept { return {begin, length}; }
};

/// What an element's declarations come to while they are read, each property by the strongest.
class cascade {
 public:
  /// `weight`: greater wins, and of equal ones the later. `selector`: of the rule it stands in.
  void add(const declaration& one, std::uint64_t weight, std::uint32_t selector) noexcept;
  [[nodiscard]] property_set known() const noexcept { return known_; }
  /// "" where nothing was declared.
  [[nodiscard]] std::string_view of(property one) const noexcept {
    return (known_ & bit_of(one)) == 0 ? std::string_view() : at(one).text();
  }
  [[nodiscard]] bool is(property one, std::string_view value) const noexcept;
  /// Whatever was said before.
  void replace(const declaration& one, std::uint64_t weight, std::uint32_t selector) noexcept {
    known_ &= ~bit_of(one.of);
    add(one, weight, selector);
  }
  /// Another value in the place of what was said, by the same selector.
  void set(property one, std::string_view value) noexcept;

 private:
  friend class cascaded_style;
  static constexpr auto count = static_cast<std::size_t>(property::count);
  [[nodiscard]] const stated_value& at(property one) const noexcept {
    return said_[static_cast<std::size_t>(one)];
  }

  property_set known_ = 0;
  std::array<stated_value, count> said_;  // NOLINT: of the known ones alone, as the weights
  std::array<std::uint64_t, count> weights_;
};

/// What they have come to. A page has as many of these as elements: only what is said takes room.
class cascaded_style {
 public:
  cascaded_style() = default;
  explicit cascaded_style(const cascade& made);

  /// "" where nothing was declared.
  [[nodiscard]] std::string_view of(property one) const noexcept {
    return (known_ & bit_of(one)) == 0 ? std::string_view() : said_[place_of(one)].text();
  }
  [[nodiscard]] std::uint32_t selector_of(property one) const noexcept {
    return (known_ & bit_of(one)) == 0 ? no_selector : said_[place_of(one)].selector;
  }
  [[nodiscard]] bool is(property one, std::string_view value) const noexcept;
  /// Whether both are of the same declarations.
  [[nodiscard]] bool is_same_as(const cascaded_style& other) const noexcept;

 private:
  [[nodiscard]] std::size_t place_of(property one) const noexcept;

  property_set known_ = 0;
  std::shared_ptr<const stated_value[]> said_;  ///< of the known ones, in the order of properties
};

}  // namespace freshet::markdown
