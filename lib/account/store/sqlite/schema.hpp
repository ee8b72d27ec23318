// The tables of the database and their numbered changes, forward only. A database that a newer
// program has changed is refused, never guessed at.
#pragma once

#include <span>
#include <sqlite/sqlite.hpp>
#include <string_view>

namespace freshet::account {

/// One step: it makes version `number` of `number` - 1. Never edited once released.
struct migration {
  std::int64_t number;
  const char* sql;
};

/// Every step, in order, from 1. Static storage.
[[nodiscard]] std::span<const migration> migrations() noexcept;

/// Brings the database to the last of `steps`, all in one transaction, or leaves it as it was.
/// Errors: invalid_configuration (a newer schema, another program's file), storage_unavailable.
[[nodiscard]] result<void> migrate(sqlite::database& on, std::span<const migration> steps);

}  // namespace freshet::account
