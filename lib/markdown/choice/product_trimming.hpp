// The last step of choosing a product: the lines about buying it, and what stands above its name.
#pragma once

#include <html/document.hpp>
#include <markdown/tree/tree.hpp>

namespace freshet::markdown {

/// Drops, inside `root`, short lines without prose: those before the name of the product, those
/// that are only a link, and those that tell how it is bought.
void trim_product(page_tree& tree, html::node_id root);

}  // namespace freshet::markdown
