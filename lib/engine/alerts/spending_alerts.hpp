// Who is told that an account's credits come to their end: its owner by mail, the operator's
// programs by a webhook (Standard Webhooks: signed, repeated under one id until it is taken).
#pragma once

#include <account/accounts.hpp>
#include <engine/runtime/core.hpp>
#include <freshet/config.hpp>
#include <string>
#include <vector>

namespace freshet::detail {

/// `alerts.left`, in percent.
[[nodiscard]] std::vector<int> watched_shares(const config& settings);

/// Error: invalid_configuration (alerts.*).
[[nodiscard]] result<void> check_alerts(const config& settings);

/// Tells them, without waiting until they know. `fall` was just committed.
void tell_of_fall(core& shared, const account::balance_fall& fall);

/// `webhook-signature` of a message. `secret`: as it is configured, "whsec_…".
[[nodiscard]] std::string webhook_signature(std::string_view secret, std::string_view id,
                                            std::int64_t timestamp_s, std::string_view body);

}  // namespace freshet::detail
