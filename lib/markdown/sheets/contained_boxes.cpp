// Heights and widths that others give are looked for by name; what they come to is not asked.
#include <algorithm>
#include <markdown/sheets/contained_boxes.hpp>
#include <markdown/sheets/value_text.hpp>
#include <markdown/sheets/ways_to_hide.hpp>

namespace freshet::markdown {

bool is_sized_without_content(std::string_view contain) noexcept {
  const auto words = parts_of(contain, css_spaces);
  return std::any_of(words.begin(), words.end(), [](std::string_view word) {
    return is_one_of(word, {"strict", "size"});
  });
}

bool is_left_without_width(const cascaded_style& own) noexcept {
  using enum property;
  const auto words = parts_of(own.of(contain), css_spaces);
  const bool is_contained = std::any_of(words.begin(), words.end(), [](std::string_view word) {
    return is_one_of(word, {"strict", "size", "inline-size"});
  });
  if (!is_contained || !own.of(intrinsic_size).empty() || !own.of(padding).empty()) return false;
  const bool shrinks = own.is(float_, "left") || own.is(float_, "right") || floats(own) ||
                       own.is(display, "inline-block");
  const bool is_stretched = !own.of(left).empty() && !own.of(right).empty();
  return shrinks && !is_stretched && own.of(width).empty() && own.of(min_width).empty();
}

bool is_size_container(std::string_view container) noexcept {
  const auto words = parts_of(container, " /\t\n\r\f");
  return std::any_of(words.begin(), words.end(),
                     [](std::string_view word) { return is_named(word, "size"); });
}

bool is_left_without_height(const cascaded_style& own) noexcept {
  using enum property;
  if (!is_sized_without_content(own.of(contain)) && !is_size_container(own.of(container)))
    return false;
  const bool is_stretched = !own.of(top).empty() && !own.of(bottom).empty();
  return (own.of(height).empty() || own.is(height, "auto")) && own.of(intrinsic_size).empty() &&
         own.of(aspect_ratio).empty() && !is_stretched && !has_room(own);
}

}  // namespace freshet::markdown
