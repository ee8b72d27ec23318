// The main region and what is dropped in it. Two passes down the page: one finds the region, one
// drops; names decide only over parts that are small beside the region.
#include <algorithm>
#include <base/unicode.hpp>
#include <markdown/choice/phrases.hpp>
#include <markdown/choice/region_content.hpp>
#include <markdown/choice/trimming.hpp>
#include <markdown/tree/signals.hpp>

namespace freshet::markdown {

namespace {

using html::node_id;
using html::none;

constexpr auto side_titles = sorted_phrases(signals::side_titles);
constexpr auto purchase_titles = sorted_phrases(signals::purchase_titles);

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
  [[nodiscard]] bool is_control(node_id id) const;
  [[nodiscard]] bool is_skip_link(node_id id) const;
  [[nodiscard]] bool is_unwanted(node_id id);
  [[nodiscard]] bool is_named_unwanted(node_id id);
  [[nodiscard]] bool is_empty_overlay(node_id id);
  [[nodiscard]] bool is_menu_before_title(node_id id) const;
  [[nodiscard]] bool is_side_title(node_id heading) const;
  [[nodiscard]] bool begins(node_id part, node_id parent) const;
  void drop_side_section(node_id heading, node_id root);
  [[nodiscard]] node_id title_in(node_id root) const;
  [[nodiscard]] bool is_link_beside_link(node_id id) const;
  [[nodiscard]] bool is_small(node_id id) const { return tree_.text_in(id) < whole_ * most_share; }

  page_tree& tree_;
  const region_rules& rules_;
  const kept_nodes& kept_;
  std::uint32_t whole_ = 0;
  node_id title_ = none;  ///< the first heading of the first rank
  node_id end_of_overlay_ = 0;
};

bool region::is_surrounding(node_id id) const {
  const auto tag = tree_.tag_of(id);
  if (tag == html::tag_id::nav || tag == html::tag_id::footer || tag == html::tag_id::aside) {
    return true;
  }
  if (tag == html::tag_id::header) {
    return !tree_.is_inside(id, inside::article | inside::main) && is_small(id);
  }
  const auto role = tree_.attribute_of(id, "role");
  if (role == "tooltip") return true;
  if (!role.empty() &&
      std::ranges::find(signals::unlikely_roles, role) != signals::unlikely_roles.end()) {
    return true;
  }
  return false;
}

/// What a script makes a field or a button of. A button may be a whole card, or open what it names;
/// a link leads somewhere however it looks.
bool region::is_control(node_id id) const {
  constexpr std::uint32_t longest = 40;
  const auto role = tree_.attribute_of(id, "role");
  if (role.empty() || !is_small(id)) return false;
  if (role != "button") {
    return std::ranges::find(signals::control_roles, role) != std::end(signals::control_roles);
  }
  const auto& text = tree_.of(id);
  return tree_.tag_of(id) != html::tag_id::a && text.text <= longest && text.images == 0 &&
         text.headings == 0 && !tree_.is_inside(id, inside::heading) &&
         !tree_.has_attribute(id, "aria-expanded") && !tree_.has_attribute(id, "aria-controls");
}

/// "Skip to the list": a way over a part of the page for readers of screens and keyboards.
bool region::is_skip_link(node_id id) const {
  constexpr std::uint32_t longest = 40;
  return tree_.tag_of(id) == html::tag_id::a && tree_.text_in(id) <= longest &&
         tree_.attribute_of(id, "href").starts_with('#') &&
         base::fold(tree_.text_of(id)).starts_with("skip ");
}

/// Shops keep the details of a product in what lies over the page. Its parts are named after it,
/// and stay with it.
bool region::is_empty_overlay(node_id id) {
  constexpr std::uint32_t least_text = 80;
  constexpr double few_links = 0.2;
  if (id < end_of_overlay_) return false;
  const auto& text = tree_.of(id);
  if (text.text < least_text || text.link_density() > few_links) return is_small(id);
  end_of_overlay_ = tree_.end_of(id);
  return false;
}

bool region::is_named_unwanted(node_id id) {
  constexpr std::uint32_t least_text = 80;
  constexpr double mostly = 0.5;
  auto names = tree_.marks_of(id) & rules_.drop;
  // A shop names the whole of a product by how it is sent, too.
  if (title_ != none && tree_.contains(id, title_)) names &= ~(mark::purchase | mark::opinions);
  if (names == 0) return false;
  // Over a picture that is a link lies its caption.
  if (names == mark::overlay && tree_.is_inside(id, inside::link)) return false;
  if (rules_.product && names == mark::overlay) return is_empty_overlay(id);
  if (!is_small(id)) return false;
  const auto& text = tree_.of(id);
  // What a page is operated with holds no prose: there the name means something else.
  const auto doubtful = mark::moving | mark::controls | mark::overlay;
  if ((names & ~doubtful) == 0 && text.text > least_text && text.prose > text.text * mostly) {
    return false;
  }
  return true;
}

bool region::is_unwanted(node_id id) {
  const auto tag = tree_.tag_of(id);
  if (is_surrounding(id)) return is_small(id);
  // Remarks may well be most of a page; where they are its content, they are kept already.
  if (!kept_.empty() && (tree_.marks_of(id) & rules_.drop & mark::comment) != 0) return true;
  // What opens a part of the page is its heading.
  if (tag == html::tag_id::button) {
    return !tree_.is_inside(id, inside::heading) && tree_.of(id).headings == 0;
  }
  if (is_control(id) || is_skip_link(id)) return true;
  if (tag == html::tag_id::select || tag == html::tag_id::input || tag == html::tag_id::label ||
      tag == html::tag_id::legend) {
    return true;
  }
  if (tag == html::tag_id::form || tag == html::tag_id::fieldset) return is_small(id);
  return is_named_unwanted(id);
}

/// Links above the title lead elsewhere.
bool region::is_menu_before_title(node_id id) const {
  constexpr std::uint32_t least_links = 5;
  constexpr double mostly = 0.7;
  if (title_ == none || tree_.end_of(id) > title_) return false;
  const auto& text = tree_.of(id);
  return text.links >= least_links && text.images == 0 && text.link_density() >= mostly;
}

node_id region::title_in(node_id root) const {
  tree_.spend_on(root);
  for (auto id = root; id < tree_.end_of(root); ++id) {
    if (!tree_.is_dropped(id) && tree_.is_element(id, html::tag_id::h1)) return id;
  }
  return none;
}

bool region::is_side_title(node_id heading) const {
  constexpr std::uint32_t longest = 60;
  const auto length = tree_.text_in(heading);
  if (length == 0 || length > longest) return false;
  const auto text = base::fold(tree_.text_of(heading));
  return begins_with_any(side_titles, text) ||
         (rules_.product && begins_with_any(purchase_titles, text));
}

/// A card's summary that links where its title does is kept from screen readers only, which would
/// read the link twice.
bool region::is_link_beside_link(node_id id) const {
  return tree_.is_dropped(id) && tree_.is_element(id, html::tag_id::a) &&
         !tree_.is_dropped(tree_.parent_of(id)) &&
         tree_.attribute_of(id, "aria-hidden") == "true" && tree_.attribute_of(id, "style").empty();
}

/// Whether no text stands in `parent` before `part`.
bool region::begins(node_id part, node_id parent) const {
  for (auto at = tree_.at(part).previous; at != none; at = tree_.at(at).previous) {
    tree_.spend(1);
    if (tree_.text_in(at) > 0 || (tree_.is_dropped(at) && tree_.is_element(at))) return false;
  }
  return tree_.parent_of(part) == parent;
}

/// Drops what stands under a heading: the element that it begins, or what follows it up to the
/// next.
void region::drop_side_section(node_id heading, node_id root) {
  constexpr double most = 0.4;
  auto part = heading;
  while (true) {
    tree_.spend(1);
    const auto parent = tree_.parent_of(part);
    if (parent <= root || is_kept(parent) || !begins(part, parent)) break;
    if (tree_.text_in(parent) > whole_ * most) break;
    part = parent;
  }
  const bool alone = tree_.text_in(part) == tree_.text_in(heading);
  auto next = tree_.at(part).next;
  tree_.drop(part);
  if (!alone) return;
  for (; next != none; next = tree_.at(next).next) {
    if (is_kept(next) || tree_.of(next).headings > 0) return;
    if (tree_.text_in(next) > whole_ * most) return;
    tree_.drop(next);
  }
}

node_id region::main_element() const {
  constexpr double least_main_share = 0.3;
  node_id best = none;
  tree_.spend(tree_.page().size());
  for (node_id id = tree_.body(); id < tree_.page().size(); ++id) {
    if (tree_.is_dropped(id) || !tree_.is_element(id)) continue;
    if (!tree_.is_element(id, html::tag_id::main) && tree_.attribute_of(id, "role") != "main")
      continue;
    if (best == none || tree_.text_in(id) > tree_.text_in(best)) best = id;
  }
  if (best == none) return tree_.body();
  const bool all_kept = kept_.empty() || kept_[tree_.body()] == 0 || is_kept(best);
  return all_kept && tree_.text_in(best) >= tree_.text_in(tree_.body()) * least_main_share
             ? best
             : tree_.body();
}

content region::run() {
  const auto root = main_element();
  whole_ = tree_.text_in(root);
  title_ = title_in(root);
  tree_.spend_on(root);
  for (auto id = root + 1; id < tree_.end_of(root); ++id) {
    if (is_link_beside_link(id)) tree_.restore(id);
    if (tree_.is_dropped(id) || !tree_.is_element(id) || is_kept(id)) continue;
    if (is_unwanted(id) || is_menu_before_title(id)) {
      tree_.drop(id);
      id = tree_.end_of(id) - 1;
    } else if (is_heading(tree_.tag_of(id)) && is_side_title(id)) {
      drop_side_section(id, root);
    }
  }
  tree_.count();
  content chosen;
  chosen.roots = {root};
  trim_lines(tree_, chosen.roots, rules_.product ? bare_headings::drop : bare_headings::keep);
  return chosen;
}

}  // namespace

kept_nodes nodes_kept(const page_tree& tree, const std::vector<node_id>& roots) {
  kept_nodes kept(tree.page().size(), 0);
  for (auto root = roots.rbegin(); root != roots.rend(); ++root) {
    tree.spend_on(*root);
    for (auto id = tree.end_of(*root); id-- > *root;) {
      if (tree.is_dropped(id)) continue;
      if (tree.is_text(id) && tree.text_in(id) > 0) kept[id] = 1;
      if (kept[id] != 0 && id != *root) kept[tree.parent_of(id)] = 1;
    }
    for (auto at = tree.parent_of(*root); at != none && kept[*root] != 0; at = tree.parent_of(at)) {
      tree.spend(1);
      kept[at] = 1;
    }
  }
  return kept;
}

content choose_region(page_tree& tree, const region_rules& rules, const kept_nodes& kept) {
  return region(tree, rules, kept).run();
}

}  // namespace freshet::markdown
