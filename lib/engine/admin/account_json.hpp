// The accounts' values as the model writes them; account and model know nothing of each other.
#pragma once

#include <account/types.hpp>
#include <boost/json/value.hpp>
#include <model/account_json.hpp>

namespace freshet::detail {

/// A time, or null.
[[nodiscard]] boost::json::value optional_time(const std::optional<time_point>& at);
[[nodiscard]] model::key_answer key_answer(const account::key_record& of);
/// `keys`: those of the account, for the one that made the call.
[[nodiscard]] model::ledger_answer ledger_answer(const account::ledger_row& of,
                                                 const std::vector<account::key_record>& keys);
[[nodiscard]] std::vector<std::string> scope_names(const account::key_record& of);

}  // namespace freshet::detail
