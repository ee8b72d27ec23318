// A book in PostgreSQL, for who reads all of it.
#pragma once

#include <account/store/book_file.hpp>

namespace freshet::account::on_postgres {

/// As book_file::open().
[[nodiscard]] result<std::unique_ptr<book_file>> open_book(const book_place& at);
/// What somebody is told who wants to restore one.
[[nodiscard]] error no_restore();

}  // namespace freshet::account::on_postgres
