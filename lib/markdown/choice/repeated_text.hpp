// Text that stands in a page twice: a page made for narrow and for wide screens holds both, and
// its styles show one. The later one goes.
#pragma once

#include <html/document.hpp>
#include <markdown/tree/tree.hpp>
#include <vector>

namespace freshet::markdown {

/// What may be a twin: in prose and in the entries of a list a line is repeated on purpose, and so
/// is an entry beside its like; in what is said of one product or service hardly ever.
enum class repeated { boxes, lines };

/// Drops, inside `roots`, blocks whose whole text an earlier block has said. Quotes, code and
/// tables repeat on purpose, and short texts by chance: those stay.
void drop_repeated_text(page_tree& tree, const std::vector<html::node_id>& roots, repeated what);

}  // namespace freshet::markdown
