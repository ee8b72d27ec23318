// What is dropped inside the chosen content: lists of links elsewhere, forms, bars to share, the
// title once more.
#pragma once

#include <html/document.hpp>
#include <markdown/tree/tree.hpp>
#include <string_view>
#include <vector>

namespace freshet::markdown {

/// What the names of an element say for or against it.
[[nodiscard]] double name_weight(const page_tree& tree, html::node_id id);

struct cleaning {
  bool conditionally = true;  ///< drop what looks like navigation, not only what surely is
  bool weigh_names = true;
  name_marks asides = ~name_marks{0};
};

void clean_content(page_tree& tree, const std::vector<html::node_id>& roots, cleaning how);

/// Drops the first heading that says the same as the page's title.
void drop_repeated_title(page_tree& tree, const std::vector<html::node_id>& roots,
                         std::string_view title);

/// Drops rows of links to the pages before and behind, as generators of manuals mark them.
void drop_steps(page_tree& tree, const std::vector<html::node_id>& roots);

/// Drops what members of a forum put below each of their posts.
void drop_signatures(page_tree& tree);

/// Drops galleries with a heading for each slide where they are only a part of an article.
void drop_galleries(page_tree& tree);

}  // namespace freshet::markdown
