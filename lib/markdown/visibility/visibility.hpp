// Drops what a reader of the page does not see: scripts, hidden text (also as an attack on language
// models), placeholders of lazy images. The first step after parsing, in both modes.
#pragma once

#include <markdown/tree/tree.hpp>
#include <string>

namespace freshet::markdown {

/// Answers the words of what styles and attributes hide, an element a line.
std::string drop_invisible(page_tree& tree);

}  // namespace freshet::markdown
