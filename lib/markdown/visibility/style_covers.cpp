// Boxes with a ground of their own that are laid upon all of what they are placed in, and what
// draws such a box before or behind an element. What is raised above them is seen. Where sheets are
// not read nobody knows what is.
#include <algorithm>
#include <base/number.hpp>
#include <markdown/sheets/lengths.hpp>
#include <markdown/sheets/sheet_text.hpp>
#include <markdown/sheets/value_text.hpp>
#include <markdown/visibility/companions.hpp>
#include <markdown/visibility/style.hpp>

namespace freshet::markdown {

namespace {

constexpr double solid = 0.99;

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

}  // namespace

/// Whether a block places something with a ground that nothing shines through.
bool style_rules::may_cover(const block_summary& says) const {
  constexpr auto edges = bit_of(property::top) | bit_of(property::left);
  const bool is_in_cell = (says.declares & bit_of(property::grid_cell)) != 0;
  if (is_in_cell && !has_others_ && is_solid(says.ground, says.image)) return true;
  return says.is_placed && !has_others_ && (says.declares & edges) == edges &&
         is_solid(says.ground, says.image);
}

/// The level on which it covers what it is placed in; null where it does not.
std::optional<int> style_rules::covering_level(const cascaded_style& own) {
  using enum property;
  if (!own.is(position, "absolute") || own.is(display, "none") || own.is(display, "contents") ||
      own.is(visibility, "hidden") || is_set(own.of(transform)) || is_set(own.of(translate)) ||
      is_set(own.of(clip_path)) || share_of(own.of(opacity)).value_or(1) < solid ||
      !is_solid(own.of(background), own.of(background_image))) {
    return std::nullopt;
  }
  const bool across =
      is_at_edge(own.of(left)) && (is_at_edge(own.of(right)) || is_whole(own.of(width)));
  const bool down =
      is_at_edge(own.of(top)) && (is_at_edge(own.of(bottom)) || is_whole(own.of(height)));
  const auto level = level_of(own.of(z_index));
  return across && down && level >= 0 ? std::optional(level) : std::nullopt;
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

/// What the box is placed in: `around`, or the nearest above it that holds what is placed.
void style_rules::cover(html::node_id around, const cover_box& box) {
  while (tree_.is_element(around) && !holds_placed(around)) around = tree_.parent_of(around);
  if (!tree_.is_element(around)) return;
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
      return own.is_raised && (own.level > box.level || (own.level == box.level && at >= box.at));
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
  cascaded_style own;
  for (const auto& one : declared) own.add(one, 0, no_selector);
  const auto level = covering_level(own);
  if (!level || own.is(property::content, "none") || !is_valid_rule(rule)) return;
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
      cover(id, {is_behind ? tree_.end_of(id) : id, html::none, 0, *level});
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

void style_rules::note_covers() {
  covers_known_ = true;
  const auto is_cover = [](property_set hides) { return (hides & bit_of(property::cover)) != 0; };
  for (std::uint32_t rule = 0; rule < sheets_.all().size(); ++rule) {
    if (!is_cover(sheets_.all()[rule].says.hides)) continue;
    note_drawn_covers(rule);
  }
  for (html::node_id id = 1; id < concerned_.size(); ++id) {
    const bool is_low = (concerned_[id] & bit_of(property::cut_short)) != 0;
    if (is_low && !tree_.is_dropped(id)) note_cut_short(id);
    if (!is_cover(concerned_[id]) || tree_.is_dropped(id)) continue;
    if (tree_.is_element(tree_.parent_of(id))) cover_cell(id);
    const auto& own = whole_cascade(id);
    const auto level = covering_level(own.front());
    if (!level || !covering_level(own.back())) continue;
    cover(tree_.parent_of(id), {id, id, tree_.end_of(id), *level});
  }
}

bool style_rules::is_covered(html::node_id text) {
  if (!covers_known_) note_covers();
  return !covered_.empty() && covered_[text];
}

}  // namespace freshet::markdown
