// The tables of the guides that are made from the catalogue, as Markdown. They tell of a program
// without configuration: its prices are the defaults. Freestanding functions without state.
#pragma once

#include <string>

namespace freshet {

/// Every endpoint: its own parameters, those in bold that are required, its price and what it
/// gives. Thread-safe.
[[nodiscard]] std::string endpoints_table();
/// The parameters that endpoints share: who takes each, and what it means. Thread-safe.
[[nodiscard]] std::string common_parameters_table();

}  // namespace freshet
