// Which colors of the page's texts may be lost, before any element is asked: those of some ground
// of the page, as far as it says what grounds it has.
#include <algorithm>
#include <base/ascii.hpp>
#include <markdown/sheets/value_text.hpp>
#include <markdown/visibility/companions.hpp>
#include <markdown/visibility/style.hpp>

namespace freshet::markdown {

namespace {

bool may_be_transparent(std::string_view color) noexcept {
  const char first = base::lower(color.front());
  constexpr std::string_view of_functions = "trhloc";
  return of_functions.find(first) != of_functions.npos || color.size() == 5 || color.size() == 9;
}

}  // namespace

void add_attributes(const page_tree& tree, html::node_id id, block_summary& says) {
  if (says.color.empty()) says.color = color_attribute(tree, id);
  const auto said = ground_attribute(tree, id);
  if (says.ground.empty()) says.ground = said;
  const auto ground = said.empty() ? std::nullopt : color_of_attribute(said);
  if (!says.color.empty() || (ground && is_same(*ground, {})))
    says.declares |= bit_of(property::color);
}

/// A color hides on a ground that the page has somewhere. Where sheets are not read, nobody knows
/// what else sets the colors: there both stand in one block.
void style_rules::judge_colors() {
  constexpr auto turning = bit_of(property::filter) | bit_of(property::mix_blend);
  for (const auto& one : sheets_.all()) bends_colors_ |= (one.says.hides & turning) != 0;
  if (!has_others_) {
    for (const auto& one : sheets_.all()) note_colors(one.says);
    tree_.spend_on(tree_.page().root());
    for (html::node_id id = 1; id < tree_.page().size(); ++id) {
      if (!tree_.has_attributes(id)) continue;
      block_summary says;
      const auto style = tree_.attribute_of(id, "style");
      if (!style.empty()) says = summary_of(style);
      bends_colors_ |= (says.hides & turning) != 0;
      add_attributes(tree_, id, says);
      note_colors(says);
    }
  }
  for (auto& one : sheets_.all()) {
    if (hides_by_color(one.says)) one.says.hides |= one.says.declares & colors;
    if (may_cover(one.says)) one.says.hides |= bit_of(property::cover);
    if (may_cut_short(one.says)) one.says.hides |= bit_of(property::cut_short);
  }
}

bool style_rules::hides_by_color(const block_summary& says) const {
  if (says.color.empty() && says.fill.empty()) return !has_others_ && is_ground_of_ink(says);
  return hides_by_ink(says.color, says.ground) || hides_by_ink(says.fill, says.ground);
}

bool style_rules::hides_by_ink(std::string_view ink, std::string_view beside) const {
  if (ink.empty()) return false;
  if (has_others_ && beside.empty() && !may_be_transparent(ink)) return false;
  const auto color = color_of_attribute(ink);
  if (!color) return false;
  if (has_others_ && color->alpha > 0) {
    const auto ground = color_of(color_in_background(beside));
    return ground && ground->alpha > 0 && is_same(*color, *ground);
  }
  return may_be_lost(*color);
}

/// Whether a ground is of the color of some text.
bool style_rules::is_ground_of_ink(const block_summary& says) const {
  constexpr double solid = 0.9;
  if (is_named(says.ground, "currentcolor")) return true;
  const auto hides = [&](const std::optional<rgb>& ground) {
    return ground && ground->alpha >= solid &&
           std::ranges::any_of(inks_, [&](const rgb& each) { return is_same(each, *ground); });
  };
  return (!says.ground.empty() && hides(color_of_attribute(says.ground))) ||
         (!says.image.empty() && hides(color_of_image(says.image)));
}

void style_rules::note_ink(std::string_view value) {
  constexpr std::size_t most_inks = 64;
  if (value.empty() || inks_.size() >= most_inks) return;
  const auto ink = color_of_attribute(value);
  if (!ink || ink->alpha == 0) return;
  if (std::ranges::none_of(inks_, [&](const rgb& each) { return is_same(each, *ink); })) {
    inks_.push_back(*ink);
  }
}

}  // namespace freshet::markdown
