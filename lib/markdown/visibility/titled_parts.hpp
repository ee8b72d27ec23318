// Parts that a click opens although nothing names them as such: each of several below a title of
// its own, or one before a switch that says that something is closed. Pure; it drops nothing.
#pragma once

#include <markdown/tree/tree.hpp>

namespace freshet::markdown {

/// Whether two elements have the same tag and first class.
[[nodiscard]] bool are_alike(const page_tree& tree, html::node_id one, html::node_id other);

/// Whether an element is one of several that stand alike, each behind a short line that is no
/// prose: an answer below its question. Looks at a bounded number of elements beside it.
[[nodiscard]] bool is_titled_part(const page_tree& tree, html::node_id id);

/// Whether the next element is a short line with a switch in it that is not open: "Read more".
[[nodiscard]] bool precedes_switch(const page_tree& tree, html::node_id id);

}  // namespace freshet::markdown
