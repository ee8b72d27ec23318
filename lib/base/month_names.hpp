// Months by the names that people write, in some fifty languages.
#pragma once

#include <string_view>

namespace freshet::base {

/// 1 to 12, by how a word begins that fold() made: a name ("märz") or what is left of one ("mrz");
/// 0 of a word that names none.
[[nodiscard]] unsigned month_named(std::string_view folded);

}  // namespace freshet::base
