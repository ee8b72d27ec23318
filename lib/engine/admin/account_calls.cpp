// Account calls: show, usage, ledger and keys. They cost nothing and fetch nothing.
#include "engine/admin/account_calls.hpp"

#include <account/rules/month.hpp>
#include <base/clock.hpp>
#include <base/invalid_parameter.hpp>
#include <base/time_text.hpp>
#include <boost/json/string.hpp>
#include <charconv>
#include <engine/admin/account_json.hpp>
#include <engine/admin/admin_commands.hpp>
#include <engine/gather/cursor.hpp>

namespace freshet::detail {
namespace {

using catalog::operation;

/// The number at which a list goes on; 0 at the start.
std::int64_t position_in(const cursor_state& state) {
  const auto found = state.next.find("account");
  std::int64_t at = 0;
  if (found != state.next.end()) {
    std::from_chars(found->second.data(), found->second.data() + found->second.size(), at);
  }
  return at;
}

/// Everything that one account call needs.
struct account_call {
  account::accounts& on;
  const account::principal& who;
  const catalog::arguments& what;
  std::string_view secret;
  account::users* users;

  /// Where a list goes on; empty at the start.
  [[nodiscard]] result<cursor_state> state() const {
    const auto cursor = what.text("cursor");
    if (cursor.empty()) return cursor_state{};
    return read_cursor(cursor, identity(), secret, base::system_clock().now());
  }

  /// Of a list that goes on at a number: 0 at the start.
  [[nodiscard]] result<std::int64_t> position() const {
    const auto state = this->state();
    if (!state) return state.error();
    return position_in(*state);
  }

  [[nodiscard]] page_info page_to(const cursor_state& state) const {
    return {write_cursor(state, identity(), secret, base::system_clock().now()), true};
  }
  [[nodiscard]] page_info page_to(std::int64_t position) const {
    cursor_state state;
    state.next["account"] = std::to_string(position);
    return page_to(state);
  }

  /// A cursor of an account call is bound to the account too.
  [[nodiscard]] std::string identity() const {
    return what.query_identity() + "\n" + who.account.public_id;
  }
};

/// Joins the elements from `from` on, at most `limit`, and says where the list goes on.
template <class T, class Append>
result<account_response> slice(const account_call& in, const std::vector<T>& all, Append append) {
  const auto from = in.position();
  if (!from) return from.error();
  const auto limit = in.what.integer("limit") > 0 ? in.what.integer("limit") : 100;
  account_response made{"[", page_info{}};
  const auto size = static_cast<std::int64_t>(all.size());
  std::int64_t at = *from;
  for (; at < size && at < *from + limit; ++at) {
    if (made.data.size() > 1) made.data += ',';
    append(made.data, all[static_cast<std::size_t>(at)]);
  }
  made.data += ']';
  if (at < size) made.page = in.page_to(at);
  return made;
}

result<account_response> show(const account_call& in) {
  const auto balance = in.on.balance_of(in.who);
  if (!balance) return balance.error();
  const auto month = account::month_of(base::system_clock().now());
  model::account_answer shown;
  shown.id = in.who.account.public_id;
  shown.email = in.who.account.email;
  shown.plan = in.who.plan.name;
  shown.balance = balance->posted.value;
  shown.reserved = balance->reserved.value;
  shown.period.start = account::start_of(month);
  shown.period.end = account::start_of(month + 1);
  shown.period.grant = in.who.plan.monthly.value;
  const auto key = key_answer(in.who.key);
  shown.key.id = key.id;
  shown.key.mode = key.mode;
  shown.key.scopes = key.scopes;
  shown.key.last_four = key.last_four;
  shown.key.monthly_budget = key.monthly_budget;
  shown.key.expires_at = key.expires_at;
  shown.key.name = key.name;
  shown.key.budget_used = key.budget_used;
  shown.limits.rate = in.who.plan.rate;
  shown.limits.burst = in.who.plan.burst;
  account_response made;
  model::append_account(made.data, shown, in.what.list("fields"));
  return made;
}

/// Why the parameters do not go together, if they do not.
std::optional<error> wrong_usage(const catalog::arguments& what) {
  if (!what.flag("empty_days") || what.text("group_by").starts_with("day")) return std::nullopt;
  return base::invalid_parameter("/empty_days", "not_allowed",
                                 "only with a group_by of day, or of day and another");
}

/// Goes on behind the last group that was given: calls that come between two pages neither move
/// nor repeat a row. The whole walk counts from one moment.
result<account_response> usage(const account_call& in) {
  if (const auto wrong = wrong_usage(in.what)) return *wrong;
  const auto from = in.state();
  if (!from) return from.error();
  const std::string group_by(in.what.text("group_by"));
  const auto span = in.what.since.value_or(std::chrono::days(30));
  account::usage_query query{.group_by = group_by, .empty_days = in.what.flag("empty_days")};
  query.since = from->since.value_or(base::system_clock().now() - span);
  if (const auto zone = base::time_zone::find(in.what.text("time_zone"))) query.zone = *zone;
  const auto rows = in.on.usage_of(in.who.account.id, query);
  if (!rows) return rows.error();
  const auto last = from->next.find("group");
  const auto fields = in.what.list("fields");
  const auto limit = in.what.integer("limit");
  account_response made{"[", page_info{}};
  cursor_state next;
  next.since = query.since;
  std::int64_t given = 0;
  for (const auto& row : *rows) {
    if (last != from->next.end() && row.group <= last->second) continue;
    if (given == limit) {
      made.page = in.page_to(next);
      break;
    }
    if (given++ != 0) made.data += ',';
    next.next["group"] = row.group;
    model::append_usage(made.data,
                        {group_by + ":" + row.group, row.group, row.calls, row.used.value, row.day,
                         row.endpoint, row.key, row.source},
                        fields);
  }
  made.data += ']';
  return made;
}

result<account_response> ledger(const account_call& in) {
  const auto from = in.state();
  if (!from) return from.error();
  const auto limit = static_cast<int>(in.what.integer("limit"));
  const std::string kind = in.what.text("kind");
  account::ledger_filter only{.kind = kind};
  // The whole walk reads from one moment on.
  if (in.what.since) only.since = from->since.value_or(base::system_clock().now() - *in.what.since);
  const auto rows = in.on.ledger(in.who.account.id, position_in(*from), limit + 1, only);
  if (!rows) return rows.error();
  const auto keys = in.on.list_keys(in.who.account.id);
  if (!keys) return keys.error();
  const auto fields = in.what.list("fields");
  account_response made{"[", page_info{}};
  const auto shown = std::min<std::size_t>(rows->size(), static_cast<std::size_t>(limit));
  for (std::size_t i = 0; i < shown; ++i) {
    if (i != 0) made.data += ',';
    model::append_ledger(made.data, ledger_answer((*rows)[i], *keys), fields);
  }
  made.data += ']';
  if (rows->size() > shown) {
    cursor_state next;
    if (in.what.since) next.since = only.since;
    next.next["account"] = std::to_string((*rows)[shown - 1].seq);
    made.page = in.page_to(next);
  }
  return made;
}

result<account_response> list_keys(const account_call& in) {
  const auto keys = in.on.list_keys(in.who.account.id);
  if (!keys) return keys.error();
  const auto fields = in.what.list("fields");
  return slice(in, *keys, [&](std::string& out, const account::key_record& key) {
    model::append_key(out, key_answer(key), fields);
  });
}

/// A key that was just changed. The audit log says by what: another key, or a session.
result<account_response> one_key(const account_call& in, std::string_view action,
                                 const account::key_record& key, const std::string& secret) {
  if (in.users != nullptr) {
    const auto written =
        in.users->record({"account:" + in.who.account.public_id, std::string(action), key.public_id,
                          "by " + in.who.key.public_id, ""});
    if (!written) return written.error();
  }
  auto shown = key_answer(key);
  shown.key = secret;
  account_response made;
  model::append_key(made.data, shown, in.what.list("fields"));
  return made;
}

result<account_response> create_key(const account_call& in) {
  account::key_options options;
  options.mode = in.what.text("mode") == "test" ? account::key_mode::test : account::key_mode::live;
  options.name = in.what.text("name");
  options.scope_read = options.scope_account = false;
  for (const auto& scope : in.what.list("scopes")) {
    if (scope == "read") options.scope_read = true;
    if (scope == "account") options.scope_account = true;
  }
  if (const auto budget = in.what.integer("monthly_budget"); budget > 0) {
    options.monthly_budget = account::credits{budget};
  }
  const auto lifetime = parse_lifetime(in.what.text("expires"), "/expires");
  if (!lifetime) return lifetime.error();
  options.lifetime = *lifetime;
  const auto made = in.on.create_key(in.who.account.id, options);
  if (!made) return made.error();
  return one_key(in, "keys.create", made->record, made->secret);
}

result<account_response> rotate_key(const account_call& in) {
  const auto grace = parse_lifetime(in.what.text("grace"), "/grace");
  if (!grace) return grace.error();
  const auto made = in.on.rotate_key(in.who.account.id, in.what.text("id"),
                                     grace->value_or(std::chrono::seconds(0)));
  if (!made) return made.error();
  return one_key(in, "keys.rotate", made->record, made->secret);
}

result<account_response> revoke_key(const account_call& in) {
  const auto made = in.on.revoke_key(in.who.account.id, in.what.text("id"));
  if (!made) return made.error();
  return one_key(in, "keys.revoke", *made, "");
}

}  // namespace

std::vector<std::string> scope_names(const account::key_record& of) {
  std::vector<std::string> names;
  if (of.scope_read) names.emplace_back("read");
  if (of.scope_account) names.emplace_back("account");
  return names;
}

boost::json::value optional_time(const std::optional<time_point>& at) {
  if (!at) return nullptr;
  return boost::json::string(base::format_time(*at));
}

model::key_answer key_answer(const account::key_record& of) {
  model::key_answer shown;
  shown.id = of.public_id;
  shown.mode = of.mode == account::key_mode::live ? "live" : "test";
  shown.scopes = scope_names(of);
  shown.last_four = of.last_four;
  if (of.monthly_budget) shown.monthly_budget = of.monthly_budget->value;
  shown.created_at = of.created_at;
  shown.expires_at = of.expires_at;
  shown.revoked_at = of.revoked_at;
  shown.last_used_at = of.last_used_at;
  shown.name = of.name;
  shown.prefix = account::key_prefix(of.mode);
  if (of.budget_used) shown.budget_used = of.budget_used->value;
  shown.rotated_at = of.rotated_at;
  return shown;
}

model::ledger_answer ledger_answer(const account::ledger_row& of,
                                   const std::vector<account::key_record>& keys) {
  model::ledger_answer shown;
  shown.id = "led_" + std::to_string(of.seq);
  shown.created_at = of.at;
  shown.kind = of.kind;
  shown.amount = of.amount;
  shown.balance = of.balance;
  shown.reason = of.reason;
  shown.endpoint = of.endpoint;
  shown.request_id = of.request_id;
  shown.hash = of.hash;
  shown.refund_of = of.refund_of;
  if (of.kind == "usage" && of.key_id == 0) shown.key_id = account::session_key_id;
  for (const auto& key : keys) {
    if (key.id == of.key_id) shown.key_id = key.public_id;
  }
  return shown;
}

result<account_response> call_account(account::accounts& on, const account::principal& who,
                                      const catalog::arguments& what,
                                      std::string_view cursor_secret, account::users* users) {
  const account_call in{on, who, what, cursor_secret, users};
  switch (what.of().op) {
    case operation::account_show:
      return show(in);
    case operation::account_usage:
      return usage(in);
    case operation::account_ledger:
      return ledger(in);
    case operation::account_keys_list:
      return list_keys(in);
    case operation::account_keys_create:
      return create_key(in);
    case operation::account_keys_rotate:
      return rotate_key(in);
    case operation::account_keys_revoke:
      return revoke_key(in);
    default:
      return error(errc::internal, "no account call");
  }
}

}  // namespace freshet::detail
