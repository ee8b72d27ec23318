// What a signed-in person reads of the service and of their own data, and the end of their account.
// An export holds what is theirs and no secret: no key, no hash, no password.
#include <algorithm>
#include <base/time_text.hpp>
#include <boost/json/array.hpp>
#include <engine/admin/account_json.hpp>
#include <engine/dashboard/dashboard_command.hpp>
#include <engine/runtime/archives.hpp>

namespace freshet::detail {
namespace {

constexpr int ledger_page = 1000;

/// Whether a source is asked, and if not, why.
json::object source_state(const configured_source& of, const std::vector<suspension>& suspended) {
  json::array platforms;
  for (const auto& capability : of.of->capabilities) {
    const json::string name(catalog::find_endpoint(capability.op).platform);
    if (std::find(platforms.begin(), platforms.end(), name) == platforms.end()) {
      platforms.push_back(name);
    }
  }
  json::object out{{"name", of.of->name},
                   {"platforms", std::move(platforms)},
                   {"state", "ok"},
                   {"code", nullptr},
                   {"retry_after_s", nullptr}};
  if (!of.enabled) {
    out["state"] = "disabled";
  } else if (!of.missing.empty()) {
    out["state"] = "not_configured";
  }
  for (const auto& one : suspended) {
    if (one.source != of.of->name) continue;
    out["state"] = "suspended";
    out["code"] = describe(one.code).name;
    out["retry_after_s"] = one.left.count();
    break;
  }
  return out;
}

dashboard_result list_sources(dashboard_command& of) {
  const auto& live = of.with.in.live;
  const auto suspended = live.suspended->list(live.clock->steady());
  json::array list;
  for (const auto& source : live.sources) list.push_back(source_state(source, suspended));
  dashboard_answer made;
  made.body = {{"sources", std::move(list)}};
  return made;
}

dashboard_result list_plans(dashboard_command& of) {
  auto names = of.settings().names_under("plans");
  if (std::find(names.begin(), names.end(), "free") == names.end()) {
    names.insert(names.begin(), "free");
  }
  const account::plan usual;
  json::array list;
  for (const auto& name : names) {
    const auto prefix = "plans." + name + ".";
    const auto& from = of.settings();
    list.push_back(json::object{
        {"name", name},
        {"monthly_credits", from.integer(prefix + "monthly_credits").value_or(usual.monthly.value)},
        {"rate", from.number(prefix + "rate").value_or(usual.rate)},
        {"burst", from.integer(prefix + "burst").value_or(usual.burst)}});
  }
  dashboard_answer made;
  made.body = {{"plans", std::move(list)}};
  return made;
}

json::array exported_keys(const std::vector<account::key_record>& keys) {
  json::array list;
  for (const auto& key : keys) {
    const auto shown = key_answer(key);
    json::array scopes(shown.scopes.begin(), shown.scopes.end());
    json::value budget = nullptr;
    if (shown.monthly_budget) budget = *shown.monthly_budget;
    list.push_back(json::object{{"id", shown.id},
                                {"name", shown.name},
                                {"mode", shown.mode},
                                {"scopes", std::move(scopes)},
                                {"last_four", shown.last_four},
                                {"monthly_budget", std::move(budget)},
                                {"created_at", base::format_time(shown.created_at)},
                                {"expires_at", optional_time(shown.expires_at)},
                                {"revoked_at", optional_time(shown.revoked_at)},
                                {"last_used_at", optional_time(shown.last_used_at)}});
  }
  return list;
}

/// Every row, page by page: nobody waits behind a long book.
result<json::array> exported_ledger(const dashboard_command& of) {
  json::array list;
  std::int64_t before = 0;
  while (true) {
    const auto rows = of.accounts().ledger(of.who->account.id, before, ledger_page);
    if (!rows) return rows.error();
    for (const auto& row : *rows) {
      const auto shown = ledger_answer(row, {});
      list.push_back(json::object{{"id", shown.id},
                                  {"created_at", base::format_time(shown.created_at)},
                                  {"kind", shown.kind},
                                  {"amount", shown.amount},
                                  {"balance", shown.balance},
                                  {"reason", shown.reason},
                                  {"endpoint", shown.endpoint},
                                  {"request_id", shown.request_id},
                                  {"refund_of", shown.refund_of}});
    }
    if (rows->size() < ledger_page) return list;
    before = rows->back().seq;
  }
}

dashboard_result export_data(dashboard_command& of) {
  const auto& account = of.who->account;
  const auto keys = of.accounts().list_keys(account.id);
  if (!keys) return keys.error();
  auto ledger = exported_ledger(of);
  if (!ledger) return ledger.error();
  json::array sessions;
  for (const auto& one : of.users().sessions_of(account.id)) {
    sessions.push_back(json::object{{"id", one.id},
                                    {"created_at", base::format_time(one.created_at)},
                                    {"last_used_at", base::format_time(one.last_used_at)},
                                    {"address", one.address},
                                    {"user_agent", one.user_agent}});
  }
  dashboard_answer made;
  made.body["account"] = json::object{{"id", account.public_id},
                                      {"email", account.email},
                                      {"email_verified_at", optional_time(account.verified_at)},
                                      {"plan", account.plan},
                                      {"operator", account.is_operator},
                                      {"created_at", base::format_time(account.created_at)}};
  made.body["keys"] = exported_keys(*keys);
  made.body["sessions"] = std::move(sessions);
  made.body["ledger"] = std::move(*ledger);
  made.file_name = "freshet-" + account.public_id + ".json";
  return made;
}

dashboard_result delete_account(dashboard_command& of) {
  if (auto done = of.users().erase(*of.who, of.text("password"), of.from); !done) {
    return done.error();
  }
  dashboard_answer made;
  made.session = "";
  return made;
}

constexpr std::string_view password_only[] = {"password"};

constexpr dashboard_row member_table[] = {
    {{"sources", required_role::signed_in, false}, lane::quick, {}, list_sources},
    {{"plans", required_role::signed_in, false}, lane::quick, {}, list_plans},
    {{"export", required_role::signed_in, false}, lane::reporting, {}, export_data},
    {{"delete", required_role::signed_in, true}, lane::hashing, password_only, delete_account},
};

}  // namespace

std::span<const dashboard_row> member_rows() noexcept { return member_table; }

}  // namespace freshet::detail
