// What goes with a block that stays, although the table says less of it: the heading above a table,
// code that its text announces, the rest of a row or of a list, a note that a number leads to.
#pragma once

#include <cstdint>
#include <markdown/about/page_type.hpp>
#include <markdown/choice/block_groups.hpp>
#include <span>

namespace freshet::markdown {

/// What is known of the blocks.
struct block_facts {
  const page_signs& signs;
  const block_groups& groups;
  std::span<const float> probability;
};

/// Keeps what belongs to blocks that stay. `kept`: of each block.
void keep_companions(const page_tree& tree, const block_list& list, const block_facts& facts,
                     std::span<std::uint8_t> kept);

}  // namespace freshet::markdown
