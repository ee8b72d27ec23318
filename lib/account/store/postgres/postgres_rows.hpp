// Accounts and keys as rows: which columns are read of them, and how. What follows FROM may be
// narrowed by whoever asks.
#pragma once

#include <account/store/sql/stored_rows.hpp>
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

/// Mails whose node is not in service any more.
inline constexpr const char* free_mails =
    "LEFT JOIN nodes ON nodes.id=mails.node WHERE node IS NULL OR retired_at IS NOT NULL";

/// What read_chain_row() reads of the ledger.
inline constexpr const char* chain_columns =
    "seq, number, movement, book, amount, balance, monthly_left, kind, reason, endpoint, "
    "request_id, sources, period, key_id, at, hash, refund_of";

/// A row with the hash that stands beside it, true or not; both live until the next run().
inline std::string_view read_chain_row(const postgres::pg_statement& statement, chain_row& row) {
  std::string_view hash;
  statement.read(row.seq, row.number, row.movement, row.book, row.amount, row.balance,
                 row.monthly_left, row.kind, row.reason, row.endpoint, row.request_id, row.sources,
                 row.period, row.key_id, row.at, hash, row.refund_of);
  return hash;
}

/// Every row that a query finds, told to `give` in turn.
template <class Give>
[[nodiscard]] postgres::pg_outcome each_row(postgres::pg_statement& query, Give give) {
  const postgres::pg_outcome became = query.run();
  while (became == postgres::pg_outcome::done && query.next()) give();
  return became;
}

}  // namespace freshet::account::on_postgres
