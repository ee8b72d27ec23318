// Whether what a low box cuts off can be read after a click: the names of a rule promise that
// ("read-more"), but only a switch that a person sees keeps the promise. Scripts are not run.
#include <algorithm>
#include <base/unicode.hpp>
#include <markdown/tree/signals.hpp>
#include <markdown/visibility/style.hpp>
#include <markdown/visibility/switches.hpp>

namespace freshet::markdown {

namespace {

/// How far from a box its switch stands: in how many elements around it, among how many elements
/// before and behind each, of how many nodes.
constexpr int most_levels_of_switch = 3, most_beside = 2;
constexpr html::node_id most_nodes = 30;

}  // namespace

/// Whether a rule speaks, by its names, of what a click opens: ".collapsed .text".
bool style_rules::is_told_to_open(std::uint32_t selector) {
  constexpr std::string_view names[] = {"collaps", "expand", "fold",  "more",
                                        "trunc",   "toggle", "close", "open"};
  if (selector == no_selector) return false;
  auto& one = selectors_[selector];
  // Once for all elements: a selector may be as long as its sheet.
  if (!one.is_to_open) {
    tree_.spend(one.text.size());
    const auto text = base::to_lower_ascii(one.text);
    one.is_to_open = std::ranges::any_of(
        names, [&](std::string_view name) { return text.find(name) != std::string::npos; });
  }
  return *one.is_to_open;
}

/// Whether neither its style nor that of what it stands in hides an element, on any screen.
bool style_rules::is_shown(html::node_id id) {
  std::vector<html::node_id> asked;
  bool is_seen = true;
  for (auto at = id; is_seen && tree_.is_element(at); at = tree_.parent_of(at)) {
    tree_.spend(1);
    if (const auto known = shown_.find(at); known != shown_.end()) {
      is_seen = known->second;
      break;
    }
    asked.push_back(at);
    is_seen = !tree_.is_dropped(at) && !tree_.has_attribute(at, "hidden");
    if (!is_seen || !concerns(at)) continue;
    const auto style = look_at(at, false);
    for (std::size_t screen = 0; screen < screens; ++screen) {
      is_seen = is_seen && style.whole[screen].how == hiding::none &&
                style.texts[screen].how == hiding::none;
    }
  }
  for (const auto at : asked) shown_[at] = is_seen;
  return is_seen;
}

bool style_rules::is_seen_switch(html::node_id id) {
  return may_be_clicked(tree_, id) && is_shown(id);
}

/// Whether a short element beside a box is a switch that is seen, or holds one.
bool style_rules::holds_switch(html::node_id id) {
  const auto [known, added] = switch_holders_.try_emplace(id, false);
  if (!added) return known->second;
  const auto end = std::min(tree_.end_of(id), id + most_nodes);
  tree_.spend(end - id);
  bool holds = false;
  for (auto at = id; at < end && !holds; ++at) holds = is_seen_switch(at);
  return switch_holders_[id] = holds;
}

/// Whether something is seen that a click opens a box by: named by its id, or right beside it.
bool style_rules::can_be_opened(html::node_id id) {
  if (const auto own_id = tree_.attribute_of(id, "id"); !own_id.empty()) {
    if (!openings_) openings_ = opening_elements_of(tree_);
    const auto found = openings_->find(own_id);
    if (found != openings_->end() && is_shown(found->second)) return true;
  }
  auto around = id;
  for (int level = 0; level < most_levels_of_switch && around > tree_.body(); ++level) {
    for (const auto next : {&html::node::next, &html::node::previous}) {
      int looked = 0;
      for (auto at = tree_.at(around).*next; at != html::none && looked < most_beside;
           at = tree_.at(at).*next) {
        tree_.spend(1);
        if (!tree_.is_element(at)) continue;
        ++looked;
        if (tree_.text_in(at) > signals::most_switch_title) break;
        if (holds_switch(at)) return true;
      }
    }
    const auto parent = tree_.parent_of(around);
    // What holds more than the box and its switch is about something else.
    if (tree_.text_in(parent) > tree_.text_in(id) + 2 * signals::most_switch_title) return false;
    around = parent;
  }
  return false;
}

}  // namespace freshet::markdown
