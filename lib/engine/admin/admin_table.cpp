// The table of an operator's commands: one row makes a command known to the engine, to the audit
// log, to the dashboard and to the command line. Nothing here does anything; the functions stand by
// their subject in account_commands, ledger_commands, usage_commands, key_commands,
// request_commands, service_commands and audit_commands.
#include <algorithm>
#include <array>
#include <engine/admin/admin_command.hpp>
#include <engine/doctor.hpp>

namespace freshet::detail::admin {
namespace {

using kind = admin_argument::kind;

constexpr std::string_view why_email = "give the account's e-mail address";
constexpr std::string_view why_reason = "say why: it stands in the ledger for ever";
constexpr std::string_view why_credits = "give a whole number above 0";
constexpr std::string_view why_key = "give the key's id; `freshet keys list` shows it";
constexpr std::int64_t longest_page = 500;

constexpr admin_argument email_argument{"email", kind::text, "EMAIL", "the account's address",
                                        why_email};
constexpr admin_argument key_argument{"id", kind::text, "ID", "the key's id", why_key};
constexpr admin_argument reason_argument{"reason", kind::text, "TEXT",
                                         "why; it stands in the ledger", why_reason};

constexpr admin_argument number_argument(std::string_view name, std::string_view help,
                                         std::string_view required = {}) {
  return {name, kind::integer, "N", help, required, "credits"};
}

constexpr admin_argument limit_argument(std::string_view help) {
  return {"limit", kind::integer, "N", help, {}, {}, 1, longest_page};
}

constexpr admin_argument cursor_argument(std::string_view help) {
  return {"cursor", kind::text, "CURSOR", help};
}

constexpr admin_argument email_only[] = {email_argument};
constexpr admin_argument create_account_arguments[] = {
    {"email", kind::text, "EMAIL", "the account's address", "'' is no e-mail address"},
    {"plan", kind::text, "NAME", "the account's plan (default: free)"},
    {"operator", kind::flag, "", "an operator's account"},
};
constexpr admin_argument list_accounts_arguments[] = {
    {"q", kind::text, "PART", "a part of the address"},
    limit_argument("how many, 1 to 500 (default: 50)"),
    cursor_argument("go on where the list before ended"),
};
constexpr admin_argument plan_arguments[] = {
    email_argument,
    {"plan", kind::text, "PLAN", "the new plan",
     "give the plan's name; the configuration lists them"},
};
constexpr admin_argument operator_arguments[] = {
    email_argument,
    {"off", kind::flag, "", "take the right away again"},
};
constexpr admin_argument grant_arguments[] = {
    email_argument,
    number_argument("credits", "how many", why_credits),
    reason_argument,
};
constexpr admin_argument refund_arguments[] = {
    {"request_id", kind::text, "REQUEST_ID", "the call, or its entry in the ledger",
     "give the call's request id, or its entry in the ledger, led_…"},
    reason_argument,
    number_argument("credits", "how many (default: all that is left of the charge)"),
};
constexpr admin_argument create_key_arguments[] = {
    email_argument,
    {"name", kind::text, "TEXT", "what you call it"},
    {"test", kind::flag, "", "a test key: the sandbox, no network, no credits"},
    {"scope", kind::text, "SCOPE", "read or account (default: both)"},
    number_argument("monthly_budget", "the most credits it may use in a month"),
    {"expires", kind::text, "TIME", "end after this time, such as 30d"},
    {"origin", kind::text, "ORIGIN", "web pages of this origin may use it: https://app.example"},
};
constexpr admin_argument list_keys_arguments[] = {
    email_argument,
    {"state", kind::text, "STATE", "good, revoked or expired (default: all)"},
    limit_argument("how many, 1 to 500 (default: 50)"),
    cursor_argument("go on where the list before ended"),
};
constexpr admin_argument rotate_key_arguments[] = {
    key_argument,
    {"grace", kind::text, "TIME", "how long the old key still works (default: 1h)"},
};
constexpr admin_argument revoke_key_arguments[] = {key_argument};
constexpr admin_argument list_ledger_arguments[] = {
    email_argument,
    {"kind", kind::text, "KIND", "grant, usage, refund or expiry (default: all)"},
    limit_argument("how many, 1 to 500 (default: 50)"),
    cursor_argument("go on where the list before ended"),
};
constexpr admin_argument show_usage_arguments[] = {
    email_argument,
    {"since", kind::text, "TIME", "how far back, such as 7d (default: 30d)"},
    {"group_by", kind::text, "GROUP", "day, endpoint, key, source or two: day,key (default: day)"},
    {"time_zone", kind::text, "ZONE", "whose days, such as Europe/Berlin (default: UTC)"},
    {"empty_days", kind::flag, "", "days without a call have a row, too"},
    {"top", kind::integer, "N", "only the most used; the others as one", {}, {}, 1, 100},
    {"limit", kind::integer, "N", "how many, 1 to 500 (default: 500)", {}, {}, 1, longest_page},
    cursor_argument("go on where the list before ended"),
};
constexpr admin_argument list_requests_arguments[] = {
    email_argument,
    {"status", kind::text, "STATUS", "400, 4xx, ok or failed (default: all)"},
    {"endpoint", kind::text, "PATH", "only calls of this endpoint"},
    {"key", kind::text, "ID", "only calls with this key; dashboard: from there"},
    {"mode", kind::text, "MODE", "live or test (default: both)"},
    {"code", kind::text, "CODE", "only calls that failed with this code"},
    {"since", kind::text, "TIME", "how far back, such as 24h (default: all that is kept)"},
    limit_argument("how many, 1 to 500 (default: 50)"),
    cursor_argument("go on where the list before ended"),
    {"after", kind::text, "N", "only calls since an answer whose newest was this"},
};
constexpr admin_argument show_request_arguments[] = {
    email_argument,
    {"id", kind::text, "REQUEST_ID", "the call's request id", "give the call's request id"},
};
constexpr admin_argument verify_ledger_arguments[] = {
    {"head", kind::text, "N:HASH", "a head that was printed before: it must go on"},
};
constexpr admin_argument list_audit_arguments[] = {
    {"q", kind::text, "WORDS", "only entries that have all of these words"},
    {"email", kind::text, "EMAIL", "only what this account did, or what was done to it"},
    limit_argument("so many entries, 1 to 500 (default: 50)"),
    cursor_argument("where the page before ended"),
};

/// Left alone just now is a matter of the sources: it needs no accounts.
admin_result list_suspended(const admin_call& call) { return suspended_sources(call.core); }

constexpr auto never = audit_time::never;
constexpr auto first = audit_time::first;
constexpr auto inside = audit_time::inside;

/// Whether an operator at a dashboard may give the command. Not those that show a secret of
/// another's account: keys.create, keys.rotate, accounts.link.
enum class place : bool { command_line, dashboard };
constexpr auto dashboard = place::dashboard;
constexpr auto command_line = place::command_line;

constexpr admin_row row(std::string_view name, std::span<const admin_argument> arguments,
                        audit_time audited, place given, admin_result (*run)(const admin_call&)) {
  return {{name, arguments, audited != never, given == dashboard}, audited, true, run};
}

// tests/server/test_matrix.py reads the rows that are at the dashboard.
constexpr std::array rows{
    row("accounts.create", create_account_arguments, inside, dashboard, create_account),
    row("accounts.list", list_accounts_arguments, never, dashboard, list_accounts),
    row("accounts.show", email_only, never, command_line, show_account),
    row("accounts.plan", plan_arguments, first, dashboard, change_plan),
    row("accounts.operator", operator_arguments, inside, command_line, set_operator),
    row("accounts.link", email_only, inside, command_line, make_link),
    row("accounts.recover", email_only, inside, command_line, reset_factor),
    row("credits.grant", grant_arguments, first, dashboard, grant_credits),
    row("credits.refund", refund_arguments, first, dashboard, refund_credits),
    row("keys.create", create_key_arguments, inside, command_line, create_key),
    row("keys.list", list_keys_arguments, never, dashboard, list_keys),
    row("keys.rotate", rotate_key_arguments, inside, command_line, rotate_key),
    row("keys.revoke", revoke_key_arguments, inside, dashboard, revoke_key),
    row("ledger.list", list_ledger_arguments, never, dashboard, list_ledger),
    row("usage.show", show_usage_arguments, never, dashboard, show_usage),
    row("ledger.verify", verify_ledger_arguments, never, dashboard, verify_ledger),
    row("requests.list", list_requests_arguments, never, dashboard, list_requests),
    row("requests.show", show_request_arguments, never, dashboard, show_request),
    row("service.show", {}, never, dashboard, show_service),
    row("audit.list", list_audit_arguments, never, dashboard, list_audit),
    admin_row{{"sources.suspended", {}, false, false}, never, false, list_suspended},
};

constexpr auto public_rows = [] {
  std::array<admin_command, rows.size()> commands;
  std::ranges::transform(rows, commands.begin(), [](const admin_row& one) { return one.command; });
  return commands;
}();

}  // namespace
}  // namespace freshet::detail::admin

namespace freshet::detail {

const admin_row* find_admin_row(std::string_view name) noexcept {
  const auto found = std::find_if(admin::rows.begin(), admin::rows.end(),
                                  [&](const admin_row& one) { return one.command.name == name; });
  return found == admin::rows.end() ? nullptr : &*found;
}

}  // namespace freshet::detail

namespace freshet {

std::span<const admin_command> admin_commands() noexcept { return detail::admin::public_rows; }

}  // namespace freshet
