// Characters that carry what no reader sees: letters without a shape, and marks of direction that
// show a text in another order than a model reads it.
#pragma once

#include <markdown/safety/marks.hpp>
#include <string_view>

namespace freshet::markdown {

/// Marks the characters of one text. Joiners inside of emoji and of scripts that need them, and
/// directions that are closed again, are ordinary. Cheap where there is nothing but ASCII.
void mark_characters(std::string_view text, mark_list& marks);

}  // namespace freshet::markdown
