// What hides the texts of an element and goes down to what is inside: visibility, size, and a color
// that is lost in its ground. All of it is asked upwards, from the element.
#include <base/unicode.hpp>
#include <markdown/tree/style.hpp>

namespace freshet::markdown {

namespace {

/// Of an element with no font size of its own.
constexpr double inherited_font_px = 16;

bool is_value(std::string_view text, std::string_view name) noexcept {
  return base::equals_ignoring_ascii_case(text, name);
}

}  // namespace

/// Visibility, size and color go down to what is inside, which may say otherwise.
hidden_by style_rules::texts_on(html::node_id id, std::size_t screen, bool is_in_hidden_texts) {
  using enum property;
  if (wanted_of_texts_ == 0) return {};
  constexpr double unreadable_px = 2;
  const auto stated = [&](property one, const cascaded_style& style) {
    const auto value = style.of(one);
    return !value.empty() && !is_value(value, "inherit") && !is_value(value, "unset");
  };
  std::optional<bool> visible;
  std::uint32_t by = no_selector;
  std::optional<double> font_px;
  double share = 1;
  for (auto at = id; tree_.is_element(at); at = tree_.parent_of(at)) {
    tree_.spend(1);
    const bool alone = at == id && !is_in_hidden_texts;
    const auto& style = (alone ? whole_cascade(at) : text_cascade(at))[screen];
    if (!visible && stated(visibility, style)) {
      visible = !style.is(visibility, "hidden") && !style.is(visibility, "collapse");
      by = style.selector_of(visibility);
    }
    if (!font_px && stated(font_size, style)) {
      const auto value = style.of(font_size);
      const bool relative =
          value.ends_with('%') || (value.ends_with("em") && !value.ends_with("rem"));
      const auto px = length_of(value, inherited_font_px);
      if (relative && px) {
        share *= *px / inherited_font_px;
      } else {
        font_px = px.value_or(inherited_font_px);
      }
    }
    // Nothing above hides them: only what the element says itself does.
    if (!is_in_hidden_texts && share == 1) break;
    if (visible && font_px) break;
  }
  if (!visible.value_or(true)) return {hiding::until_shown, visibility, by};
  if (font_px.value_or(inherited_font_px) * share <= unreadable_px) {
    return {hiding::for_good, font_size};
  }
  constexpr auto colors = bit_of(color) | bit_of(text_fill) | bit_of(background);
  const auto asked = is_in_hidden_texts || concerned_.empty() ? wanted_of_texts_ : concerned_[id];
  if ((asked & colors) != 0 && is_lost_in_ground(id, screen)) return {hiding::for_good, color};
  return {};
}

/// Whether a picture may lie under the text: one that is placed freely inside of the same part.
bool style_rules::stands_on_picture(html::node_id node, const cascaded_style& style) const {
  const auto placed = style.of(property::position);
  return !placed.empty() && !is_value(placed, "static") && tree_.of(node).images > 0;
}

/// Text in the color of what it stands on, as far as both are known.
bool style_rules::is_lost_in_ground(html::node_id id, std::size_t screen) {
  using enum property;
  std::optional<rgb> text;
  bool clipped = false;
  for (auto at = id; tree_.is_element(at); at = tree_.parent_of(at)) {
    tree_.spend(1);
    const auto& style = text_cascade(at)[screen];
    clipped = clipped || style.is(background_clip, "text");
    if (!text) {
      const auto value = style.of(text_fill).empty() ? style.of(color) : style.of(text_fill);
      if (!value.empty() && !is_value(value, "inherit") && !is_value(value, "currentcolor") &&
          !is_value(value, "unset")) {
        text = color_of(value);
        if (!text) return false;
        if (text->alpha == 0) return !clipped;
      }
    }
    auto ground = style.of(background);
    if (ground.empty()) ground = tree_.attribute_of(at, "bgcolor");
    if (tree_.has_attribute(at, "background") || stands_on_picture(at, style)) return false;
    if (ground.empty() || is_value(ground, "transparent")) continue;
    const auto known = color_of(ground);
    if (!known || (known->alpha > 0 && known->alpha < 1) || clipped) return false;
    if (known->alpha == 0) continue;
    // A color that is set further up may stand on this ground.
    for (auto above = tree_.parent_of(at); !text && tree_.is_element(above);
         above = tree_.parent_of(above)) {
      const auto& outer = text_cascade(above)[screen];
      if (!outer.of(color).empty()) text = color_of(outer.of(color));
    }
    return is_same(text.value_or(rgb{}), *known);
  }
  constexpr rgb paper{255, 255, 255, 1};
  return !has_others_ && text && is_same(*text, paper);
}

}  // namespace freshet::markdown
