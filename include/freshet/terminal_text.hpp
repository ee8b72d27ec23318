// Text for a person at a terminal: harmless, as wide as it is there, in lines of words. The command
// line's, and for programs that show answers as it does. Thread-safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::terminal_text {

/// `text` without what a terminal obeys instead of showing: control characters, and those that turn
/// the direction of letters. A line feed stays where `keeps_lines`, and is a space elsewhere. What
/// is no UTF-8 becomes U+FFFD.
[[nodiscard]] std::string harmless(std::string_view text, bool keeps_lines = false);

/// How many columns a harmless text takes: none for combining marks, two for wide letters.
[[nodiscard]] std::size_t columns_of(std::string_view text);
/// As much of a harmless text as fits into so many columns, with an ellipsis where it was cut.
[[nodiscard]] std::string cut(std::string_view text, std::size_t columns);
/// A harmless text, its white space as single spaces, in lines of at most so many columns; what is
/// beyond the last line is cut with an ellipsis. A longer word has lines of its own.
[[nodiscard]] std::vector<std::string> wrap(std::string_view text, std::size_t columns,
                                            std::size_t most_lines);

/// A text in lines of at most so many columns, each with its line feed.
[[nodiscard]] std::string paragraph(std::string_view text, std::size_t columns);

/// A name, and what it is in a column of its own: a row of a list of help, in lines of at most so
/// many columns. The text is below a name that is too long, and on a screen that is too narrow; ""
/// is no name, and the text another line of the one before.
[[nodiscard]] std::string definition(std::string_view name, std::string_view text,
                                     std::size_t text_column, std::size_t columns);

}  // namespace freshet::terminal_text
