// What a page says twice: of a text that is kept in two places the second one goes. Nothing is
// kept here that was not.
#pragma once

#include <cstdint>
#include <markdown/choice/block_groups.hpp>
#include <span>

namespace freshet::markdown {

/// For other widths of a window, in a carousel that goes round, as a quote of what stands above.
/// What elements of one kind each say, as offers do of their conditions, stays, and so do tables
/// and code. `kept`: of each block.
void drop_repeats(const page_tree& tree, const block_list& list, const block_groups& groups,
                  std::span<std::uint8_t> kept);

}  // namespace freshet::markdown
