// Boxes with a ground of their own that are laid upon all of what they are placed in, and what
// draws such a box before or behind an element. What is raised above them is seen. Where sheets are
// not read nobody knows what is.
#include <algorithm>
#include <base/number.hpp>
#include <markdown/sheets/lengths.hpp>
#include <markdown/sheets/placed_beyond.hpp>
#include <markdown/sheets/sheet_text.hpp>
#include <markdown/sheets/value_text.hpp>
#include <markdown/visibility/companions.hpp>
#include <markdown/visibility/style.hpp>

namespace freshet::markdown {

namespace {

constexpr double solid = 0.99;
constexpr double any_px = 1e6, letters_px = 16;

bool is_solid(std::string_view ground, std::string_view image) noexcept {
  const auto color = color_of(ground), drawn = color_of_image(image);
  return (color && color->alpha >= solid) || (drawn && drawn->alpha >= solid);
}

bool is_set(std::string_view value) noexcept {
  return !value.empty() && !is_one_of(value, {"none", "auto", "normal", "initial", "unset"});
}

/// "0", and what is before an edge.
bool is_at_edge(std::string_view length) noexcept {
  return !length.empty() && length_of(length, 0).value_or(1) <= 0;
}

bool is_whole(std::string_view size) noexcept {
  return size.ends_with('%') && share_of(size).value_or(0) >= 1;
}

int level_of(std::string_view z_index) noexcept {
  auto rest = z_index;
  return base::take_number<int>(rest).value_or(0);
}

bool is_raised(const cascaded_style& own) noexcept {
  for (unsigned i = 0; i < static_cast<unsigned>(property::count); ++i) {
    const auto one = static_cast<property>(i);
    if ((raising & bit_of(one)) == 0 || !is_set(own.of(one))) continue;
    if (one != property::position || !own.is(one, "static")) return true;
  }
  return false;
}

/// Whether an element shows a ground that nothing shines through.
bool is_curtain(const cascaded_style& own) noexcept {
  using enum property;
  return !is_one_of(own.of(display), {"none", "contents"}) && !own.is(visibility, "hidden") &&
         !is_set(own.of(clip_path)) && share_of(own.of(opacity)).value_or(1) >= solid &&
         is_solid(own.of(background), own.of(background_image));
}

/// What shows a ground of its own, but no text of the page.
bool is_drawn_silently(const page_tree& tree, html::node_id id) noexcept {
  return tree.is_element(id, html::tag_id::canvas) || tree.is_element(id, html::tag_id::textarea) ||
         tree.is_element(id, html::tag_id::video);
}

}  // namespace

/// Whether a block places something with a ground that nothing shines through.
bool style_rules::may_cover(const block_summary& says) const {
  constexpr auto edges = bit_of(property::top) | bit_of(property::left);
  if (says.is_pulled && !has_others_ && is_solid(says.ground, says.image)) return true;
  const bool is_in_cell = (says.declares & bit_of(property::grid_cell)) != 0;
  if (is_in_cell && !has_others_ && is_solid(says.ground, says.image)) return true;
  return says.is_placed && !has_others_ && (says.declares & edges) == edges &&
         is_solid(says.ground, says.image);
}

/// How far it covers what it is placed in, from its first corner; null where it does not.
std::optional<style_rules::cover_reach> style_rules::reach_of(const cascaded_style& own) {
  using enum property;
  if (!own.is(position, "absolute") || is_set(own.of(transform)) || is_set(own.of(translate)) ||
      !is_curtain(own) || !is_at_edge(own.of(left)) || !is_at_edge(own.of(top))) {
    return std::nullopt;
  }
  const auto reach = [&](property end, property size, double screen_px) {
    if (is_at_edge(own.of(end)) || is_whole(own.of(size))) return any_px;
    return quantity_of(own.of(size), {letters_px, 0, screen_px / 100, 6}).value_or(0);
  };
  constexpr double narrow_px = 360;
  const cover_reach made{level_of(own.of(z_index)), reach(right, width, narrow_px),
                         reach(bottom, height, narrow_px)};
  const bool covers = made.level >= 0 && made.wide_px > 0 && made.high_px > 0;
  return covers ? std::optional(made) : std::nullopt;
}

/// Whether what is placed in an element is placed by its edges.
bool style_rules::holds_placed(html::node_id id) {
  constexpr auto asked = bit_of(property::position) | bit_of(property::transform);
  const auto style = ask_around(id, asked);
  return std::ranges::all_of(style, [](const cascaded_style& one) {
    return (is_set(one.of(property::position)) && !one.is(property::position, "static")) ||
           is_set(one.of(property::transform));
  });
}

const on_screens<style_rules::raise>& style_rules::raise_of(html::node_id id) {
  const auto [found, added] = raises_.try_emplace(id);
  if (added) {
    std::ranges::transform(ask_around(id, raising), found->second.begin(),
                           [](const cascaded_style& own) {
                             return raise{is_raised(own), level_of(own.of(property::z_index))};
                           });
  }
  return found->second;
}

/// Whether a box reaches over all the text of an element.
bool style_rules::reaches_over(html::node_id around, const cover_reach& reach) {
  constexpr double letter_px = 11;
  if (reach.wide_px < any_px && tree_.text_in(around) * letter_px > reach.wide_px) return false;
  if (reach.high_px >= any_px) return true;
  constexpr auto asked = bit_of(property::padding) | bit_of(property::padding_top);
  const auto style = ask_around(around, asked);
  const auto has_none = [](const cascaded_style& own) {
    return own.of(property::padding).empty() && own.of(property::padding_top).empty();
  };
  return std::ranges::all_of(style, has_none) && high_px_of(around) <= reach.high_px;
}

/// What the box is placed in: `around`, or the nearest above it that holds what is placed.
void style_rules::cover(html::node_id around, const cover_box& box, const cover_reach& reach) {
  while (tree_.is_element(around) && !holds_placed(around)) around = tree_.parent_of(around);
  if (!tree_.is_element(around) || !reaches_over(around, reach)) return;
  covered_.resize(tree_.page().size());
  constexpr std::uint64_t steps_of_look = 4;
  for (auto at = around + 1; at < tree_.end_of(around); ++at) {
    tree_.spend(steps_of_look);
    if (at == box.first) {
      at = box.end - 1;
      continue;
    }
    if (tree_.is_text(at)) covered_[at] = true;
    if (!tree_.is_element(at)) continue;
    const bool is_above = std::ranges::any_of(raise_of(at), [&](const raise& own) {
      return own.is_raised &&
             (own.level > reach.level || (own.level == reach.level && at >= box.at));
    });
    if (is_above) at = tree_.end_of(at) - 1;
  }
}

/// "a::after { content: ''; position: absolute; inset: 0; background: #fff }"
void style_rules::note_drawn_covers(std::uint32_t rule) {
  const auto& from = sheets_.all()[rule];
  if (from.on != all_screens || (from.says.declares & bit_of(property::content)) == 0) return;
  std::vector<declaration> declared;
  read_declarations(from.body, declared);
  cascade said;
  for (const auto& one : declared) said.add(one, 0, no_selector);
  const cascaded_style own(said);
  const auto reach = reach_of(own);
  if (!reach || own.is(property::content, "none") || !is_valid_rule(rule)) return;
  each_selector(from.selectors, [&](std::string_view one) {
    const auto colon = one.rfind(':');
    if (colon == one.npos) return;
    const auto name = one.substr(colon + 1);
    const bool is_behind = is_named(name, "after");
    if (!is_behind && !is_named(name, "before")) return;
    auto asked = one.substr(0, colon);
    if (asked.ends_with(':')) asked.remove_suffix(1);
    const auto compiled = guarded_selector::compile(asked.empty() ? "*" : asked);
    if (!compiled) return;
    for (html::node_id id = 1; id < tree_.page().size(); ++id) {
      tree_.spend(1);
      if (!tree_.is_element(id) || tree_.is_dropped(id) || !speaks_of(rule, id) ||
          !compiled->matches(tree_.page(), id, meter())) {
        continue;
      }
      cover(id, {is_behind ? tree_.end_of(id) : id, html::none, 0}, *reach);
    }
  });
}

/// "grid-area: 1/1" of both: what has a ground fills the cell in which others stand.
void style_rules::cover_cell(html::node_id id) {
  using enum property;
  constexpr auto asked = bit_of(grid_cell) | bit_of(display) | bit_of(opacity) | bit_of(z_index) |
                         bit_of(background) | bit_of(background_image) | bit_of(transform);
  const auto own = ask_around(id, asked)[0];
  const auto around = ask_around(tree_.parent_of(id), bit_of(display))[0];
  if (own.of(grid_cell).empty() || own.is(display, "none") || is_set(own.of(transform)) ||
      !is_one_of(around.of(display), {"grid", "inline-grid"}) ||
      share_of(own.of(opacity)).value_or(1) < solid ||
      !is_solid(own.of(background), own.of(background_image))) {
    return;
  }
  covered_.resize(tree_.page().size());
  for (auto at = tree_.at(id).previous; at != html::none; at = tree_.at(at).previous) {
    tree_.spend(1);
    if (!tree_.is_element(at)) continue;
    const auto other = ask_around(at, bit_of(grid_cell) | bit_of(z_index))[0];
    const auto level = level_of(other.of(z_index)), above = level_of(own.of(z_index));
    if (level > above || other.of(grid_cell) != own.of(grid_cell)) continue;
    note_cut_off(at);
    // What lies under the next one is its affair.
    if (level == above && (concerned_[at] & bit_of(cover)) != 0) return;
  }
}

/// What is pulled over what stands before it: "margin-top: -50px" of a box that is raised.
void style_rules::cover_before(html::node_id id) {
  using enum property;
  double pulled_px = any_px, high_px = any_px;
  int level = 0;
  for (const auto& own : whole_cascade(id)) {
    const bool is_wide = !is_set(own.of(width)) || is_whole(own.of(width));
    const bool is_raised_box = is_raised(own) || is_set(own.of(float_));
    level = level_of(own.of(z_index));
    if (floats(own) || !is_curtain(own) || !is_wide || !is_raised_box || level < 0) return;
    pulled_px = std::min(pulled_px, pulled_up_px(own));
    high_px = std::min(
        high_px, quantity_of(own.of(height), {}).value_or(tree_.of(id).text > 0 ? letters_px : 0));
  }
  constexpr double margin_px = 20;
  if (pulled_px < letters_px || high_px < pulled_px) return;
  constexpr int most_empty = 8;
  auto before = tree_.at(id).previous;
  for (int empty = 0; before != html::none && tree_.text_in(before) == 0 && empty < most_empty;
       ++empty) {
    tree_.spend(1);
    before = tree_.at(before).previous;
  }
  constexpr html::node_id most_nodes = 8;
  if (before == html::none || tree_.text_in(before) == 0 ||
      tree_.end_of(before) - before > most_nodes)
    return;
  constexpr auto asked = bit_of(padding) | bit_of(height) | bit_of(min_height) | bit_of(display);
  for (auto at = before; at < tree_.end_of(before); ++at) {
    if (!tree_.is_element(at)) continue;
    for (const auto& own : ask_around(at, asked)) {
      if (is_set(own.of(padding)) || is_set(own.of(height)) || is_set(own.of(min_height))) return;
    }
    for (const auto& own : raise_of(at)) {
      if (own.is_raised && own.level > level) return;
    }
  }
  if (pulled_px < high_px_of(before) + margin_px) return;
  covered_.resize(tree_.page().size());
  note_cut_off(before);
}

void style_rules::note_covers() {
  covers_known_ = true;
  const auto is_cover = [](property_set hides) { return (hides & bit_of(property::cover)) != 0; };
  for (std::uint32_t rule = 0; rule < sheets_.all().size(); ++rule) {
    if (!is_cover(sheets_.all()[rule].says.hides)) continue;
    note_drawn_covers(rule);
  }
  for (html::node_id id = 1; id < concerned_.size(); ++id) {
    const bool is_low = (concerned_[id] & bit_of(property::cut_short)) != 0;
    if (is_low && !tree_.is_dropped(id)) {
      note_cut_short(id);
      note_cut_beside(id);
    }
    if (!is_cover(concerned_[id]) || (tree_.is_dropped(id) && !is_drawn_silently(tree_, id))) {
      continue;
    }
    if (tree_.is_element(tree_.parent_of(id))) cover_cell(id);
    const auto& own = whole_cascade(id);
    auto reach = reach_of(own.front());
    const auto other = reach_of(own.back());
    if (!reach || !other) {
      cover_before(id);
      continue;
    }
    reach->wide_px = std::min(reach->wide_px, other->wide_px);
    reach->high_px = std::min(reach->high_px, other->high_px);
    cover(tree_.parent_of(id), {id, id, tree_.end_of(id)}, *reach);
  }
}

bool style_rules::is_covered(html::node_id text) {
  if (!covers_known_) note_covers();
  return !covered_.empty() && covered_[text];
}

}  // namespace freshet::markdown
