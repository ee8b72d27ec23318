// Administration: accounts, credits and keys, as lines and what is printed of their
// answers. What they take stands in the engine's table.
#include <array>
#include <boost/json.hpp>
#include <server/commands/administration.hpp>

namespace freshet::server {
namespace {

namespace json = boost::json;

/// A number with its noun.
std::string counted_credits(const json::object& one, std::string_view name) {
  const std::string number = shown(one, name);
  return number + (number == "1" ? " credit" : " credits");
}

std::string shown_new_account(const json::object& made) {
  return "created " + shown(made, "email") + " (" + shown(made, "id") + "), plan " +
         shown(made, "plan") + ", " + counted_credits(made, "balance") + "\n";
}

int create_account(const invocation& line) {
  return run_admin_command(line, shown_new_account, {{"plan", "free"}});
}

std::string shown_grant(const json::object& done) {
  return "granted " + counted_credits(done, "credits") + " to " + shown(done, "email") +
         ", balance " + shown(done, "balance") + "\n";
}

std::string shown_plan(const json::object& done) {
  const std::string change = shown(done, "change");
  return shown(done, "email") + " has plan " + shown(done, "plan") + ", " +
         (change.starts_with("-") || change == "0" ? "" : "+") + change +
         " credits this month, balance " + shown(done, "balance") + "\n";
}

/// "  name=value" for each of the names.
std::string shown_fields(const json::object& one, std::span<const std::string_view> names) {
  std::string out;
  for (const std::string_view name : names) {
    out.append("  ").append(name).append("=").append(shown(one, name));
  }
  return out;
}

std::string account_line(const json::object& account) {
  constexpr std::array<std::string_view, 4> names{"plan", "balance", "keys", "created_at"};
  return shown(account, "id") + "  " + shown(account, "email") + shown_fields(account, names);
}

std::string shown_accounts(const json::object& answer) {
  return shown_list(answer, "accounts", account_line) + shown_cursor(answer);
}

constexpr table_column account_columns[] = {
    {"email"},           {"plan"}, {"balance", true}, {"keys", true}, {"created", false, false},
    {"id", false, false}};

table_row account_row(const json::object& account) {
  return {shown(account, "email"),
          shown(account, "plan"),
          shown(account, "balance"),
          shown(account, "keys"),
          shown_moment(account, "created_at"),
          shown(account, "id")};
}

std::string accounts_on(const json::object& answer, const screen& screen) {
  return shown_table(answer, "accounts", account_columns, account_row,
                     "no account; make one: freshet accounts create me@example.org", screen);
}

std::string shown_refund(const json::object& done) {
  return "refunded " + shown(done, "credits") + " credits of " + shown(done, "refund_of") + " to " +
         shown(done, "email") + ", balance " + shown(done, "balance") + "\n";
}

/// The key, alone: it is shown this once, and scripts take it from standard output.
std::string key_alone(const json::object& made) { return shown(made, "key") + "\n"; }

std::string key_line(const json::object& key) {
  constexpr std::array<std::string_view, 10> names{
      "name",       "scopes",     "monthly_budget", "budget_used",  "created_at",
      "expires_at", "rotated_at", "revoked_at",     "last_used_at", "state"};
  return shown(key, "id") + "  " + shown(key, "mode") + "  " + shown(key, "prefix") + "..." +
         shown(key, "last_four") + shown_fields(key, names);
}

std::string shown_keys(const json::object& answer) {
  return shown_list(answer, "keys", key_line) + shown_cursor(answer);
}

constexpr table_column key_columns[] = {
    {"id", false, false}, {"key", false, false}, {"name"}, {"state"}, {"used", false, false},
    {"scopes"},           {"budget", true}};

/// "revoked", "expired", "until 2026-12-01 00:00" or "good".
std::string key_state(const json::object& key) {
  const std::string state = shown(key, "state");
  const bool ends = state == "good" && shown(key, "expires_at") != "-";
  return ends ? "until " + shown_moment(key, "expires_at") : state;
}

table_row key_row(const json::object& key) {
  std::string scopes;
  if (const json::value* list = key.if_contains("scopes"); list != nullptr && list->is_array()) {
    for (const json::value& one : list->get_array()) {
      if (!one.is_string()) continue;
      scopes.append(scopes.empty() ? "" : ", ").append(std::string_view(one.get_string()));
    }
  }
  const std::string budget = shown(key, "monthly_budget");
  return {shown(key, "id"),
          shown(key, "prefix") + "…" + shown(key, "last_four"),
          shown(key, "name"),
          key_state(key),
          shown_moment(key, "last_used_at"),
          scopes,
          budget == "-" ? budget : shown(key, "budget_used") + "/" + budget};
}

std::string keys_on(const json::object& answer, const screen& screen) {
  return shown_table(answer, "keys", key_columns, key_row,
                     "no key; make one: freshet keys create " + shown(answer, "email"), screen);
}

int list_keys(const invocation& line) {
  constexpr int shown_at_once = 50;  // as many as of any list; without a limit they come all
  return run_admin_command(line, shown_keys, {{"limit", shown_at_once}}, keys_on);
}

std::string shown_revoked(const json::object& done) {
  return "revoked " + shown(done, "id") + "\n";
}

constexpr command account_lines[] = {
    {"accounts create", "EMAIL", "Create an account.",
     "freshet accounts create me@example.org --plan free", create_account},
    {"accounts list", "[PART]", "List accounts, newest first, by a part of the address.",
     "freshet accounts list example.org", administer<shown_accounts, accounts_on>},
    {"accounts plan", "EMAIL PLAN", "Change an account's plan, at once.",
     "freshet accounts plan me@example.org free", administer<shown_plan>},
    {"credits refund", "REQUEST_ID", "Give back what a call was charged, or a part of it.",
     "freshet credits refund req_01KATZ --reason 'the page was empty'", administer<shown_refund>},
    {"credits grant", "EMAIL N", "Give an account credits.",
     "freshet credits grant me@example.org 500 --reason 'welcome'", administer<shown_grant>},
    {"keys create", "EMAIL", "Create an API key and print it, once.",
     "freshet keys create me@example.org --scope read --expires 30d", administer<key_alone>},
    {"keys list", "EMAIL", "List an account's keys, newest first.",
     "freshet keys list me@example.org --state good", list_keys},
    {"keys rotate", "ID", "Replace a key and print the new one, once.",
     "freshet keys rotate key_01KATZ --grace 1h", administer<key_alone>},
    {"keys revoke", "ID", "End a key at once.", "freshet keys revoke key_01KATZ",
     administer<shown_revoked>},
};

}  // namespace

std::span<const command> account_commands() noexcept {
  static const admin_rows made = with_options(account_lines);
  return made.rows;
}

}  // namespace freshet::server
