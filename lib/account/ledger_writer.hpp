// Writes the ledger: movements of two rows that sum to zero, chained and sealed, inside the
// transaction of a batch. Used by the ledger thread alone. It refuses no movement by itself: what
// may be charged was decided when it was reserved, and the table's checks guard the rest.
#pragma once

#include <account/rules/book.hpp>
#include <account/rules/chain.hpp>
#include <account/types.hpp>
#include <sqlite/sqlite.hpp>
#include <string>

namespace freshet::account {

using sqlite::database;
using sqlite::database_use;
using sqlite::fail_hook;
using sqlite::sqlite_code;
using sqlite::sqlite_done;
using sqlite::sqlite_ok;
using sqlite::sqlite_row;
using sqlite::statement;

/// What a movement is for.
struct movement_note {
  std::string_view kind;
  std::string_view reason = {};
  std::string_view endpoint = {};
  std::string_view request_id = {};
  std::string_view sources = {};  ///< of a refund: the entry that it gives back
  std::string_view period = {};   ///< "2026-11" for a monthly grant
  std::int64_t key_id = 0;
  time_point at;
};

class ledger_writer {
 public:
  /// `on` and `pepper` must outlive it.
  ledger_writer(database& on, std::string_view pepper);
  /// Reads the head and the system's books. Error: storage_unavailable.
  [[nodiscard]] result<void> load();

  [[nodiscard]] sqlite_code begin();
  /// Moves credits from or to usage's or grants' book. `book` is brought up to date.
  [[nodiscard]] sqlite_code append(std::int64_t account_id, const book_change& change,
                                   const movement_note& note, account_book& book);
  /// Writes the head and commits.
  [[nodiscard]] sqlite_code commit();
  /// Forgets what was appended since begin(). False if the database is then not what it was
  /// before, or cannot say.
  [[nodiscard]] bool rollback();
  [[nodiscard]] std::int64_t last_movement() const noexcept { return committed_.head.movement; }

 private:
  struct position {
    chain_head head;
    std::int64_t grants = 0, revenue = 0;
  };
  [[nodiscard]] sqlite_code append_row(const chain_row& row);

  database* on_;
  std::string_view pepper_;
  position committed_, working_;
  statement insert_row_, update_head_, read_head_;
};

}  // namespace freshet::account
