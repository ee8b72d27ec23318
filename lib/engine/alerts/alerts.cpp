// What is told of, in words and as events; the rules of who wants what are the owner's settings.
#include "engine/alerts/alerts.hpp"

#include <account/rules/month.hpp>
#include <account/rules/shares.hpp>
#include <algorithm>
#include <array>
#include <base/clock.hpp>
#include <base/number.hpp>
#include <base/time_text.hpp>
#include <base/url.hpp>
#include <catalog/endpoint.hpp>
#include <engine/alerts/webhook.hpp>
#include <engine/runtime/outgoing_mail.hpp>

namespace freshet::detail {
namespace {

constexpr std::chrono::hours quiet_of_source{24};
constexpr std::chrono::minutes quiet_of_test{1};

time_point next_month() {
  return account::start_of(account::month_of(base::system_clock().now()) + 1);
}

/// "1 December 2026".
std::string day_of_next_grant() {
  constexpr auto names = std::to_array<std::string_view>(
      {"January", "February", "March", "April", "May", "June", "July", "August", "September",
       "October", "November", "December"});
  const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(next_month())};
  return "1 " + std::string(names[static_cast<unsigned>(day.month()) - 1]) + " " +
         std::to_string(static_cast<int>(day.year()));
}

std::string credits(std::int64_t amount) {
  return std::to_string(amount) + (amount == 1 ? " credit" : " credits");
}

std::vector<int> operators_shares(const config& settings) {
  std::vector<int> shares;
  for (const auto& text : settings.list("alerts.left")) {
    if (const auto share = base::parse_number<int>(text, 0, 100)) shares.push_back(*share);
  }
  std::ranges::sort(shares);
  return shares;
}

/// An account's owner, as far as they can be reached.
struct owner {
  std::int64_t account = 0;
  std::string public_id, email;
  bool is_verified = false;
};

owner owner_of(const account::account_record& record) {
  return {record.id, record.public_id, record.email, record.verified_at.has_value()};
}

/// What an owner is told.
struct alert {
  account::alert_mark mark;
  std::string_view type;
  std::string subject, text;
  std::function<void(model::object_writer&)> write_data;
};

/// The owner's settings, or what is usual; null where they cannot be read.
std::optional<account::alert_settings> settings_of(const core& shared, std::int64_t account) {
  auto chosen = shared.accounts->alerts_of(account);
  if (chosen && *chosen) return std::move(**chosen);
  if (chosen) return usual_alerts(shared.settings);
  shared.log("error", "alerts: " + chosen.error().detail());
  return std::nullopt;
}

bool may_mail(const core& shared) { return shared.settings.flag("alerts.mail").value_or(true); }

bool has_mail(const core& shared, const owner& whom, const account::alert_settings& chosen) {
  return chosen.mail && whom.is_verified && !whom.email.empty() && may_mail(shared);
}

bool has_webhook(const core& shared, const account::alert_settings& chosen) {
  return !chosen.webhook.empty() && !shared.is_sandbox_alone;
}

std::string with_settings(const core& shared, const std::string& text) {
  return text + "\nWhat you are told of, and how:\n\n" + dashboard_url(shared.settings) +
         "/account\n";
}

/// Error: overloaded.
result<void> call_owner(core& shared, const owner& whom, const account::alert_settings& chosen,
                        std::string_view type,
                        const std::function<void(model::object_writer&)>& write_data) {
  account::account_record record;
  record.public_id = whom.public_id;
  webhook target{chosen.webhook, shared.accounts->alert_secret(record, chosen)};
  target.name = "the webhook of " + whom.public_id;
  target.account = whom.account;
  if (send_event(shared, std::move(target), {whom.account, whom.public_id, type, write_data}))
    return {};
  return error(errc::overloaded,
               "too many alerts are on their way to the webhook: try again when "
               "it answers");
}

/// Why nothing would reach this owner, who has no webhook.
std::string why_no_mail(const core& shared, const owner& whom,
                        const account::alert_settings& chosen) {
  if (shared.is_sandbox_alone && !chosen.webhook.empty())
    return "this server reaches no webhook (network.sandbox)";
  const std::string or_webhook = ": set a webhook with account/alerts/update";
  if (!sends_alert_mails(shared)) return "this server sends no alerts by mail" + or_webhook;
  if (!chosen.mail) return "alerts by mail are switched off" + or_webhook + ", or mail to true";
  if (!whom.is_verified) return "the account's address is not confirmed" + or_webhook;
  return "the account has no address" + or_webhook;
}

void tell(core& shared, const owner& whom, const account::alert_settings& chosen,
          const alert& news) {
  const bool mails = has_mail(shared, whom, chosen), calls = has_webhook(shared, chosen);
  if (!mails && !calls) return;
  const auto is_first = shared.accounts->take_alert(whom.account, news.mark);
  if (!is_first) shared.log("error", "alerts: " + is_first.error().detail());
  if (!is_first || !*is_first) return;
  if (mails) send_mail(shared, {whom.email, news.subject, with_settings(shared, news.text)});
  if (calls) (void)call_owner(shared, whom, chosen, news.type, news.write_data);  // it is logged
}

/// A fall as the event that both the owner and the operator are told.
auto fall_data(const account::balance_fall& fall, int percent) {
  return [=](model::object_writer& data) {
    data.exact("email", fall.email);
    data.integer("percent", percent);
    data.integer("balance", fall.balance);
    data.integer("monthly_credits", fall.monthly);
  };
}

constexpr std::string_view credits_event = "account.credits_low";

void tell_operator(core& shared, const account::balance_fall& fall) {
  const auto url = shared.settings.text("alerts.webhook");
  const auto reached = account::share_reached(fall.before, fall.balance, fall.monthly,
                                              operators_shares(shared.settings));
  if (url.empty() || shared.is_sandbox_alone || !reached) return;
  webhook target{url, shared.settings.text("alerts.webhook_secret")};
  target.chosen_by = http::target_choice::configuration;
  target.name = "alerts.webhook";
  send_event(shared, std::move(target),
             {fall.account, fall.public_id, credits_event, fall_data(fall, *reached)});
}

std::string fall_text(const core& shared, const account::balance_fall& fall) {
  const auto what_follows =
      fall.balance == 0
          ? "Until there are more, calls with live keys answer 402 insufficient_credits.\n"
          : "At 0, calls with live keys answer 402 insufficient_credits.\n";
  return "Your account at Freshet has " + credits(fall.balance) + " left; its plan grants " +
         std::to_string(fall.monthly) + " a month, next on " + day_of_next_grant() + " (UTC).\n" +
         what_follows + "\nWhat used them, by day, endpoint and key:\n\n" +
         dashboard_url(shared.settings) + "\n";
}

}  // namespace

bool sends_alert_mails(const core& shared) { return shared.mail != nullptr && may_mail(shared); }

std::vector<int> watched_shares(const config& settings) {
  auto shares = operators_shares(settings);
  const auto& update = catalog::find_endpoint(catalog::operation::account_alerts_update);
  for (const auto text : catalog::find_parameter(update, "credits_left")->choices)
    shares.push_back(*base::parse_number<int>(text));
  return shares;
}

account::alert_settings usual_alerts(const config& settings) {
  account::alert_settings usual;
  usual.credits_left = operators_shares(settings);
  return usual;
}

std::unique_ptr<alert_watch> open_alert_watch(const config& settings) {
  constexpr std::int64_t an_hour_s = 3600;
  return std::make_unique<alert_watch>(
      std::chrono::seconds(settings.integer("alerts.failing_s").value_or(an_hour_s)));
}

result<void> check_alerts(const config& settings) {
  const auto wrong = [](std::string_view detail) {
    return error(errc::invalid_configuration, std::string(detail));
  };
  if (operators_shares(settings).size() != settings.list("alerts.left").size()) {
    return wrong("alerts.left: percents of a month's credits are expected, from 0 to 100");
  }
  if (settings.integer("alerts.failing_s").value_or(1) < 1) {
    return wrong("alerts.failing_s: a number of at least 1 is expected");
  }
  const auto address = settings.text("alerts.webhook");
  if (address.empty()) return {};
  const auto read = base::parse_url(address);
  if (!read || !read->is_http()) {
    return wrong("alerts.webhook: an address that begins with https:// is expected");
  }
  if (!webhook_key(settings.text("alerts.webhook_secret")).empty()) return {};
  return wrong(
      "alerts.webhook_secret: whsec_ and 24 bytes or more in base64 are expected: "
      "echo whsec_$(openssl rand -base64 32)");
}

result<alert_ways> send_test_alert(core& shared, const account::account_record& whose,
                                   const account::alert_settings& chosen) {
  const auto whom = owner_of(whose);
  // What goes to the log, where no mail is configured, reaches nobody.
  const bool mails = shared.mail && has_mail(shared, whom, chosen);
  const bool calls = has_webhook(shared, chosen);
  if (!mails && !calls) return error(errc::no_recipient, why_no_mail(shared, whom, chosen));
  const auto is_first = shared.accounts->take_alert(
      whom.account, {"test", "", base::system_clock().now() + quiet_of_test});
  if (!is_first) return is_first.error();
  if (!*is_first) {
    error refused(errc::rate_limited, "a test alert was sent within the last minute");
    refused.retry_after = quiet_of_test;
    return refused;
  }
  if (mails) {
    const auto text = with_settings(
        shared,
        "This is a test, as you have asked for: alerts of your account at Freshet reach "
        "this address.\n");
    if (auto queued = shared.mail->send({whom.email, "A test alert", text}); !queued)
      return queued.error();
  }
  if (calls) {
    const auto nothing_more = [](model::object_writer&) {};
    if (auto sent = call_owner(shared, whom, chosen, "account.test", nothing_more); !sent)
      return sent.error();
  }
  return alert_ways{mails ? whom.email : "", calls ? chosen.webhook : ""};
}

void tell_of_fall(core& shared, const account::balance_fall& fall) {
  tell_operator(shared, fall);
  const auto chosen = settings_of(shared, fall.account);
  if (!chosen) return;
  auto shares = chosen->credits_left;
  std::ranges::sort(shares);
  const auto reached = account::share_reached(fall.before, fall.balance, fall.monthly, shares);
  if (!reached) return;
  const auto about = std::to_string(*reached);
  tell(shared, {fall.account, fall.public_id, fall.email, fall.is_verified}, *chosen,
       {.mark = {"credits", about, next_month()},
        .type = credits_event,
        .subject = fall.balance == 0 ? "Your credits are used up"
                                     : "You have " + credits(fall.balance) + " left",
        .text = fall_text(shared, fall),
        .write_data = fall_data(fall, *reached)});
}

void tell_of_budget(core& shared, const account::principal& who) {
  const auto chosen = settings_of(shared, who.account.id);
  if (!chosen || !chosen->key_budgets) return;
  const auto& key = who.key;
  const auto name = key.name.empty() ? key.public_id : "“" + key.name + "”";
  const auto budget = key.monthly_budget.value_or(account::credits{}).value;
  tell(shared, owner_of(who.account), *chosen,
       {.mark = {"key_budget", key.public_id, next_month()},
        .type = "account.key_budget_reached",
        .subject = "A key has used its budget",
        .text = "Calls with your key " + name +
                " are refused (402 key_budget_exceeded): of its budget of " + credits(budget) +
                " a month too few are left. The next month begins on " + day_of_next_grant() +
                " (UTC).\n",
        .write_data = [&](model::object_writer& data) {
          data.exact("key_id", key.public_id);
          data.text("key_name", key.name);
          data.integer("monthly_budget", budget);
        }});
}

void tell_of_source(core& shared, const account::account_record& whose,
                    const failing_source& source) {
  const auto chosen = settings_of(shared, whose.id);
  if (!chosen || !chosen->failing_sources) return;
  const auto since = base::format_time(source.since);
  tell(shared, owner_of(whose), *chosen,
       {.mark = {"source", source.name, base::system_clock().now() + quiet_of_source},
        .type = "account.source_failing",
        .subject = "The source " + source.name + " is failing",
        .text = "No call of yours has had anything from " + source.name + " since " + since +
                "; the last one failed with " + source.code +
                ". Calls that ask other sources, too, go on with what those give.\n",
        .write_data = [&](model::object_writer& data) {
          data.exact("source", source.name);
          data.exact("code", source.code);
          data.time("since", source.since);
        }});
}

}  // namespace freshet::detail
