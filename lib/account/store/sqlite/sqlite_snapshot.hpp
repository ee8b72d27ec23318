// The ledger at one moment, out of an open database.
#pragma once

#include <account/store/ledger_snapshot.hpp>
#include <sqlite/sqlite.hpp>

namespace freshet::account {

/// Runs `read` in a transaction: everything that it reads is of the same moment. Error:
/// storage_unavailable.
[[nodiscard]] result<void> read_snapshot(sqlite::database& database,
                                         const std::function<void(ledger_snapshot&)>& read);

}  // namespace freshet::account
