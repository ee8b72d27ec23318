// An operator's look at what an account has used: the report that its owner gets.
#include <engine/admin/admin_command.hpp>
#include <engine/admin/usage_page.hpp>
#include <model/object_writer.hpp>

namespace freshet::detail::admin {
namespace {

constexpr std::string_view texts[] = {"since", "group_by", "time_zone"};
constexpr std::int64_t default_rows = 500;

}  // namespace

admin_result show_usage(const admin_call& call) {
  const auto account = call.account();
  if (!account) return account.error();
  boost::json::object flags;
  if (call.flag("empty_days")) flags["empty_days"] = true;
  if (const auto top = call.integer("top")) flags["top"] = *top;
  const auto given = call.parameters_of(catalog::operation::account_usage, texts, std::move(flags));
  if (!given) return given.error();
  list_cursor cursor{group_cursor, std::nullopt};
  // An operator's cursor is the bare name of the group.
  if (auto after = call.text("cursor"); !after.empty()) cursor.after = std::move(after);
  const auto limit = static_cast<std::size_t>(call.integer("limit").value_or(default_rows));
  const auto page = read_usage(*call.core.accounts, account->id, *given, cursor, limit, nullptr);
  if (!page) return page.error();
  std::string out;
  model::object_writer object(out);
  object.exact("email", account->email);
  if (object.begin("usage"))
    append_list(out, page->rows, [](std::string& text, const model::usage_answer& row) {
      model::append_usage(text, row);
    });
  object.text("next_cursor", page->cursor.after.value_or(""));
  object.close();
  return out;
}

}  // namespace freshet::detail::admin
