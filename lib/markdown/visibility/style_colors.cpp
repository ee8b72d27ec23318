// A text is lost where it has the color of what it stands on: both are asked upwards from its
// element, with what filters, blending and what is drawn around letters make of them.
#include <algorithm>
#include <array>
#include <base/unicode.hpp>
#include <cmath>
#include <markdown/sheets/blended_colors.hpp>
#include <markdown/sheets/drawn_over.hpp>
#include <markdown/sheets/lengths.hpp>
#include <markdown/sheets/valid_values.hpp>
#include <markdown/sheets/value_text.hpp>
#include <markdown/visibility/stated.hpp>
#include <markdown/visibility/style.hpp>

namespace freshet::markdown {

/// Whether a picture may lie under the text: one that is placed freely inside of the same part.
bool style_rules::stands_on_picture(html::node_id node, const cascaded_style& style) const {
  const auto placed = style.of(property::position);
  return !placed.empty() && !is_named(placed, "static") && tree_.of(node).images > 0;
}

std::string_view color_attribute(const page_tree& tree, html::node_id id) {
  if (tree.is_element(id, html::tag_id::font)) return tree.attribute_of(id, "color");
  if (tree.is_element(id, html::tag_id::mark)) return "black";
  if (tree.page().at(id).space == html::element_space::math) {
    return tree.attribute_of(id, "mathcolor");
  }
  if (tree.is_element(id, html::tag_id::a) && tree.has_attribute(id, "href")) {
    return tree.attribute_of(tree.body(), "link");
  }
  return tree.is_element(id, html::tag_id::body) ? tree.attribute_of(id, "text")
                                                 : std::string_view();
}

std::string_view ground_attribute(const page_tree& tree, html::node_id id) {
  if (tree.is_element(id, html::tag_id::mark)) return "mark";
  return tree.attribute_of(id, "bgcolor");
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
  constexpr double far_px = 900, blurred_px = 15;
  constexpr std::size_t place_of_blur = 2;
  const auto parts = parts_of(shadow, css_spaces);
  std::size_t lengths = 0;
  for (const auto part : parts) {
    const auto length = length_of(part, inherited_font_px);
    if (length && lengths++ == place_of_blur && *length >= blurred_px) return false;
  }
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
    if (is_stated(filled) && !is_one_of(filled, {"currentcolor", "initial"})) {
      fill = filled;
      filled_at = at;
    }
    if (ink) continue;
    if (is_stated(colored) && !is_named(colored, "currentcolor")) {
      ink = colored;
      colored_at = at;
    } else if (const auto said = color_attribute(tree_, at); colored.empty() && !said.empty()) {
      ink = said;
      colored_at = at;
    }
  }
  const auto value = fill ? *fill : ink.value_or("black");
  const auto said = is_named(value, "initial") ? rgb{} : color_of_attribute(value);
  if (!said) return std::nullopt;
  return stated_color{*said, fill ? filled_at : colored_at};
}

namespace {

constexpr double nearly_none = 0.02;

/// What is painted for a text, from its letters outwards.
class painting {
 public:
  explicit painting(const rgb& ink) noexcept : ink_(ink) {}

  [[nodiscard]] const rgb& ink() const noexcept { return ink_; }
  /// Nothing shines through from further out.
  [[nodiscard]] bool is_shut() const noexcept {
    constexpr double solid = 0.99;
    return count_ > inside_ && grounds_[count_ - 1].alpha >= solid;
  }
  /// A ground behind all of it; false where that are more than can be kept.
  bool lay(const rgb& color) noexcept {
    if (color.alpha <= nearly_none || is_shut()) return true;
    if (count_ == grounds_.size()) return false;
    grounds_[count_++] = color;
    return true;
  }
  /// The letters are holes through which a ground is seen.
  void cut_out(const rgb& color) noexcept {
    if (color.alpha <= nearly_none) return;
    if (!is_cut_) ink_ = over(ink_, color);
    is_cut_ = true;
  }
  void turn(std::string_view filter) noexcept {
    ink_ = filtered(ink_, filter);
    for (std::size_t at = 0; at < count_; ++at) grounds_[at] = filtered(grounds_[at], filter);
  }
  /// With what is further out; false for a second time.
  bool blend(std::string_view mode) noexcept {
    if (!mode_.empty()) return false;
    mode_ = mode;
    inside_ = count_;
    return true;
  }
  [[nodiscard]] bool is_lost() const noexcept {
    auto below = paper;
    auto at = count_;
    if (is_shut()) below = grounds_[--at];
    while (at > inside_) below = over(grounds_[--at], below);
    // The paper is no part of the page: nothing blends with it.
    if (mode_.empty() || (inside_ == 0 && count_ == 0)) return is_same(over(ink_, below), below);
    if (inside_ == 0) {
      auto letters = blended(ink_, below, mode_);
      letters.alpha = ink_.alpha;
      return is_same(over(letters, below), below);
    }
    // What shines through a group that is blended is not known.
    if (grounds_[inside_ - 1].alpha < 1) return false;
    auto group = grounds_[inside_ - 1];
    for (at = inside_ - 1; at > 0; --at) group = over(grounds_[at - 1], group);
    const auto letters = over(ink_, group);
    if (count_ == inside_) return is_same(letters, group);
    return is_same(blended(letters, below, mode_), blended(group, below, mode_));
  }

 private:
  static constexpr std::size_t most_grounds = 8;
  rgb ink_;
  std::array<rgb, most_grounds> grounds_{};
  std::size_t count_ = 0, inside_ = 0;  ///< inside of what is blended
  std::string_view mode_;
  bool is_cut_ = false;
};

/// "0 0": a picture that is drawn nowhere.
bool is_of_no_size(std::string_view background_size) noexcept {
  const auto sizes = parts_of(background_size, css_spaces);
  return std::any_of(sizes.begin(), sizes.end(), [](std::string_view one) {
    return length_of(one, inherited_font_px).value_or(1) == 0;
  });
}

/// A shadow inside of a box that fills it: "inset 0 0 0 99px #000".
std::optional<rgb> filling_shadow(std::string_view shadow) noexcept {
  for (const auto one : parts_of(shadow, ",")) {
    const auto parts = parts_of(one, css_spaces);
    if (fills_by_shadow(one)) {
      for (const auto part : parts) {
        if (const auto color = color_of(part)) return color;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

/// The color of an outline that is as thick as the letters, and lies upon them.
std::optional<rgb> style_rules::stroke_at(html::node_id id, std::size_t screen) {
  using enum property;
  if ((declared_ & bit_of(text_stroke)) == 0) return std::nullopt;
  std::optional<std::string_view> stroke, order;
  for (auto at = id; tree_.is_element(at) && !(stroke && order); at = tree_.parent_of(at)) {
    tree_.spend(1);
    const auto& style = text_cascade(at)[screen];
    if (!stroke && is_stated(style.of(text_stroke))) stroke = style.of(text_stroke);
    if (!order && is_stated(style.of(paint_order))) order = style.of(paint_order);
  }
  if (!stroke || !covers_letters(*stroke) || begins_with(order.value_or(""), "stroke"))
    return std::nullopt;
  for (const auto part : parts_of(*stroke, css_spaces)) {
    if (const auto color = color_of(part)) return color;
  }
  return std::nullopt;
}

/// Lays what an element has behind its text; null where that cannot be known.
template <class Painting>
std::optional<bool> style_rules::lay_grounds_of(html::node_id id, std::size_t screen,
                                                Painting& painted) {
  using enum property;
  const auto& style = text_cascade(id)[screen];
  const bool clips = style.is(background_clip, "text"), was_shut = painted.is_shut();
  const auto add = [&](const std::optional<rgb>& color) {
    if (!color) return false;
    if (!clips) return painted.lay(*color);
    painted.cut_out(*color);
    return true;
  };
  if (const auto shadow = filling_shadow(style.of(box_shadow)); shadow && !painted.lay(*shadow)) {
    return std::nullopt;
  }
  const auto image = style.of(background_image), ground = style.of(background);
  const bool is_drawn = is_stated(image) && !is_one_of(image, {"none", "initial"}) &&
                        !is_of_no_size(style.of(background_size));
  if (is_drawn && !add(color_of_image(image))) return std::nullopt;
  if (ground.empty()) {
    const auto said = ground_attribute(tree_, id);
    if (!said.empty() && !add(color_of_attribute(said))) return std::nullopt;
  } else if (is_named(ground, "currentcolor")) {
    const auto own = ink_at(id, screen);
    if (!own || !add(own->color)) return std::nullopt;
  } else if (!is_global_value(ground) && !add(color_of(ground))) {
    return std::nullopt;
  }
  return !was_shut && painted.is_shut();
}

/// Text in the color of what it stands on, as far as both are known.
bool style_rules::is_lost_in_ground(html::node_id id, std::size_t screen) {
  using enum property;
  const auto stated = ink_at(id, screen);
  if (!stated) return false;
  const auto stroke = stroke_at(id, screen);
  const auto letters = stroke.value_or(stated->color);
  painting painted(letters);
  bool is_own = false;
  for (auto at = id; tree_.is_element(at); at = tree_.parent_of(at)) {
    tree_.spend(1);
    // What turns colors turns those of all that is in it.
    if (painted.is_shut() && !bends_colors_) break;
    const auto& style = text_cascade(at)[screen];
    if (is_struck_out(style.of(text_decoration))) return true;
    if (!painted.is_shut()) {
      if (has_outline(style, letters)) return false;
      if (tree_.has_attribute(at, "background") || stands_on_picture(at, style)) return false;
      const auto shuts = lay_grounds_of(at, screen, painted);
      if (!shuts) return false;
      if (*shuts) is_own = at == stated->at;
    }
    const auto filter = style.of(property::filter), mode = style.of(mix_blend);
    if (turns_colors(filter)) {
      // The ground of the whole page is not in it.
      if (tree_.parent_of(at) == html::document::root() || at == tree_.body()) return false;
    }
    if (is_stated(filter)) painted.turn(filter);
    if (is_blending(mode) && !painted.blend(mode)) return false;
  }
  if (!painted.is_shut()) {
    // What stands there without a ground stands on paper, if nothing else says otherwise.
    if (painted.ink().alpha <= nearly_none) return true;
    if (has_others_ || has_dark_screen()) return false;
  }
  // What else sets a ground in between is not known.
  if (has_others_ && !is_own) return false;
  return painted.is_lost();
}

/// Whether the page has a ground of this color, as far as it knows.
bool style_rules::may_be_lost(const rgb& color) const {
  constexpr double faint = 0.06;
  if (color.alpha <= faint || bends_colors_) return true;
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

}  // namespace freshet::markdown
