// Attempts are made, and waited for, on the network's clock: they hold no thread.
#include "engine/alerts/webhook.hpp"

#include <array>
#include <base/clock.hpp>
#include <base/digest.hpp>
#include <base/ids.hpp>
#include <chrono>
#include <memory>
#include <new>
#include <utility>

namespace freshet::detail {
namespace {

constexpr std::string_view secret_prefix = "whsec_";
constexpr std::size_t least_secret_bytes = 24;
/// The pauses between attempts; there is one attempt more.
constexpr auto pauses = std::to_array<std::chrono::seconds>(
    {std::chrono::seconds(5), std::chrono::minutes(5), std::chrono::minutes(30)});

alert_deliveries& deliveries_of(core& shared, const webhook& target) {
  return target.account == 0 ? shared.operators_deliveries : shared.owners_deliveries;
}

http::request request_of(const alert_delivery& event) {
  const auto now = base::system_clock().now();
  const auto timestamp_s =
      std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
  http::request asked;
  asked.method = "POST";
  asked.url = event.target.url;
  asked.body = event.body;
  asked.headers = {{"Content-Type", "application/json"},
                   {"webhook-id", event.id},
                   {"webhook-timestamp", std::to_string(timestamp_s)},
                   {"webhook-signature",
                    webhook_signature(event.target.secret, event.id, timestamp_s, event.body)}};
  asked.redirect_limit = 0;
  asked.cacheable = false;
  asked.chosen_by = event.target.chosen_by;
  asked.owner = event.target.account;
  constexpr std::size_t most_of_an_answer = 4096;
  asked.body_limit = most_of_an_answer;
  asked.truncate_body = true;
  return asked;
}

void send_due(core& shared, alert_deliveries& all);

void attempted(core& shared, alert_deliveries& all, const alert_deliveries::attempt& made,
               const result<http::response>& answer) {
  constexpr int ok = 200, redirect = 300, gone = 410;
  const auto now = std::chrono::steady_clock::now();
  if (!answer && answer.error().code() == errc::cancelled) return all.give_up(made.ticket, now);
  if (answer && answer->status >= ok && answer->status < redirect) {
    all.taken(made.ticket, now);
    return send_due(shared, all);
  }
  const bool is_last =
      made.failures == pauses.size() || (answer && answer->status == gone) || !shared.live.wake_at;
  if (is_last) {
    all.give_up(made.ticket, now);
  } else {
    all.failed(made.ticket, now, pauses.at(made.failures));
  }
  const auto why =
      answer ? "it answered " + std::to_string(answer->status) : answer.error().detail();
  shared.log(
      is_last && made.what->target.account == 0 ? "error" : "warn",
      made.what->target.name + ": " + why + (is_last ? "; " + made.what->id + " is given up" : ""));
  send_due(shared, all);
}

/// Sends what may be sent now, and sees to it that what waits is sent in its time.
void send_due(core& shared, alert_deliveries& all) {
  const auto now = std::chrono::steady_clock::now();
  while (const auto next = all.next(now)) {
    try {
      shared.live.transport->submit(
          request_of(*next->what), now + next->patience,
          [&shared, &all, made = *next](const result<http::response>& answer) {
            attempted(shared, all, made, answer);
          });
    } catch (const std::bad_alloc&) {
      all.give_up(next->ticket, now);
    }
  }
  if (!shared.live.wake_at) return;
  if (const auto when = all.wake_time()) {
    shared.live.wake_at(*when, [&shared, &all] {
      all.woken();
      send_due(shared, all);
    });
  }
}

}  // namespace

std::string webhook_key(std::string_view secret) {
  if (!secret.starts_with(secret_prefix)) return {};
  auto key = base::base64_decode(secret.substr(secret_prefix.size())).value_or("");
  return key.size() >= least_secret_bytes ? key : std::string();
}

std::string webhook_signature(std::string_view secret, std::string_view id,
                              std::int64_t timestamp_s, std::string_view body) {
  std::string text(id);
  text.append(".").append(std::to_string(timestamp_s)).append(".").append(body);
  return "v1," + base::base64(base::as_text(base::hmac_sha256(webhook_key(secret), text)));
}

bool send_event(core& shared, webhook target, const webhook_event& event) {
  const auto now = base::system_clock().now();
  const auto name = target.name;
  alert_deliveries& all = deliveries_of(shared, target);
  alert_delivery made{std::move(target), base::make_id("evt_", now), ""};
  model::object_writer object(made.body);
  object.exact("type", event.type);
  object.time("timestamp", now);
  object.object("data", [&](model::object_writer& data) {
    data.exact("account", event.public_id);
    event.write_data(data);
  });
  object.close();
  std::shared_ptr<const alert_delivery> left_out;
  const bool has_room = all.add(event.account, std::move(made), left_out);
  const auto full = [&](const std::string& whose) {
    shared.log("error", whose + ": too many alerts wait for it; one is given up");
  };
  if (left_out != nullptr) full(left_out->target.name);
  if (!has_room) {
    full(name);
    return false;
  }
  send_due(shared, all);
  return true;
}

}  // namespace freshet::detail
