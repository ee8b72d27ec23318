// Events on their way to webhooks, by the rules of Standard Webhooks: signed, repeated under one id
// until they are taken; which is sent when alert_deliveries say.
#pragma once

#include <cstdint>
#include <engine/alerts/alert_deliveries.hpp>
#include <engine/runtime/core.hpp>
#include <functional>
#include <model/object_writer.hpp>
#include <string>
#include <string_view>

namespace freshet::detail {

/// Something that happened to an account.
struct webhook_event {
  std::int64_t account;
  std::string public_id;  ///< "acc_…"
  std::string_view type;
  std::function<void(model::object_writer&)> write_data;  ///< beside `account`
};

/// Sends it, without waiting. What is under way is lost with the process. False, and logged: too
/// many wait for this account's webhook.
bool send_event(core& shared, webhook target, const webhook_event& event);

/// `webhook-signature` of a message.
[[nodiscard]] std::string webhook_signature(std::string_view secret, std::string_view id,
                                            std::int64_t timestamp_s, std::string_view body);

/// The bytes of a secret; "" where it is none of 24 bytes or more.
[[nodiscard]] std::string webhook_key(std::string_view secret);

}  // namespace freshet::detail
