// A copy of a database as it is at one moment: for a backup, for a book out of one, and before a
// migration.
#pragma once

#include <account/store/book_file.hpp>
#include <sqlite/sqlite.hpp>

namespace freshet::account {

/// Into a new file of its owner's alone, which nobody has open and which has nothing beside it. It
/// is not synced as a whole. Errors: storage_unavailable, cancelled.
[[nodiscard]] result<void> copy_book(sqlite::database& source, const std::string& path,
                                     const progress& watch);

}  // namespace freshet::account
