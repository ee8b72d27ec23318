// Blocks that are longer than a page of an answer may be.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace freshet::markdown {

/// The same blocks, those of more than `most` bytes (4 or more) as several: cut behind lines where
/// it can be, else behind characters. `blocks`: where they begin in `text`, ascending.
[[nodiscard]] std::vector<std::size_t> split_long_blocks(const std::vector<std::size_t>& blocks,
                                                         std::string_view text, std::size_t most);

}  // namespace freshet::markdown
