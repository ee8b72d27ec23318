// Lists of all pages of a manual or a site, which stand beside the text of each of them and may be
// a hundred times as long: so long that no share of the page is its text.
#pragma once

#include <markdown/tree/tree.hpp>
#include <string_view>

namespace freshet::markdown {

/// Drops those that have the page itself among their entries: by a heading that stands outside of
/// them, or by its `path`; "" if that is not known. A list that a page is made of stays.
void drop_contents_lists(page_tree& tree, std::string_view path);

}  // namespace freshet::markdown
