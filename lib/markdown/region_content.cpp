// The main region and what is dropped in it. Two passes down the page: one finds the region, one
// drops; names decide only over parts that are small beside the region.
#include <algorithm>
#include <array>
#include <markdown/region_content.hpp>
#include <markdown/signals.hpp>

namespace freshet::markdown {

namespace {

using html::node_id;
using html::none;

/// A part with more of the region's text than this is no part but the region itself.
constexpr double most_share = 0.5;

class region {
 public:
  region(page_tree& tree, const region_rules& rules, const kept_nodes& kept)
      : tree_(tree), rules_(rules), kept_(kept) {}
  content run();

 private:
  [[nodiscard]] bool is_kept(node_id id) const { return !kept_.empty() && kept_[id] != 0; }
  [[nodiscard]] node_id main_element() const;
  [[nodiscard]] bool is_surrounding(node_id id) const;
  [[nodiscard]] bool is_unwanted(node_id id) const;
  [[nodiscard]] bool is_small(node_id id) const { return tree_.of(id).text < whole_ * most_share; }

  page_tree& tree_;
  const region_rules& rules_;
  const kept_nodes& kept_;
  std::uint32_t whole_ = 0;
};

bool region::is_surrounding(node_id id) const {
  const auto tag = tree_.at(id).tag;
  if (tag == html::tag_id::nav || tag == html::tag_id::footer || tag == html::tag_id::aside) {
    return true;
  }
  if (tag == html::tag_id::header) {
    return !tree_.is_inside(id, inside::article | inside::main) && is_small(id);
  }
  const auto role = tree_.page().attribute_of(id, "role");
  if (!role.empty() && std::find(signals::unlikely_roles.begin(), signals::unlikely_roles.end(),
                                 role) != signals::unlikely_roles.end()) {
    return true;
  }
  return false;
}

bool region::is_unwanted(node_id id) const {
  const auto tag = tree_.at(id).tag;
  if (is_surrounding(id)) return is_small(id);
  // Remarks may well be most of a page; where they are its content, they are kept already.
  if (!kept_.empty() && (tree_.marks_of(id) & rules_.drop & mark::comment) != 0) return true;
  if (tag == html::tag_id::button || tag == html::tag_id::select || tag == html::tag_id::input) {
    return true;
  }
  if (tag == html::tag_id::form) return is_small(id);
  if ((tree_.marks_of(id) & rules_.drop) != 0) return is_small(id) && tree_.of(id).headings < 100;
  return false;
}

node_id region::main_element() const {
  constexpr double least_main_share = 0.3;
  node_id best = none;
  const auto& page = tree_.page();
  for (node_id id = tree_.body(); id < page.size(); ++id) {
    if (tree_.is_dropped(id) || !tree_.is_element(id)) continue;
    if (!page.is_element(id, html::tag_id::main) && page.attribute_of(id, "role") != "main")
      continue;
    if (best == none || tree_.of(id).text > tree_.of(best).text) best = id;
  }
  if (best == none) return tree_.body();
  const bool all_kept = kept_.empty() || kept_[tree_.body()] == 0 || is_kept(best);
  return all_kept && tree_.of(best).text >= tree_.of(tree_.body()).text * least_main_share
             ? best
             : tree_.body();
}

content region::run() {
  const auto root = main_element();
  whole_ = tree_.of(root).text;
  for (auto id = root + 1; id < tree_.end_of(root); ++id) {
    if (tree_.is_dropped(id) || !tree_.is_element(id)) continue;
    if (is_kept(id) || !is_unwanted(id)) continue;
    tree_.drop(id);
    id = tree_.end_of(id) - 1;
  }
  tree_.count();
  content chosen;
  chosen.roots = {root};
  chosen.found = true;
  return chosen;
}

}  // namespace

kept_nodes nodes_kept(const page_tree& tree, const std::vector<node_id>& roots) {
  kept_nodes kept(tree.page().size(), 0);
  for (auto root = roots.rbegin(); root != roots.rend(); ++root) {
    for (auto id = tree.end_of(*root); id-- > *root;) {
      if (tree.is_dropped(id)) continue;
      if (tree.at(id).type == html::node_type::text && tree.of(id).text > 0) kept[id] = 1;
      if (kept[id] != 0) kept[tree.at(id).parent] = 1;
    }
    for (auto at = tree.at(*root).parent; at != none && kept[*root] != 0; at = tree.at(at).parent) {
      kept[at] = 1;
    }
  }
  return kept;
}

content choose_region(page_tree& tree, const region_rules& rules, const kept_nodes& kept) {
  return region(tree, rules, kept).run();
}

}  // namespace freshet::markdown
