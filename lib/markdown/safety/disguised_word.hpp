// Words that programs do not know and people read all the same: digits for letters, a letter too
// many, too few or another one.
#pragma once

#include <markdown/safety/instruction_table.hpp>
#include <string_view>

namespace freshet::markdown {

/// What a word of ASCII letters and digits means that is no word of the table as it is written:
/// "1gn0r3", "instrcutons". Of letters alone only what the commonest orders consist of is known.
/// A word of anything else means nothing.
[[nodiscard]] meanings means_of_disguised(std::string_view word) noexcept;

}  // namespace freshet::markdown
