// An operator's commands on accounts: making and listing them, their plans, who is an operator, and
// links to set a password. The rules are those of the accounts and the users.
#include <base/invalid_parameter.hpp>
#include <engine/admin/account_answers.hpp>
#include <engine/admin/admin_command.hpp>
#include <engine/admin/admin_page.hpp>

namespace freshet::detail::admin {
namespace {

constexpr std::string_view listed_members[] = {
    "id",   "email",    "plan",           "balance",    "reserved",
    "keys", "operator", "email_verified", "created_at", "deleted_at"};
constexpr std::string_view created_members[] = {"id", "email", "plan", "balance"};
constexpr std::string_view promoted_members[] = {"id", "email", "plan", "balance", "operator"};

/// What an address may be, before the accounts judge it.
bool looks_like_address(std::string_view email) {
  const auto at = email.find('@');
  return at != std::string_view::npos && at != 0 && at + 1 != email.size() && email.size() <= 254 &&
         email.find_first_of(" \t\r\n,<>\"") == std::string_view::npos;
}

void append_summary(std::string& out, const account::account_summary& summary) {
  auto shown = account_answer(summary.account);
  shown.balance = summary.now.posted.value;
  shown.reserved = summary.now.reserved.value;
  shown.keys = summary.keys;
  model::append_members(out, shown, {listed_members});
}

/// Where people set a password.
std::string dashboard_address(const config& settings) {
  auto base = settings.text("server.base_url");
  if (base.empty()) base = "http://" + settings.text("server.listen");
  while (base.ends_with('/')) base.pop_back();
  return base + "/dashboard";
}

}  // namespace

// Stands in the log when it is made, since there is nobody to name before.
admin_result create_account(const admin_call& call) {
  const auto email = call.text("email");
  if (!looks_like_address(email)) {
    return base::invalid_parameter("/email", "invalid_format",
                                   "'" + email + "' is no e-mail address");
  }
  const auto plan = call.text("plan");
  const auto made = call.core.accounts->create_account(email, plan.empty() ? "free" : plan);
  if (!made) return made.error();
  const auto balance = call.core.accounts->balance_of({*made, {}, {}});
  auto shown = account_answer(*made);
  shown.balance = balance ? balance->available().value : 0;
  auto note = call.note("operator");
  if (auto written = call.core.users->record(note); !written) return written.error();
  const bool promotes = call.flag("operator");
  if (promotes) {
    note.action = "accounts.operator";
    note.detail.clear();
    const auto promoted = call.core.users->set_operator(email, true, note);
    if (!promoted) return promoted.error();
    shown.is_operator = true;
  }
  std::string out;
  model::append_members(out, shown,
                        {promotes ? std::span<const std::string_view>(promoted_members)
                                  : std::span<const std::string_view>(created_members)});
  return out;
}

admin_result list_accounts(const admin_call& call) {
  const auto page = page_of(call);
  if (!page) return page.error();
  auto found = call.core.accounts->list_accounts(call.text("q"), page->before, page->read_limit());
  if (!found) return found.error();
  const auto next = cut_list(*found, page->limit, [](const account::account_summary& last) {
    return std::to_string(last.account.id);
  });
  std::string out;
  model::object_writer object(out);
  if (object.begin("accounts")) append_list(out, *found, append_summary);
  object.text("next_cursor", next.value_or(""));
  object.close();
  return out;
}

admin_result show_account(const admin_call& call) {
  const auto account = call.account();
  if (!account) return account.error();
  const auto found = call.core.accounts->show_account(account->id);
  if (!found) return found.error();
  std::string out;
  append_summary(out, *found);
  return out;
}

admin_result change_plan(const admin_call& call) {
  const auto account = call.account();
  if (!account) return account.error();
  const auto done = call.core.accounts->change_plan(account->id, call.text("plan"));
  if (!done) return done.error();
  std::string out;
  model::object_writer object(out);
  object.exact("email", done->account.email);
  object.exact("plan", done->account.plan);
  object.integer("change", done->change.value);
  object.integer("balance", done->after.available().value);
  object.close();
  return out;
}

admin_result set_operator(const admin_call& call) {
  const bool on = !call.flag("off");
  const auto account = call.core.users->set_operator(call.text("email"), on, call.note());
  if (!account) return account.error();
  std::string out;
  model::object_writer object(out);
  object.exact("email", account->email);
  object.flag("operator", on);
  object.close();
  return out;
}

admin_result make_link(const admin_call& call) {
  const auto email = call.text("email");
  const auto token = call.core.users->make_link(email, call.note());
  if (!token) return token.error();
  std::string out;
  model::object_writer object(out);
  object.exact("email", email);
  object.exact("link", dashboard_address(call.core.settings) + "/reset?token=" + *token);
  object.integer("expires_s", std::chrono::seconds(account::reset_lifetime).count());
  object.close();
  return out;
}

admin_result reset_factor(const admin_call& call) {
  const auto email = call.text("email");
  if (auto done = call.core.users->drop_second_factor(email, call.note()); !done)
    return done.error();
  std::string out;
  model::object_writer object(out);
  object.exact("email", email);
  object.flag("second_factor", false);
  object.close();
  return out;
}

}  // namespace freshet::detail::admin
