// What an operator does with the whole book of the accounts: a backup, its restoration, and proving
// that either is whole. A book is read beside the server that has it open, or where none runs.
#pragma once

#include <cstdint>
#include <freshet/config.hpp>
#include <freshet/result.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace freshet {

/// Told now and then, on the caller's thread, which step is how far done, of how much (0: nobody
/// knows). False ends it with the error `cancelled`, and what was begun is removed.
using book_watch = std::function<bool(std::string_view step, std::int64_t done, std::int64_t all)>;

/// What was found.
struct book_report {
  bool ok = true;                     ///< whether there are no findings
  std::int64_t rows = 0;              ///< of the ledger, that were replayed
  std::int64_t begun_after = 0;       ///< the row behind which that began; 0: the first
  std::string head;                   ///< "402:9f3c…": its last row and that row's hash
  std::int64_t bytes = 0;             ///< of the file that was made
  std::vector<std::string> findings;  ///< what is wrong, one line each; only of verify_book()
};

/// Writes the book as it is at one moment, its pepper included, into one file of mode 0600, which
/// has its name only when its ledger was replayed and found sound. Nobody's commits wait for it.
/// `watch` may be null in all three. Thread-safe. Errors: not_found (no book), invalid_request
/// (the file is there, and not `replaces`), invalid_configuration (rows of the book are known to be
/// missing, its schema is another), storage_unavailable, cancelled.
[[nodiscard]] result<book_report> back_up_book(const config& settings, const std::string& file,
                                               bool replaces, const book_watch& watch = {});

/// Makes the book of a backup where the configuration has it: the folder must be empty. Verified
/// before it has its name. Thread-safe. Errors: invalid_request (no backup, a damaged one, a folder
/// with something in it), invalid_configuration (a server runs on the folder, a newer schema),
/// storage_unavailable, cancelled.
[[nodiscard]] result<book_report> restore_book(const config& settings, const std::string& file,
                                               const book_watch& watch = {});

/// Moves the book of a file, "sqlite:PATH", into the database of PostgreSQL that the configuration
/// names, which has none: every row as it is, the pepper into the data folder. Goes on where an
/// earlier move was ended; the file is only read. Its ledger is replayed there, and has to end as
/// in the file. Thread-safe. Errors: not_found (no file), invalid_request (another kind of place, a
/// database that a server has written to), invalid_configuration (a server has either open, another
/// schema, another book's pepper), storage_unavailable, cancelled.
[[nodiscard]] result<book_report> move_book(const config& settings, const std::string& source,
                                            const book_watch& watch = {});

/// How a book is verified.
struct book_verification {
  std::string known_head = {};  ///< one that was kept of the book, which it must continue; or ""
  /// Goes on where an earlier verification has come to, be it that it was ended: only the rows
  /// behind that are replayed, and the file is not looked at as a whole.
  bool resumes = false;
};

/// Replays every row, and remembers how far the ledger is sound. What is wrong is a finding.
/// Thread-safe. Errors: not_found, invalid_request (the known
/// head), invalid_configuration (as of back_up_book()), storage_unavailable, cancelled.
[[nodiscard]] result<book_report> verify_book(const config& settings,
                                              const book_verification& options,
                                              const book_watch& watch = {});

}  // namespace freshet
