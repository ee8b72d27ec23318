// Parts that a click opens although nothing names them as such: each of several below a title of
// its own, or one before a switch that says that something is closed. Pure; it drops nothing.
#pragma once

#include <markdown/tree/tree.hpp>

namespace freshet::markdown {

/// The sibling before an element; `none` where none stands there.
[[nodiscard]] html::node_id element_before(const page_tree& tree, html::node_id id);

/// The element before one whose children are all alike, if that holds a row of as many short names:
/// those of tabs. `none` where it does not.
[[nodiscard]] html::node_id names_of_panes(const page_tree& tree, html::node_id around);

/// Whether two elements have the same tag and first class.
[[nodiscard]] bool are_alike(const page_tree& tree, html::node_id one, html::node_id other);

/// Whether an element is one of several that stand alike, each behind a short line that is no
/// prose: an answer below its question. Looks at a bounded number of elements beside it.
[[nodiscard]] bool is_titled_part(const page_tree& tree, html::node_id id);

/// The switch that is not open in the next element, where that is a short line: "Read more".
[[nodiscard]] html::node_id switch_behind(const page_tree& tree, html::node_id id);

}  // namespace freshet::markdown
