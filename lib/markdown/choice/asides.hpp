// Short texts beside content that are none of it, although nothing but their words tells it: a
// label above a heading, how a product is sent or paid, and numbers of pages.
#pragma once

#include <cstdint>
#include <markdown/blocks/features.hpp>
#include <span>

namespace freshet::markdown {

struct aside_facts {
  std::span<const feature_row> rows;
  std::span<const float> probability;
};

/// Leaves out those that are not likely. `kept`: of each block.
void drop_asides(const page_tree& tree, const block_list& list, const aside_facts& facts,
                 std::span<std::uint8_t> kept);

}  // namespace freshet::markdown
