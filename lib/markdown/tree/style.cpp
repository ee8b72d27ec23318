// The rules that can hide are filed by what they ask of an element, so that most elements cost a
// look into a table. Only where one hits are the others filed, too, and the whole cascade is made.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <markdown/tree/sheet_text.hpp>
#include <markdown/tree/style.hpp>

namespace freshet::markdown {

namespace {

constexpr property_set colors =
    bit_of(property::color) | bit_of(property::text_fill) | bit_of(property::background);

/// What goes down to the texts below, which may say otherwise.
constexpr property_set of_texts =
    colors | bit_of(property::visibility) | bit_of(property::font_size);

/// What decides whether a property hides.
property_set companions_of(property one) noexcept {
  using enum property;
  const auto placed = bit_of(one) | bit_of(display) | bit_of(position);
  switch (one) {
    case color:
    case text_fill:
    case background:
      return colors | bit_of(background_clip) | bit_of(position);
    case width:
    case height:
    case max_width:
    case max_height:
      return placed | bit_of(overflow);
    case display:
    case visibility:
    case opacity:
    case font_size:
    case clip_path:
      return bit_of(one);
    default:
      return placed;
  }
}

property_set companions_of_all(property_set hiding) noexcept {
  property_set all = 0;
  for (unsigned i = 0; i < static_cast<unsigned>(property::count); ++i) {
    const auto one = static_cast<property>(i);
    if ((hiding & bit_of(one)) != 0) all |= companions_of(one);
  }
  return all;
}

/// What shows what an attribute hides.
property_set asked_by_attributes(const page_tree& tree, html::node_id id) {
  const bool asks = tree.is_element(id, html::tag_id::dialog) || tree.has_attribute(id, "hidden");
  return asks ? bit_of(property::display) : 0;
}

/// Icons, overlays and places for advertisements: most of what sheets hide.
bool is_empty_box(const page_tree& tree, html::node_id id) {
  using enum html::tag_id;
  const auto tag = tree.tag_of(id);
  if (tree.is_dropped(id)) return true;
  if (tag != div && tag != span && tag != i && tag != html::tag_id::a && tag != button)
    return false;
  const auto& holds = tree.of(id);
  return holds.text == 0 && holds.images == 0 && holds.embeds == 0 && holds.inputs == 0;
}

bool may_be_transparent(std::string_view color) noexcept {
  const char first = base::lower(color.front());
  constexpr std::string_view of_functions = "trhloc";
  return of_functions.find(first) != of_functions.npos || color.size() == 5 || color.size() == 9;
}

}  // namespace

base::meter& style_rules::meter() const noexcept {
  auto* const counted = tree_.page().counted_on();
  return counted != nullptr ? *counted : unbounded_;
}

void style_rules::read(std::string_view sheet, std::string_view media) {
  constexpr std::size_t bytes_per_step = 8;
  tree_.spend(1 + sheet.size() / bytes_per_step);
  sheets_.read(sheet, media);
}

void style_rules::finish() {
  has_others_ = has_others_ || sheets_.has_imports();
  judge_colors();
  auto& rules = sheets_.all();
  filed_.resize(rules.size());
  if (!rules.empty()) note_page();
  for (std::uint32_t number = 0; number < rules.size(); ++number) {
    if (rules[number].says.hides != 0) file(number);
  }
  find_concerned();
}

/// The names that rules can ask for: most rules of most sheets are for other pages of the site.
void style_rules::note_page() {
  constexpr std::uint64_t steps_of_node = 3;
  tree_.spend(tree_.page().size() * steps_of_node);
  filters_.resize(tree_.page().size());
  name_ends_.resize(tree_.page().size());
  for (html::node_id id = 1; id < tree_.page().size(); ++id) {
    name_ends_[id] = static_cast<std::uint32_t>(names_.size());
    if (!tree_.is_element(id)) continue;
    page_tags_[static_cast<std::size_t>(tree_.tag_of(id))] = true;
    filters_[id] = filters_[tree_.parent_of(id)];
    each_name_of(id, [&](const name_place& name) {
      name.set_in(page_names_);
      name.set_in(filters_[id]);
      names_.push_back(name);
    });
    name_ends_[id] = static_cast<std::uint32_t>(names_.size());
  }
}

template <class With>
void style_rules::each_name_of(html::node_id id, With action) const {
  if (!tree_.has_attributes(id)) return;
  const auto own_id = tree_.attribute_of(id, "id");
  if (!own_id.empty()) action(name_place('#', own_id));
  each_class(tree_.attribute_of(id, "class"),
             [&](std::string_view name) { action(name_place('.', name)); });
}

bool style_rules::may_stand_below(const name_filter& above, html::node_id id) const noexcept {
  const auto& own = filters_[tree_.parent_of(id)];
  return (above[0] & ~own[0]) == 0 && (above[1] & ~own[1]) == 0;
}

/// A color hides on a ground that the page has somewhere. Where sheets are not read, nobody knows
/// what else sets the colors: there both stand in one block.
void style_rules::judge_colors() {
  if (!has_others_) {
    for (const auto& one : sheets_.all()) note_ground(one.says.ground);
    tree_.spend_on(tree_.page().root());
    for (html::node_id id = 1; id < tree_.page().size(); ++id) {
      const auto style = tree_.attribute_of(id, "style");
      if (!style.empty()) note_ground(summary_of(style).ground);
    }
  }
  for (auto& one : sheets_.all()) {
    if (hides_by_color(one.says)) one.says.hides |= one.says.declares & colors;
  }
}

bool style_rules::hides_by_color(const block_summary& says) const {
  if (says.color.empty()) return false;
  if (has_others_ && says.ground.empty() && !may_be_transparent(says.color)) return false;
  const auto color = color_of(says.color);
  if (!color) return false;
  if (color->alpha == 0) return true;
  if (has_others_) {
    const auto ground = color_of(color_in_background(says.ground));
    return ground && ground->alpha > 0 && is_same(*color, *ground);
  }
  constexpr rgb paper{255, 255, 255, 1};
  return is_same(*color, paper) ||
         std::ranges::any_of(grounds_, [&](const rgb& each) { return is_same(*color, each); });
}

void style_rules::note_ground(std::string_view value) {
  constexpr std::size_t most_grounds = 64;
  if (value.empty() || grounds_.size() >= most_grounds) return;
  const auto ground = color_of(color_in_background(value));
  const auto known = [&](const rgb& each) { return is_same(each, *ground); };
  if (ground && ground->alpha > 0 && std::ranges::none_of(grounds_, known)) {
    grounds_.push_back(*ground);
  }
}

template <class Visit>
void style_rules::each_named(html::node_id id, Visit visit) const {
  const auto visit_all = [&](const buckets& in, char sign, std::string_view name) {
    if (!name_place(sign, name).is_in(filed_names_)) return;
    const auto found = in.find(name);
    if (found == in.end()) return;
    for (auto at = found->second; at != no_selector; at = selectors_[at].next) visit(at);
  };
  const auto own_id = tree_.attribute_of(id, "id");
  if (!own_id.empty()) visit_all(by_id_, '#', own_id);
  each_class(tree_.attribute_of(id, "class"),
             [&](std::string_view name) { visit_all(by_class_, '.', name); });
}

template <class Visit>
void style_rules::each_unnamed(html::node_id id, Visit visit) const {
  auto at = by_tag_[static_cast<std::size_t>(tree_.tag_of(id))];
  for (; at != no_selector; at = selectors_[at].next) visit(at);
  constexpr std::size_t looks_per_step = 4;
  tree_.spend(for_all_.size() / looks_per_step);
  for (const auto place : for_all_) {
    const auto& asked = selectors_[place].attribute;
    if (asked.empty() || tree_.has_attribute(id, asked)) visit(place);
  }
}

/// Whether a selector may be filed by a name of an element.
bool style_rules::may_be_named(html::node_id id) const noexcept {
  for (auto at = name_ends_[id - 1]; at < name_ends_[id]; ++at) {
    if (names_[at].is_in(filed_names_)) return true;
  }
  return false;
}

void style_rules::find_concerned() {
  const auto& page = tree_.page();
  concerned_.resize(page.size());
  tree_.spend_on(page.root());
  property_set by_rules = 0, by_elements = 0;
  for (html::node_id id = 1; id < page.size(); ++id) {
    if (!tree_.is_element(id)) continue;
    const auto look = [&](std::uint32_t at) { concern(id, at); };
    if (!selectors_.empty()) {
      if (may_be_named(id)) each_named(id, look);
      each_unnamed(id, look);
    }
    by_rules |= concerned_[id];
    if (tree_.has_attributes(id)) {
      auto own = inline_hides(id);
      if (own != 0 && is_empty_box(tree_, id)) own &= bit_of(property::margin_left);
      by_elements |= own;
      concerned_[id] |= own;
    }
    const auto by_attributes = asked_by_attributes(tree_, id);
    if ((concerned_[id] | by_attributes) == 0) continue;
    wanted_ |= by_attributes;
    asked_tags_[static_cast<std::size_t>(tree_.tag_of(id))] = true;
    each_name_of(id, [&](const name_place& name) { name.set_in(asked_names_); });
  }
  const auto all = by_rules | by_elements;
  wanted_of_texts_ = companions_of_all(all & of_texts);
  wanted_ |= companions_of_all(by_rules) | wanted_of_texts_ |
             (companions_of_all(by_elements) & ~by_elements);
  overruled_ = by_elements & ~wanted_;
  wanted_ |= by_elements;
  if (all == 0) concerned_ = {};
}

void style_rules::concern(html::node_id id, std::uint32_t place) {
  tree_.spend(1);
  auto hides = sheets_.all()[selectors_[place].rule].says.hides;
  // An empty box hides nothing, but it may move the rest of its line.
  if (is_empty_box(tree_, id)) hides &= bit_of(property::margin_left);
  if ((hides & ~concerned_[id]) == 0 || !matches(selectors_[place], id)) return;
  concerned_[id] |= hides;
}

property_set style_rules::inline_hides(html::node_id id) {
  const auto style = tree_.attribute_of(id, "style");
  if (style.empty()) return 0;
  constexpr std::size_t bytes_per_step = 8;
  tree_.spend(1 + style.size() / bytes_per_step);
  const auto says = summary_of(style);
  return says.hides | (hides_by_color(says) ? says.declares & colors : 0);
}

bool style_rules::matches(rule_selector& one, html::node_id id) {
  if (one.state == rule_selector::plain) return true;
  if (!may_stand_below(one.above, id) || !compile(one)) return false;
  return one.of->matches(tree_.page(), id, meter());
}

const std::vector<declaration>& style_rules::declarations_of(std::uint32_t rule) {
  const auto [found, added] = declarations_.try_emplace(rule);
  if (added) {
    // What is nested is not read.
    const auto body = sheets_.all()[rule].body;
    read_declarations(body.substr(0, body.find('{')), found->second);
    std::erase_if(found->second,
                  [&](const declaration& one) { return (bit_of(one.of) & wanted_) == 0; });
  }
  return found->second;
}

const style_rules::cascades& style_rules::whole_cascade(html::node_id id) {
  const auto [found, added] = wholes_.try_emplace(id);
  if (added) {
    const auto hiding = concerned_.empty() ? 0 : concerned_[id];
    found->second = make_cascade(id, companions_of_all(hiding) | asked_by_attributes(tree_, id));
  }
  return found->second;
}

const style_rules::cascades& style_rules::text_cascade(html::node_id id) {
  const auto [found, added] = texts_.try_emplace(id);
  if (added) found->second = make_cascade(id, wanted_of_texts_);
  return found->second;
}

style_rules::cascades style_rules::make_cascade(html::node_id id, property_set asked) {
  constexpr std::uint64_t important = std::uint64_t{1} << 63, inline_style = std::uint64_t{1} << 62;
  constexpr unsigned specificity_place = 32;
  cascades made;
  if (asked == 0) return made;
  const auto add = [&](const declaration& one, screen_set on, std::uint64_t weight,
                       std::uint32_t selector) {
    if ((bit_of(one.of) & asked) == 0) return;
    if (one.important) weight |= important;
    for (std::size_t screen = 0; screen < screens; ++screen) {
      if ((on >> screen & 1) != 0) made[screen].add(one, weight, selector);
    }
  };
  std::vector<declaration> declared;
  if (const auto style = tree_.attribute_of(id, "style"); !style.empty()) {
    read_declarations(style, declared);
  }
  property_set set_inline = 0;
  for (const auto& one : declared) {
    add(one, all_screens, inline_style, no_selector);
    set_inline |= bit_of(one.of);
  }
  file_wanted();
  const auto look = [&](std::uint32_t place) {
    tree_.spend(1);
    auto& one = selectors_[place];
    const auto& from = sheets_.all()[one.rule];
    // What an element says itself is only overruled by what is important.
    const auto open = from.says.important ? asked : asked & ~set_inline;
    if ((from.says.declares & open) == 0 || !matches(one, id)) return;
    const auto weight = std::uint64_t{one.specificity} << specificity_place | one.rule;
    const auto& all = declarations_of(one.rule);
    tree_.spend(all.size());
    for (const auto& each : all) add(each, from.on, weight, place);
  };
  each_named(id, look);
  each_unnamed(id, look);
  return made;
}

seen_style style_rules::look_at(html::node_id id, bool is_in_hidden_texts) {
  seen_style made;
  if (wanted_ == 0) return made;
  const bool hides_texts = !concerned_.empty() && (concerned_[id] & of_texts) != 0;
  const auto& own = whole_cascade(id);
  made.display = own[0].of(property::display);
  for (std::size_t screen = 0; screen < screens; ++screen) {
    made.whole[screen] = whole_of(own[screen], tree_.tag_of(id));
    if (made.whole[screen].how != hiding::none || !(hides_texts || is_in_hidden_texts)) continue;
    made.texts[screen] = screen > 0 && !sheets_.has_media()
                             ? made.texts[0]
                             : texts_on(id, screen, is_in_hidden_texts);
  }
  return made;
}

}  // namespace freshet::markdown
