// An operator's commands on keys. A secret is in the answer that made it, and nowhere else. What
// is done to a key and its line in the audit log are one commit.
#include <algorithm>
#include <base/clock.hpp>
#include <base/invalid_parameter.hpp>
#include <engine/admin/account_answers.hpp>
#include <engine/admin/admin_command.hpp>
#include <engine/admin/admin_page.hpp>
#include <engine/admin/given_name.hpp>
#include <engine/admin/lifetime.hpp>

namespace freshet::detail::admin {
namespace {

/// How long a rotated key goes on working unless the operator says otherwise.
constexpr std::string_view default_grace = "1h";

/// In the order that scripts of operators have always had; a new key's secret comes last.
constexpr std::string_view new_key_members[] = {
    "id",         "mode",       "last_four",    "scopes", "monthly_budget", "created_at",
    "expires_at", "revoked_at", "last_used_at", "name",   "prefix",         "budget_used",
    "rotated_at", "origins",    "state",        "key"};
constexpr auto key_members =
    std::span<const std::string_view>(new_key_members).first(std::size(new_key_members) - 1);

constexpr std::string_view key_states[] = {"good", "revoked", "expired"};

/// One of key_states; what was revoked stays so when its time is over, too.
std::string_view state_of(const account::key_record& key, time_point now) {
  if (key.revoked_at) return "revoked";
  return key.expires_at && *key.expires_at <= now ? "expired" : "good";
}

model::key_answer shown_key(const account::key_record& record, time_point now) {
  auto shown = key_answer(record);
  shown.state = state_of(record, now);
  return shown;
}

std::string new_key_text(const account::created_key& made) {
  auto shown = shown_key(made.record, base::system_clock().now());
  shown.key = made.secret;
  std::string out;
  model::append_members(out, shown, {new_key_members});
  return out;
}

/// What the arguments say of a new key. Error: invalid_request.
result<account::key_options> options_of(const admin_call& call) {
  account::key_options options;
  if (call.flag("test")) options.mode = account::key_mode::test;
  options.name = call.text("name");
  if (auto fine = check_given_name(options.name); !fine) return fine.error();
  const auto scope = call.text("scope");
  if (!scope.empty() && scope != "read" && scope != "account") {
    return base::invalid_parameter("/scope", "invalid_format",
                                   "'" + scope + "' is neither read nor account");
  }
  options.scope_read = scope.empty() || scope == "read";
  options.scope_account = scope.empty() || scope == "account";
  if (const auto budget = call.integer("monthly_budget")) {
    options.monthly_budget = account::credits{*budget};
  }
  if (const auto origin = call.text("origin"); !origin.empty()) options.origins = {origin};
  const auto lifetime = parse_lifetime(call.text("expires"), "expires");
  if (!lifetime) return lifetime.error();
  options.lifetime = *lifetime;
  return options;
}

}  // namespace

admin_result create_key(const admin_call& call) {
  const auto account = call.account();
  if (!account) return account.error();
  const auto options = options_of(call);
  if (!options) return options.error();
  const auto line = call.note();
  const auto made = call.core.accounts->create_key(account->id, *options, &line);
  if (!made) return made.error();
  return new_key_text(*made);
}

admin_result list_keys(const admin_call& call) {
  const auto account = call.account();
  if (!account) return account.error();
  const auto page = page_of(call);
  if (!page) return page.error();
  const auto state = call.text("state");
  if (!state.empty() && std::ranges::find(key_states, state) == std::end(key_states)) {
    return base::invalid_parameter("/state", "invalid_format",
                                   "'" + state + "' is neither good, revoked nor expired");
  }
  auto keys = call.core.accounts->list_keys(account->id);
  if (!keys) return keys.error();
  const auto now = base::system_clock().now();
  std::erase_if(*keys, [&](const account::key_record& key) {
    return (page->before != 0 && key.id >= page->before) ||
           (!state.empty() && state_of(key, now) != state);
  });
  std::ranges::reverse(*keys);
  // The dashboard asks for the names of all.
  const auto limit = call.integer("limit") ? page->limit : keys->size();
  const auto next = cut_list(
      *keys, limit, [](const account::key_record& last) { return std::to_string(last.id); });
  std::string out;
  model::object_writer object(out);
  object.exact("email", account->email);
  if (object.begin("keys")) {
    append_list(out, *keys, [now](std::string& to, const account::key_record& key) {
      model::append_members(to, shown_key(key, now), {key_members});
    });
  }
  object.text("next_cursor", next.value_or(""));
  object.close();
  return out;
}

admin_result rotate_key(const admin_call& call) {
  const auto given = call.text("grace");
  const auto grace = parse_lifetime(given.empty() ? default_grace : given, "grace");
  if (!grace) return grace.error();
  const auto line = call.note();
  const auto made = call.core.accounts->rotate_key(0, call.text("id"),
                                                   grace->value_or(std::chrono::seconds(0)), &line);
  if (!made) return made.error();
  return new_key_text(*made);
}

admin_result revoke_key(const admin_call& call) {
  const auto line = call.note();
  const auto revoked = call.core.accounts->revoke_key(0, call.text("id"), &line);
  if (!revoked) return revoked.error();
  std::string out;
  model::append_members(out, shown_key(*revoked, base::system_clock().now()), {key_members});
  return out;
}

}  // namespace freshet::detail::admin
