// What a heading of a page says, as people read it. Between the tree and the title.
#pragma once

#include <markdown/tree/tree.hpp>
#include <string>

namespace freshet::markdown {

/// The text of a heading, its boxes with spaces between them; without style sheets, a day in front,
/// and what stands in it once more for the eye alone or for another screen.
[[nodiscard]] std::string heading_text(const page_tree& tree, html::node_id id);

}  // namespace freshet::markdown
