// An operator's commands on credits and the ledger: what is given, given back, read and verified.
// Nothing changes a row that stands.
#include <engine/admin/account_answers.hpp>
#include <engine/admin/admin_command.hpp>
#include <engine/admin/admin_page.hpp>
#include <engine/admin/known_head.hpp>

namespace freshet::detail::admin {

admin_result grant_credits(const admin_call& call) {
  const auto account = call.account();
  if (!account) return account.error();
  const auto amount = call.integer("credits").value_or(0);
  const auto balance = call.core.accounts->grant(account->id, {amount}, call.text("reason"));
  if (!balance) return balance.error();
  std::string out;
  model::object_writer object(out);
  object.exact("email", account->email);
  object.integer("credits", amount);
  object.integer("balance", balance->available().value);
  object.close();
  return out;
}

admin_result refund_credits(const admin_call& call) {
  std::optional<account::credits> amount;
  if (const auto given = call.integer("credits")) amount = account::credits{*given};
  const auto done =
      call.core.accounts->refund(call.text("request_id"), amount, call.text("reason"));
  if (!done) return done.error();
  std::string out;
  model::object_writer object(out);
  object.exact("email", done->account.email);
  object.exact("request_id", done->request_id);
  object.exact("refund_of", done->entry);
  object.integer("credits", done->refunded.value);
  object.integer("refundable", done->left.value);
  object.integer("balance", done->after.available().value);
  object.close();
  return out;
}

admin_result list_ledger(const admin_call& call) {
  const auto account = call.account();
  if (!account) return account.error();
  const auto page = page_of(call);
  if (!page) return page.error();
  const auto kind = call.text("kind");
  auto rows =
      call.core.accounts->ledger(account->id, page->before, page->read_limit(), {.kind = kind});
  if (!rows) return rows.error();
  const auto keys = call.core.accounts->list_keys(account->id);
  if (!keys) return keys.error();
  const auto next = cut_list(
      *rows, page->limit, [](const account::ledger_row& last) { return std::to_string(last.seq); });
  std::string out;
  model::object_writer object(out);
  object.exact("email", account->email);
  if (object.begin("entries"))
    append_list(out, *rows, [&](std::string& text, const auto& row) {
      model::append_ledger(text, ledger_answer(row, *keys));
    });
  object.text("next_cursor", next.value_or(""));
  object.close();
  return out;
}

admin_result verify_ledger(const admin_call& call) {
  const auto known = known_head(call.text("head"));
  if (!known) return known.error();
  const auto report = call.core.accounts->verify({.known = *known});
  if (!report) return report.error();
  std::string out;
  model::object_writer object(out);
  object.flag("ok", report->ok);
  object.integer("rows", report->rows);
  object.exact("head", account::head_name(report->head));
  object.strings("findings", report->findings);
  object.close();
  return out;
}

}  // namespace freshet::detail::admin
