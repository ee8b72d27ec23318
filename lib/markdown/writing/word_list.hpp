// Items of lists as Word saves them: paragraphs, whose styles say which list and level they are of
// and which part of their text is the mark before it.
#pragma once

#include <cstddef>
#include <markdown/tree/tree.hpp>
#include <optional>
#include <string>

namespace freshet::markdown {

struct word_item {
  std::size_t level = 1;
  std::string marker;               ///< "- " or "3. "
  html::node_id mark = html::none;  ///< the element of the mark, which is not text
};

/// What a paragraph is an item of; none where Markdown has no such mark, as for "(a)".
[[nodiscard]] std::optional<word_item> word_item_at(const page_tree& tree, html::node_id id);

}  // namespace freshet::markdown
