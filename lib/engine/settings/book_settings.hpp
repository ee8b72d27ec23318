// Where the configuration has the accounts' book.
#pragma once

#include <account/store/book_file.hpp>
#include <freshet/config.hpp>
#include <string>

namespace freshet::detail {

/// Error: invalid_configuration.
[[nodiscard]] result<account::book_place> configured_book(const config& from);
/// The file whose name those that lie beside a book begin with; of a book in PostgreSQL it is not
/// there.
[[nodiscard]] std::string file_of(const account::book_place& book);

}  // namespace freshet::detail
