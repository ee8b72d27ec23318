// Numbered changes of the tables that a module has in a database, forward only, under a lock that
// other servers wait for. Tables that a newer program has changed are refused, never guessed at.
#pragma once

#include <postgres/postgres.hpp>
#include <span>

namespace freshet::postgres {

/// One step: it makes version `number` of `number` - 1. Never edited once released.
struct pg_migration {
  std::int64_t number;
  const char* sql;
};

/// The tables of one module. All of it has static storage.
struct pg_schema {
  const char* subject;                  ///< what it is in messages: "the database"
  const char* table;                    ///< the table that has its version
  const char* lock;                     ///< the lock's name
  std::span<const pg_migration> steps;  ///< in order, from 1
};

/// The version that the tables have. Error: storage_unavailable.
[[nodiscard]] result<std::int64_t> schema_version(pg_connection& connection,
                                                  const pg_schema& schema);
/// That a newer program has changed the tables.
[[nodiscard]] error newer_schema(const pg_schema& schema, std::int64_t version);
/// Brings the tables to the last step, all in one transaction, or leaves them as they were. `tell`
/// is told in words how far it is; it may be null. Errors: invalid_configuration (a newer schema),
/// storage_unavailable.
[[nodiscard]] result<void> migrate(pg_connection& connection, const pg_schema& schema,
                                   const std::function<void(std::string_view)>& tell);

}  // namespace freshet::postgres
