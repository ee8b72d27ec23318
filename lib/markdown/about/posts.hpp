// The posts of a thread, by which a page is known for one.
#pragma once

#include <markdown/tree/tree.hpp>
#include <vector>

namespace freshet::markdown {

/// Whether an element stands among what readers have said below an article.
[[nodiscard]] bool is_in_remarks(const page_tree& tree, html::node_id id);

/// The posts of a page: the elements that hold their texts, in document order.
[[nodiscard]] std::vector<html::node_id> post_bodies(const page_tree& tree);

}  // namespace freshet::markdown
