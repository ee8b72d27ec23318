// Code blocks of pages: their text with every newline and indentation, without line numbers and
// buttons, and their language.
#pragma once

#include <html/document.hpp>
#include <markdown/tree/tree.hpp>
#include <string>

namespace freshet::markdown {

/// The code below `id`, without a newline at either end.
[[nodiscard]] std::string code_text(const page_tree& tree, html::node_id id);
/// The language that the page names for the code at `id`; "" if none.
[[nodiscard]] std::string code_language(const page_tree& tree, html::node_id id);
/// Whether a table only sets code beside its line numbers.
[[nodiscard]] bool is_code_table(const page_tree& tree, html::node_id table);
/// Whether a <code> without <pre> is a block all the same: its page keeps its line breaks.
[[nodiscard]] bool is_block_of_code(const page_tree& tree, html::node_id code);
/// A fenced block.
[[nodiscard]] std::string fenced(std::string_view code, std::string_view language);

}  // namespace freshet::markdown
