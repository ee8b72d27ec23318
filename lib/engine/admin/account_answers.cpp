// One field after the other: what a record keeps as a number or an option, as the model says it.
#include "engine/admin/account_answers.hpp"

#include <algorithm>
#include <base/invalid_parameter.hpp>
#include <base/number.hpp>
#include <catalog/endpoint.hpp>
#include <catalog/formats.hpp>

namespace freshet::detail {
namespace {

std::vector<std::string> scope_names(const account::key_record& record) {
  std::vector<std::string> names;
  if (record.scope_read) names.emplace_back("read");
  if (record.scope_account) names.emplace_back("account");
  return names;
}

}  // namespace

model::account_answer account_answer(const account::account_record& record) {
  model::account_answer shown;
  shown.id = record.public_id;
  shown.email = record.email;
  shown.plan = record.plan;
  shown.is_operator = record.is_operator;
  shown.verified_at = record.verified_at;
  shown.created_at = record.created_at;
  shown.deleted_at = record.deleted_at;
  return shown;
}

model::key_answer key_answer(const account::key_record& record) {
  model::key_answer shown;
  shown.id = record.public_id;
  shown.mode = record.mode == account::key_mode::live ? "live" : "test";
  shown.scopes = scope_names(record);
  shown.last_four = record.last_four;
  if (record.monthly_budget) shown.monthly_budget = record.monthly_budget->value;
  shown.created_at = record.created_at;
  shown.expires_at = record.expires_at;
  shown.revoked_at = record.revoked_at;
  shown.last_used_at = record.last_used_at;
  shown.name = record.name;
  shown.prefix = account::key_prefix(record.mode);
  if (record.budget_used) shown.budget_used = record.budget_used->value;
  shown.rotated_at = record.rotated_at;
  shown.origins = record.origins;
  return shown;
}

model::ledger_answer ledger_answer(const account::ledger_row& row,
                                   const std::vector<account::key_record>& keys) {
  model::ledger_answer shown;
  shown.id = "led_" + std::to_string(row.seq);
  shown.created_at = row.at;
  shown.kind = row.kind;
  shown.amount = row.amount;
  shown.balance = row.balance;
  shown.reason = row.reason;
  shown.endpoint = row.endpoint;
  shown.request_id = row.request_id;
  shown.hash = row.hash;
  shown.refund_of = row.refund_of;
  if (row.kind == "usage" && row.key_id == 0) shown.key_id = account::session_key_id;
  for (const auto& key : keys) {
    if (key.id == row.key_id) shown.key_id = key.public_id;
  }
  return shown;
}

model::request_answer request_answer(const requests::call_record& call,
                                     const std::vector<account::key_record>& keys) {
  using requests::completeness;
  model::request_answer shown;
  shown.id = call.request_id;
  shown.created_at = call.at;
  shown.endpoint = call.endpoint;
  shown.key_id = call.key_id;
  const auto key = std::ranges::find(keys, call.key_id, &account::key_record::public_id);
  if (key != keys.end()) shown.key_name = key->name;
  shown.mode = call.is_test ? "test" : "live";
  shown.status = call.status;
  shown.code = call.code;
  shown.credits = call.credits;
  shown.elapsed_ms = call.elapsed_ms;
  shown.items = call.items;
  if (call.completeness == completeness::complete) shown.completeness = "complete";
  if (call.completeness == completeness::partial) shown.completeness = "partial";
  shown.replayed = call.is_replayed;
  shown.sources = call.sources;
  return shown;
}

model::alerts_answer alerts_answer(const account::account_record& whose,
                                   const account::alert_settings& chosen) {
  model::alerts_answer shown;
  shown.id = whose.public_id;
  for (const int share : chosen.credits_left) shown.credits_left.push_back(std::to_string(share));
  shown.key_budgets = chosen.key_budgets;
  shown.failing_sources = chosen.failing_sources;
  shown.mail = chosen.mail;
  if (whose.verified_at) shown.email = whose.email;
  shown.webhook = chosen.webhook;
  return shown;
}

error no_request_log() {
  return error(errc::storage_unavailable, "this server keeps no request log (requests.keep_days)");
}

result<void> check_endpoint(std::string_view path) {
  if (path.empty() || catalog::find_endpoint(path) != nullptr) return {};
  const auto near = catalog::nearest_path(path);
  return base::invalid_parameter(
      "/endpoint", "not_allowed",
      catalog::quoted(path) + " is not an endpoint" +
          (near.empty() ? " such as news/search"
                        : "; did you mean " + catalog::quoted(near) + "?"));
}

void set_status(requests::request_filter& filter, std::string_view status) {
  constexpr int ok_class = 2, first_failure = 3, last_class = 5;
  const auto classes = [&](int first, int last) {
    filter.least_status = first * 100;
    filter.most_status = last * 100 + 99;
  };
  if (status == "ok") return classes(ok_class, ok_class);
  if (status == "failed") return classes(first_failure, last_class);
  if (status.ends_with("xx")) return classes(status.front() - '0', status.front() - '0');
  if (status.empty()) return;
  filter.least_status = filter.most_status = base::parse_number<int>(status).value_or(0);
}

}  // namespace freshet::detail
