// An operator's look at the calls of an account: what they asked for and what became of them, never
// what was sent and answered, which is the caller's.
#include <base/clock.hpp>
#include <base/invalid_parameter.hpp>
#include <base/number.hpp>
#include <engine/admin/account_answers.hpp>
#include <engine/admin/admin_command.hpp>
#include <engine/admin/admin_page.hpp>
#include <limits>

namespace freshet::detail::admin {
namespace {

constexpr std::string_view filters[] = {"status", "endpoint", "key", "mode", "code", "since"};

result<std::int64_t> after_of(const admin_call& call) {
  const auto text = call.text("after");
  if (text.empty()) return 0;
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  if (const auto number = base::parse_number<std::int64_t>(text, 0, most - 1)) return *number;
  return base::invalid_parameter("/after", "invalid_format", "give `newest` of the answer before");
}

}  // namespace

admin_result list_requests(const admin_call& call) {
  const auto account = call.account();
  if (!account) return account.error();
  const auto page = page_of(call);
  if (!page) return page.error();
  const auto given = call.parameters_of(catalog::operation::account_requests_list, filters);
  if (!given) return given.error();
  const auto after = after_of(call);
  if (!after) return after.error();
  if (call.core.requests == nullptr) return no_request_log();
  const auto endpoint = given->text("endpoint");
  if (auto fine = check_endpoint(endpoint); !fine) return fine.error();
  const auto key = given->text("key");
  const auto code = given->text("code");
  requests::call_query query{.account = account->public_id, .before = page->before};
  query.after = *after;
  query.filter = {.endpoint = endpoint, .key_id = key, .code = code};
  query.limit = static_cast<std::size_t>(page->read_limit());
  set_status(query.filter, given->text("status"));
  if (const auto mode = given->text("mode"); !mode.empty()) query.filter.is_test = mode == "test";
  if (given->since) query.filter.since = base::system_clock().now() - *given->since;
  auto found = call.core.requests->list(query);
  if (!found) return found.error();
  const auto keys = call.core.accounts->list_keys(account->id);
  if (!keys) return keys.error();
  const auto newest = found->empty() ? *after : found->front().number;
  const auto next =
      cut_list(*found, page->limit, [](const auto& last) { return std::to_string(last.number); });
  std::string out;
  model::object_writer object(out);
  object.exact("email", account->email);
  if (object.begin("requests"))
    append_list(out, *found, [&](std::string& text, const requests::call_record& one) {
      model::append_request(text, request_answer(one, *keys));
    });
  object.text("next_cursor", next.value_or(""));
  object.exact("newest", std::to_string(newest));
  object.close();
  return out;
}

admin_result show_request(const admin_call& call) {
  const auto account = call.account();
  if (!account) return account.error();
  if (call.core.requests == nullptr) return no_request_log();
  const auto found = call.core.requests->show(account->public_id, call.text("id"));
  if (!found) return found.error();
  const auto keys = call.core.accounts->list_keys(account->id);
  if (!keys) return keys.error();
  auto shown = request_answer(found->call, *keys);
  if (found->call.credits > 0) {
    auto entry = call.core.accounts->charge_of(account->id, found->call.request_id);
    if (!entry) return entry.error();
    shown.ledger_entry = std::move(*entry);
  }
  std::string out;
  model::append_request(out, shown);
  return out;
}

}  // namespace freshet::detail::admin
