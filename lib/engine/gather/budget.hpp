// max_tokens for a document: whole markdown blocks are left out from the end until it fits.
#pragma once

#include <cstdint>
#include <freshet/item.hpp>
#include <optional>
#include <vector>

namespace freshet::detail {

/// What was cut.
struct document_cut {
  bool truncated = false;
  std::int64_t next_block = 0;  ///< where the next page begins; meaningful if truncated
};

/// Leaves the blocks from `first_block` on that fit into `max_tokens` (0: all). At least one block
/// stays, so that a walk always ends. `blocks`: where the blocks begin, ascending. A document that
/// was cut, at either end, loses its plain text, which would repeat what was left out.
document_cut cut_document(document& whole, const std::vector<std::size_t>& blocks,
                          std::int64_t first_block, std::int64_t max_tokens);

}  // namespace freshet::detail
