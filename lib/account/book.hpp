// What an operator does with a whole book: a backup of it, the book of a backup, and proving
// either. It needs no open accounts: a book is read beside the process that has it open, or where
// none has.
#pragma once

#include <account/ledger/replay.hpp>

namespace freshet::account {

/// A file that was made, and what it was found to hold.
struct book_report {
  std::int64_t rows = 0;
  chain_head head;
  std::int64_t bytes = 0;
};

struct backup_options {
  bool replaces = false;  ///< whether a file that is there may be replaced
  progress watch = {};    ///< may be null
};

/// Copies the book as it is at one moment, the pepper included, into one file of mode
/// 0600, and verifies the copy before the file has its name. Nobody's commits wait for it. Errors:
/// not_found (no book), invalid_request (the file is there; a book in PostgreSQL, which has backups
/// of its own), invalid_configuration (rows of the book are missing, another schema),
/// storage_unavailable (also: the copy is not sound, and why), cancelled.
[[nodiscard]] result<book_report> back_up(const book_place& place, const std::string& file,
                                          const backup_options& options);
/// Makes the book of a backup, with its pepper beside it, in a folder that has nothing else, and
/// verifies it before it has its name. Errors: invalid_request (no backup, a damaged one, a folder
/// that is not empty), invalid_configuration (a process has a book there, a newer schema),
/// storage_unavailable, cancelled.
[[nodiscard]] result<book_report> restore(const std::string& file, const book_place& place,
                                          const progress& watch);
/// copy_to_database(), and proves that the ledger that is there then is the one that was in the
/// file: it is replayed, and ends at the same head. Errors also: storage_unavailable (it is not,
/// and why).
[[nodiscard]] result<book_report> move_book(const book_place& source, const book_place& target,
                                            const progress& watch);
/// accounts::verify() of a book that need not be open. Errors: not_found, invalid_configuration
/// (as back_up()), storage_unavailable, cancelled.
[[nodiscard]] result<verify_report> verify_book(const book_place& place,
                                                const replay_options& options);

}  // namespace freshet::account
