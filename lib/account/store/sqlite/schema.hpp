// The tables of the database and their numbered changes, forward only. A database that a newer
// program has changed is refused, never guessed at.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <sqlite/sqlite.hpp>
#include <string_view>

namespace freshet::account {

/// "frsh": marks the file as ours in SQLite's header.
inline constexpr std::int64_t application_id = 0x66727368;

/// One step: it makes version `number` of `number` - 1. Never edited once released.
struct migration {
  std::int64_t number;
  const char* sql;
  /// It is left out where there is a table of this name; "" for never.
  std::string_view unless_table = {};
  /// It changes what the file says of a table, not what is in it.
  bool rewrites_schema = false;
};

/// Every step, in order, from 1. Static storage.
[[nodiscard]] std::span<const migration> migrations() noexcept;

/// Told in words how far it is; may be null.
using migration_watch = std::function<void(std::string_view line)>;

/// Brings the database to the last of `steps`, all in one transaction, or leaves it as it was.
/// Errors: invalid_configuration (a newer schema, another program's file), storage_unavailable.
[[nodiscard]] result<void> migrate(sqlite::database& database, std::span<const migration> steps,
                                   const migration_watch& watch = {});
/// The schema of a database that the last of `steps` would change; null for a new one, for one that
/// has it, and for what migrate() refuses. Error: storage_unavailable.
[[nodiscard]] result<std::optional<std::int64_t>> outdated_schema(sqlite::database& database,
                                                                  std::span<const migration> steps);

}  // namespace freshet::account
