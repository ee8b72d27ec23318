// Which blocks are decided as one: those of a table of data, of a listing of code or of a plain
// list, and those at one place of several cards, elements of one shape side by side.
#pragma once

#include <cstdint>
#include <markdown/blocks/blocks.hpp>
#include <vector>

namespace freshet::markdown {

struct block_groups {
  std::vector<std::uint32_t> group;  ///< of a block: any block that it is decided with
  std::vector<std::uint8_t> joined;  ///< a block: it is in one table, listing or list with the last
  std::vector<std::uint8_t> solid;   ///< a block: it is in a table of data or in code

  /// The end of the table, listing or list that a block begins; of the block where it begins none.
  [[nodiscard]] std::size_t end_of(std::size_t block) const noexcept;
};

[[nodiscard]] block_groups group_blocks(const page_tree& tree, const block_list& list);

}  // namespace freshet::markdown
