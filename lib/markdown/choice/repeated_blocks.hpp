// Blocks that repeat: cards, results, rows of a list. Blocks of one group have the same element
// name and first class, and so have their parents.
#pragma once

#include <cstdint>
#include <markdown/tree/tree.hpp>
#include <vector>

namespace freshet::markdown {

struct repeated_blocks {
  std::vector<html::node_id> blocks;  ///< in document order, none inside another
  std::uint32_t text = 0;             ///< characters in all of them
  std::uint32_t link_text = 0;        ///< of them inside links
  std::uint32_t with_link = 0;        ///< blocks that hold a link
  std::uint32_t with_image = 0;
  std::uint32_t with_heading = 0;
};

/// The group with the most text below `root`; no blocks if nothing repeats there.
[[nodiscard]] repeated_blocks find_repeated_blocks(const page_tree& tree, html::node_id root);

}  // namespace freshet::markdown
