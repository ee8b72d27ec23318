// What hides the texts of an element and goes down to what is inside: visibility, size, and a color
// that is lost in its ground. All of it is asked upwards, from the element.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <cmath>
#include <markdown/sheets/lengths.hpp>
#include <markdown/sheets/placed_beyond.hpp>
#include <markdown/sheets/valid_values.hpp>
#include <markdown/sheets/value_text.hpp>
#include <markdown/visibility/companions.hpp>
#include <markdown/visibility/stated.hpp>
#include <markdown/visibility/style.hpp>

namespace freshet::markdown {

namespace {

/// A size that is a share of the one above.
bool is_relative(std::string_view size) noexcept {
  if (size.find('%') != size.npos || is_one_of(size, {"larger", "smaller"})) return true;
  for (auto at = size.find("em"); at != size.npos; at = size.find("em", at + 1)) {
    if (at == 0 || base::lower(size[at - 1]) != 'r') return true;
  }
  return std::ranges::any_of(std::initializer_list<std::string_view>{"ex", "ch", "lh", "cap", "ic"},
                             [&](std::string_view unit) { return size.ends_with(unit); });
}

/// Letters that stand on top of each other.
bool is_crowded(std::string_view spacing) noexcept {
  constexpr double least_px = -10;
  return is_stated(spacing) && length_of(spacing, inherited_font_px).value_or(0) <= least_px;
}

}  // namespace

/// What the page's own font size is of the usual one.
double style_rules::root_share(std::size_t screen) {
  auto& known = root_shares_[screen];
  if (known) return *known;
  known = 1;
  for (html::node_id at = 1; at < tree_.page().size(); ++at) {
    tree_.spend(1);
    if (!tree_.is_element(at)) continue;
    const auto size = text_cascade(at)[screen].of(property::font_size);
    if (is_stated(size)) known = length_of(size, inherited_font_px).value_or(16) / 16;
    break;
  }
  return *known;
}

/// Visibility, size and color go down to what is inside, which may say otherwise.
hidden_by style_rules::texts_on(html::node_id id, std::size_t screen, bool is_in_hidden_texts) {
  using enum property;
  if (wanted_of_texts_ == 0) return {};
  constexpr double unreadable_px = 3, unseen_share = 0.05;
  const auto stated = [&](property one, const cascaded_style& style) {
    return is_stated(style.of(one));
  };
  std::optional<bool> visible, crowded, shrunk;
  std::uint32_t by = no_selector;
  std::optional<double> font_px;
  double share = 1, zoomed = 1;
  bool is_absolute = false;
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
      auto px = length_of(value, inherited_font_px);
      constexpr double step = 1.2;
      if (is_named(value, "larger")) px = inherited_font_px * step;
      if (is_named(value, "smaller")) px = inherited_font_px / step;
      if (px && value.find("rem") != value.npos) *px *= root_share(screen);
      if (relative && px) {
        share *= *px / inherited_font_px;
      } else {
        font_px = px.value_or(inherited_font_px);
        is_absolute = px.has_value();
      }
    }
    if (stated(zoom, style)) {
      const auto times = share_of(style.of(zoom)).value_or(1);
      if (times > 0) zoomed *= times;
    }
    if (!crowded && is_stated(style.of(letter_spacing))) {
      crowded = is_crowded(style.of(letter_spacing));
    }
    if (!shrunk && is_stated(style.of(size_adjust))) {
      shrunk = share_of(style.of(size_adjust)).value_or(1) <= unseen_share;
    }
    // Nothing above hides them: only what the element says itself does.
    if (!is_in_hidden_texts && share == 1 && zoomed == 1) break;
    if (visible && font_px) break;
  }
  if (!visible.value_or(true)) return {hiding::until_shown, visibility, by};
  // No browser of most readers makes letters smaller by a share than it says here.
  constexpr double least_by_share_px = 6;
  auto size_px = font_px.value_or(inherited_font_px) * share;
  if (share != 1 && size_px > 0 && !is_absolute) size_px = std::max(size_px, least_by_share_px);
  if (size_px * zoomed <= unreadable_px || shrunk.value_or(false))
    return {hiding::for_good, font_size};
  if (crowded.value_or(false)) return {hiding::for_good, letter_spacing};
  const auto asked = is_in_hidden_texts || concerned_.empty() ? wanted_of_texts_ : concerned_[id];
  if ((asked & (colors | of_paint)) != 0 && is_lost_in_ground(id, screen))
    return {hiding::for_good, color};
  return {};
}

/// What is let through by parts that stand in each other: a fifth of a fifth is nothing.
hidden_by style_rules::faded_on(html::node_id id, std::size_t screen) {
  using enum property;
  constexpr double unseen = 0.07;
  constexpr auto fading = bit_of(opacity) | bit_of(filter);
  if (concerned_.empty() || (concerned_[id] & fading) == 0) return {};
  const auto let_through = [&](html::node_id at) {
    const auto& style = whole_cascade(at)[screen];
    if (style.is(display, "contents")) return 1.0;
    return std::clamp(share_of(style.of(opacity)).value_or(1), 0.0, 1.0) *
           opacity_of_filter(style.of(filter));
  };
  double share = let_through(id);
  if (share > faint_opacity) return {};
  for (auto at = tree_.parent_of(id); tree_.is_element(at); at = tree_.parent_of(at)) {
    tree_.spend(1);
    if ((concerned_[at] & fading) != 0) share *= let_through(at);
  }
  if (share > unseen) return {};
  const auto by = (concerned_[id] & bit_of(opacity)) != 0 ? opacity : filter;
  return {hiding::until_shown, by, whole_cascade(id)[screen].selector_of(by)};
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
  // A picture may be of any width.
  constexpr double letter_px = 11, any_px = 1e6;
  const bool is_text = tree_.of(id).images == 0 && tree_.of(id).embeds == 0;
  const auto by = placed_beyond_the_page(own, {is_text ? tree_.of(id).text * letter_px : any_px,
                                               lines * line_px, is_plain ? 0 : usual_margin_px});
  if (!by) return {};
  for (auto at = tree_.parent_of(id); !is_fixed && tree_.is_element(at); at = tree_.parent_of(at)) {
    tree_.spend(1);
    const auto placed = text_cascade(at)[screen].of(position);
    if (is_stated(placed) && !is_one_of(placed, {"static", "initial"})) return {};
  }
  return {hiding::until_shown, *by, own.selector_of(*by)};
}

}  // namespace freshet::markdown
