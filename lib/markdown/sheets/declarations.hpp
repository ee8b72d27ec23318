// Declarations of CSS as far as they decide whether text is seen: the properties, the cascade
// between declarations of one element, and what the values mean. Layout is not computed.
#pragma once

#include <array>
#include <cstdint>
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

/// What an element's declarations come to, each property by the strongest.
class cascaded_style {
 public:
  /// `weight`: greater wins, and of equal ones the later. `selector`: of the rule it stands in.
  void add(const declaration& one, std::uint64_t weight, std::uint32_t selector) noexcept;
  [[nodiscard]] std::uint32_t selector_of(property one) const noexcept {
    return of(one).empty() ? no_selector : selectors_[static_cast<std::size_t>(one)];
  }
  /// "" where nothing was declared.
  [[nodiscard]] std::string_view of(property one) const noexcept {
    return values_[static_cast<std::size_t>(one)];
  }
  [[nodiscard]] bool is(property one, std::string_view value) const noexcept;
  /// Whatever was said before.
  void replace(const declaration& one, std::uint64_t weight, std::uint32_t selector) noexcept {
    set(one.of, {});
    add(one, weight, selector);
  }
  /// Another value in its place, of the same strength.
  void set(property one, std::string_view value) noexcept {
    values_[static_cast<std::size_t>(one)] = value;
  }

 private:
  static constexpr auto count = static_cast<std::size_t>(property::count);
  std::array<std::string_view, count> values_{};
  std::array<std::uint64_t, count> weights_{};
  std::array<std::uint32_t, count> selectors_{};
};

}  // namespace freshet::markdown
