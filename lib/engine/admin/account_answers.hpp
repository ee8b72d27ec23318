// The accounts' records as the values that the model writes; account and model know nothing of each
// other.
#pragma once

#include <account/accounts.hpp>
#include <model/account_json.hpp>
#include <requests/call_record.hpp>
#include <string_view>
#include <vector>

namespace freshet::detail {

/// Of the account alone: balance, limits and the calling key are left as they are.
[[nodiscard]] model::account_answer account_answer(const account::account_record& record);
[[nodiscard]] model::key_answer key_answer(const account::key_record& record);
/// `keys`: those of the account, for the one that made the call.
[[nodiscard]] model::ledger_answer ledger_answer(const account::ledger_row& row,
                                                 const std::vector<account::key_record>& keys);

/// The same of a call in the request log; neither its ledger entry nor its bodies.
[[nodiscard]] model::request_answer request_answer(const requests::call_record& call,
                                                   const std::vector<account::key_record>& keys);
[[nodiscard]] model::alerts_answer alerts_answer(const account::account_record& whose,
                                                 const account::alert_settings& chosen);
/// What is said where no calls are kept.
[[nodiscard]] error no_request_log();
/// Error: invalid_request, where `path` is neither "" nor an endpoint.
[[nodiscard]] result<void> check_endpoint(std::string_view path);
/// Which statuses "400", "4xx", "ok" or "failed" stands for; all for "".
void set_status(requests::request_filter& filter, std::string_view status);

}  // namespace freshet::detail
