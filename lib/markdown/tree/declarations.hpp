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
  filter,
  count
};

/// A bit for each.
using property_set = std::uint32_t;
[[nodiscard]] constexpr property_set bit_of(property one) noexcept {
  return property_set{1} << static_cast<unsigned>(one);
}

/// Whether a property of this file begins so: most others need no further look.
[[nodiscard]] bool may_name_property(char first) noexcept;
/// `count` for a shorthand (margin, inset, font); null for what this file does not know.
[[nodiscard]] std::optional<property> property_named(std::string_view name) noexcept;
[[nodiscard]] property_set properties_of_shorthand(std::string_view name) noexcept;

struct declaration {
  property of = property::display;
  bool important = false;
  std::string_view value;  ///< trimmed; of a shorthand, the part for this property
};

/// Appends the declarations of a style attribute or of a rule's body that this file knows, with
/// shorthands taken apart.
void read_declarations(std::string_view text, std::vector<declaration>& out);

struct rgb {
  int red = 0, green = 0, blue = 0;
  double alpha = 1;
};
/// A color as people write it: #rgb, rgb(), hsl() of greys, and the usual names.
[[nodiscard]] std::optional<rgb> color_of(std::string_view value) noexcept;
/// The color in a value of "background": "none" is transparent; what is drawn over it makes it
/// unknown, and the value is answered as it is.
[[nodiscard]] std::string_view color_in_background(std::string_view value);
/// Whether nobody tells a text of one color from a ground of the other.
[[nodiscard]] bool is_same(const rgb& one, const rgb& other) noexcept;

/// Pixels; null where it cannot be known without a layout.
[[nodiscard]] std::optional<double> length_of(std::string_view value, double font_px) noexcept;

/// Of what no selector says, but an element itself.
inline constexpr std::uint32_t no_selector = 0xFFFFFFFF;

/// What an element's declarations come to, each property by the strongest.
class cascaded_style {
 public:
  /// `weight`: greater wins, and of equal ones the later. `selector`: of the rule it stands in.
  void add(const declaration& one, std::uint64_t weight, std::uint32_t selector) noexcept;
  [[nodiscard]] std::uint32_t selector_of(property one) const noexcept {
    return selectors_[static_cast<std::size_t>(one)];
  }
  /// "" where nothing was declared.
  [[nodiscard]] std::string_view of(property one) const noexcept {
    return values_[static_cast<std::size_t>(one)];
  }
  [[nodiscard]] bool is(property one, std::string_view value) const noexcept;

 private:
  static constexpr auto count = static_cast<std::size_t>(property::count);
  std::array<std::string_view, count> values_{};
  std::array<std::uint64_t, count> weights_{};
  std::array<std::uint32_t, count> selectors_{};
};

}  // namespace freshet::markdown
