// Where a person reads: how wide it is, and whether it has colours. Programs, which read from pipes
// and files, get none of this.
#pragma once

#include <cstddef>
#include <freshet/terminal_text.hpp>
#include <optional>
#include <server/commands/settings.hpp>
#include <string>
#include <string_view>

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

/// How wide sentences may be at the terminal behind a file, within what reads well; nothing where
/// it is none.
[[nodiscard]] std::optional<std::size_t> prose_columns(int file, environment_block environment);

/// How wide help may be: as sentences on standard output; the usual width where that is no
/// terminal.
[[nodiscard]] std::size_t help_columns(environment_block environment);

using terminal_text::columns_of;
using terminal_text::cut;
using terminal_text::definition;
using terminal_text::harmless;
using terminal_text::paragraph;
using terminal_text::wrap;

}  // namespace freshet::server
