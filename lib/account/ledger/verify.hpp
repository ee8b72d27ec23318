// Replays the ledger and says what is wrong in it. It reads one row at a time: memory does not grow
// with the ledger. It changes nothing.
#pragma once

#include <account/accounts.hpp>
#include <account/store/store.hpp>

namespace freshet::account {

/// Findings beyond this many are only counted.
inline constexpr std::size_t max_findings = 100;

/// The whole ledger at one moment: the storage's integrity, the sequence, the chain, the pairs, the
/// balances and the head. Error: storage_unavailable.
[[nodiscard]] result<verify_report> verify_ledger(account_store& books);

}  // namespace freshet::account
