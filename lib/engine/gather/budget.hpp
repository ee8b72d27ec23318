// max_tokens and the bound of an answer for a document: whole markdown blocks are left out from the
// end until it fits.
#pragma once

#include <cstdint>
#include <freshet/item.hpp>
#include <vector>

namespace freshet::detail {

/// What was cut.
struct document_cut {
  bool truncated = false;
  std::int64_t next_block = 0;   ///< where the next page begins; meaningful if truncated
  bool shortened_lists = false;  ///< links or media were left out for good
};

/// What a document, or what goes on with it, may take; 0: no bound.
struct document_bounds {
  std::int64_t tokens = 0;
  std::size_t bytes = 0;  ///< as JSON
};

/// Leaves the blocks from `first_block` on that fit. At least one stays, so that a walk always
/// ends; blocks that are long beside the bound in bytes count as several, cut between lines where
/// it can be. `blocks`: where the blocks begin, ascending. A document that was cut, at either end,
/// loses its plain text, which would repeat what was left out.
document_cut cut_document(document& whole, std::vector<std::size_t> blocks,
                          std::int64_t first_block, document_bounds bounds);

}  // namespace freshet::detail
