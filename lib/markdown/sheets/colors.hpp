// Colors of CSS as far as it takes to say whether a text is lost in its ground.
#pragma once

#include <optional>
#include <string_view>

namespace freshet::markdown {

struct rgb {
  int red = 0, green = 0, blue = 0;
  double alpha = 1;
};

/// What stands behind a page that says nothing of it.
inline constexpr rgb paper{255, 255, 255, 1};

/// A color in any way of CSS Color 5 that names it; null for "currentcolor", for words that are no
/// color. Mixes are those of sRGB whatever space they ask for.
[[nodiscard]] std::optional<rgb> color_of(std::string_view value) noexcept;

/// "#fff", "white" and what old pages write for it in attributes, "ffffff".
[[nodiscard]] std::optional<rgb> color_of_attribute(std::string_view value);

/// The color in a value of "background", "transparent" where it has none.
[[nodiscard]] std::string_view color_in_background(std::string_view value) noexcept;
/// The picture in it, "none" where it has none; the whole where it is more than one, or is placed.
[[nodiscard]] std::string_view image_in_background(std::string_view value) noexcept;
/// The one color of a value of "background-image": of a gradient between colors that are the same.
/// Null where it is a picture or of several colors.
[[nodiscard]] std::optional<rgb> color_of_image(std::string_view value) noexcept;

/// A color over a ground, as far as it lets it through.
[[nodiscard]] rgb over(const rgb& color, const rgb& ground) noexcept;
/// Whether nobody tells a text of one color from a ground of the other.
[[nodiscard]] bool is_same(const rgb& one, const rgb& other) noexcept;

}  // namespace freshet::markdown
