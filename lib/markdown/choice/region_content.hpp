// The way of choosing for pages whose content is many small blocks: the region between header and
// footer, without the parts that serve to move about and to buy.
#pragma once

#include <markdown/choice/content.hpp>

namespace freshet::markdown {

/// What is dropped inside the region.
struct region_rules {
  name_marks drop = 0;   ///< elements with one of these names, unless they hold most of it
  bool product = false;  ///< also how to buy it; overlays with text stay: they hold the details
};

/// Which nodes hold text that another way of choosing has kept: a byte a node.
using kept_nodes = std::vector<std::uint8_t>;
[[nodiscard]] kept_nodes nodes_kept(const page_tree& tree, const std::vector<html::node_id>& roots);

/// Chooses the region of a page whose invisible parts are dropped and drops what is not content.
/// What is in `kept` stays; it may be empty.
[[nodiscard]] content choose_region(page_tree& tree, const region_rules& rules,
                                    const kept_nodes& kept);

}  // namespace freshet::markdown
