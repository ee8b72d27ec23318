// Character references (&amp; &#233; &eacute) as the HTML standard reads them. Shared by the
// fragment reader and whatever parses pages.
#pragma once

#include <string>
#include <string_view>

namespace freshet::html {

/// Reads the character reference at the start of `text` (which begins with '&') and appends what it
/// stands for. Returns how many bytes it took; 0 if it is none and the '&' is only a character.
/// In an attribute a bare name before '=' or an alphanumeric is none (`?a=1&copy=2`).
std::size_t append_reference(std::string& out, std::string_view text, bool in_attribute);

/// Appends `text` with every reference decoded.
void append_decoded(std::string& out, std::string_view text, bool in_attribute);

}  // namespace freshet::html
