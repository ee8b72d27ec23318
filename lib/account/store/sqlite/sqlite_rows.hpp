// Accounts and keys as rows: which columns are read of them, and how. What follows FROM may be
// narrowed by whoever asks.
#pragma once

#include <account/store/sql/stored_rows.hpp>
#include <account/store/sqlite/packed_charges.hpp>
#include <sqlite/sqlite.hpp>

namespace freshet::account {

/// What read_account() reads; the table's columns but `id` have names that no other's have.
inline constexpr const char* account_columns =
    "accounts.id, public_id, email, plan, created_at, is_operator, verified_at, deleted_at, "
    "ledger.balance, ledger.monthly_left, ledger.number, ledger.hash, "
    "(SELECT max(month) FROM allowances WHERE account_id=accounts.id)";
inline constexpr const char* account_tables =
    " FROM accounts LEFT JOIN ledger ON ledger.seq="
    "(SELECT max(seq) FROM ledger WHERE book='account:'||accounts.id) ";
inline constexpr int account_column_count = 13;

/// What each_movement() reads of the ledger.
inline constexpr const char* chain_columns =
    "seq, number, movement, book, amount, balance, monthly_left, kind, reason, endpoint, "
    "request_id, sources, period, key_id, at, hash, refund_of, charges, packed";

/// Tells the movements of a row of the ledger in their order, each with the hash that stands beside
/// it, true or not; they live until `out` returns. A row that does not fit what is packed in it has
/// been altered, and is told as one movement without a hash. False where `out` gave that.
template <class To>
bool each_movement(const sqlite::statement& statement, const To& out) {
  chain_row row;
  std::int64_t charges = 1;
  std::string_view hash, packed;
  statement.read(row.seq, row.number, row.movement, row.book, row.amount, row.balance,
                 row.monthly_left, row.kind, row.reason, row.endpoint, row.request_id, row.sources,
                 row.period, row.key_id, row.at, hash, row.refund_of, charges, packed);
  if (charges == 1 && packed.empty()) return out(row, hash);
  charge_unpacker all(row, hash, charges, packed);
  if (charges <= 1 || !all.is_whole()) return out(row, std::string_view());
  chain_row one;
  while (all.next(one, hash)) {
    if (!out(one, hash)) return false;
  }
  return true;
}

/// The same of all rows that a query finds. False: it failed, and the connection knows why.
template <class To>
[[nodiscard]] bool each_movement_of(sqlite::statement& rows, const To& out) {
  sqlite::sqlite_code code = rows.step();
  for (; code == sqlite::sqlite_row; code = rows.step()) {
    if (!each_movement(rows, out)) return true;
  }
  return code == sqlite::sqlite_done;
}

/// A query for each_movement().
[[nodiscard]] inline std::string movements_where(const char* condition) {
  return std::string("SELECT ") + chain_columns + " FROM ledger WHERE " + condition;
}

}  // namespace freshet::account
