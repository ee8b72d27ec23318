// A delivery waits for its next attempt on the network's clock and holds no thread.
#include "engine/alerts/webhook.hpp"

#include <array>
#include <base/clock.hpp>
#include <base/digest.hpp>
#include <base/ids.hpp>

namespace freshet::detail {
namespace {

constexpr std::string_view secret_prefix = "whsec_";
constexpr std::size_t least_secret_bytes = 24;
constexpr std::chrono::seconds longest_attempt{10};
/// The pauses between attempts; there is one attempt more.
constexpr auto pauses = std::to_array<std::chrono::seconds>(
    {std::chrono::seconds(5), std::chrono::minutes(5), std::chrono::minutes(30)});

/// One event on its way.
struct event_delivery : std::enable_shared_from_this<event_delivery> {
  event_delivery(core& for_whom, webhook where, std::string about)
      : shared(for_whom),
        target(std::move(where)),
        account(std::move(about)),
        places(target.account == 0 ? shared.operators_deliveries : shared.owners_deliveries),
        has_place(places.enter(account)) {}
  ~event_delivery() {
    if (has_place) places.leave(account);
  }
  event_delivery(const event_delivery&) = delete;
  event_delivery& operator=(const event_delivery&) = delete;

  void attempt() {
    const auto now = base::system_clock().now();
    const auto timestamp_s =
        std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
    http::request asked;
    asked.method = "POST";
    asked.url = target.url;
    asked.body = body;
    asked.headers = {
        {"Content-Type", "application/json"},
        {"webhook-id", id},
        {"webhook-timestamp", std::to_string(timestamp_s)},
        {"webhook-signature", webhook_signature(target.secret, id, timestamp_s, body)}};
    asked.redirect_limit = 0;
    asked.cacheable = false;
    asked.chosen_by = target.chosen_by;
    asked.owner = target.account;
    constexpr std::size_t most_of_an_answer = 4096;
    asked.body_limit = most_of_an_answer;
    asked.truncate_body = true;
    shared.live.transport->submit(
        std::move(asked), std::chrono::steady_clock::now() + longest_attempt,
        [self = shared_from_this()](const result<http::response>& made) { self->attempted(made); });
  }

  void attempted(const result<http::response>& made) {
    constexpr int ok = 200, redirect = 300, gone = 410;
    const bool is_taken = made && made->status >= ok && made->status < redirect;
    if (is_taken || (!made && made.error().code() == errc::cancelled)) return;
    const auto why = made ? "it answered " + std::to_string(made->status) : made.error().detail();
    const bool is_last =
        attempts == pauses.size() || (made && made->status == gone) || !shared.live.wake_at;
    shared.log(is_last && target.account == 0 ? "error" : "warn",
               target.name + ": " + why + (is_last ? "; " + id + " is given up" : ""));
    if (is_last) return;
    shared.live.wake_at(std::chrono::steady_clock::now() + pauses.at(attempts++),
                        [self = shared_from_this()] { self->attempt(); });
  }

  core& shared;
  const webhook target;
  const std::string account;
  alert_deliveries& places;
  const bool has_place;
  std::string id, body;
  std::size_t attempts = 0;
};

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
  const auto made = std::make_shared<event_delivery>(shared, std::move(target), event.account);
  if (!made->has_place) {
    shared.log("error", made->target.name + ": too many alerts wait for it; one is given up");
    return false;
  }
  const auto now = base::system_clock().now();
  made->id = base::make_id("evt_", now);
  model::object_writer object(made->body);
  object.exact("type", event.type);
  object.time("timestamp", now);
  object.object("data", [&](model::object_writer& data) {
    data.exact("account", event.account);
    event.write_data(data);
  });
  object.close();
  made->attempt();
  return true;
}

}  // namespace freshet::detail
