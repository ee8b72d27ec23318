// Replays the ledger and says what is wrong in it. It reads one row at a time: memory does not grow
// with the ledger. It changes nothing.
#pragma once

#include <account/accounts.hpp>
#include <sqlite/sqlite.hpp>

namespace freshet::account {

using sqlite::database;
using sqlite::database_use;
using sqlite::fail_hook;
using sqlite::sqlite_code;
using sqlite::sqlite_done;
using sqlite::sqlite_ok;
using sqlite::sqlite_row;
using sqlite::statement;

/// Findings beyond this many are only counted.
inline constexpr std::size_t max_findings = 100;

/// One snapshot of the whole ledger: the file's integrity, the sequence, the chain, the pairs, the
/// balances and the head. Error: storage_unavailable.
[[nodiscard]] result<verify_report> verify_ledger(database& on, std::string_view pepper);

}  // namespace freshet::account
