// One walk finds what is hidden; what one selector hides is weighed before anything is dropped.
// A page shows something: what holds a good part of its prose and is hidden until scripts run is
// shown by them.
#include <algorithm>
#include <base/unicode.hpp>
#include <markdown/safety/instructions.hpp>
#include <markdown/sheets/lengths.hpp>
#include <markdown/sheets/value_text.hpp>
#include <markdown/tree/signals.hpp>
#include <markdown/visibility/hidden_parts.hpp>
#include <markdown/visibility/switches.hpp>
#include <markdown/visibility/titled_parts.hpp>
#include <unordered_map>

namespace freshet::markdown {

namespace {

/// What a page shows, but has no readers of screens stop at: an old price and the new one, which
/// it tells them in words, and a link beside another one to the same page.
bool is_for_eyes(html::tag_id tag) noexcept {
  return tag == html::tag_id::del || tag == html::tag_id::ins || tag == html::tag_id::a;
}

/// What the element's own style attribute declares.
std::vector<declaration> own_declarations(const page_tree& tree, html::node_id id) {
  std::vector<declaration> own;
  const auto style = tree.attribute_of(id, "style");
  if (style.empty()) return own;
  constexpr std::size_t bytes_per_step = 8;
  tree.spend(1 + style.size() / bytes_per_step);
  read_declarations(style, own);
  return own;
}

/// What comes up only while a pointer stands on something else.
bool is_tooltip(const page_tree& tree, html::node_id id) {
  return tree.attribute_of(id, "role") == "tooltip";
}

/// "mathsize=0": letters of formulas that nobody can read.
bool is_unreadable_formula(const page_tree& tree, html::node_id id) {
  constexpr double unreadable_px = 3, usual_px = 16;
  if (tree.page().at(id).space != html::element_space::math) return false;
  const auto size = length_of(base::trim(tree.attribute_of(id, "mathsize")), usual_px);
  return size && *size <= unreadable_px;
}

bool is_formula_picture(const html::document& page, html::node_id id) {
  return page.is_element(id, html::tag_id::img) &&
         page.attribute_of(id, "class").find("fallback-image") != std::string_view::npos;
}

/// What hides on every screen, by the weakest.
hidden_by on_all(const on_screens<hidden_by>& one, const on_screens<hidden_by>& other) {
  hidden_by weakest;
  for (std::size_t screen = 0; screen < screens; ++screen) {
    const auto& stronger = one[screen].how >= other[screen].how ? one[screen] : other[screen];
    if (screen == 0 || stronger.how < weakest.how) weakest = stronger;
  }
  return weakest;
}

bool hides(const on_screens<hidden_by>& all) {
  return std::ranges::any_of(all, [](const hidden_by& one) { return one.how != hiding::none; });
}

}  // namespace

std::string hidden_parts::drop(hiding least) {
  least_ = least;
  words_.clear();
  // Each keeps at least one rule more; what is left after so many is dropped.
  constexpr int most_rounds = 4;
  for (int round = 0; round < most_rounds; ++round) {
    find();
    if (!keep_what_scripts_show()) break;
  }
  unseen_.clear();
  for (const auto& one : found_) drop_part(one.id);
  std::ranges::sort(unseen_);
  tree_.set_unseen_in_formulas(std::move(unseen_));
  for (const auto id : shown_) drop_instructions(id);
  return std::move(words_);
}

void hidden_parts::find() {
  most_ = signals::shown_by_scripts * tree_.text_in(tree_.body());
  regions_.clear();
  found_.clear();
  shown_.clear();
  moved_until_ = panel_until_ = 0;
  tree_.spend_on(tree_.body());
  const auto end = tree_.end_of(tree_.body());
  // What is said of all the page hides its texts, too. A page of frames has no body.
  if (tree_.body() != html::document::root()) {
    const auto whole = tree_.parent_of(tree_.body());
    if (tree_.is_element(whole)) look_at(whole);
  }
  for (html::node_id id = tree_.body(); id < end; ++id) {
    while (!regions_.empty() && regions_.back().end <= id) regions_.pop_back();
    const auto taken = found_.size();
    const bool moved = id < moved_until_;
    if (!moved && !tree_.is_dropped(id)) look_at(id);
    if (moved || tree_.is_dropped(id) || found_.size() > taken) id = tree_.end_of(id) - 1;
  }
}

const hidden_parts::region& hidden_parts::here() const noexcept {
  static constexpr region nothing;
  return regions_.empty() ? nothing : regions_.back();
}

/// Whether anything says that an element may be hidden; where nothing does, it is as its parent.
bool hidden_parts::is_asked(html::node_id id) {
  if (tree_.is_element(id, html::tag_id::dialog)) return true;
  if (tree_.has_attributes(id)) {
    if (tree_.has_attribute(id, "popover") || (tree_.marks_of(id) & mark::hidden) != 0 ||
        tree_.has_attribute(id, "hidden") || tree_.has_attribute(id, "aria-hidden") ||
        tree_.has_attribute(id, "mathsize") || is_tooltip(tree_, id)) {
      return true;
    }
  }
  return rules_.concerns(id);
}

void hidden_parts::look_at(html::node_id id) {
  if (!tree_.is_element(id)) {
    if (!tree_.is_text(id)) return;
    if (rules_.is_covered(id)) return take(id, {hiding::until_shown, property::cover});
    if (!regions_.empty()) take(id, on_all(here().whole, here().texts));
    return;
  }
  // What hides a formula is that of a picture of it which is shown.
  if (tree_.is_element(id, html::tag_id::math) && !regions_.empty())
    regions_.push_back({tree_.end_of(id), {}, {}});
  const bool asked = is_asked(id);
  if (!asked && regions_.empty()) return;
  const bool in_hidden_texts = hides(here().texts);
  const auto seen = asked || in_hidden_texts ? rules_.look_at(id, in_hidden_texts) : seen_style{};
  region inside{tree_.end_of(id), here().whole, {}};
  const bool is_body = id <= tree_.body();  // or the root
  const auto named = is_body ? hidden_by{} : by_name(id, seen.display);
  const auto by_names = settled(id, named, false);
  bool hidden_at_rest = true;
  for (std::size_t screen = 0; screen < screens; ++screen) {
    auto& whole = inside.whole[screen];
    if (by_names.how > whole.how) whole = by_names;
    const auto own = is_body ? hidden_by{} : settled(id, seen.whole[screen], true);
    if (own.how > whole.how) whole = own;
    inside.texts[screen] = settled(id, seen.texts[screen], true);
    hidden_at_rest &= named.how != hiding::none || seen.whole[screen].how != hiding::none ||
                      seen.texts[screen].how != hiding::none;
  }
  const auto whole = on_all(inside.whole, {});
  const bool is_taken = whole.how >= least_ && whole.how != hiding::none;
  const bool is_for_formula = is_taken && is_formula(id);
  if (is_taken && !is_for_formula) return take(id, whole);
  const auto texts = on_all(inside.whole, inside.texts);
  // A slot has no text of its own: what it takes stands elsewhere.
  const bool is_whole =
      tree_.is_element(id, html::tag_id::img) || tree_.is_element(id, html::tag_id::slot);
  if (is_whole && texts.by == property::visibility) return take(id, texts);
  // A body that is hidden at first is the page.
  if (hidden_at_rest && !is_body && texts.how < least_ &&
      (shown_.empty() || tree_.end_of(shown_.back()) <= id)) {
    shown_.push_back(id);
  }
  // What is kept although it is hidden hides nothing in it, or all but the formula in it.
  if (whole.how != hiding::none && (!is_for_formula || tree_.is_element(id, html::tag_id::math)))
    inside.whole = {};
  if (hides(inside.whole) || hides(inside.texts) || !regions_.empty()) regions_.push_back(inside);
}

/// What attributes and names say of an element, whatever its style is.
hidden_by hidden_parts::by_name(html::node_id id, std::string_view display) const {
  const bool displayed = !display.empty() && !is_one_of(display, {"none", "revert-layer"});
  // What browsers say themselves of these two is said again by "revert".
  const bool is_dialog =
      tree_.is_element(id, html::tag_id::dialog) && !tree_.has_attribute(id, "open");
  if (is_dialog && (!displayed || is_named(display, "revert"))) {
    return {hiding::until_shown};
  }
  if (!tree_.has_attributes(id)) return {};
  if (tree_.has_attribute(id, "popover") && (!displayed || is_named(display, "revert")))
    return {hiding::until_shown};
  if ((tree_.marks_of(id) & mark::hidden) != 0) return {hiding::for_good};
  if (is_unreadable_formula(tree_, id)) return {hiding::for_good};
  if (is_tooltip(tree_, id)) return {hiding::until_shown};
  if (tree_.has_attribute(id, "hidden") && tree_.attribute_of(id, "hidden") != "until-found" &&
      !displayed) {
    return {hiding::until_shown};
  }
  if (tree_.attribute_of(id, "aria-hidden") == "true" && !is_for_eyes(tree_.tag_of(id))) {
    return {hiding::until_shown};
  }
  return {};
}

/// What is left of a way to hide where scripts and clicks may show it.
hidden_by hidden_parts::settled(html::node_id id, hidden_by how, bool by_style) {
  if (how.how != hiding::until_shown) return how;
  // What a click opens is text of the page, whatever sheet closes it at first, or parts of it.
  if (how.selector != no_selector && id < panel_until_) return {};
  if (is_panel(id)) {
    panel_until_ = std::max(panel_until_, tree_.end_of(id));
    return {};
  }
  // A saved page may have lost its scripts, but not what it is about.
  const double most = has_scripts() ? most_ : std::max<double>(most_, signals::least_unscripted);
  if (tree_.text_in(id) > most || is_streamed(id)) return {};
  return by_style && is_shown_by_scripts(id, how) ? hidden_by{} : how;
}

bool hidden_parts::is_shown_by_scripts(html::node_id id, const hidden_by& how) {
  if (how.selector != no_selector && shown_rules_.count(rules_.rule_of(how.selector)) != 0) {
    return true;
  }
  if (!has_scripts()) return false;
  const auto own = own_declarations(tree_, id);
  if (std::ranges::any_of(own, may_hide)) {
    // Prose that waits, moved a little, to come in when it is scrolled to.
    const bool moves = std::ranges::any_of(own, [](const declaration& one) {
      return one.of == property::transform && one.value != "none" && !may_hide(one);
    });
    return how.by == property::opacity && moves && tree_.of(id).prose > 0;
  }
  const bool has_state = rules_.may_be_shown(id, how.by);
  // What fades in does so when a page is scrolled to it. Other states, and names, only promise a
  // click, which nobody may have made.
  if (how.by == property::opacity && has_state) return true;
  return (has_state || (tree_.marks_of(id) & mark::opened) != 0) && rules_.can_be_opened(id);
}

/// Whether the page has any script that is one, and no data.
bool hidden_parts::has_scripts() {
  if (has_scripts_) return *has_scripts_;
  has_scripts_ = false;
  tree_.spend_on(tree_.page().root());
  for (html::node_id id = 0; id < tree_.page().size() && !*has_scripts_; ++id) {
    if (!tree_.page().is_element(id, html::tag_id::script)) continue;
    const auto type = base::trim(tree_.page().attribute_of(id, "type"));
    has_scripts_ = type.empty() || is_named(type, "module") ||
                   base::to_lower_ascii(type).find("script") != std::string::npos;
  }
  return *has_scripts_;
}

/// A part of the page that a streaming server sent out of order: React's scripts put it where a
/// template holds its place.
bool hidden_parts::is_streamed(html::node_id id) {
  constexpr std::string_view part = "S:", place = "B:", place_inside = "P:";
  const auto own_id = tree_.attribute_of(id, "id");
  if (!own_id.starts_with(part)) return false;
  if (!places_) {
    places_.emplace();
    tree_.spend_on(tree_.page().root());
    for (html::node_id at = 0; at < tree_.page().size(); ++at) {
      if (!tree_.is_element(at, html::tag_id::template_)) continue;
      const auto name = tree_.attribute_of(at, "id");
      if (name.starts_with(place) || name.starts_with(place_inside))
        places_->insert(name.substr(place.size()));
    }
  }
  return places_->count(own_id.substr(part.size())) != 0;
}

/// Whether a click opens a part that is text: a panel of tabs or of an accordion. The menus and
/// dialogs that clicks open, too, hold no prose, and regions of the page few links.
bool hidden_parts::is_panel(html::node_id id) {
  const auto role = tree_.attribute_of(id, "role");
  if (role == "tabpanel" && has_seen_tab(id)) return true;
  const auto& text = tree_.of(id);
  const bool is_region = role == "region";
  if (text.link_density() > signals::prose_link_density) return false;
  if (is_pane(id)) return true;
  if (text.prose == 0 && !is_region) return false;
  if (follows_switch(id) || rules_.is_opened_by_id(id)) return true;
  if (is_titled_part(tree_, id) && rules_.is_shown_beside(element_before(tree_, id), id))
    return true;
  const auto behind = switch_behind(tree_, id);
  return behind != html::none && rules_.is_shown_beside(behind, id);
}

/// A short line before an element that opens it: the title of a part of an accordion.
bool hidden_parts::follows_switch(html::node_id id) {
  const auto title = element_before(tree_, id);
  if (title == html::none) return false;
  const auto length = tree_.text_in(title);
  if (length < signals::least_switch_title || length > signals::most_switch_title) return false;
  if (tree_.of(title).prose > 0) return false;
  tree_.spend_on(title);
  for (auto at = title; at < tree_.end_of(title); ++at) {
    if (is_switch(tree_, at) && rules_.is_shown_beside(at, id)) return true;
  }
  return false;
}

/// Whether the page shows a tab, or a list of them: it does not have to say of what.
bool hidden_parts::has_seen_tab(html::node_id panel) {
  constexpr std::size_t most_tabs = 16;
  if (!tabs_) {
    tabs_.emplace();
    tree_.spend_on(tree_.body());
    for (auto at = tree_.body(); at < tree_.end_of(tree_.body()) && tabs_->size() < most_tabs;
         ++at) {
      if (!tree_.is_element(at) || !tree_.has_attributes(at) || tree_.text_in(at) == 0) continue;
      const auto role = tree_.attribute_of(at, "role");
      if (role == "tab" || role == "tablist") tabs_->push_back(at);
    }
  }
  // Panels stand in a row.
  const auto around = tree_.parent_of(panel);
  const auto [known, added] = shows_tabs_.try_emplace(around, false);
  if (added) {
    known->second = std::ranges::any_of(
        *tabs_, [&](html::node_id tab) { return rules_.is_shown_beside(tab, around); });
  }
  return known->second;
}

/// Whether an element is one of a row of likes, before which stands a row of as many names.
bool hidden_parts::is_pane(html::node_id id) {
  const auto around = tree_.parent_of(id);
  const auto [known, is_new] = panes_.try_emplace(around, false);
  if (is_new) {
    const auto names = names_of_panes(tree_, around);
    known->second = names != html::none && rules_.is_shown_beside(names, around);
  }
  return known->second;
}

/// MathML is hidden behind pictures of formulas; it is what we want. The picture stands in for it
/// where there is none.
bool hidden_parts::is_formula(html::node_id id) {
  if (!formulas_known_) {
    formulas_known_ = true;
    tree_.spend_on(tree_.page().root());
    for (html::node_id at = 0; at < tree_.page().size(); ++at) {
      if (tree_.is_element(at, html::tag_id::math)) formulas_.push_back(at);
    }
  }
  const auto holds_formula = [&](html::node_id in) {
    const auto first = std::ranges::lower_bound(formulas_, in);
    return first != formulas_.end() && tree_.contains(in, *first);
  };
  return holds_formula(id) ||
         (is_formula_picture(tree_.page(), id) && !holds_formula(tree_.parent_of(id)));
}

void hidden_parts::take(html::node_id id, const hidden_by& how) {
  if (how.how < least_ || how.how == hiding::none) return;
  found_.push_back({id, how});
  if (how.by != property::margin_left || !is_usually_inline(tree_.tag_of(id))) return;
  // The rest of the line is moved away with it.
  for (auto at = tree_.at(id).next; at != html::none; at = tree_.at(at).next) {
    tree_.spend(1);
    if (!tree_.is_text(at) && !is_usually_inline(tree_.tag_of(at))) return;
    if (!tree_.is_dropped(at)) found_.push_back({at, how});
    moved_until_ = tree_.end_of(at);
  }
}

/// Fades, cuts of paywalls and tabs: the prose that one selector hides, wherever it stands. What it
/// hides on some screens only is the same text in another layout. Answers whether there is a rule
/// more whose parts scripts show.
bool hidden_parts::keep_what_scripts_show() {
  struct sum {
    double prose = 0;
    std::size_t parts = 0;
  };
  std::unordered_map<std::uint32_t, sum> hidden;
  for (const auto& one : found_) {
    const auto selector = one.how.selector;
    if (one.how.how != hiding::until_shown || selector == no_selector) continue;
    if (!rules_.is_for_all_screens(selector)) continue;
    // A text alone counts if it is as long as prose is.
    const auto text = tree_.text_in(one.id);
    auto& all = hidden[selector];
    all.prose += tree_.is_element(one.id)      ? tree_.of(one.id).prose
                 : text < signals::least_prose ? 0
                                               : text;
    ++all.parts;
  }
  const double whole = tree_.of(tree_.body()).prose;
  bool more = false;
  for (const auto& [selector, all] : hidden) {
    const auto share = all.parts > 1 ? signals::shown_of_selector : signals::shown_of_part;
    const auto least = has_scripts() ? signals::least_content : signals::least_unscripted;
    if (all.prose < std::max<double>(least, share * whole)) continue;
    more |= shown_rules_.insert(rules_.rule_of(selector)).second;
  }
  return more;
}

void hidden_parts::drop_part(html::node_id id) {
  if (tree_.text_in(id) > 0) {
    const auto text = tree_.is_text(id) ? std::string(tree_.text_at(id)) : tree_.text_of(id);
    words_.append(text).append(1, '\n');
  }
  const auto in_formula = tree_.is_text(id) ? tree_.parent_of(id) : id;
  if (tree_.page().at(in_formula).space == html::element_space::math) {
    tree_.spend_on(id);
    for (auto at = id; at < tree_.end_of(id); ++at) {
      if (tree_.is_text(at)) unseen_.push_back(at);
    }
  }
  tree_.drop(id);
}

/// The nearest block around a text; the text itself where that is most of what is shown.
html::node_id hidden_parts::paragraph_of(html::node_id text, html::node_id within) const {
  auto at = text;
  while (at > within && !(tree_.is_element(at) && is_block(tree_.tag_of(at)))) {
    tree_.spend(1);
    at = tree_.parent_of(at);
  }
  return at > within && tree_.text_in(at) * 2 <= tree_.text_in(within) ? at : text;
}

/// Nobody reads, at first, what speaks to a model here: that is not for readers.
void hidden_parts::drop_instructions(html::node_id shown) {
  constexpr std::size_t bytes_per_step = 4, most = 64;
  struct place {
    std::size_t begin;
    html::node_id text;
  };
  std::string all;
  std::vector<place> places;
  tree_.spend_on(shown);
  for (auto at = shown; at < tree_.end_of(shown); ++at) {
    if (!tree_.is_text(at) || tree_.is_dropped(at)) continue;
    places.push_back({all.size(), at});
    all += tree_.text_at(at);
  }
  tree_.spend(1 + all.size() / bytes_per_step);
  for (const auto& one : find_instructions(all, most)) {
    auto at = std::ranges::upper_bound(places, one.begin, {}, &place::begin);
    words_.append(all, one.begin, one.end - one.begin).append(1, '\n');
    for (--at; at != places.end() && at->begin < one.end; ++at) {
      if (!tree_.is_dropped(at->text)) tree_.drop(paragraph_of(at->text, shown));
    }
  }
}

}  // namespace freshet::markdown
