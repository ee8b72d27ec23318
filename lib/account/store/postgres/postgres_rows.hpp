// Accounts and keys as rows: which columns are read of them, and how. What follows FROM may be
// narrowed by whoever asks.
#pragma once

#include <account/rules/origins.hpp>
#include <account/store/records.hpp>
#include <postgres/postgres.hpp>

namespace freshet::account::on_postgres {

/// What read_account() reads.
inline constexpr const char* account_columns =
    "accounts.id, public_id, email, plan, created_at, is_operator, verified_at, deleted_at, "
    "last.balance, last.monthly_left, last.number, last.hash, "
    "(SELECT max(month) FROM allowances WHERE account_id=accounts.id)";
inline constexpr const char* account_tables =
    " FROM accounts LEFT JOIN LATERAL (SELECT balance, monthly_left, number, hash FROM ledger "
    "WHERE book='account:'||accounts.id ORDER BY seq DESC LIMIT 1) AS last ON true ";
inline constexpr int account_column_count = 13;

/// What read_chain_row() reads of the ledger.
inline constexpr const char* chain_columns =
    "seq, number, movement, book, amount, balance, monthly_left, kind, reason, endpoint, "
    "request_id, sources, period, key_id, at, hash, refund_of";

/// A row with the hash that stands beside it, true or not; both live until the next run().
inline std::string_view read_chain_row(const postgres::pg_statement& from, chain_row& row) {
  std::string_view hash;
  from.read(row.seq, row.number, row.movement, row.book, row.amount, row.balance, row.monthly_left,
            row.kind, row.reason, row.endpoint, row.request_id, row.sources, row.period, row.key_id,
            row.at, hash, row.refund_of);
  return hash;
}

/// What read_key() reads.
inline constexpr const char* key_rows =
    "SELECT keys.id, public_id, account_id, keys.family, hash, is_test, last_four, scope_read, "
    "scope_account, monthly_budget, expires_at, revoked_at, last_used_at, created_at, name, "
    "rotated_at, origins, budgets.month, budgets.used "
    "FROM keys LEFT JOIN budgets ON budgets.family=keys.family ";

[[nodiscard]] inline stored_account read_account(const postgres::pg_statement& row) {
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

[[nodiscard]] inline stored_key read_key(const postgres::pg_statement& row) {
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

/// Every row that a query finds, told to `give` in turn.
template <class Give>
[[nodiscard]] postgres::pg_outcome each_row(postgres::pg_statement& query, Give give) {
  const postgres::pg_outcome became = query.run();
  while (became == postgres::pg_outcome::done && query.next()) give();
  return became;
}

}  // namespace freshet::account::on_postgres
