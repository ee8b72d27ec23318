// A book in a file of SQLite, for who reads all of it.
#pragma once

#include <account/store/book_file.hpp>

namespace freshet::account {

/// As book_file::open().
[[nodiscard]] result<std::unique_ptr<book_file>> open_book(const std::string& path);
/// As begin_restore().
[[nodiscard]] result<std::unique_ptr<book_draft>> restore_book(const std::string& backup,
                                                               const std::string& path,
                                                               const progress& watch);

}  // namespace freshet::account
