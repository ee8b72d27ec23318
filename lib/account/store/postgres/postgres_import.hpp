// A book out of a file of SQLite into PostgreSQL, row by row as it is: numbers, hashes and chains
// stay. The file is only read.
#pragma once

#include <account/store/book_file.hpp>

namespace freshet::account::on_postgres {

/// Copies what is not there yet, and the pepper last: a database without it is no book that a
/// server opens. Errors: not_found (no file), invalid_configuration (a server has the file or the
/// database open, another schema), invalid_request (a server has written to the database before),
/// storage_unavailable, cancelled.
[[nodiscard]] result<void> import_book(const std::string& file, const book_place& book,
                                       const progress& watch);

}  // namespace freshet::account::on_postgres
