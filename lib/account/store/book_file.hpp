// A book as it lies on the disk, for who reads all of it: beside the process that has it open, or
// where none has. It decides nothing about what it reads, and changes no book; what is made of one,
// a backup or a restored book, stays a draft until whoever made it keeps it.
#pragma once

#include <account/store/ledger_snapshot.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::account {

/// Where a book is.
struct book_place {
  /// A file of SQLite, beside which all else of it is.
  book_place(std::string file) : database(std::move(file)) {}
  book_place(const char* file) : database(file) {}
  book_place(std::string place, std::string beside)
      : database(std::move(place)), folder(std::move(beside)) {}

  std::string database;  ///< such a file, or "postgresql://…"
  std::string folder;    ///< of the pepper, where the database is no file
};

/// Told now and then how far something long has come, of how much (0: nobody knows); false ends it.
using progress = std::function<bool(std::string_view step, std::int64_t done, std::int64_t all)>;

/// Something whose ledger can be verified. Used by one thread. Errors: storage_unavailable,
/// cancelled.
class ledger_source {
 public:
  ledger_source() = default;
  ledger_source(const ledger_source&) = delete;
  ledger_source& operator=(const ledger_source&) = delete;
  virtual ~ledger_source() = default;
  [[nodiscard]] virtual const std::string& pepper() const noexcept = 0;
  [[nodiscard]] virtual result<void> read_snapshot(
      const std::function<void(ledger_snapshot&)>& read) = 0;
  /// Up to where its ledger was found sound before; null where that is not known.
  [[nodiscard]] virtual std::optional<chain_head> sound_until() const { return std::nullopt; }
  virtual void put_sound_until(const chain_head&) {}
};

/// A file that is being made. It goes with the object unless it was kept.
class book_draft : public ledger_source {
 public:
  /// Gives it its name, durably. Error: storage_unavailable.
  [[nodiscard]] virtual result<void> keep() = 0;
  [[nodiscard]] virtual std::int64_t bytes() const = 0;
};

/// A book that is there.
class book_file : public ledger_source {
 public:
  /// Nobody need have it open; while it is read where nobody has, nobody can. Errors: not_found
  /// (there is none), invalid_configuration (of another schema or program; a missing pepper; rows
  /// that are known to be missing), storage_unavailable.
  [[nodiscard]] static result<std::unique_ptr<book_file>> open(const book_place& at);
  /// A copy of one moment with the pepper in it: whoever has it has all of the book, and can check
  /// its keys. Errors: invalid_request (there is a file, and it is not to be replaced; a database
  /// that has backups of its own), storage_unavailable, cancelled.
  [[nodiscard]] virtual result<std::unique_ptr<book_draft>> begin_backup(const std::string& file,
                                                                         bool replaces,
                                                                         const progress& watch) = 0;
};

/// Copies a book out of a file into a database of PostgreSQL that has none, row by row as it is,
/// and goes on where an earlier copy was ended. The file is only read; the database is no book
/// before all is there. Errors: not_found (no file), invalid_configuration (somebody has either
/// open, another schema, another book's pepper), invalid_request (a place that is none for this, a
/// database that a server has written to), storage_unavailable, cancelled.
[[nodiscard]] result<void> copy_to_database(const book_place& source, const book_place& target,
                                            const progress& watch);

/// The book that is in a backup, at the path of a database in a folder that has nothing else.
/// Errors: invalid_request (no backup, a damaged one, a folder with something in it, a database
/// that has backups of its own),
/// invalid_configuration (a process has a book there, a newer schema), storage_unavailable,
/// cancelled.
[[nodiscard]] result<std::unique_ptr<book_draft>> begin_restore(const std::string& backup,
                                                                const book_place& place,
                                                                const progress& watch);

}  // namespace freshet::account
