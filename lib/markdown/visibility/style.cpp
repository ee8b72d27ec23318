// The rules that can hide are filed by what they ask of an element, so that most elements cost a
// look into a table. Only where one hits are the others filed, too, and the whole cascade is made.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <markdown/sheets/placed_beyond.hpp>
#include <markdown/sheets/plain_sheet.hpp>
#include <markdown/sheets/sheet_text.hpp>
#include <markdown/sheets/value_text.hpp>
#include <markdown/visibility/companions.hpp>
#include <markdown/visibility/style.hpp>
#include <utility>

namespace freshet::markdown {

namespace {

/// What a first line can be told: nothing of a box.
constexpr property_set of_first_line = bit_of(property::color) | bit_of(property::text_fill) |
                                       bit_of(property::background) | bit_of(property::font_size) |
                                       bit_of(property::letter_spacing);

/// What shows what an attribute hides.
property_set asked_by_attributes(const page_tree& tree, html::node_id id) {
  const bool asks = tree.is_element(id, html::tag_id::dialog) || tree.has_attribute(id, "hidden") ||
                    tree.has_attribute(id, "popover");
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

}  // namespace

base::meter& style_rules::meter() const noexcept {
  auto* const counted = tree_.page().counted_on();
  return counted != nullptr ? *counted : unbounded_;
}

void style_rules::read(std::string_view sheet, std::string_view media, html::node_id place) {
  constexpr std::size_t bytes_per_step = 8;
  tree_.spend(1 + sheet.size() / bytes_per_step);
  if (!trees_.empty()) {
    sheet_trees_.emplace_back(static_cast<std::uint32_t>(sheets_.all().size()), tree_place(place));
  }
  const auto before = static_cast<std::uint32_t>(sheets_.all().size());
  if (sheet.find("@container") != sheet.npos && has_own_containers()) sheets_.note_containers();
  sheets_.read(sheet, media);
  const auto& rules = sheets_.all();
  if (std::any_of(rules.begin() + before, rules.end(),
                  [](const auto& one) { return one.in_place; }))
    scopes_.emplace_back(before, tree_.parent_of(place));
}

/// Whether an element says itself that it is a container, which its sheets may never say.
bool style_rules::has_own_containers() {
  if (has_own_containers_) return *has_own_containers_;
  constexpr std::size_t bytes_per_step = 8;
  bool has = false;
  tree_.spend_on(tree_.page().root());
  for (html::node_id id = 0; id < tree_.page().size() && !has; ++id) {
    if (!tree_.is_element(id) || !tree_.has_attributes(id)) continue;
    const auto style = tree_.attribute_of(id, "style");
    tree_.spend(style.size() / bytes_per_step);
    has = style.find("container") != style.npos;
  }
  has_own_containers_ = has;
  return has;
}

bool style_rules::read_address(std::string_view address, std::string_view media,
                               html::node_id place) {
  auto sheet = sheet_in_address(address);
  if (sheet) read(sheets_.keep(std::move(*sheet)), media, place);
  return sheet.has_value();
}

void style_rules::finish() {
  note_trees();
  has_others_ = has_others_ || sheets_.has_imports();
  ranks_ = sheets_.layers().ranks();
  for (const auto& one : sheets_.all()) {
    declared_ |= one.says.declares;
    takes_back_ |= one.says.takes_back;
  }
  auto& rules = sheets_.all();
  filed_.resize(rules.size());
  validity_.resize(rules.size());
  if (!rules.empty()) note_page();
  judge_colors();
  read_animations();
  judge_variables();
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

template <class Visit>
void style_rules::each_named(html::node_id id, Visit visit) const {
  const auto visit_all = [&](const buckets& in, char sign, std::string_view name) {
    if (!name_place(sign, name).is_in(filed_names_)) return;
    if (const auto found = in.find(name); found != in.end())
      for (auto at = found->second; at != no_selector; at = selectors_[at].next) visit(at);
  };
  const auto* const filed = filing_at(id);
  if (filed == nullptr) return;
  const auto own_id = tree_.attribute_of(id, "id");
  if (!own_id.empty()) visit_all(filed->by_id, '#', own_id);
  each_class(tree_.attribute_of(id, "class"),
             [&](std::string_view name) { visit_all(filed->by_class, '.', name); });
}

template <class Visit>
void style_rules::each_unnamed(html::node_id id, Visit visit) const {
  each_of_host(id, visit);
  const auto* const filed = filing_at(id);
  if (filed == nullptr) return;
  auto at = filed->by_tag[static_cast<std::size_t>(tree_.tag_of(id))];
  for (; at != no_selector; at = selectors_[at].next) visit(at);
  constexpr std::size_t looks_per_step = 4;
  tree_.spend(filed->for_all.size() / looks_per_step);
  for (const auto place : filed->for_all) {
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

/// An empty box hides nothing; one with a slot, what the slot takes.
bool style_rules::shows_nothing(html::node_id id) const {
  if (!is_empty_box(tree_, id)) return false;
  if (tree_.is_dropped(id) || tree_place(id) == 0) return true;
  tree_.spend_on(id);
  for (auto at = id + 1; at < tree_.end_of(id); ++at) {
    if (tree_.is_element(at, html::tag_id::slot)) return false;
  }
  return true;
}

void style_rules::find_concerned() {
  const auto& page = tree_.page();
  concerned_.resize(page.size());
  tree_.spend_on(page.root());
  property_set by_rules = 0, by_elements = 0;
  bool boxes_words = false;
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
      if (own != 0 && shows_nothing(id))
        own &= bit_of(property::margin_left) | bit_of(property::cover);
      by_elements |= own;
      concerned_[id] |= own;
    }
    const auto by_attributes = asked_by_attributes(tree_, id);
    if ((concerned_[id] | by_attributes) == 0) continue;
    boxes_words |= (concerned_[id] & of_boxes) != 0 && is_usually_inline(tree_.tag_of(id));
    wanted_ |= by_attributes;
    asked_tags_[static_cast<std::size_t>(tree_.tag_of(id))] = true;
    each_name_of(id, [&](const name_place& name) { name.set_in(asked_names_); });
  }
  // What is drawn before or behind an element is of none.
  for (const auto& one : sheets_.all()) by_rules |= one.says.hides & bit_of(property::cover);
  const auto all = by_rules | by_elements;
  wanted_of_texts_ = companions_of_all(all & of_texts);
  // In what an element is placed is asked of all that stands above it.
  if ((all & placing) != 0) wanted_of_texts_ |= bit_of(property::position);
  constexpr auto widths = bit_of(property::width) | bit_of(property::max_width);
  if ((all & bit_of(property::cover)) != 0) {
    wanted_of_any_ |= raising | bit_of(property::padding) | bit_of(property::padding_top) |
                      bit_of(property::height) | bit_of(property::min_height);
    if ((declared_ & bit_of(property::grid_cell)) != 0) {
      wanted_of_any_ |= bit_of(property::grid_cell) | bit_of(property::display) |
                        bit_of(property::background) | bit_of(property::background_image);
    }
  }
  if ((all & bit_of(property::z_index)) != 0 && !has_others_) {
    wanted_of_any_ |= raising | bit_of(property::background);
  }
  if ((all & bit_of(property::grid_rows)) != 0 ||
      (!has_others_ && (all & (widths | placing)) != 0)) {
    wanted_of_any_ |= bit_of(property::overflow) | bit_of(property::contain) |
                      bit_of(property::padding) | bit_of(property::padding_top);
  }
  if ((all & bit_of(property::far_left)) != 0 && !has_others_) {
    wanted_of_any_ |= of_edge | bit_of(property::padding);
  }
  if ((all & bit_of(property::cut_short)) != 0) {
    wanted_of_any_ |= of_flow;
  }
  if (((all & of_rows) != 0 && !has_others_) || boxes_words)
    wanted_of_any_ |= bit_of(property::display);
  wanted_ |= companions_of_all(by_rules) | wanted_of_texts_ | wanted_of_any_ |
             (companions_of_all(by_elements) & ~by_elements);
  if (!animations_.empty() && all != 0) {
    wanted_ |= bit_of(property::animation) | bit_of(property::animation_fill);
  }
  overruled_ = by_elements & ~wanted_;
  wanted_ |= by_elements;
  if (all == 0) concerned_ = {};
}

void style_rules::concern(html::node_id id, std::uint32_t place) {
  tree_.spend(1);
  auto hides = sheets_.all()[selectors_[place].rule].says.hides;
  // An empty box hides nothing, but it may move the rest of its line.
  if (shows_nothing(id)) hides &= bit_of(property::margin_left) | bit_of(property::cover);
  if (selectors_[place].is_first_line) hides &= of_first_line;
  if ((hides & ~concerned_[id]) == 0 || !matches(selectors_[place], id)) return;
  if (selectors_[place].is_first_line && !is_one_line(id)) return;
  const auto rule = selectors_[place].rule;
  if (!holds_around(rule, id, 0) && !holds_around(rule, id, screens - 1)) return;
  concerned_[id] |= hides;
}

property_set style_rules::inline_hides(html::node_id id) {
  const auto style = style_of(id);
  block_summary says;
  if (!style.empty()) {
    constexpr std::size_t bytes_per_step = 8;
    tree_.spend(1 + style.size() / bytes_per_step);
    says = summary_of(style);
  }
  add_attributes(tree_, id, says);
  if (says.declares == 0) return 0;
  declared_ |= says.declares;
  auto hides = says.hides;
  if (says.varies != 0) hides |= possibly_hidden(style);
  if (hides_by_color(says)) hides |= says.declares & colors;
  if (may_cover(says)) hides |= bit_of(property::cover);
  if (may_cut_short(says)) hides |= bit_of(property::cut_short);
  takes_back_ |= says.takes_back;
  if ((says.declares & bit_of(property::animation)) != 0) hides |= hidden_by_animations(style);
  return hides;
}

/// An element's own declarations, made plain.
std::string_view style_rules::style_of(html::node_id id) {
  const auto style = tree_.attribute_of(id, "style");
  if (style.empty() || style.find_first_of("\\*") == style.npos) return style;
  const auto [known, added] = plain_styles_.try_emplace(id, style);
  if (added) {
    if (auto plain = plain_sheet(style)) known->second = sheets_.keep(std::move(*plain));
  }
  return known->second;
}

/// Whether all in an element stands in its first line on any screen.
bool style_rules::is_one_line(html::node_id id) const {
  constexpr std::uint32_t letters_of_line = 40;
  if (tree_.text_in(id) > letters_of_line) return false;
  tree_.spend_on(id);
  for (auto at = id + 1; at < tree_.end_of(id); ++at) {
    if (tree_.is_element(at, html::tag_id::br)) return false;
  }
  return true;
}

bool style_rules::matches(rule_selector& one, html::node_id id) {
  if (!trees_.empty() && !speaks_of(one, id)) return false;
  if (!is_valid_rule(one.rule)) return false;
  if (one.state == rule_selector::plain) return true;
  if (!may_stand_below(one.above, id) || !compile(one)) return false;
  return one.of->matches(tree_.page(), id, meter());
}

const std::vector<declaration>& style_rules::declarations_of(std::uint32_t rule) {
  const auto [found, added] = declarations_.try_emplace(rule);
  if (added) {
    read_declarations(sheets_.all()[rule].body, found->second);
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

namespace {

constexpr std::uint64_t is_important = std::uint64_t{1} << 63,
                        is_inline_style = std::uint64_t{1} << 62;
constexpr unsigned place_of_specificity = 20, place_of_layer = 52;

bool is_taken_back(std::string_view value) noexcept {
  return is_one_of(value, {"revert-layer", "revert-rule"});
}

}  // namespace

/// "revert-layer": what the layers below say, and "revert-rule": what weaker rules do.
void style_rules::take_back(on_screens<cascade>& made, std::vector<weighed_declaration> all) {
  // Of equal ones the last comes first.
  std::ranges::reverse(all);
  std::ranges::stable_sort(all, std::ranges::greater{}, &weighed_declaration::weight);
  tree_.spend(all.size());
  for (std::size_t screen = 0; screen < screens; ++screen) {
    property_set known = 0;
    std::array<std::uint64_t, static_cast<std::size_t>(property::count)> beyond{};
    beyond.fill(~std::uint64_t{0});
    for (const auto& one : all) {
      const auto at = static_cast<std::size_t>(one.of.of);
      if ((one.on >> screen & 1) == 0 || (known & bit_of(one.of.of)) != 0) continue;
      if (one.weight >= beyond[at]) continue;
      if (is_taken_back(one.of.value)) {
        const bool is_layer = is_named(one.of.value, "revert-layer");
        beyond[at] = is_layer ? one.weight >> place_of_layer << place_of_layer : one.weight;
        made[screen].set(one.of.of, {});
        continue;
      }
      known |= bit_of(one.of.of);
      made[screen].replace(one.of, one.weight, one.selector);
    }
  }
}

/// What is important wins, then what an element says itself, then the later layer, the more
/// specific selector and the later rule.
std::uint64_t style_rules::weight_of(std::uint32_t rule, std::uint32_t specificity,
                                     bool important) const noexcept {
  static_assert(most_rules < 1u << place_of_specificity);
  auto rank = std::uint64_t{ranks_[sheets_.all()[rule].layer]};
  if (important) rank = sheet_layers::most_ranks - rank;
  return (important ? is_important : 0) | rank << place_of_layer |
         std::uint64_t{specificity} << place_of_specificity | rule;
}

style_rules::cascades style_rules::make_cascade(html::node_id id, property_set asked) {
  on_screens<cascade> made;
  if (asked == 0) return {};
  if (!animations_.empty()) {
    asked |= bit_of(property::animation) | bit_of(property::animation_fill);
  }
  std::vector<declaration> declared;
  if (const auto style = style_of(id); !style.empty()) read_declarations(style, declared);
  property_set set_inline = 0;
  std::vector<weighed_declaration> all_said;  // where something takes back what is stronger
  for (const auto& one : declared) {
    if ((bit_of(one.of) & asked) == 0) continue;
    const auto weight = is_inline_style | (one.important ? is_important : 0);
    for (auto& each : made) each.add(one, weight, no_selector);
    if (takes_back_) all_said.push_back({one, weight, no_selector, all_screens});
    if (!is_taken_back(one.value)) set_inline |= bit_of(one.of);
  }
  file_wanted();
  const auto look = [&](std::uint32_t place) {
    tree_.spend(1);
    auto& one = selectors_[place];
    const auto& from = sheets_.all()[one.rule];
    // What an element says itself is only overruled by what is important.
    const auto open = from.says.important ? asked : asked & ~set_inline;
    if ((from.says.declares & open) == 0 || !matches(one, id)) return;
    if (one.is_first_line && !is_one_line(id)) return;
    const on_screens<bool> holds = {holds_around(one.rule, id, 0), holds_around(one.rule, id, 1)};
    const auto& all = declarations_of(one.rule);
    tree_.spend(all.size());
    for (const auto& each : all) {
      if ((bit_of(each.of) & asked) == 0) continue;
      if (one.is_first_line && (bit_of(each.of) & of_first_line) == 0) continue;
      auto weight = weight_of(one.rule, one.specificity, each.important);
      // The line stands in its element, which only hands down what it says.
      if (one.is_first_line) weight |= is_important | is_inline_style;
      screen_set on = 0;
      for (std::size_t screen = 0; screen < screens; ++screen) {
        if ((from.on >> screen & 1) == 0 || !holds[screen]) continue;
        on = static_cast<screen_set>(on | 1u << screen);
        made[screen].add(each, weight, place);
      }
      if (takes_back_) all_said.push_back({each, weight, place, on});
    }
  };
  each_named(id, look);
  each_unnamed(id, look);
  if (takes_back_) take_back(made, std::move(all_said));
  for (std::size_t screen = 0; screen < screens; ++screen) {
    end_animations(made[screen], asked, id, screen);
    resolve(made[screen], asked, id, screen);
  }
  cascades kept;
  for (std::size_t screen = 0; screen < screens; ++screen) {
    kept[screen] = cascaded_style(made[screen]);
    // Mostly it is as on the other screen, and as of the element before.
    if (kept[screen].is_same_as(last_made_)) kept[screen] = last_made_;
    last_made_ = kept[screen];
  }
  return kept;
}

seen_style style_rules::look_at(html::node_id id, bool is_in_hidden_texts) {
  seen_style made;
  if (wanted_ == 0) return made;
  const bool hides_texts = !concerned_.empty() && (concerned_[id] & of_texts) != 0;
  const auto& own = whole_cascade(id);
  made.display = own[0].of(property::display);
  for (std::size_t screen = 0; screen < screens; ++screen) {
    made.whole[screen] = whole_of(own[screen], box_of(id, own[screen], screen));
    if (made.whole[screen].how == hiding::none) made.whole[screen] = faded_on(id, screen);
    if (made.whole[screen].how == hiding::none) made.whole[screen] = boxed_on(id, screen);
    if (made.whole[screen].how == hiding::none) made.whole[screen] = moved_on(id, screen);
    if (made.whole[screen].how != hiding::none) continue;
    if (hides_texts || is_in_hidden_texts) {
      made.texts[screen] = screen > 0 && !sheets_.has_media()
                               ? made.texts[0]
                               : texts_on(id, screen, is_in_hidden_texts);
    }
    // Menus that slide in are shown by a rule: what hides their texts as well has its say first.
    if (made.texts[screen].how == hiding::none) made.whole[screen] = placed_on(id, screen);
  }
  return made;
}

}  // namespace freshet::markdown
