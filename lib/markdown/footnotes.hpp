// Footnotes of a page: which links point to one, and which elements are one.
#pragma once

#include <html/document.hpp>
#include <markdown/tree.hpp>
#include <string>
#include <unordered_map>
#include <vector>

namespace freshet::markdown {

struct footnotes {
  std::unordered_map<html::node_id, std::string> references;   ///< an <a>, its label
  std::unordered_map<html::node_id, std::string> definitions;  ///< the note's element, its label
};

/// Only notes whose text is among `roots` count.
[[nodiscard]] footnotes find_footnotes(const page_tree& tree,
                                       const std::vector<html::node_id>& roots);

/// A link from a note back to the text.
[[nodiscard]] bool is_back_link(const page_tree& tree, html::node_id link);

}  // namespace freshet::markdown
