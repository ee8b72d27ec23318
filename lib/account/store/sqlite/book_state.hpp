// What tells whether a book's file is all there is of it: the mark that a process has it open, and
// the head that was last seen, kept beside it. Without either nobody can tell an older file from a
// newer one.
#pragma once

#include <account/store/pepper_check.hpp>
#include <freshet/result.hpp>
#include <sqlite/sqlite.hpp>
#include <string>
#include <string_view>

namespace freshet::account {

/// The file in which SQLite keeps what is not in the database yet.
[[nodiscard]] inline std::string journal_path(const std::string& path) { return path + "-wal"; }
/// The file that remembers the head, as sealed_text() has it.
[[nodiscard]] inline std::string head_path(const std::string& path) { return path + ".head"; }
/// The file that remembers up to where the ledger was found sound.
[[nodiscard]] inline std::string sound_path(const std::string& path) { return path + ".sound"; }
[[nodiscard]] inline std::string lock_path(const std::string& path) { return path + ".lock"; }

/// Asked where there is no journal: whether none is missing. Errors: invalid_configuration,
/// storage_unavailable.
[[nodiscard]] result<void> check_marked_closed(sqlite::database& database, const std::string& path);
/// Whether the book reaches the head that is remembered beside it. Errors as above.
[[nodiscard]] result<void> check_head(sqlite::database& database, const std::string& path,
                                      std::string_view pepper);

/// Whether the pepper is the database's. Errors: invalid_configuration (`file` is not), as above.
[[nodiscard]] result<void> check_pepper(sqlite::database& database, std::string_view pepper,
                                        const std::string& file);
/// Whether the book can be read as it is. Errors: invalid_configuration (another program's, another
/// schema), storage_unavailable.
[[nodiscard]] result<void> check_schema(sqlite::database& database, const std::string& path);

}  // namespace freshet::account
