// A delivery waits for its next attempt on the network's clock and holds no thread. It is lost with
// the process: the balance and the ledger are there for who wants to know.
#include "engine/alerts/spending_alerts.hpp"

#include <account/rules/month.hpp>
#include <array>
#include <base/clock.hpp>
#include <base/digest.hpp>
#include <base/ids.hpp>
#include <base/number.hpp>
#include <base/time_text.hpp>
#include <base/url.hpp>
#include <engine/runtime/outgoing_mail.hpp>
#include <model/object_writer.hpp>

namespace freshet::detail {
namespace {

constexpr std::string_view secret_prefix = "whsec_";
constexpr std::size_t least_secret_bytes = 24;
constexpr std::chrono::seconds longest_attempt{10};
/// The pauses between attempts; there is one attempt more.
constexpr auto pauses = std::to_array<std::chrono::seconds>(
    {std::chrono::seconds(5), std::chrono::minutes(5), std::chrono::minutes(30)});

std::string key_of(std::string_view secret) {
  if (!secret.starts_with(secret_prefix)) return {};
  return base::base64_decode(secret.substr(secret_prefix.size())).value_or("");
}

/// "1 December 2026".
std::string day_of_next_grant() {
  constexpr auto names = std::to_array<std::string_view>(
      {"January", "February", "March", "April", "May", "June", "July", "August", "September",
       "October", "November", "December"});
  const auto next = account::start_of(account::month_of(base::system_clock().now()) + 1);
  const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(next)};
  return "1 " + std::string(names[static_cast<unsigned>(day.month()) - 1]) + " " +
         std::to_string(static_cast<int>(day.year()));
}

std::string credits(std::int64_t amount) {
  return std::to_string(amount) + (amount == 1 ? " credit" : " credits");
}

void mail_owner(const core& shared, const account::balance_fall& fall) {
  const bool is_empty = fall.balance == 0;
  const auto subject = is_empty ? std::string("Your credits are used up")
                                : "You have " + credits(fall.balance) + " left";
  const auto what_follows =
      is_empty ? "Until there are more, calls with live keys answer 402 insufficient_credits.\n"
               : "At 0, calls with live keys answer 402 insufficient_credits.\n";
  send_mail(shared, fall.email, subject,
            "Your account at Freshet has " + credits(fall.balance) + " left; its plan grants " +
                std::to_string(fall.monthly) + " a month, next on " + day_of_next_grant() +
                " (UTC).\n" + what_follows + "\nWhat used them, by day, endpoint and key:\n\n" +
                dashboard_url(shared.settings) + "\n");
}

/// One event on its way.
struct webhook_delivery : std::enable_shared_from_this<webhook_delivery> {
  webhook_delivery(core& for_whom, std::string about)
      : shared(for_whom), account(std::move(about)), has_place(shared.alerts.enter(account)) {}
  ~webhook_delivery() {
    if (has_place) shared.alerts.leave(account);
  }
  webhook_delivery(const webhook_delivery&) = delete;
  webhook_delivery& operator=(const webhook_delivery&) = delete;

  void attempt() {
    const auto now = base::system_clock().now();
    const auto timestamp_s =
        std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
    http::request asked;
    asked.method = "POST";
    asked.url = shared.settings.text("alerts.webhook");
    asked.body = body;
    asked.headers = {
        {"Content-Type", "application/json"},
        {"webhook-id", id},
        {"webhook-timestamp", std::to_string(timestamp_s)},
        {"webhook-signature",
         webhook_signature(shared.settings.text("alerts.webhook_secret"), id, timestamp_s, body)}};
    asked.redirect_limit = 0;
    asked.cacheable = false;
    asked.chosen_by = http::target_choice::configuration;
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
    shared.log(is_last ? "error" : "warn",
               "alerts.webhook: " + why + (is_last ? "; " + id + " is given up" : ""));
    if (is_last) return;
    shared.live.wake_at(std::chrono::steady_clock::now() + pauses.at(attempts++),
                        [self = shared_from_this()] { self->attempt(); });
  }

  core& shared;
  const std::string account;
  const bool has_place;
  std::string id, body;
  std::size_t attempts = 0;
};

void call_webhook(core& shared, const account::balance_fall& fall) {
  const auto event = std::make_shared<webhook_delivery>(shared, fall.public_id);
  if (!event->has_place) {
    shared.log("error", "alerts.webhook: too many alerts wait for it; one is given up");
    return;
  }
  const auto now = base::system_clock().now();
  event->id = base::make_id("evt_", now);
  model::object_writer object(event->body);
  object.exact("type", "account.credits_low");
  object.time("timestamp", now);
  if (object.begin("data")) {
    model::object_writer data(event->body);
    data.exact("account", fall.public_id);
    data.exact("email", fall.email);
    data.integer("percent", fall.percent);
    data.integer("balance", fall.balance);
    data.integer("monthly_credits", fall.monthly);
    data.close();
  }
  object.close();
  event->attempt();
}

}  // namespace

std::string webhook_signature(std::string_view secret, std::string_view id,
                              std::int64_t timestamp_s, std::string_view body) {
  std::string text(id);
  text.append(".").append(std::to_string(timestamp_s)).append(".").append(body);
  return "v1," + base::base64(base::as_text(base::hmac_sha256(key_of(secret), text)));
}

std::vector<int> watched_shares(const config& settings) {
  std::vector<int> shares;
  for (const auto& text : settings.list("alerts.left")) {
    if (const auto share = base::parse_number<int>(text, 0, 100)) shares.push_back(*share);
  }
  return shares;
}

result<void> check_alerts(const config& settings) {
  const auto wrong = [](std::string_view detail) {
    return error(errc::invalid_configuration, std::string(detail));
  };
  if (watched_shares(settings).size() != settings.list("alerts.left").size()) {
    return wrong("alerts.left: percents of a month's credits are expected, from 0 to 100");
  }
  const auto address = settings.text("alerts.webhook");
  if (address.empty()) return {};
  const auto read = base::parse_url(address);
  if (!read || !read->is_http()) {
    return wrong("alerts.webhook: an address that begins with https:// is expected");
  }
  const auto key = key_of(settings.text("alerts.webhook_secret"));
  if (key.size() >= least_secret_bytes) return {};
  return wrong(
      "alerts.webhook_secret: whsec_ and 24 bytes or more in base64 are expected: "
      "echo whsec_$(openssl rand -base64 32)");
}

void tell_of_fall(core& shared, const account::balance_fall& fall) {
  const bool mails = shared.settings.flag("alerts.mail").value_or(true);
  if (mails && fall.is_verified && !fall.email.empty()) mail_owner(shared, fall);
  if (!shared.settings.text("alerts.webhook").empty() && !shared.is_sandbox_alone) {
    call_webhook(shared, fall);
  }
}

}  // namespace freshet::detail
