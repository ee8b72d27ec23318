// What moves an element out of the page together with what it stands in: to the left by all of its
// width, bit by bit, or smaller and smaller. And what a box of a few lines leaves of what is in it.
#include <algorithm>
#include <array>
#include <base/unicode.hpp>
#include <cmath>
#include <markdown/sheets/few_lines.hpp>
#include <markdown/sheets/lengths.hpp>
#include <markdown/sheets/moved_away.hpp>
#include <markdown/sheets/placed_beyond.hpp>
#include <markdown/sheets/value_text.hpp>
#include <markdown/sheets/ways_to_hide.hpp>
#include <markdown/visibility/companions.hpp>
#include <markdown/visibility/stated.hpp>
#include <markdown/visibility/style.hpp>
#include <markdown/visibility/switches.hpp>

namespace freshet::markdown {

namespace {

/// Letters are no wider.
constexpr double letter_px = 11;
/// The narrow screen and the wide one: what is moved out of one only is read on the other.
constexpr std::array widths_px = {360.0, 1280.0};

std::optional<double> px_in(std::string_view length, double whole_px) noexcept {
  return quantity_of(length, {inherited_font_px, whole_px / 100, 3.6, 6});
}

bool is_none(std::string_view value) noexcept {
  return value.empty() || is_one_of(value, {"none", "auto", "initial", "unset"});
}

/// To the right, by functions that only move; null for others.
std::optional<double> moved_px(const cascaded_style& own, double width_px) noexcept {
  double x = 0;
  for (const auto one : functions_of(own.of(property::transform))) {
    const auto [name, inside] = function_in(one);
    if (is_one_of(name, {"translateY", "translateZ"})) continue;
    if (!is_one_of(name, {"translate", "translateX", "translate3d"})) return std::nullopt;
    x += px_in(parts_of(inside, ",").first(), width_px).value_or(0);
  }
  const auto moved = parts_of(own.of(property::translate), css_spaces);
  return x + (moved.empty() ? 0 : px_in(moved[0], width_px).value_or(0));
}

/// The room above what is in a box.
double top_padding(const cascaded_style& own) noexcept {
  const auto said = own.of(property::padding_top);
  const auto first = parts_of(own.of(property::padding), css_spaces).first();
  return px_in(said.empty() ? first : said, 0).value_or(0);
}

bool is_full_width(std::string_view width) noexcept {
  return is_none(width) || (width.ends_with('%') && share_of(width).value_or(0) >= 1);
}

/// Whether what an element of this style holds begins at the left edge of what that stands in.
bool is_at_left_of_its_box(const cascaded_style& style) noexcept {
  using enum property;
  constexpr double some_px = 40;
  const auto paddings = parts_of(style.of(padding), css_spaces);
  const auto left_px = paddings.empty() ? 0 : px_in(paddings[paddings.size() - 1], 360);
  const auto before = style.of(margin_left);
  const auto before_px = before.empty() ? 0 : px_in(before, 360);
  return before_px.value_or(some_px) < some_px && left_px.value_or(some_px) < some_px &&
         is_full_width(style.of(width)) && is_full_width(style.of(max_width)) && !floats(style) &&
         is_none(style.of(left)) && is_none(style.of(float_)) && is_none(style.of(transform)) &&
         is_none(style.of(translate)) && !begins_with(style.of(display), "inline") &&
         !begins_with(style.of(display), "table");
}

}  // namespace

bool style_rules::keeps_left_edge(html::node_id id) {
  return std::ranges::all_of(ask_around(id, of_edge | bit_of(property::padding)),
                             is_at_left_of_its_box);
}

/// And begins at that of the page, as far as styles say.
bool style_rules::is_at_left_edge(html::node_id id) {
  return holds_around(id, &style_rules::keeps_left_edge, edges_);
}

bool style_rules::holds_around(html::node_id id, bool (style_rules::*holds)(html::node_id),
                               known_flags& known) {
  std::vector<html::node_id> asked;
  bool all = true;
  for (auto at = id; all && tree_.is_element(at); at = tree_.parent_of(at)) {
    tree_.spend(1);
    if (const auto found = known.find(at); found != known.end()) {
      all = found->second;
      break;
    }
    asked.push_back(at);
    all = (this->*holds)(at);
  }
  for (const auto at : asked) known[at] = all;
  return all;
}

/// Whether a box that stands at the left edge is moved beyond it by its width.
bool style_rules::is_left_behind(html::node_id id, const cascaded_style& own) {
  using enum property;
  const bool drifts = own.is(float_, "left"), is_relative = own.is(position, "relative");
  if (floats(own) || own.is(float_, "right") || own.is(position, "sticky")) return false;
  const double text_px = tree_.of(id).images + tree_.of(id).embeds > 0
                             ? widths_px.back()
                             : tree_.of(id).text * letter_px;
  for (const auto whole_px : widths_px) {
    auto width_px = drifts ? std::min(text_px, whole_px) : whole_px;
    if (!is_none(own.of(width))) width_px = px_in(own.of(width), whole_px).value_or(whole_px);
    const auto moved = moved_px(own, width_px);
    if (!moved) return false;
    auto x = *moved;
    if (is_relative) x += px_in(own.of(left), whole_px).value_or(0);
    // What has no width of its own grows to the left.
    const bool has_width = drifts || !is_none(own.of(width));
    if (has_width) x += px_in(own.of(margin_left), whole_px).value_or(0);
    if (x + width_px > 0) return false;
  }
  for (auto at = tree_.at(id).previous; drifts && at != html::none; at = tree_.at(at).previous) {
    tree_.spend(1);
    if (tree_.text_in(at) > 0) return false;  // a column is moved beside it
  }
  return is_at_left_edge(tree_.parent_of(id));
}

/// By parts that stand in each other: a third of a third, and twice by half of the screen.
hidden_by style_rules::moved_on(html::node_id id, std::size_t screen) {
  using enum property;
  constexpr auto moving =
      bit_of(transform) | bit_of(translate) | bit_of(scale) | bit_of(left) | bit_of(margin_left);
  if (concerned_.empty() || (concerned_[id] & moving) == 0) return {};
  constexpr double unseen_scale = 0.1;
  double x = 0, size = 1;
  for (auto at = id; tree_.is_element(at); at = tree_.parent_of(at)) {
    tree_.spend(1);
    if ((concerned_[at] & moving) == 0) continue;
    const auto& own = whole_cascade(at)[screen];
    if (own.is(display, "contents")) continue;
    size *= scale_of(own.of(transform), own.of(scale));
    if (floats(own)) break;
    x += moved_px(own, 0).value_or(0);
    if (own.is(position, "relative")) x += px_in(own.of(left), 0).value_or(0);
    x += px_in(own.of(margin_left), 0).value_or(0);
  }
  const auto& own = whole_cascade(id)[screen];
  if (box_of(id, own, screen).in_line) return {};
  const auto by = [&](property one) {
    return hidden_by{hiding::until_shown, one, own.selector_of(one)};
  };
  if (size <= unseen_scale) return by(own.of(scale).empty() ? transform : scale);
  if (x <= off_screen_px) return by(own.of(margin_left).empty() ? transform : margin_left);
  return {};
}

/// Marks a text, or those of an element, that stand outside of what a box around shows.
void style_rules::note_cut_off(html::node_id id) {
  tree_.spend_on(id);
  for (auto at = id; at < tree_.end_of(id); ++at) {
    if (tree_.is_text(at)) covered_[at] = true;
  }
}

const style_rules::flow_place& style_rules::flow_of(html::node_id id) {
  using enum property;
  const auto [found, added] = flows_.try_emplace(id);
  auto& place = found->second;
  if (!added) return place;
  constexpr double any_px = 1e6;
  const auto own = ask_around(id, of_flow)[0];
  const auto shown_as = own.of(display);
  if (floats(own) || !is_none(own.of(float_)) || begins_with(shown_as, "table") ||
      is_one_of(shown_as, {"none", "flex", "grid", "inline-flex", "inline-grid"})) {
    place.how = flow_place::beside;
  } else if (shown_as.empty() ? is_usually_inline(tree_.tag_of(id))
                              : begins_with(shown_as, "inline")) {
    place.how = flow_place::word;
  }
  place.is_free = own.is(position, "absolute");
  place.is_wrapped = is_stated(own.of(white_space)) && !is_unwrapped(own.of(white_space));
  place.top_px = px_in(own.of(top), any_px).value_or(0);
  place.left_px = px_in(own.of(left), any_px).value_or(0);
  const auto margin_px = px_in(own.of(margin_top), 0).value_or(0);
  place.above_px = margin_px + top_padding(own);
  place.down_px = -pulled_up_px(own) - margin_px;
  if (tree_.text_in(id) == 0) place.above_px += px_in(own.of(height), 0).value_or(0);
  return place;
}

/// Marks the texts that begin below the last line which a box shows.
void style_rules::note_cut_short(html::node_id id) {
  using enum property;
  constexpr double any_px = 1e6;
  double shown = 0, lines = any_px, width_px = 0, high_px = 0;
  bool may_open = false;
  for (const auto& own : whole_cascade(id)) {
    const bool is_row = is_one_of(own.of(display), {"flex", "grid", "inline-flex", "inline-grid"});
    const bool cuts = is_cutting_off(own.of(overflow)) && min_height_is_none(own) && !is_row;
    may_open = may_open || is_told_to_open(own.selector_of(height)) ||
               is_told_to_open(own.selector_of(max_height));
    const auto of_it = cuts ? lines_shown(own) : std::nullopt;
    if (!of_it) return;
    shown = std::max(shown, *of_it);
    const bool has_height = own.of(line_clamp).empty();
    high_px = std::max(high_px, has_height ? *of_it * low_line_px + spare_of_lines_px : any_px);
    lines = std::min(lines, own.is(box_sizing, "border-box") ? top_padding(own) / low_line_px : 0);
    width_px = std::max(width_px, px_in(own.of(width), any_px).value_or(any_px));
  }
  if (may_open && can_be_opened(id)) return;
  constexpr std::uint64_t steps_of_look = 4;
  covered_.resize(tree_.page().size());
  std::vector<html::node_id> cut;  // texts and elements
  bool is_begun = false;
  const auto begin_line = [&] {
    lines += is_begun ? 1 : 0;
    is_begun = false;
  };
  std::vector<html::node_id> ends;  // of blocks
  for (auto at = id + 1; at < tree_.end_of(id); ++at) {
    tree_.spend(1);
    while (!ends.empty() && ends.back() <= at) {
      begin_line();
      ends.pop_back();
    }
    if (tree_.is_text(at)) {
      if (tree_.is_dropped(at) || tree_.text_in(at) == 0) continue;
      if (lines >= shown) cut.push_back(at);
      is_begun = true;
      continue;
    }
    if (!tree_.is_element(at) || tree_.is_dropped(at)) {
      at = tree_.end_of(at) - 1;
      continue;
    }
    if (tree_.is_element(at, html::tag_id::br)) {
      lines += 1;
      is_begun = false;
      continue;
    }
    tree_.spend(steps_of_look);
    const auto& place = flow_of(at);
    const bool is_in_sight = place.is_free ? place.top_px < high_px : lines < shown;
    if (may_open && is_in_sight && may_be_clicked(tree_, at) && is_shown_beside(at, id)) return;
    // What stands beside others, or is not in the flow, is not judged by lines.
    if (place.how == flow_place::beside) {
      const bool is_outside = place.top_px >= high_px || place.left_px >= width_px;
      if (place.is_free && is_outside && holds_placed(id)) cut.push_back(at);
      at = tree_.end_of(at) - 1;
      continue;
    }
    if (place.how == flow_place::word) continue;
    begin_line();
    if (place.above_px >= low_line_px) lines += std::floor(place.above_px / low_line_px);
    if (lines + std::floor(place.down_px / low_line_px) >= shown) cut.push_back(at);
    ends.push_back(tree_.end_of(at));
  }
  for (const auto at : cut) note_cut_off(at);
}

/// Marks the texts of a line that begin beyond the edge of a box without a second one.
void style_rules::note_cut_beside(html::node_id id) {
  using enum property;
  constexpr double narrow_letter_px = 5;
  double wide_px = 0;
  for (std::size_t screen = 0; screen < screens; ++screen) {
    const auto& own = whole_cascade(id)[screen];
    const bool is_row = is_one_of(own.of(display), {"flex", "grid", "inline-flex", "inline-grid"});
    if (!is_cutting_off(own.of(overflow)) || !is_unwrapped(own.of(white_space)) || is_row ||
        box_of(id, own, screen).in_line) {
      return;
    }
    const bool has_width = is_of_few_letters({width, false, own.of(width)});
    const auto& said = has_width ? own.of(width) : own.of(max_width);
    if (!has_width && !is_of_few_letters({max_width, false, said})) return;
    wide_px = std::max(wide_px, px_in(said, 0).value_or(0));
  }
  covered_.resize(tree_.page().size());
  double letters = 0;
  html::node_id block_end = 0;  // of the block that is left first
  for (auto at = id + 1; at < tree_.end_of(id); ++at) {
    tree_.spend(1);
    if (at >= block_end && block_end != 0) letters = block_end = 0;
    if (tree_.is_text(at)) {
      if (letters * narrow_letter_px >= wide_px) note_cut_off(at);
      letters += tree_.text_in(at);
      continue;
    }
    if (!tree_.is_element(at) || tree_.is_dropped(at)) {
      at = tree_.end_of(at) - 1;
    } else if (tree_.is_element(at, html::tag_id::br)) {
      letters = 0;
    } else {
      // One that cuts its lines itself has them judged by itself.
      const bool is_cut = (concerned_[at] & bit_of(cut_short)) != 0;
      const auto& place = flow_of(at);
      if (is_cut || place.how == flow_place::beside || place.is_wrapped) {
        at = tree_.end_of(at) - 1;
      } else if (place.how == flow_place::block) {
        letters = 0;
        block_end = tree_.end_of(at);
      }
    }
  }
}

}  // namespace freshet::markdown
