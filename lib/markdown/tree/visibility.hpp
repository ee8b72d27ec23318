// Drops what a reader of the page does not see: scripts, hidden text (also as an attack on language
// models), placeholders of lazy images. The first step after parsing, in both modes.
#pragma once

#include <markdown/tree/tree.hpp>

namespace freshet::markdown {

void drop_invisible(page_tree& tree);

}  // namespace freshet::markdown
