// What hides the texts of an element and goes down to what is inside: visibility, size, and a color
// that is lost in its ground. All of it is asked upwards, from the element.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <cmath>
#include <markdown/sheets/lengths.hpp>
#include <markdown/sheets/placed_beyond.hpp>
#include <markdown/sheets/valid_values.hpp>
#include <markdown/sheets/value_text.hpp>
#include <markdown/visibility/style.hpp>

namespace freshet::markdown {

namespace {

/// Of an element with no font size of its own.
constexpr double inherited_font_px = 16;

bool is_value(std::string_view text, std::string_view name) noexcept {
  return base::equals_ignoring_ascii_case(text, name);
}

/// Whether a property that is handed down says something itself.
bool is_stated(std::string_view value) noexcept {
  return !value.empty() && !is_one_of(value, {"inherit", "unset", "revert", "revert-layer"});
}

/// A size that is a share of the one above.
bool is_relative(std::string_view size) noexcept {
  if (size.find('%') != size.npos) return true;
  for (auto at = size.find("em"); at != size.npos; at = size.find("em", at + 1)) {
    if (at == 0 || base::lower(size[at - 1]) != 'r') return true;
  }
  return false;
}

/// Letters that stand on top of each other.
bool is_crowded(std::string_view spacing) noexcept {
  constexpr double least_px = -10;
  return is_stated(spacing) && length_of(spacing, inherited_font_px).value_or(0) <= least_px;
}

}  // namespace

/// Visibility, size and color go down to what is inside, which may say otherwise.
hidden_by style_rules::texts_on(html::node_id id, std::size_t screen, bool is_in_hidden_texts) {
  using enum property;
  if (wanted_of_texts_ == 0) return {};
  constexpr double unreadable_px = 3;
  const auto stated = [&](property one, const cascaded_style& style) {
    return is_stated(style.of(one));
  };
  std::optional<bool> visible, crowded;
  std::uint32_t by = no_selector;
  std::optional<double> font_px;
  double share = 1, zoomed = 1;
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
      const bool relative = is_relative(value);
      const auto px = length_of(value, inherited_font_px);
      if (relative && px) {
        share *= *px / inherited_font_px;
      } else {
        font_px = px.value_or(inherited_font_px);
      }
    }
    if (stated(zoom, style)) {
      const auto times = share_of(style.of(zoom)).value_or(1);
      if (times > 0) zoomed *= times;
    }
    if (!crowded && is_stated(style.of(letter_spacing))) {
      crowded = is_crowded(style.of(letter_spacing));
    }
    // Nothing above hides them: only what the element says itself does.
    if (!is_in_hidden_texts && share == 1 && zoomed == 1) break;
    if (visible && font_px) break;
  }
  if (!visible.value_or(true)) return {hiding::until_shown, visibility, by};
  // No browser of most readers makes letters smaller by a share than it says here.
  constexpr double least_by_share_px = 6;
  auto size_px = font_px.value_or(inherited_font_px) * share;
  if (share != 1 && size_px > 0) size_px = std::max(size_px, least_by_share_px);
  if (size_px * zoomed <= unreadable_px) return {hiding::for_good, font_size};
  if (crowded.value_or(false)) return {hiding::for_good, letter_spacing};
  constexpr auto colors =
      bit_of(color) | bit_of(text_fill) | bit_of(background) | bit_of(background_image);
  const auto asked = is_in_hidden_texts || concerned_.empty() ? wanted_of_texts_ : concerned_[id];
  if ((asked & colors) != 0 && is_lost_in_ground(id, screen)) return {hiding::for_good, color};
  return {};
}

/// Whether a picture may lie under the text: one that is placed freely inside of the same part.
bool style_rules::stands_on_picture(html::node_id node, const cascaded_style& style) const {
  const auto placed = style.of(property::position);
  return !placed.empty() && !is_value(placed, "static") && tree_.of(node).images > 0;
}

std::string_view color_attribute(const page_tree& tree, html::node_id id) {
  if (tree.is_element(id, html::tag_id::font)) return tree.attribute_of(id, "color");
  return tree.is_element(id, html::tag_id::body) ? tree.attribute_of(id, "text")
                                                 : std::string_view();
}

namespace {

/// Whether what is drawn around letters is another color than they are; so is what is not known.
bool is_drawn(const value_parts& parts, const rgb& ink, bool otherwise) noexcept {
  constexpr double nearly_none = 0.02;
  for (const auto part : parts) {
    const auto color = color_of(part);
    if (!color) continue;
    const bool is_of_ink = ink.alpha > nearly_none && is_same(*color, ink);
    return color->alpha > nearly_none && !is_of_ink;
  }
  return otherwise;
}

/// A shadow that is seen: "1px 1px black".
bool is_seen_shadow(std::string_view shadow, const rgb& ink) noexcept {
  constexpr double far_px = 900;
  const auto parts = parts_of(shadow, css_spaces);
  const bool is_away = std::any_of(parts.begin(), parts.end(), [](std::string_view part) {
    return std::abs(length_of(part, inherited_font_px).value_or(0)) >= far_px;
  });
  return !is_away && is_drawn(parts, ink, has_variable(shadow));
}

/// What of a color is not that of its text alone: what is drawn around letters shows them.
bool has_outline(const cascaded_style& style, const rgb& ink) noexcept {
  const auto shadow = style.of(property::text_shadow), stroke = style.of(property::text_stroke);
  if (is_stated(shadow) && !is_one_of(shadow, {"none", "initial"})) {
    const auto shadows = parts_of(shadow, ",");
    if (std::any_of(shadows.begin(), shadows.end(),
                    [&](std::string_view one) { return is_seen_shadow(one, ink); })) {
      return true;
    }
  }
  if (!is_stated(stroke)) return false;
  const auto parts = parts_of(stroke, css_spaces);
  return std::any_of(parts.begin(), parts.end(),
                     [](std::string_view width) {
                       return length_of(width, inherited_font_px).value_or(0) > 0;
                     }) &&
         is_drawn(parts, ink, true);
}

}  // namespace

/// The color of the texts of an element, fill before color; null where it cannot be known.
std::optional<style_rules::stated_color> style_rules::ink_at(html::node_id id, std::size_t screen) {
  using enum property;
  const bool has_fill = (declared_ & bit_of(text_fill)) != 0;
  std::optional<std::string_view> fill, ink;
  html::node_id filled_at = id, colored_at = id;
  for (auto at = id; tree_.is_element(at) && !fill && !(ink && !has_fill);
       at = tree_.parent_of(at)) {
    tree_.spend(1);
    const auto& style = text_cascade(at)[screen];
    const auto filled = style.of(text_fill), colored = style.of(color);
    if (is_stated(filled) && !is_value(filled, "currentcolor")) {
      fill = filled;
      filled_at = at;
    }
    if (ink) continue;
    if (is_stated(colored) && !is_value(colored, "currentcolor")) {
      ink = colored;
      colored_at = at;
    } else if (const auto said = color_attribute(tree_, at); colored.empty() && !said.empty()) {
      ink = said;
      colored_at = at;
    }
  }
  const auto value = fill ? *fill : ink.value_or("black");
  const auto said = is_value(value, "initial") ? rgb{} : color_of_attribute(value);
  if (!said) return std::nullopt;
  return stated_color{*said, fill ? filled_at : colored_at};
}

/// Text in the color of what it stands on, as far as both are known.
bool style_rules::is_lost_in_ground(html::node_id id, std::size_t screen) {
  using enum property;
  constexpr std::size_t most_grounds = 8;
  constexpr double nearly_none = 0.02, solid = 0.99;
  const auto stated = ink_at(id, screen);
  if (!stated) return false;
  auto ink = stated->color;
  std::array<rgb, most_grounds> grounds{};
  std::size_t laid = 0;
  bool is_clipped = false, ends = false, is_own = false;
  for (auto at = id; !ends && tree_.is_element(at); at = tree_.parent_of(at)) {
    tree_.spend(1);
    const auto& style = text_cascade(at)[screen];
    if (has_outline(style, stated->color)) return false;
    const bool clips = style.is(background_clip, "text");
    if (tree_.has_attribute(at, "background") || stands_on_picture(at, style)) return false;
    const auto add = [&](const std::optional<rgb>& color) {
      if (!color) return false;
      if (color->alpha <= nearly_none) return true;
      if (clips) {
        // The letters are holes through which the ground is seen.
        if (!is_clipped) ink = over(ink, *color);
        is_clipped = true;
        return true;
      }
      if (laid == grounds.size()) return false;
      grounds[laid++] = *color;
      ends = color->alpha >= solid;
      is_own = at == stated->at;
      return true;
    };
    const auto image = style.of(background_image);
    if (is_stated(image) && !is_one_of(image, {"none", "initial"}) && !add(color_of_image(image))) {
      return false;
    }
    if (ends) break;
    const auto ground = style.of(background);
    if (ground.empty()) {
      const auto said = tree_.attribute_of(at, "bgcolor");
      if (!said.empty() && !add(color_of_attribute(said))) return false;
    } else if (is_value(ground, "currentcolor")) {
      const auto own = ink_at(at, screen);
      if (!own || !add(own->color)) return false;
    } else if (!is_global_value(ground) && !add(color_of(ground))) {
      return false;
    }
  }
  if (!ends) {
    // What stands there without a ground stands on paper, if nothing else says otherwise.
    if (ink.alpha <= nearly_none) return true;
    if (has_others_ || has_dark_screen()) return false;
  }
  // What else sets a ground in between is not known.
  if (has_others_ && !is_own) return false;
  auto below = paper;
  if (ends) below = grounds[--laid];
  while (laid > 0) below = over(grounds[--laid], below);
  return is_same(over(ink, below), below);
}

/// Whether the page has a ground of this color, as far as it knows.
bool style_rules::may_be_lost(const rgb& color) const {
  constexpr double faint = 0.06;
  if (color.alpha <= faint) return true;
  const auto is_lost_on = [&](const rgb& ground) {
    const auto solid = over(ground, paper);
    return is_same(over(color, solid), solid);
  };
  return is_lost_on(paper) || std::ranges::any_of(grounds_, is_lost_on);
}

void style_rules::note_colors(const block_summary& says) {
  note_ground(says.ground);
  note_ink(says.color);
  if (says.image.empty()) return;
  if (const auto color = color_of_image(says.image)) note_ground(*color);
}

void style_rules::note_ground(std::string_view value) {
  if (value.empty()) return;
  const auto ground = color_of(color_in_background(value));
  if (ground) note_ground(*ground);
}

void style_rules::note_ground(const rgb& ground) {
  constexpr std::size_t most_grounds = 64;
  const auto known = [&](const rgb& each) {
    return is_same(each, ground) && each.alpha == ground.alpha;
  };
  if (grounds_.size() < most_grounds && ground.alpha > 0 && std::ranges::none_of(grounds_, known)) {
    grounds_.push_back(ground);
  }
}

/// Whether the page may be drawn on black where it says nothing.
bool style_rules::has_dark_screen() {
  if (dark_judged_ || is_dark_) return is_dark_;
  dark_judged_ = true;
  constexpr std::string_view name = "color-scheme", dark = "dark";
  constexpr std::size_t bytes_per_step = 64;
  for (const auto& one : sheets_.all()) {
    tree_.spend(1 + one.body.size() / bytes_per_step);
    const auto at = one.body.find(name);
    if (at == one.body.npos) continue;
    const auto said = one.body.substr(at, one.body.find(';', at) - at);
    is_dark_ |= said.find(dark) != said.npos && said.find("light") == said.npos;
  }
  return is_dark_;
}

/// What is let through by parts that stand in each other: a fifth of a fifth is nothing.
hidden_by style_rules::faded_on(html::node_id id, std::size_t screen) {
  using enum property;
  constexpr double unseen = 0.05;
  if (concerned_.empty() || (concerned_[id] & bit_of(opacity)) == 0) return {};
  double share = 1;
  const auto own = whole_cascade(id)[screen].of(opacity);
  if (whole_cascade(id)[screen].is(display, "contents")) return {};
  if (share_of(own).value_or(1) > faint_opacity) return {};
  for (auto at = id; tree_.is_element(at); at = tree_.parent_of(at)) {
    tree_.spend(1);
    if ((concerned_[at] & bit_of(opacity)) == 0) continue;
    share *= std::clamp(share_of(whole_cascade(at)[screen].of(opacity)).value_or(1), 0.0, 1.0);
  }
  if (share > unseen) return {};
  return {hiding::until_shown, opacity, whole_cascade(id)[screen].selector_of(opacity)};
}

/// Beyond the edges of the page, as far as it is known that nothing above is placed itself.
hidden_by style_rules::placed_on(html::node_id id, std::size_t screen) {
  using enum property;
  constexpr double line_px = 24, letters_of_line = 40;
  if (concerned_.empty() || (concerned_[id] & placing) == 0) return {};
  const auto& own = whole_cascade(id)[screen];
  const bool is_fixed = own.is(position, "fixed");
  if (!is_fixed && (has_others_ || !own.is(position, "absolute"))) return {};
  const auto lines = 1 + std::floor(tree_.of(id).text / letters_of_line);
  // Paragraphs, headings and lists are some way below others.
  constexpr double usual_margin_px = 22;
  const auto tag = tree_.tag_of(id);
  const bool is_plain =
      tag == html::tag_id::div || tag == html::tag_id::section || is_usually_inline(tag);
  const auto by = placed_beyond_the_page(own, lines * line_px, is_plain ? 0 : usual_margin_px);
  if (!by) return {};
  for (auto at = tree_.parent_of(id); !is_fixed && tree_.is_element(at); at = tree_.parent_of(at)) {
    tree_.spend(1);
    const auto placed = text_cascade(at)[screen].of(position);
    if (is_stated(placed) && !is_one_of(placed, {"static", "initial"})) return {};
  }
  return {hiding::until_shown, *by, own.selector_of(*by)};
}

}  // namespace freshet::markdown
