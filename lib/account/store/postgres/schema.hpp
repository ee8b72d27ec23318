// The tables in PostgreSQL and their numbered changes, forward only, under a lock that other
// servers wait for. A database that a newer program has changed is refused, never guessed at.
#pragma once

#include <postgres/postgres.hpp>
#include <span>

namespace freshet::account::on_postgres {

/// One step: it makes version `number` of `number` - 1. Never edited once released.
struct pg_migration {
  std::int64_t number;
  const char* sql;
};

/// Every step, in order, from 1. Static storage.
[[nodiscard]] std::span<const pg_migration> migrations() noexcept;

/// Brings the database to the last of `steps`, all in one transaction, or leaves it as it was.
/// `tell` is told in words how far it is; it may be null. Errors: invalid_configuration (a newer
/// schema), storage_unavailable.
[[nodiscard]] result<void> migrate(postgres::pg_connection& connection,
                                   std::span<const pg_migration> steps,
                                   const std::function<void(std::string_view)>& tell);

/// Whether the database can be read as it is. Errors: not_found (nothing of ours is there),
/// invalid_configuration (another schema), storage_unavailable.
[[nodiscard]] result<void> check(postgres::pg_connection& on);

}  // namespace freshet::account::on_postgres
