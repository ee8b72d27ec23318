// Whether what a low box cuts off can be read after a click: the names of a rule promise that
// ("read-more"), but only a switch that a person sees keeps the promise. Scripts are not run.
#include <algorithm>
#include <base/unicode.hpp>
#include <markdown/tree/signals.hpp>
#include <markdown/visibility/style.hpp>
#include <markdown/visibility/switches.hpp>
#include <markdown/visibility/titled_parts.hpp>

namespace freshet::markdown {

namespace {

/// How far from a box its switch stands: in how many elements around it, among how many elements
/// before and behind each, of how many nodes.
constexpr int most_levels_of_switch = 3, most_beside = 2, most_likes = 12;
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

/// Whether nothing that is said of an element hides it, on any screen.
bool style_rules::is_shown_there(html::node_id id) {
  if (tree_.is_dropped(id) || tree_.has_attribute(id, "hidden")) return false;
  if (!concerns(id)) return true;
  const auto style = look_at(id, false);
  const auto hides_nothing = [](const hidden_by& one) { return one.how == hiding::none; };
  return std::ranges::all_of(style.whole, hides_nothing) &&
         std::ranges::all_of(style.texts, hides_nothing);
}

/// And nothing that is said of what it stands in, as far as that does not hold the part, too: what
/// hides both is of the part.
bool style_rules::is_shown_beside(html::node_id id, html::node_id part) {
  for (auto at = id; at > tree_.body() && !tree_.contains(at, part); at = tree_.parent_of(at)) {
    tree_.spend(1);
    auto known = shown_.find(at);
    if (known == shown_.end()) known = shown_.emplace(at, is_shown_there(at)).first;
    if (!known->second) return false;
  }
  return true;
}

/// Whether a short element beside a box is a switch that is seen, or holds one.
bool style_rules::holds_switch(html::node_id id, html::node_id part) {
  const auto [known, added] = switch_holders_.try_emplace(id, false);
  if (!added) return known->second;
  const auto end = std::min(tree_.end_of(id), id + most_nodes);
  tree_.spend(end - id);
  bool holds = false;
  for (auto at = id; at < end && !holds; ++at) {
    holds = may_be_clicked(tree_, at) && is_shown_beside(at, part);
  }
  return switch_holders_[id] = holds;
}

/// Whether something is seen that says, by an id, that it opens a part.
bool style_rules::is_opened_by_id(html::node_id id) {
  const auto own_id = tree_.attribute_of(id, "id");
  if (own_id.empty()) return false;
  if (!openings_) openings_ = opening_elements_of(tree_);
  const auto found = openings_->find(own_id);
  return found != openings_->end() && is_shown_beside(found->second, id);
}

/// Whether something is seen that a click opens a box by: named by its id, or right beside it.
bool style_rules::can_be_opened(html::node_id id) {
  if (is_opened_by_id(id)) return true;
  auto around = id;
  for (int level = 0; level < most_levels_of_switch && around > tree_.body(); ++level) {
    for (const auto next : {&html::node::next, &html::node::previous}) {
      int looked = 0, likes = 0;
      for (auto at = tree_.at(around).*next; at != html::none && looked < most_beside;
           at = tree_.at(at).*next) {
        tree_.spend(1);
        if (!tree_.is_element(at)) continue;
        const bool is_short = tree_.text_in(at) <= signals::most_switch_title;
        if (is_short && holds_switch(at, id)) return true;
        // The names of a row of parts stand before the first of them.
        if (likes < most_likes && are_alike(tree_, at, around)) {
          ++likes;
          continue;
        }
        ++looked;
        if (!is_short) break;
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
