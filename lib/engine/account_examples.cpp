// One made-up account through all its calls: what show says agrees with the ledger and the keys.
#include "engine/account_examples.hpp"

#include <base/time_text.hpp>
#include <model/account_json.hpp>

namespace freshet::detail {
namespace {

using catalog::operation;

constexpr std::string_view account_id = "acc_01KATZ5V2N8Q4R6S8T0V2W4X6Y";
constexpr std::string_view key_id = "key_01KATZ5V2N8Q4R6S8T0V2W4X6Y";
constexpr std::string_view new_key_id = "key_01KB00A1B2C3D4E5F6G7H8J9K0";
constexpr std::string_view request_id = "req_01KATZ5V2N8Q4R6S8T0V2W4X6Z";
constexpr std::string_view hash =
    "9f2c1e8b7d6a5c4f3e2d1c0b9a8f7e6d5c4b3a2f1e0d9c8b7a6f5e4d3c2b1a0f";
// Not in the form of a key, so that no scanner takes them for secrets.
constexpr std::string_view secret = "frs_live_EXAMPLE_OF_A_KEY_Qd7k";
constexpr std::string_view new_secret = "frs_live_EXAMPLE_OF_A_NEW_KEY_m4Xz";
constexpr std::int64_t monthly = 1000;

time_point at(std::string_view text) { return base::parse_time(text).value_or(time_point{}); }

model::key_answer key() {
  model::key_answer made;
  made.id = key_id;
  made.mode = "live";
  made.scopes = {"read", "account"};
  made.last_four = secret.substr(secret.size() - 4);
  made.monthly_budget = 500;
  made.created_at = at("2026-11-02T08:30:00Z");
  made.expires_at = at("2027-02-01T00:00:00Z");
  made.last_used_at = at("2026-11-21T09:15:00Z");
  made.name = "the news agent";
  made.prefix = "frs_live_";
  made.budget_used = 1;
  made.origins = {"https://app.example.org"};
  return made;
}

/// As create and rotate show it, once.
model::key_answer new_key(std::string_view id, std::string_view shown) {
  auto made = key();
  made.id = id;
  made.last_four = shown.substr(shown.size() - 4);
  made.created_at = at("2026-11-21T09:20:00Z");
  made.last_used_at.reset();
  made.key = shown;
  made.budget_used = 0;
  return made;
}

std::string key_data(const model::key_answer& from) {
  std::string out;
  model::append_key(out, from);
  return out;
}

std::string account_data() {
  model::account_answer made;
  made.id = account_id;
  made.email = "agents@example.org";
  made.plan = "free";
  made.balance = monthly - 1;
  made.period = {at("2026-11-01T00:00:00Z"), at("2026-12-01T00:00:00Z"), monthly};
  made.key = key();
  made.limits = {2, 10};
  std::string out;
  model::append_account(out, made);
  return out;
}

std::string usage_data() {
  std::string out;
  model::append_usage(out, {.id = "day:2026-11-21",
                            .group = "2026-11-21",
                            .calls = 1,
                            .credits = 1,
                            .day = "2026-11-21"});
  return out;
}

std::string ledger_data() {
  model::ledger_answer made;
  made.id = "led_3";
  made.created_at = at("2026-11-21T09:15:00Z");
  made.kind = "usage";
  made.amount = -1;
  made.balance = monthly - 1;
  made.endpoint = "news/search";
  made.request_id = request_id;
  made.key_id = key_id;
  made.hash = hash;
  std::string out;
  model::append_ledger(out, made);
  return out;
}

std::string verification_data() {
  model::verification_answer made;
  made.id = account_id;
  made.entries = 3;
  made.is_complete = true;
  made.head = "3:" + std::string(hash);
  made.balance = monthly - 1;
  std::string out;
  model::append_verification(out, made);
  return out;
}

std::string request_data(bool is_shown) {
  model::request_answer made;
  made.id = request_id;
  made.created_at = at("2026-11-21T09:15:00Z");
  made.endpoint = "news/search";
  made.key_id = key_id;
  made.key_name = "the news agent";
  made.mode = "live";
  made.status = 200;
  made.credits = 1;
  made.elapsed_ms = 412;
  made.items = 20;
  made.completeness = "complete";
  source_report source;
  source.name = "feeds";
  source.instance = "https://news.example.org/feed";
  source.status = "ok";
  source.items_read = 24;
  source.items = 20;
  source.cache = "miss";
  source.elapsed_ms = 398;
  made.sources = {source};
  if (is_shown) {
    made.ledger_entry = "led_3";
    made.body = R"({"q": "tide gauge"})";
  }
  std::string out;
  model::append_request(out, made);
  return out;
}

std::string alerts_data(std::string_view shown_secret) {
  model::alerts_answer made;
  made.id = account_id;
  made.credits_left = {"20", "0"};
  made.key_budgets = made.failing_sources = made.mail = true;
  made.email = "agents@example.org";
  made.webhook = "https://hooks.example.org/freshet";
  made.webhook_secret = shown_secret;
  std::string out;
  model::append_alerts(out, made);
  return out;
}

std::string alert_test_data() {
  model::alert_test_answer made;
  made.id = account_id;
  made.email = "agents@example.org";
  made.webhook = "https://hooks.example.org/freshet";
  std::string out;
  model::append_alert_test(out, made);
  return out;
}

account_example list_of(const std::string& item) { return {"[" + item + "]", page_info{}}; }

}  // namespace

account_example example_of_account_call(catalog::operation of) {
  switch (of) {
    case operation::account_show:
      return {account_data(), std::nullopt};
    case operation::account_usage:
      return list_of(usage_data());
    case operation::account_ledger:
      return list_of(ledger_data());
    case operation::account_ledger_verify:
      return {verification_data(), std::nullopt};
    case operation::account_keys_list:
      return list_of(key_data(key()));
    case operation::account_keys_create:
      return {key_data(new_key(new_key_id, secret)), std::nullopt};
    case operation::account_keys_rotate:
      return {key_data(new_key(new_key_id, new_secret)), std::nullopt};
    case operation::account_keys_revoke: {
      auto ended = key();
      ended.revoked_at = at("2026-11-21T09:30:00Z");
      return {key_data(ended), std::nullopt};
    }
    case operation::account_requests_list:
      return list_of(request_data(false));
    case operation::account_requests_show:
      return {request_data(true), std::nullopt};
    case operation::account_alerts_show:
      return {alerts_data(""), std::nullopt};
    case operation::account_alerts_update:
      return {alerts_data("whsec_EXAMPLE"), std::nullopt};
    case operation::account_alerts_test:
      return {alert_test_data(), std::nullopt};
    default:
      return {};
  }
}

}  // namespace freshet::detail
