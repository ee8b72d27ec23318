// Accounts and keys as rows: which columns are read of them, and how. What follows FROM may be
// narrowed by whoever asks.
#pragma once

#include <account/rules/origins.hpp>
#include <account/store/records.hpp>
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
/// it, true or not; they live until `to` returns. A row that does not fit what is packed in it has
/// been altered, and is told as one movement without a hash. False where `to` gave that.
template <class To>
bool each_movement(const sqlite::statement& from, const To& to) {
  chain_row row;
  std::int64_t charges = 1;
  std::string_view hash, packed;
  from.read(row.seq, row.number, row.movement, row.book, row.amount, row.balance, row.monthly_left,
            row.kind, row.reason, row.endpoint, row.request_id, row.sources, row.period, row.key_id,
            row.at, hash, row.refund_of, charges, packed);
  if (charges == 1 && packed.empty()) return to(row, hash);
  charge_unpacker all(row, hash, charges, packed);
  if (charges <= 1 || !all.is_whole()) return to(row, std::string_view());
  chain_row one;
  while (all.next(one, hash)) {
    if (!to(one, hash)) return false;
  }
  return true;
}

/// The same of all rows that a query finds. False: it failed, and the connection knows why.
template <class To>
[[nodiscard]] bool each_movement_of(sqlite::statement& rows, const To& to) {
  sqlite::sqlite_code code = rows.step();
  for (; code == sqlite::sqlite_row; code = rows.step()) {
    if (!each_movement(rows, to)) return true;
  }
  return code == sqlite::sqlite_done;
}

/// A query for each_movement().
[[nodiscard]] inline std::string movements_where(const char* condition) {
  return std::string("SELECT ") + chain_columns + " FROM ledger WHERE " + condition;
}

/// What read_key() reads.
inline constexpr const char* key_rows =
    "SELECT keys.id, public_id, account_id, keys.family, hash, is_test, last_four, scope_read, "
    "scope_account, monthly_budget, expires_at, revoked_at, last_used_at, created_at, name, "
    "rotated_at, origins, budgets.month, budgets.used "
    "FROM keys LEFT JOIN budgets ON budgets.family=keys.family ";

[[nodiscard]] inline stored_account read_account(const sqlite::statement& row) {
  stored_account account;
  account_record& record = account.record;
  account_book& book = account.book.book;
  std::optional<month_index> month;
  row.read(record.id, record.public_id, record.email, record.plan, record.created_at,
           record.is_operator, record.verified_at, record.deleted_at, book.balance,
           book.monthly_left, book.chain.number, book.chain.hash, month);
  // The column only holds what makes it unique.
  if (record.deleted_at) record.email.clear();
  account.book.month = month.value_or(no_month);
  return account;
}

[[nodiscard]] inline stored_key read_key(const sqlite::statement& row) {
  stored_key key;
  key_record& record = key.record;
  bool is_test = false;
  std::optional<std::int64_t> budget;
  std::optional<month_index> month;
  std::string_view origins;
  row.read(record.id, record.public_id, record.account_id, key.family, key.hash, is_test,
           record.last_four, record.scope_read, record.scope_account, budget, record.expires_at,
           record.revoked_at, record.last_used_at, record.created_at, record.name,
           record.rotated_at, origins, month, key.budget_used);
  record.origins = split_origins(origins);
  record.mode = is_test ? key_mode::test : key_mode::live;
  if (budget) record.monthly_budget = credits{*budget};
  key.budget_month = month.value_or(no_month);
  return key;
}

}  // namespace freshet::account
