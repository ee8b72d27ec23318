// Pages that a program has made of a manual: of the element that holds their text nothing is beside
// it.
#pragma once

#include <cstdint>
#include <markdown/blocks/blocks.hpp>
#include <markdown/tree/tree.hpp>
#include <span>

namespace freshet::markdown {

/// Keeps all of that element, where enough of it stays. `kept`: of each block.
void keep_manual(const page_tree& tree, const block_list& list, std::span<const float> probability,
                 std::span<std::uint8_t> kept);

}  // namespace freshet::markdown
