// The columns that a second look has beside all others: what the first one made of a block's
// neighbours and of the boxes around it. A block is seldom content alone.
#pragma once

#include <cstdint>
#include <markdown/blocks/features.hpp>
#include <span>
#include <vector>

namespace freshet::markdown {

/// What the first look has decided, of every block.
struct first_look {
  std::span<const float> probability;
  std::span<const std::uint8_t> kept;
  std::span<const std::uint32_t> order;  ///< the blocks, the most probable first
  double promise = 0;                    ///< the F1 to expect of what it keeps
};

void add_first_look(const block_list& list, const first_look& seen, std::vector<feature_row>& rows);

/// Whether a second look is worth it, by these columns: the first one leaves more than one chance
/// in ten that it is wrong.
[[nodiscard]] bool is_unsure(const feature_row& row) noexcept;

}  // namespace freshet::markdown
