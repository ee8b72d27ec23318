// The operator's commands. Their arguments are checked like a caller's: an unknown one is an error.
#include "engine/admin/admin_commands.hpp"

#include <algorithm>
#include <base/invalid_parameter.hpp>
#include <base/json.hpp>
#include <base/time_text.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <charconv>
#include <engine/admin/account_json.hpp>
#include <query/since.hpp>
#include <span>

namespace freshet::detail {
namespace {

namespace json = boost::json;

constexpr std::int64_t default_page = 50;
constexpr std::int64_t longest_page = 500;

/// How long a rotated key goes on working unless the operator says otherwise.
constexpr std::string_view default_grace = "1h";

/// A command's arguments and what it works on.
struct order {
  account::accounts& on;
  const config& settings;
  json::object arguments;

  [[nodiscard]] std::string text(std::string_view name) const {
    const auto* found = arguments.if_contains(name);
    return found == nullptr ? std::string() : base::text_of(*found);
  }
  [[nodiscard]] std::optional<std::int64_t> integer(std::string_view name) const {
    const auto* found = arguments.if_contains(name);
    return found == nullptr ? std::nullopt : base::integer_of(*found);
  }
  [[nodiscard]] bool flag(std::string_view name) const {
    const auto* found = arguments.if_contains(name);
    return found != nullptr && base::flag_of(*found).value_or(false);
  }
  /// What the command needs, in words. Error: invalid_request, saying `why` it is needed.
  [[nodiscard]] result<std::string> needed(std::string_view name, const char* why) const {
    auto given = text(name);
    if (given.empty())
      return base::invalid_parameter("/" + std::string(name), "invalid_format", why);
    return given;
  }
  /// How many elements a list has.
  [[nodiscard]] result<int> limit() const {
    if (!arguments.contains("limit")) return static_cast<int>(default_page);
    const auto given = integer("limit");
    if (given && *given >= 1 && *given <= longest_page) return static_cast<int>(*given);
    return base::invalid_parameter("/limit", "invalid_format",
                                   "give a whole number from 1 to " + std::to_string(longest_page));
  }
  /// Where a list goes on: the id of the last element of the page before; 0 at the start.
  [[nodiscard]] result<std::int64_t> position() const {
    const auto cursor = text("cursor");
    std::int64_t at = 0;
    const char* const end = cursor.data() + cursor.size();
    const auto read = std::from_chars(cursor.data(), end, at);
    if (cursor.empty() || (read.ec == std::errc() && read.ptr == end && at > 0)) return at;
    return base::invalid_parameter("/cursor", "invalid_format",
                                   "give the next_cursor of the page before");
  }
  [[nodiscard]] result<account::account_record> account() const {
    const auto email = text("email");
    if (email.empty())
      return base::invalid_parameter("/email", "invalid_format",
                                     "give the account's e-mail address");
    return on.find_account(email);
  }
};

json::value optional_count(const count& number) {
  if (!number) return nullptr;
  return *number;
}

json::object key_json(const account::key_record& of) {
  const auto shown = key_answer(of);
  json::object out;
  out["id"] = shown.id;
  out["mode"] = shown.mode;
  out["last_four"] = shown.last_four;
  json::array scopes;
  for (const auto& scope : shown.scopes) scopes.emplace_back(scope);
  out["scopes"] = std::move(scopes);
  out["monthly_budget"] = optional_count(shown.monthly_budget);
  out["created_at"] = base::format_time(shown.created_at);
  out["expires_at"] = optional_time(shown.expires_at);
  out["revoked_at"] = optional_time(shown.revoked_at);
  out["last_used_at"] = optional_time(shown.last_used_at);
  out["name"] = shown.name.empty() ? json::value(nullptr) : json::value(json::string(shown.name));
  out["prefix"] = shown.prefix;
  out["budget_used"] = optional_count(shown.budget_used);
  out["rotated_at"] = optional_time(shown.rotated_at);
  return out;
}

result<json::object> create_account(const order& of) {
  const auto email = of.text("email");
  const auto at = email.find('@');
  if (at == std::string::npos || at == 0 || at + 1 == email.size() || email.size() > 254 ||
      email.find_first_of(" \t\r\n,<>\"") != std::string::npos) {
    return base::invalid_parameter("/email", "invalid_format",
                                   "'" + email + "' is no e-mail address");
  }
  auto plan = of.text("plan");
  if (plan.empty()) plan = "free";
  const auto made = of.on.create_account(email, plan);
  if (!made) return made.error();
  const auto balance = of.on.balance_of({*made, {}, {}});
  json::object out;
  out["id"] = made->public_id;
  out["email"] = made->email;
  out["plan"] = made->plan;
  out["balance"] = balance ? balance->available().value : 0;
  return out;
}

result<json::object> grant(const order& of) {
  const auto account = of.account();
  if (!account) return account.error();
  const auto amount = of.integer("credits");
  if (!amount || *amount <= 0)
    return base::invalid_parameter("/credits", "invalid_format", "give a whole number above 0");
  const auto reason = of.text("reason");
  if (reason.empty())
    return base::invalid_parameter("/reason", "invalid_format",
                                   "say why: it stands in the ledger for ever");
  const auto balance = of.on.grant(account->id, {*amount}, reason);
  if (!balance) return balance.error();
  return json::object{
      {"email", account->email}, {"credits", *amount}, {"balance", balance->available().value}};
}

/// Cuts the element too many that tells whether the list goes on.
template <class T>
json::value cut_page(std::vector<T>& list, int limit, std::int64_t (*id_of)(const T&)) {
  if (list.size() <= static_cast<std::size_t>(limit)) return nullptr;
  list.pop_back();
  return json::string(std::to_string(id_of(list.back())));
}

json::object account_json(const account::account_summary& of) {
  json::object out;
  out["id"] = of.account.public_id;
  out["email"] = of.account.email;
  out["plan"] = of.account.plan;
  out["balance"] = of.now.posted.value;
  out["reserved"] = of.now.reserved.value;
  out["keys"] = of.keys;
  out["operator"] = of.account.is_operator;
  out["email_verified"] = of.account.verified_at.has_value();
  out["created_at"] = base::format_time(of.account.created_at);
  out["deleted_at"] = optional_time(of.account.deleted_at);
  return out;
}

result<json::object> list_accounts(const order& of) {
  const auto limit = of.limit();
  if (!limit) return limit.error();
  const auto position = of.position();
  if (!position) return position.error();
  auto found = of.on.list_accounts(of.text("q"), *position, *limit + 1);
  if (!found) return found.error();
  json::object out{{"accounts", json::array()}, {"next_cursor", nullptr}};
  using summary = account::account_summary;
  out["next_cursor"] =
      cut_page<summary>(*found, *limit, [](const summary& one) { return one.account.id; });
  for (const auto& one : *found) out["accounts"].as_array().push_back(account_json(one));
  return out;
}

result<json::object> show_account(const order& of) {
  const auto account = of.account();
  if (!account) return account.error();
  const auto found = of.on.list_accounts("", account->id + 1, 1);
  if (!found) return found.error();
  if (found->empty()) return error(errc::not_found, "no such account");
  return account_json(found->front());
}

result<json::object> change_plan(const order& of) {
  const auto account = of.account();
  if (!account) return account.error();
  const auto plan = of.needed("plan", "give the plan's name; the configuration lists them");
  if (!plan) return plan.error();
  const auto done = of.on.change_plan(account->id, *plan);
  if (!done) return done.error();
  return json::object{{"email", done->account.email},
                      {"plan", done->account.plan},
                      {"change", done->change.value},
                      {"balance", done->after.available().value}};
}

result<json::object> refund(const order& of) {
  const auto call =
      of.needed("request_id", "give the call's request id, or its entry in the ledger, led_…");
  if (!call) return call.error();
  const auto reason = of.needed("reason", "say why: it stands in the ledger for ever");
  if (!reason) return reason.error();
  std::optional<account::credits> amount;
  if (of.arguments.contains("credits")) {
    const auto given = of.integer("credits");
    if (!given || *given <= 0)
      return base::invalid_parameter("/credits", "invalid_format", "give a whole number above 0");
    amount = account::credits{*given};
  }
  const auto done = of.on.refund(*call, amount, *reason);
  if (!done) return done.error();
  return json::object{{"email", done->account.email},   {"request_id", done->request_id},
                      {"refund_of", done->entry},       {"credits", done->refunded.value},
                      {"refundable", done->left.value}, {"balance", done->after.available().value}};
}

result<json::object> list_ledger(const order& of) {
  const auto account = of.account();
  if (!account) return account.error();
  const auto limit = of.limit();
  if (!limit) return limit.error();
  const auto position = of.position();
  if (!position) return position.error();
  const auto kind = of.text("kind");
  auto rows = of.on.ledger(account->id, *position, *limit + 1, {.kind = kind});
  if (!rows) return rows.error();
  const auto keys = of.on.list_keys(account->id);
  if (!keys) return keys.error();
  json::object out{{"email", account->email}, {"entries", json::array()}, {"next_cursor", nullptr}};
  using row = account::ledger_row;
  out["next_cursor"] = cut_page<row>(*rows, *limit, [](const row& one) { return one.seq; });
  for (const auto& one : *rows) {
    std::string text;
    model::append_ledger(text, ledger_answer(one, *keys));
    auto entry = base::parse_json(text);
    if (!entry) return entry.error();
    out["entries"].as_array().push_back(std::move(*entry));
  }
  return out;
}

result<json::object> create_key(const order& of) {
  const auto account = of.account();
  if (!account) return account.error();
  account::key_options options;
  if (of.flag("test")) options.mode = account::key_mode::test;
  options.name = of.text("name");
  const auto scope = of.text("scope");
  if (!scope.empty() && scope != "read" && scope != "account") {
    return base::invalid_parameter("/scope", "invalid_format",
                                   "'" + scope + "' is neither read nor account");
  }
  options.scope_read = scope.empty() || scope == "read";
  options.scope_account = scope.empty() || scope == "account";
  if (of.arguments.contains("monthly_budget")) {
    const auto budget = of.integer("monthly_budget");
    if (!budget || *budget <= 0)
      return base::invalid_parameter("/monthly_budget", "invalid_format",
                                     "give a whole number above 0");
    options.monthly_budget = account::credits{*budget};
  }
  const auto lifetime = parse_lifetime(of.text("expires"), "/expires");
  if (!lifetime) return lifetime.error();
  options.lifetime = *lifetime;
  const auto made = of.on.create_key(account->id, options);
  if (!made) return made.error();
  auto out = key_json(made->record);
  out["key"] = made->secret;
  return out;
}

result<json::object> list_keys(const order& of) {
  const auto account = of.account();
  if (!account) return account.error();
  const auto keys = of.on.list_keys(account->id);
  if (!keys) return keys.error();
  json::array list;
  for (const auto& key : *keys) list.push_back(key_json(key));
  return json::object{{"email", account->email}, {"keys", std::move(list)}};
}

result<json::object> rotate_key(const order& of) {
  const auto id = of.text("id");
  if (id.empty())
    return base::invalid_parameter("/id", "invalid_format",
                                   "give the key's id; `freshet keys list` shows it");
  auto text = of.text("grace");
  if (text.empty()) text = default_grace;
  const auto grace = parse_lifetime(text, "/grace");
  if (!grace) return grace.error();
  const auto made = of.on.rotate_key(0, id, grace->value_or(std::chrono::seconds(0)));
  if (!made) return made.error();
  auto out = key_json(made->record);
  out["key"] = made->secret;
  return out;
}

result<json::object> revoke_key(const order& of) {
  const auto id = of.text("id");
  if (id.empty())
    return base::invalid_parameter("/id", "invalid_format",
                                   "give the key's id; `freshet keys list` shows it");
  const auto made = of.on.revoke_key(0, id);
  if (!made) return made.error();
  return key_json(*made);
}

result<json::object> verify_ledger(const order& of) {
  const auto report = of.on.verify();
  if (!report) return report.error();
  json::array findings;
  for (const auto& finding : report->findings) findings.emplace_back(finding);
  return json::object{
      {"ok", report->ok}, {"rows", report->rows}, {"findings", std::move(findings)}};
}

struct command_row {
  std::string_view name;
  std::span<const std::string_view> arguments;
  result<json::object> (*run)(const order&);
};

constexpr std::string_view account_arguments[] = {"email", "plan"};
constexpr std::string_view grant_arguments[] = {"email", "credits", "reason"};
constexpr std::string_view key_arguments[] = {"email",          "test",    "scope",
                                              "monthly_budget", "expires", "name"};
constexpr std::string_view list_arguments[] = {"email"};
constexpr std::string_view rotate_arguments[] = {"id", "grace"};
constexpr std::string_view revoke_arguments[] = {"id"};
constexpr std::string_view accounts_arguments[] = {"q", "limit", "cursor"};
constexpr std::string_view refund_arguments[] = {"request_id", "credits", "reason"};
constexpr std::string_view ledger_arguments[] = {"email", "kind", "limit", "cursor"};

constexpr command_row commands[] = {
    {"accounts.create", account_arguments, create_account},
    {"accounts.list", accounts_arguments, list_accounts},
    {"accounts.show", list_arguments, show_account},
    {"accounts.plan", account_arguments, change_plan},
    {"credits.grant", grant_arguments, grant},
    {"credits.refund", refund_arguments, refund},
    {"keys.create", key_arguments, create_key},
    {"keys.list", list_arguments, list_keys},
    {"keys.rotate", rotate_arguments, rotate_key},
    {"keys.revoke", revoke_arguments, revoke_key},
    {"ledger.list", ledger_arguments, list_ledger},
    {"ledger.verify", {}, verify_ledger},
};

}  // namespace

result<std::optional<std::chrono::seconds>> parse_lifetime(std::string_view text,
                                                           std::string_view what) {
  if (text.empty()) return std::optional<std::chrono::seconds>{};
  const auto parsed = query::parse_since(text);
  if (parsed) return std::optional<std::chrono::seconds>{*parsed};
  const auto name = what.substr(1);
  return base::invalid_parameter("/" + std::string(name), "invalid_format",
                                 "'" + std::string(text) + "' is no duration such as 30d or 1h");
}

result<std::string> run_admin_command(account::accounts& on, const config& settings,
                                      std::string_view command, std::string_view arguments) {
  const auto* row = std::find_if(std::begin(commands), std::end(commands),
                                 [&](const command_row& one) { return one.name == command; });
  if (row == std::end(commands)) {
    return error(errc::invalid_request, "no command '" + std::string(command) + "'");
  }
  auto parsed = base::parse_json(arguments.empty() ? "{}" : arguments, true);
  if (!parsed) return parsed.error();
  if (!parsed->is_object()) return error(errc::invalid_json, "the arguments are one JSON object");
  const order of{on, settings, std::move(parsed->as_object())};
  for (const auto& [key, value] : of.arguments) {
    if (std::find(row->arguments.begin(), row->arguments.end(), key) == row->arguments.end()) {
      return base::invalid_parameter("/" + std::string(key), "unknown_parameter",
                                     "unknown argument of " + std::string(command));
    }
  }
  const auto made = row->run(of);
  if (!made) return made.error();
  return json::serialize(*made);
}

}  // namespace freshet::detail
