// The tables of the guides that are made from the catalogue, as Markdown, and what writes any such
// table. They tell of a program without configuration: its prices are the defaults. Freestanding
// functions without state.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace freshet {

/// The head of a Markdown table of these columns. Thread-safe.
[[nodiscard]] std::string table_head(std::initializer_list<std::string_view> columns);
/// Adds a row to a Markdown table; a bar in a cell is escaped. Thread-safe.
void add_table_row(std::string& table, std::initializer_list<std::string_view> cells);
/// A text in backticks; nothing of nothing. Thread-safe.
[[nodiscard]] std::string in_code(std::string_view text);

/// Every endpoint: its own parameters, those in bold that are required, its price and what it
/// gives. Thread-safe.
[[nodiscard]] std::string endpoints_table();
/// The parameters that endpoints share: who takes each, and what it means. Thread-safe.
[[nodiscard]] std::string common_parameters_table();

}  // namespace freshet
