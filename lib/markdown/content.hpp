// Which part of a page is its content. Works on marks only: nothing is moved or copied, so that the
// writer sees the page in its own order.
#pragma once

#include <html/document.hpp>
#include <markdown/tree.hpp>
#include <string_view>
#include <vector>

namespace freshet::markdown {

struct content {
  std::vector<html::node_id> roots;  ///< in document order, none inside another
  bool found = true;                 ///< false: nothing stood out, this is the whole page
};

/// Chooses the main content of a page whose invisible parts are dropped, and drops what is not
/// content inside it. `title` is the page's: a heading that repeats it is dropped.
[[nodiscard]] content choose_content(page_tree& tree, std::string_view title);

/// Whether a table holds data rather than a layout.
[[nodiscard]] bool is_data_table(const page_tree& tree, html::node_id table);

}  // namespace freshet::markdown
