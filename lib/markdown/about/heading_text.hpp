// What a heading of a page says, as people read it. Between the tree and the title.
#pragma once

#include <markdown/tree/tree.hpp>
#include <string>
#include <vector>

namespace freshet::markdown {

/// The text of a heading, its boxes with spaces between them; without style sheets, a day in front,
/// and what stands in it once more for the eye alone or for another screen.
[[nodiscard]] std::string heading_text(const page_tree& tree, html::node_id id);

/// The same without the element that it begins with, such as a label, and without the one that it
/// ends with, such as a tagline; of each, where there is one and something else beside it.
[[nodiscard]] std::vector<std::string> heading_cores(const page_tree& tree, html::node_id id);

}  // namespace freshet::markdown
