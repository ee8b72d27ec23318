// What pages of repositories show of a change: the lines of "git diff", each in an element of its
// own. Only how they are recognised.
#pragma once

#include <html/document.hpp>
#include <markdown/tree/tree.hpp>

namespace freshet::markdown {

/// Whether a table, or an element that is called a patch, holds the lines of a diff and no more.
[[nodiscard]] bool is_patch(const page_tree& tree, html::node_id id);

}  // namespace freshet::markdown
