// The accounts' records as the values that the model writes; account and model know nothing of each
// other.
#pragma once

#include <account/accounts.hpp>
#include <model/account_json.hpp>
#include <vector>

namespace freshet::detail {

/// Of the account alone: balance, limits and the calling key are left as they are.
[[nodiscard]] model::account_answer account_answer(const account::account_record& record);
[[nodiscard]] model::key_answer key_answer(const account::key_record& record);
/// `keys`: those of the account, for the one that made the call.
[[nodiscard]] model::ledger_answer ledger_answer(const account::ledger_row& row,
                                                 const std::vector<account::key_record>& keys);

}  // namespace freshet::detail
