// Footnotes of a page: which elements point to one, which elements are one, and what of them is
// only their number or the way back. Lists of references that a page numbers itself stay lists.
#pragma once

#include <html/document.hpp>
#include <markdown/tree/tree.hpp>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace freshet::markdown {

struct footnotes {
  /// A note's elements, one after the other.
  using note = std::vector<html::node_id>;

  std::vector<note> notes;                                    ///< number n stands at n - 1
  std::unordered_map<html::node_id, std::size_t> references;  ///< an element, its note's number
  /// What is not written where it stands: the notes, their numbers, links back, and the rule and
  /// the heading above them.
  std::unordered_set<html::node_id> skipped;

  [[nodiscard]] bool empty() const noexcept { return notes.empty() && skipped.empty(); }
};

/// Only notes whose text is among `roots` count.
[[nodiscard]] footnotes find_footnotes(const page_tree& tree,
                                       const std::vector<html::node_id>& roots);

/// A link from a note back to the text.
[[nodiscard]] bool is_back_link(const page_tree& tree, html::node_id link);

}  // namespace freshet::markdown
