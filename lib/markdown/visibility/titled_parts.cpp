// Likes are elements of one tag and first class. Pairs of a title and a part stand side by side, or
// each in a box of its own.
#include <base/unicode.hpp>
#include <markdown/tree/signals.hpp>
#include <markdown/visibility/titled_parts.hpp>

namespace freshet::markdown {

namespace {

using html::node_id;
using html::none;

constexpr int least_pairs = 3;
/// Elements beside one that are looked at.
constexpr int most_looked = 60;

node_id element_from(const page_tree& tree, node_id id) {
  while (id != none && !tree.is_element(id)) {
    tree.spend(1);
    id = tree.at(id).next;
  }
  return id;
}

std::string_view first_name(const page_tree& tree, node_id id) {
  const auto names = base::trim(tree.attribute_of(id, "class"));
  return names.substr(0, names.find(' '));
}

node_id block_around(const page_tree& tree, node_id id) {
  do {
    tree.spend(1);
    id = tree.parent_of(id);
  } while (id > tree.body() && !is_block(tree.tag_of(id)));
  return id;
}

/// Whether all text of an element stands in one block: a section has a heading and more.
bool is_one_line(const page_tree& tree, node_id id) {
  constexpr node_id most_nodes = 40;
  if (tree.end_of(id) - id > most_nodes) return false;
  node_id block = none;
  for (auto at = id; at < tree.end_of(id); ++at) {
    tree.spend(1);
    if (!tree.is_text(at) || tree.text_in(at) == 0) continue;
    const auto own = block_around(tree, at);
    if (block != none && own != block) return false;
    block = own;
  }
  return block != none;
}

bool is_short_title(const page_tree& tree, node_id id) {
  const auto length = tree.text_in(id);
  return length >= signals::least_switch_title && length <= signals::most_switch_title &&
         tree.of(id).prose == 0 && is_one_line(tree, id);
}

/// How many children of an element are like a title with one like a part behind it.
int pairs_in(const page_tree& tree, node_id around, node_id title, node_id part) {
  int pairs = 0, looked = 0;
  for (auto at = element_from(tree, tree.at(around).first_child); at != none;) {
    const auto next = element_from(tree, tree.at(at).next);
    if (next == none || ++looked > most_looked) break;
    tree.spend(1);
    if (are_alike(tree, at, title) && are_alike(tree, next, part) && is_short_title(tree, at))
      ++pairs;
    if (pairs == least_pairs) break;
    at = next;
  }
  return pairs;
}

/// The children of an element that are like its first one, by tag and class.
struct row_of_likes {
  std::size_t count = 0;
  bool are_all = true;    ///< whether it has no others
  bool are_short = true;  ///< whether each is a name: some text, and little
};

row_of_likes row_in(const page_tree& tree, node_id id) {
  row_of_likes row;
  html::tag_id tag{};
  std::string_view name;
  for (auto at = tree.at(id).first_child; at != none; at = tree.at(at).next) {
    tree.spend(1);
    if (!tree.is_element(at)) continue;
    const auto own = first_name(tree, at);
    if (row.count == 0) {
      tag = tree.tag_of(at);
      name = own;
    }
    if (name.empty() || tree.tag_of(at) != tag || own != name) {
      row.are_all = false;
      continue;
    }
    ++row.count;
    const auto length = tree.text_in(at);
    row.are_short &= length > 0 && length <= signals::most_tab_name;
  }
  return row;
}

/// Whether an element is a row of so many names, or holds one.
bool has_names(const page_tree& tree, node_id id, std::size_t count) {
  tree.spend_on(id);
  for (auto at = id; at < tree.end_of(id); ++at) {
    if (!tree.is_element(at)) continue;
    const auto row = row_in(tree, at);
    if (row.count == count && row.are_short) return true;
  }
  return false;
}

}  // namespace

node_id element_before(const page_tree& tree, node_id id) {
  do {
    tree.spend(1);
    id = tree.at(id).previous;
  } while (id != none && !tree.is_element(id));
  return id;
}

node_id names_of_panes(const page_tree& tree, node_id around) {
  constexpr node_id most_nodes = 200;
  const auto panes = row_in(tree, around);
  if (!panes.are_all || panes.count < 2) return none;
  const auto names = element_before(tree, around);
  if (names == none || tree.end_of(names) - names > most_nodes) return none;
  return has_names(tree, names, panes.count) ? names : none;
}

bool are_alike(const page_tree& tree, node_id one, node_id other) {
  return tree.tag_of(one) == tree.tag_of(other) && first_name(tree, one) == first_name(tree, other);
}

bool is_titled_part(const page_tree& tree, node_id id) {
  const auto title = element_before(tree, id);
  if (title == none || !is_short_title(tree, title)) return false;
  const auto around = tree.parent_of(id);
  int pairs = pairs_in(tree, around, title, id), looked = 0;
  if (pairs >= least_pairs) return true;
  if (around <= tree.body()) return false;
  pairs = 0;
  for (auto at = element_from(tree, tree.at(tree.parent_of(around)).first_child);
       at != none && ++looked <= most_looked; at = element_from(tree, tree.at(at).next)) {
    if (are_alike(tree, at, around)) pairs += pairs_in(tree, at, title, id);
    if (pairs >= least_pairs) return true;
  }
  return false;
}

node_id switch_behind(const page_tree& tree, node_id id) {
  const auto line = element_from(tree, tree.at(id).next);
  if (line == none || tree.text_in(line) == 0 || tree.text_in(line) > signals::most_switch_title ||
      tree.of(line).prose > 0) {
    return none;
  }
  tree.spend_on(line);
  for (auto at = line; at < tree.end_of(line); ++at) {
    if (tree.is_element(at) && tree.attribute_of(at, "aria-expanded") == "false") return at;
  }
  return none;
}

}  // namespace freshet::markdown
