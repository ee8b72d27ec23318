// Where a person reads: how wide it is, whether it has colours, and texts of others as it may show
// them. Programs, which read from pipes and files, get none of this.
#pragma once

#include <cstddef>
#include <optional>
#include <server/commands/settings.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::server {

/// What a piece of text is to its reader. Without colours all look alike.
enum class tone { plain, strong, faint, good, bad, wary, address };

/// A terminal that a person looks at.
struct screen {
  std::size_t columns = 80;
  bool has_colours = false;

  /// `text` in the colours of its tone. `text` must be harmless().
  [[nodiscard]] std::string paint(tone how, std::string_view text) const;
};

/// The terminal behind a file of this process (STDOUT_FILENO); nothing where it is none. There are
/// no colours where NO_COLOR is set or TERM is "dumb"; COLUMNS stands for a width that the terminal
/// does not tell.
[[nodiscard]] std::optional<screen> screen_behind(int file, environment_block environment);

/// How wide help may be: as the terminal behind standard output, within what reads well; the usual
/// width where there is none.
[[nodiscard]] std::size_t help_columns(environment_block environment);

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

/// A name, and what it is in a column of its own: a row of a list of help, in lines of at most so
/// many columns. The text is below a name that is too long, and on a screen that is too narrow.
[[nodiscard]] std::string definition(std::string_view name, std::string_view text,
                                     std::size_t text_column, std::size_t columns);

}  // namespace freshet::server
