// Style sheets of shadow trees: what they say is said of their tree alone, and of the element that
// has it where it hides that. Selectors are matched over the whole page: one that names what stands
// above its element could mean something outside of the tree, so it only hides.
#include <algorithm>
#include <markdown/sheets/sheet_text.hpp>
#include <markdown/sheets/value_text.hpp>
#include <markdown/visibility/style.hpp>
#include <utility>

namespace freshet::markdown {

namespace {

constexpr std::string_view host_name = ":host";

}  // namespace

void style_rules::add_tree(html::node_id shadow) {
  trees_.push_back({shadow, tree_.end_of(shadow), tree_place(shadow)});
}

/// The innermost tree that an element stands in, from 1; 0 is the page itself. A template is of the
/// tree around it.
std::size_t style_rules::tree_place(html::node_id id) const noexcept {
  if (!tree_places_.empty()) return tree_places_[id];
  const auto next = std::ranges::lower_bound(trees_, id, {}, &inner_tree::first);
  auto place = static_cast<std::size_t>(next - trees_.begin());
  while (place != 0 && id >= trees_[place - 1].end) place = trees_[place - 1].around;
  return place;
}

/// For all elements at once, before any is asked for: trees may stand deep in each other.
void style_rules::note_trees() {
  if (trees_.empty()) return;
  tree_.spend_on(tree_.page().root());
  tree_places_.resize(tree_.page().size());
  std::uint32_t place = 0, begun = 0;
  for (html::node_id id = 0; id < tree_places_.size(); ++id) {
    while (place != 0 && id >= trees_[place - 1].end) {
      place = static_cast<std::uint32_t>(trees_[place - 1].around);
    }
    tree_places_[id] = place;
    if (begun < trees_.size() && trees_[begun].first == id) place = ++begun;
  }
}

std::size_t style_rules::tree_of(std::uint32_t rule) const noexcept {
  const auto next = std::ranges::upper_bound(sheet_trees_, rule, {},
                                             &std::pair<std::uint32_t, std::size_t>::first);
  return next == sheet_trees_.begin() ? 0 : std::prev(next)->second;
}

style_rules::filing& style_rules::filing_of(std::uint32_t rule) {
  const auto place = tree_of(rule);
  return place == 0 ? page_filing_ : tree_filings_[place];
}

/// Null where no sheet speaks of the element's tree.
const style_rules::filing* style_rules::filing_at(html::node_id id) const noexcept {
  const auto place = tree_place(id);
  if (place == 0) return &page_filing_;
  const auto found = tree_filings_.find(place);
  return found == tree_filings_.end() ? nullptr : &found->second;
}

bool style_rules::speaks_of(std::uint32_t rule, html::node_id id) const noexcept {
  return trees_.empty() || tree_of(rule) == tree_place(id);
}

bool style_rules::speaks_of(const rule_selector& one, html::node_id id) const {
  const auto place = tree_of(one.rule);
  if (place == 0) return tree_place(id) == 0;
  const auto host = tree_.parent_of(trees_[place - 1].first);
  if (one.is_host ? id != host : tree_place(id) != place) return false;
  if (one.host != no_selector && !hosts_[one.host].matches(tree_.page(), host, meter())) {
    return false;
  }
  const bool is_alone = subject_of(one.text).size() == one.text.size();
  return (is_alone && !one.is_below_host) || sheets_.all()[one.rule].says.hides != 0;
}

bool style_rules::is_of_host(std::string_view selector, std::uint32_t rule) const noexcept {
  return selector.starts_with(host_name) && tree_of(rule) != 0;
}

/// ":host", ":host(.is-closed)" and ":host(.is-closed) .panel".
void style_rules::file_of_host(std::string_view selector, std::uint32_t rule) {
  if (sheets_.all()[rule].says.hides == 0) return;
  auto rest = selector.substr(host_name.size());
  auto host = no_selector;
  if (rest.starts_with('(')) {
    const auto close = end_of_parenthesis(rest);
    if (close == rest.size()) return;
    const auto asked = rest.substr(1, close - 1);
    std::size_t count = 0;
    each_selector(asked, [&](std::string_view) { ++count; });
    auto made = guarded_selector::compile(asked);
    if (count != 1 || !made) return;  // a list is none for a browser
    host = static_cast<std::uint32_t>(hosts_.size());
    hosts_.push_back(std::move(*made));
    rest.remove_prefix(close + 1);
  }
  const bool is_combined = !rest.empty() && std::string_view(" >").find(rest.front()) != rest.npos;
  rest.remove_prefix(std::min(rest.find_first_not_of(" >"), rest.size()));
  const auto place = static_cast<std::uint32_t>(selectors_.size());
  if (rest.empty()) {
    const auto shadow = trees_[tree_of(rule) - 1].first;
    auto& first = host_selectors_.try_emplace(tree_.parent_of(shadow), no_selector).first->second;
    selectors_.push_back({"*", {}, rule});
    selectors_.back().is_host = true;
    selectors_.back().next = std::exchange(first, place);
  } else if (is_combined) {
    file_selector(rest, rule);
  }
  if (place == selectors_.size()) return;
  selectors_.back().host = host;
  selectors_.back().is_below_host = !selectors_.back().is_host;
}

}  // namespace freshet::markdown
