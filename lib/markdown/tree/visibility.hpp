// Drops what a reader of the page does not see: scripts, hidden text (also as an attack on language
// models), placeholders of lazy images. The first step after parsing, in both modes.
#pragma once

#include <markdown/safety/marks.hpp>
#include <markdown/tree/tree.hpp>

namespace freshet::markdown {

/// `marks`, if given, gets what is hidden and speaks to a model.
void drop_invisible(page_tree& tree, mark_list* marks = nullptr);

}  // namespace freshet::markdown
