// The tables of the database and their numbered changes, forward only. A database that a newer
// program has changed is refused, never guessed at.
#pragma once

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
};

/// Every step, in order, from 1. Static storage.
[[nodiscard]] std::span<const migration> migrations() noexcept;

/// Brings the database to the last of `steps`, all in one transaction, or leaves it as it was.
/// Errors: invalid_configuration (a newer schema, another program's file), storage_unavailable.
[[nodiscard]] result<void> migrate(sqlite::database& on, std::span<const migration> steps);

}  // namespace freshet::account
