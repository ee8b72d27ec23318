// Account calls: show, usage, ledger, keys, requests and alerts. They cost nothing and fetch
// nothing.
#include "engine/admin/account_calls.hpp"

#include <account/rules/month.hpp>
#include <algorithm>
#include <base/clock.hpp>
#include <base/invalid_parameter.hpp>
#include <base/number.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <engine/admin/account_answers.hpp>
#include <engine/admin/given_name.hpp>
#include <engine/admin/known_head.hpp>
#include <engine/admin/lifetime.hpp>
#include <engine/admin/list_page.hpp>
#include <engine/admin/usage_page.hpp>
#include <engine/alerts/alerts.hpp>
#include <engine/runtime/core.hpp>

namespace freshet::detail {
namespace {

using catalog::operation;

/// A cursor of an account call is bound to the account too.
cursor_seal seal_of(const account_call& call) {
  return {call.arguments.query_identity() + "\n" + call.caller.account.public_id,
          call.cursor_secret};
}

result<list_cursor> cursor_of(const account_call& call, std::string_view kind = number_cursor) {
  return open_list_cursor(call.arguments.text("cursor"), kind, seal_of(call));
}

std::size_t limit_of(const account_call& call) {
  return static_cast<std::size_t>(call.arguments.integer("limit"));
}

/// The page of a list that goes on behind `cursor.after`, or has ended where that is null.
page_info page_info_of(const account_call& call, const list_cursor& cursor) {
  if (!cursor.after) return {};
  return {seal_list_cursor(cursor, seal_of(call)), true};
}

account_response show(const account_call& call, const account::balance& balance) {
  const auto& caller = call.caller;
  const auto month = account::month_of(base::system_clock().now());
  auto shown = account_answer(caller.account);
  shown.plan = caller.plan.name;
  shown.balance = balance.posted.value;
  shown.reserved = balance.reserved.value;
  shown.period = {account::start_of(month), account::start_of(month + 1),
                  caller.plan.monthly.value};
  shown.key = key_answer(caller.key);
  shown.limits = {caller.plan.rate, caller.plan.burst};
  account_response made;
  model::append_account(made.data, shown, call.arguments.list("fields"));
  return made;
}

result<account_response> show(const account_call& call) {
  const auto balance = call.accounts.stored_balance_of(call.caller);
  if (!balance) return balance.error();
  return show(call, *balance);
}

result<account_response> usage(const account_call& call) {
  auto cursor = cursor_of(call, group_cursor);
  if (!cursor) return cursor.error();
  auto page = read_usage(call.accounts, call.caller.account.id, call.arguments, *cursor,
                         limit_of(call), call.is_wanted);
  if (!page) return page.error();
  account_response made{"", page_info_of(call, page->cursor)};
  append_list(made.data, page->rows,
              [fields = call.arguments.list("fields")](std::string& out, const auto& row) {
                model::append_usage(out, row, fields);
              });
  return made;
}

result<account_response> ledger(const account_call& call) {
  const auto& arguments = call.arguments;
  auto cursor = cursor_of(call);
  if (!cursor) return cursor.error();
  const auto limit = limit_of(call);
  const std::string kind = arguments.text("kind");
  account::ledger_filter filter{.kind = kind};
  // The whole list is read from one moment on.
  if (arguments.since) {
    cursor->since = cursor->since.value_or(base::system_clock().now() - *arguments.since);
    filter.since = *cursor->since;
  }
  const auto account_id = call.caller.account.id;
  auto rows =
      call.accounts.ledger(account_id, cursor->position(), static_cast<int>(limit) + 1, filter);
  if (!rows) return rows.error();
  const auto keys = call.accounts.list_keys(account_id);
  if (!keys) return keys.error();
  cursor->after = cut_list(*rows, limit, [](const auto& last) { return std::to_string(last.seq); });
  const auto fields = arguments.list("fields");
  account_response made{"", page_info_of(call, *cursor)};
  append_list(made.data, *rows, [&](std::string& out, const account::ledger_row& row) {
    model::append_ledger(out, ledger_answer(row, *keys), fields);
  });
  return made;
}

/// As many as take some tenths of a second.
constexpr std::int64_t entries_at_once = 100'000;

result<account_response> verify_ledger(const account_call& call) {
  const auto known = known_head(call.arguments.text("known_head"), "/known_head");
  if (!known) return known.error();
  const auto& account = call.caller.account;
  const auto report =
      call.accounts.verify_entries(account.id, {*known, entries_at_once, call.is_wanted});
  if (!report) return report.error();
  model::verification_answer shown{.id = account.public_id,
                                   .entries = report->entries,
                                   .is_complete = report->is_complete,
                                   .balance = report->balance,
                                   .findings = report->findings};
  if (report->seq != 0) shown.head = account::head_name({report->seq, 0, report->hash});
  account_response made;
  model::append_verification(made.data, shown, call.arguments.list("fields"));
  return made;
}

/// Keys go on behind so many of them: they are in the order of creation, and none ever goes.
result<account_response> list_keys(const account_call& call) {
  auto cursor = cursor_of(call);
  if (!cursor) return cursor.error();
  auto keys = call.accounts.list_keys(call.caller.account.id);
  if (!keys) return keys.error();
  const auto given = std::min(static_cast<std::size_t>(cursor->position()), keys->size());
  keys->erase(keys->begin(), keys->begin() + static_cast<std::ptrdiff_t>(given));
  const auto limit = limit_of(call);
  cursor->after =
      cut_list(*keys, limit, [&](const auto&) { return std::to_string(given + limit); });
  const auto fields = call.arguments.list("fields");
  account_response made{"", page_info_of(call, *cursor)};
  append_list(made.data, *keys, [&](std::string& out, const account::key_record& key) {
    model::append_key(out, key_answer(key), fields);
  });
  return made;
}

/// What the audit log says of a change of keys: by what it was made, another key or a session. The
/// key itself is its subject.
std::optional<account::audit_note> note_of(const account_call& call, std::string_view action) {
  if (call.users == nullptr) return std::nullopt;
  return account::audit_note{"account:" + call.caller.account.public_id, std::string(action), "",
                             "by " + call.caller.key.public_id, ""};
}

const account::audit_note* pointer_to(const std::optional<account::audit_note>& line) {
  return line ? &*line : nullptr;
}

/// A key that was just changed.
account_response one_key(const account_call& call, const account::key_record& key,
                         const std::string& secret) {
  auto shown = key_answer(key);
  shown.key = secret;
  account_response made;
  model::append_key(made.data, shown, call.arguments.list("fields"));
  return made;
}

/// Whether a key asks that hands on no more than it has itself, so that one that leaked, or is
/// meant for little, makes nothing that outlives its limits. A signed-in person has none.
bool is_limited(const account::key_record& asking) {
  if (asking.public_id == account::session_key_id) return false;
  return asking.mode == account::key_mode::test || asking.monthly_budget || asking.expires_at;
}

error beyond_key(std::string why) {
  return error(errc::forbidden_scope, std::move(why) + ", or use a key without that limit");
}

/// Gives a key that is to be made the limits of the one that asks for it, or says why it may not
/// be made. Errors: forbidden_scope, invalid_request.
result<void> limit_by_maker(const account_call& call, account::key_options& options) {
  const auto& maker = call.caller.key;
  if (!is_limited(maker)) return {};
  const bool is_test = maker.mode == account::key_mode::test;
  if (is_test && call.arguments.given("mode") && options.mode == account::key_mode::live)
    return beyond_key("a test key makes test keys alone: give `mode` as \"test\"");
  if (is_test) options.mode = account::key_mode::test;
  if (maker.monthly_budget && options.mode == account::key_mode::live)
    return beyond_key("a key with a monthly budget makes no live key, which would not share it");
  if (!maker.expires_at) return {};
  const auto left =
      std::chrono::floor<std::chrono::seconds>(*maker.expires_at - base::system_clock().now());
  if (options.lifetime && *options.lifetime > left)
    return base::invalid_parameter("/expires", "out_of_bounds",
                                   "give less than the life of the key that asks, or leave it out");
  if (!options.lifetime) options.lifetime = std::max(left, std::chrono::seconds(1));
  return {};
}

/// Whether the key that asks may have the secret of a successor of another, or end it. Error:
/// forbidden_scope.
result<void> check_reach(const account_call& call, bool gives_secret) {
  const auto& asking = call.caller.key;
  const auto id = call.arguments.text("id");
  if (!is_limited(asking) || id == asking.public_id) return {};
  const auto keys = call.accounts.list_keys(call.caller.account.id);
  if (!keys) return keys.error();
  const auto other = std::ranges::find(*keys, id, &account::key_record::public_id);
  if (other == keys->end()) return {};
  const bool is_live = other->mode == account::key_mode::live;
  if (is_live && asking.mode == account::key_mode::test)
    return beyond_key("a test key changes test keys alone: give the `id` of one");
  if (!gives_secret) return {};
  if (is_live && asking.monthly_budget)
    return beyond_key("a key with a monthly budget rotates itself and test keys alone");
  if (asking.expires_at && (!other->expires_at || *other->expires_at > *asking.expires_at))
    return beyond_key("a key that ends rotates none that lives longer");
  return {};
}

result<account_response> create_key(const account_call& call) {
  const auto& arguments = call.arguments;
  account::key_options options;
  options.mode =
      arguments.text("mode") == "test" ? account::key_mode::test : account::key_mode::live;
  options.name = arguments.text("name");
  if (auto fine = check_given_name(options.name); !fine) return fine.error();
  options.scope_read = options.scope_account = false;
  for (const auto& scope : arguments.list("scopes")) {
    if (scope == "read") options.scope_read = true;
    if (scope == "account") options.scope_account = true;
  }
  options.origins = arguments.list("origins");
  if (const auto budget = arguments.integer("monthly_budget"); budget > 0) {
    options.monthly_budget = account::credits{budget};
  }
  const auto lifetime = parse_lifetime(arguments.text("expires"), "expires");
  if (!lifetime) return lifetime.error();
  options.lifetime = *lifetime;
  if (auto may = limit_by_maker(call, options); !may) return may.error();
  const auto line = note_of(call, "keys.create");
  const auto made = call.accounts.create_key(call.caller.account.id, options, pointer_to(line));
  if (!made) return made.error();
  return one_key(call, made->record, made->secret);
}

result<account_response> rotate_key(const account_call& call) {
  const auto grace = parse_lifetime(call.arguments.text("grace"), "grace");
  if (!grace) return grace.error();
  if (auto may = check_reach(call, true); !may) return may.error();
  const auto line = note_of(call, "keys.rotate");
  const auto made =
      call.accounts.rotate_key(call.caller.account.id, call.arguments.text("id"),
                               grace->value_or(std::chrono::seconds(0)), pointer_to(line));
  if (!made) return made.error();
  return one_key(call, made->record, made->secret);
}

result<account_response> revoke_key(const account_call& call) {
  if (auto may = check_reach(call, false); !may) return may.error();
  const auto line = note_of(call, "keys.revoke");
  const auto revoked =
      call.accounts.revoke_key(call.caller.account.id, call.arguments.text("id"), pointer_to(line));
  if (!revoked) return revoked.error();
  return one_key(call, *revoked, "");
}

result<account_response> list_requests(const account_call& call) {
  if (call.requests == nullptr) return no_request_log();
  const auto& arguments = call.arguments;
  auto cursor = cursor_of(call);
  if (!cursor) return cursor.error();
  const auto limit = limit_of(call);
  const auto endpoint = arguments.text("endpoint");
  if (auto fine = check_endpoint(endpoint); !fine) return fine.error();
  const auto key = arguments.text("key");
  const auto code = arguments.text("code");
  const auto& account = call.caller.account;
  requests::call_query query{.account = account.public_id, .before = cursor->position()};
  query.filter = {.endpoint = endpoint, .key_id = key, .code = code};
  query.limit = limit + 1;
  query.is_wanted = call.is_wanted;
  set_status(query.filter, arguments.text("status"));
  if (const auto mode = arguments.text("mode"); !mode.empty())
    query.filter.is_test = mode == "test";
  // The whole list is read from one moment on.
  if (arguments.since) {
    cursor->since = cursor->since.value_or(base::system_clock().now() - *arguments.since);
    query.filter.since = cursor->since;
  }
  auto found = call.requests->list(query);
  if (!found) return found.error();
  const auto keys = call.accounts.list_keys(account.id);
  if (!keys) return keys.error();
  cursor->after =
      cut_list(*found, limit, [](const auto& last) { return std::to_string(last.number); });
  const auto fields = arguments.list("fields");
  account_response made{"", page_info_of(call, *cursor)};
  append_list(made.data, *found, [&](std::string& out, const requests::call_record& one) {
    model::append_request(out, request_answer(one, *keys), fields);
  });
  return made;
}

result<account_response> show_request(const account_call& call) {
  if (call.requests == nullptr) return no_request_log();
  const auto& account = call.caller.account;
  const auto found = call.requests->show(account.public_id, call.arguments.text("id"));
  if (!found) return found.error();
  const auto keys = call.accounts.list_keys(account.id);
  if (!keys) return keys.error();
  auto shown = request_answer(found->call, *keys);
  shown.body = base::repair_utf8(found->bodies.sent);
  shown.answer = base::repair_utf8(found->bodies.answered);
  if (found->call.credits > 0) {
    auto entry = call.accounts.charge_of(account.id, found->call.request_id);
    if (!entry) return entry.error();
    shown.ledger_entry = std::move(*entry);
  }
  account_response made;
  model::append_request(made.data, shown, call.arguments.list("fields"));
  return made;
}

account_response one_alerts(const account_call& call, const model::alerts_answer& shown) {
  account_response made;
  model::append_alerts(made.data, shown, call.arguments.list("fields"));
  return made;
}

result<account::alert_settings> chosen_alerts(const account_call& call) {
  auto chosen = call.accounts.alerts_of(call.caller.account.id);
  if (!chosen) return chosen.error();
  return chosen->value_or(usual_alerts(call.shared.settings));
}

result<account_response> show_alerts(const account_call& call) {
  const auto chosen = chosen_alerts(call);
  if (!chosen) return chosen.error();
  return one_alerts(call, alerts_answer(call.caller.account, *chosen));
}

void apply(const catalog::arguments& given, account::alert_settings& chosen) {
  if (given.given("credits_left")) {
    chosen.credits_left.clear();
    for (const auto& share : given.list("credits_left"))
      chosen.credits_left.push_back(base::parse_number<int>(share).value_or(0));
  }
  if (given.given("key_budgets")) chosen.key_budgets = given.flag("key_budgets");
  if (given.given("failing_sources")) chosen.failing_sources = given.flag("failing_sources");
  if (given.given("mail")) chosen.mail = given.flag("mail");
  if (given.given("webhook")) chosen.webhook = given.text("webhook");
}

/// A test key reaches nobody, and one that leaked silences no alert. Error: forbidden_scope.
result<void> check_alert_reach(const account_call& call) {
  if (call.caller.key.mode != account::key_mode::test) return {};
  return error(errc::forbidden_scope,
               "a test key reaches nobody: alerts are changed and tried with a live one");
}

result<account_response> update_alerts(const account_call& call) {
  if (auto may = check_alert_reach(call); !may) return may.error();
  const auto webhook = call.arguments.text("webhook");
  const auto url = base::parse_url(webhook);
  if (!webhook.empty() && (!url || !url->is_http())) {
    return base::invalid_parameter("/webhook", "invalid_format",
                                   "an address that begins with https:// is expected");
  }
  auto line = note_of(call, "alerts.update");
  if (line) line->subject = call.caller.account.public_id;
  const auto change = [&](std::optional<account::alert_settings> before) {
    auto chosen = std::move(before).value_or(usual_alerts(call.shared.settings));
    apply(call.arguments, chosen);
    return chosen;
  };
  const auto kept = call.accounts.change_alerts(call.caller.account.id, change, pointer_to(line));
  if (!kept) return kept.error();
  auto shown = alerts_answer(call.caller.account, kept->now);
  if (kept->has_new_webhook)
    shown.webhook_secret = call.accounts.alert_secret(call.caller.account, kept->now);
  return one_alerts(call, shown);
}

result<account_response> test_alerts(const account_call& call) {
  if (auto may = check_alert_reach(call); !may) return may.error();
  const auto chosen = chosen_alerts(call);
  if (!chosen) return chosen.error();
  const auto& account = call.caller.account;
  const auto sent = send_test_alert(call.shared, account, *chosen);
  if (!sent) return sent.error();
  account_response made;
  model::alert_test_answer shown;
  shown.id = account.public_id;
  shown.email = sent->email;
  shown.webhook = sent->webhook;
  model::append_alert_test(made.data, shown, call.arguments.list("fields"));
  return made;
}

}  // namespace

bool is_report(operation what) noexcept {
  return what == operation::account_usage || what == operation::account_ledger ||
         what == operation::account_ledger_verify || what == operation::account_keys_list ||
         what == operation::account_requests_list || what == operation::account_requests_show;
}

std::optional<account_response> answer_at_once(const account_call& call) {
  if (call.arguments.of().op != operation::account_show) return std::nullopt;
  const auto balance = call.accounts.balance_at_once(call.caller);
  if (!balance) return std::nullopt;
  return show(call, *balance);
}

result<account_response> answer_account_call(const account_call& call) {
  switch (call.arguments.of().op) {
    case operation::account_show:
      return show(call);
    case operation::account_usage:
      return usage(call);
    case operation::account_ledger:
      return ledger(call);
    case operation::account_ledger_verify:
      return verify_ledger(call);
    case operation::account_keys_list:
      return list_keys(call);
    case operation::account_keys_create:
      return create_key(call);
    case operation::account_keys_rotate:
      return rotate_key(call);
    case operation::account_keys_revoke:
      return revoke_key(call);
    case operation::account_requests_list:
      return list_requests(call);
    case operation::account_requests_show:
      return show_request(call);
    case operation::account_alerts_show:
      return show_alerts(call);
    case operation::account_alerts_update:
      return update_alerts(call);
    case operation::account_alerts_test:
      return test_alerts(call);
    default:
      return error(errc::internal, "no account call");
  }
}

}  // namespace freshet::detail
