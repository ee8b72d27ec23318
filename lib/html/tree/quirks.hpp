// Whether a doctype asks for quirks mode, in which a table does not end a paragraph. That is all
// that the mode changes in a tree.
#pragma once

#include <html/tokens/token.hpp>

namespace freshet::html {

[[nodiscard]] bool asks_for_quirks(const token& doctype);

}  // namespace freshet::html
