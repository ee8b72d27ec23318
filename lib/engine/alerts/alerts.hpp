// Who is told of what happens to an account: its owner, by mail and by a webhook of theirs, as they
// have chosen, and of its credits the operator's programs, too. An owner is told once in a month,
// of a source once in a day, whichever server notices.
#pragma once

#include <account/accounts.hpp>
#include <engine/alerts/alert_watch.hpp>
#include <engine/runtime/core.hpp>
#include <freshet/config.hpp>
#include <string_view>
#include <vector>

namespace freshet::detail {

/// `alerts.left`, and what an owner may choose.
[[nodiscard]] std::vector<int> watched_shares(const config& settings);

/// What owners are told of who have not chosen.
[[nodiscard]] account::alert_settings usual_alerts(const config& settings);

/// Whether owners may be told by mail: there is any, and `alerts.mail` is on.
[[nodiscard]] bool sends_alert_mails(const core& shared);

/// By `alerts.failing_s`.
[[nodiscard]] std::unique_ptr<alert_watch> open_alert_watch(const config& settings);

/// Error: invalid_configuration (alerts.*).
[[nodiscard]] result<void> check_alerts(const config& settings);

/// Where an alert went; "" for not there.
struct alert_ways {
  std::string email, webhook;
};

/// Sends a test now to where this owner's alerts go. Waits for a commit. Errors: no_recipient,
/// rate_limited (one a minute), overloaded, storage_unavailable.
[[nodiscard]] result<alert_ways> send_test_alert(core& shared, const account::account_record& whose,
                                                 const account::alert_settings& chosen);

// These tell without waiting until anybody knows. What they say was just committed, or answered. On
// a thread that may wait for a commit.
void tell_of_fall(core& shared, const account::balance_fall& fall);
/// Calls with this key are refused: its budget is used.
void tell_of_budget(core& shared, const account::principal& who);
void tell_of_source(core& shared, const account::account_record& whose,
                    const failing_source& source);

}  // namespace freshet::detail
