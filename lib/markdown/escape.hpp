// Escaping exactly where CommonMark and GFM would read plain text as markup, and nowhere else.
#pragma once

#include <string>
#include <string_view>

namespace freshet::markdown {

/// Where escaped text goes.
struct escape_context {
  bool in_table = false;        ///< | ends a cell
  bool has_references = false;  ///< link definitions like [1]: exist: [1] would become a link
};

/// Appends one character of text. `before` and `after` are its neighbours in the rendered text:
/// '\n' at the start of a line, '\0' where not known. Multi-byte characters come byte by byte.
void append_escaped(std::string& out, char c, char before, char after, std::string_view rest,
                    escape_context where);

/// How many bytes at the start of a line must be followed by a backslash so that the line stays a
/// paragraph's: npos if none. "1. x" gives 1, "# x" gives 0.
[[nodiscard]] std::size_t line_start_escape(std::string_view line, bool after_text);

/// A code span that shows `text`.
[[nodiscard]] std::string code_span(std::string_view text, bool in_table);

/// A link's address between the parentheses.
[[nodiscard]] std::string link_destination(std::string_view url, bool in_table);

/// The shortest fence of `c` that does not occur in `text`; at least three.
[[nodiscard]] std::string fence_for(std::string_view text, char c);

[[nodiscard]] bool is_ascii_punctuation(char c) noexcept;

}  // namespace freshet::markdown
