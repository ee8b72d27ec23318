// The way from a site's first page to this one, as a list of links above its text.
#pragma once

#include <cstdint>
#include <markdown/choice/block_groups.hpp>
#include <span>

namespace freshet::markdown {

/// Leaves out such lists, whatever they are called. `kept`: of each block.
void drop_trails(const page_tree& tree, const block_list& list, const block_groups& groups,
                 std::span<std::uint8_t> kept);

}  // namespace freshet::markdown
