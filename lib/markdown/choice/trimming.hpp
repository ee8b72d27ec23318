// The last step of choosing an article: its blocks are read in order, and short ones that are no
// part of the text go. Long blocks are never touched.
#pragma once

#include <html/document.hpp>
#include <markdown/tree/tree.hpp>
#include <vector>

namespace freshet::markdown {

/// Drops, inside `roots`, what stands before the first paragraph and after the last one without
/// being text, and lines such as "Advertisement" or "Read more: ..." anywhere.
void trim_blocks(page_tree& tree, const std::vector<html::node_id>& roots);

}  // namespace freshet::markdown
