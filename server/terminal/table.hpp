// Rows in columns that stand below each other, within a terminal's width.
#pragma once

#include <server/terminal/screen.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::server {

struct table_column {
  std::string_view title;
  bool is_number = false;  ///< stands at the right of its column
  bool may_be_cut = true;  ///< false for what is no use in part: an id, a moment
};

/// A row's texts, one a column, as they came: a table makes them harmless.
using table_row = std::vector<std::string>;

/// The rows below the titles. Where the width does not do, the widest columns that may be cut are
/// cut; where that is not enough, the last column is left out, and so on.
[[nodiscard]] std::string table_text(std::span<const table_column> columns,
                                     std::span<const table_row> rows, const screen& screen);

}  // namespace freshet::server
