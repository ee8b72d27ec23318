// Style sheets of shadow trees: what they say is said of their tree alone, and of the element that
// has it where it hides that. Selectors are matched over the whole page: one that names what stands
// above its element could mean something outside of the tree, so it only hides.
#include <algorithm>
#include <markdown/sheets/sheet_text.hpp>
#include <markdown/sheets/value_text.hpp>
#include <markdown/visibility/style.hpp>
#include <optional>
#include <utility>

namespace freshet::markdown {

namespace {

constexpr std::string_view host_name = ":host", context_name = "-context";

/// A selector that begins with ":host": what it asks of that element, and what is behind.
struct host_selector {
  std::string_view asked, rest;
  bool or_above = false;  ///< ":host-context(.dark)": of one above it, too
};

std::optional<host_selector> read_host_selector(std::string_view selector) {
  host_selector read{{}, selector.substr(host_name.size())};
  read.or_above = read.rest.starts_with(context_name);
  if (read.or_above) read.rest.remove_prefix(context_name.size());
  if (!read.rest.starts_with('(')) return read.or_above ? std::nullopt : std::optional(read);
  const auto close = end_of_parenthesis(read.rest);
  if (close == read.rest.size()) return std::nullopt;
  read.asked = read.rest.substr(1, close - 1);
  read.rest.remove_prefix(close + 1);
  std::size_t count = 0;
  each_selector(read.asked, [&](std::string_view) { ++count; });
  if (count != 1) return std::nullopt;  // a list is none for a browser
  return read;
}

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
  const auto host = host_of(one.rule);
  if (one.is_slotted) return tree_.parent_of(id) == host && matches_host(hosts_[one.host], id);
  if (one.is_host ? id != host : tree_place(id) != place) return false;
  if (one.host != no_selector && !matches_host(hosts_[one.host], host)) return false;
  const bool is_alone = subject_of(one.text).size() == one.text.size();
  return (is_alone && !one.is_below_host) || sheets_.all()[one.rule].says.hides != 0;
}

bool style_rules::is_of_host(std::string_view selector, std::uint32_t rule) const noexcept {
  return selector.starts_with(host_name) && tree_of(rule) != 0;
}

/// The element that has the tree of a rule.
html::node_id style_rules::host_of(std::uint32_t rule) const noexcept {
  return tree_.parent_of(trees_[tree_of(rule) - 1].first);
}

bool style_rules::matches_host(const asked_host& asked, html::node_id host) const {
  for (auto at = host; tree_.is_element(at); at = tree_.parent_of(at)) {
    tree_.spend(1);
    if (asked.of.matches(tree_.page(), at, meter())) return true;
    if (!asked.or_above) break;
  }
  return false;
}

/// For one element, which no name finds.
void style_rules::file_alone(rule_selector one, html::node_id id) {
  if (selectors_.size() >= most_selectors) return;
  const auto place = static_cast<std::uint32_t>(selectors_.size());
  auto& first = host_selectors_.try_emplace(id, no_selector).first->second;
  one.next = std::exchange(first, place);
  selectors_.push_back(std::move(one));
}

/// "::slotted(p)": what stands beside the tree, and a slot takes.
void style_rules::file_of_slotted(std::string_view selector, std::uint32_t rule) {
  if (tree_of(rule) == 0 || sheets_.all()[rule].says.hides == 0) return;
  const auto asked = selector.substr(selector.find('('));
  const auto close = end_of_parenthesis(asked);
  if (close + 1 != asked.size()) return;
  auto made = guarded_selector::compile(asked.substr(1, close - 1));
  if (!made) return;
  const auto own = static_cast<std::uint32_t>(hosts_.size());
  hosts_.push_back({std::move(*made), false});
  for (auto at = tree_.at(host_of(rule)).first_child; at != html::none; at = tree_.at(at).next) {
    if (selectors_.size() >= most_selectors) return;
    tree_.spend(1);
    if (!tree_.is_element(at) || tree_.is_dropped(at)) continue;
    rule_selector one{"*", {}, rule};
    one.is_slotted = true;
    one.host = own;
    file_alone(std::move(one), at);
  }
}

/// Whether a rule of a tree gives a custom property to the element that has the tree.
bool style_rules::tells_host(const custom_value& said, html::node_id id) const {
  if (host_of(said.rule) != id) return false;
  const auto read = read_host_selector(said.selector);
  if (!read || !read->rest.empty()) return false;
  if (read->asked.empty()) return true;
  auto made = guarded_selector::compile(read->asked);
  return made && matches_host({std::move(*made), read->or_above}, id);
}

/// ":host", ":host(.is-closed)" and ":host(.is-closed) .panel".
void style_rules::file_of_host(std::string_view selector, std::uint32_t rule) {
  if (sheets_.all()[rule].says.hides == 0) return;
  const auto read = read_host_selector(selector);
  if (!read) return;
  auto rest = read->rest;
  auto host = no_selector;
  if (!read->asked.empty()) {
    auto made = guarded_selector::compile(read->asked);
    if (!made) return;
    host = static_cast<std::uint32_t>(hosts_.size());
    hosts_.push_back({std::move(*made), read->or_above});
  }
  const bool is_combined = !rest.empty() && std::string_view(" >").find(rest.front()) != rest.npos;
  rest.remove_prefix(std::min(rest.find_first_not_of(" >"), rest.size()));
  const auto place = static_cast<std::uint32_t>(selectors_.size());
  if (rest.empty()) {
    rule_selector made{"*", {}, rule};
    made.is_host = true;
    file_alone(std::move(made), host_of(rule));
  } else if (is_combined) {
    file_selector(rest, rule);
  }
  if (place == selectors_.size()) return;
  selectors_.back().host = host;
  selectors_.back().is_below_host = !selectors_.back().is_host;
}

}  // namespace freshet::markdown
