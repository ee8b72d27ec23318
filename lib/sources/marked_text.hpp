// The Markdown of a post or a comment, as its author wrote it, as an item has it: plain text, the
// addresses that it links and the pictures that it shows.
#pragma once

#include <freshet/item.hpp>
#include <string_view>

namespace freshet::sources {

/// Sets text, and adds links and pictures, of `common`. Addresses are resolved against `base_url`.
/// Signs of emphasis, headings, quotations and code go, those of lists and tables stay; what is no
/// Markdown is text, HTML too. The Markdown is CommonMark with tables, ~~strikethrough~~ and the
/// spoilers of both sites; what is longer than any of their posts is left as it is.
void read_marked_text(std::string_view markdown, std::string_view base_url, item_common& common);

}  // namespace freshet::sources
