// One event on its way to a webhook, by the rules of Standard Webhooks: signed, repeated under one
// id until it is taken, so many at once (alert_deliveries).
#pragma once

#include <engine/runtime/core.hpp>
#include <model/object_writer.hpp>
#include <string>
#include <string_view>

namespace freshet::detail {

/// Where events go.
struct webhook {
  std::string url, secret;  ///< the secret as it is configured, "whsec_…"
  http::target_choice chosen_by = http::target_choice::caller;
  std::string name{};        ///< for the log: "alerts.webhook", "the webhook of acc_…"
  std::int64_t account = 0;  ///< whose share of the network it uses; 0 for the engine's own
};

/// Something that happened to an account.
struct webhook_event {
  std::string account;  ///< "acc_…"
  std::string_view type;
  std::function<void(model::object_writer&)> write_data;  ///< beside `account`
};

/// Sends it, without waiting. What is under way is lost with the process. False, and logged: too
/// many are under way.
bool send_event(core& shared, webhook target, const webhook_event& event);

/// `webhook-signature` of a message.
[[nodiscard]] std::string webhook_signature(std::string_view secret, std::string_view id,
                                            std::int64_t timestamp_s, std::string_view body);

/// The bytes of a secret; "" where it is none of 24 bytes or more.
[[nodiscard]] std::string webhook_key(std::string_view secret);

}  // namespace freshet::detail
