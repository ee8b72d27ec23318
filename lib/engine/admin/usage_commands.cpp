// An operator's look at what an account has used: the report that its owner gets.
#include <catalog/validate.hpp>
#include <engine/admin/admin_command.hpp>
#include <engine/admin/usage_page.hpp>
#include <model/object_writer.hpp>

namespace freshet::detail::admin {
namespace {

constexpr std::string_view texts[] = {"since", "group_by", "time_zone"};
constexpr std::int64_t default_rows = 500;

/// The parameters as account/usage takes them, checked by its row in the catalogue.
result<catalog::arguments> parameters_of(const admin_call& call) {
  boost::json::object given;
  for (const auto name : texts) {
    if (auto text = call.text(name); !text.empty()) given[name] = std::move(text);
  }
  if (call.flag("empty_days")) given["empty_days"] = true;
  return catalog::validate(catalog::find_endpoint(catalog::operation::account_usage),
                           boost::json::serialize(given));
}

}  // namespace

admin_result show_usage(const admin_call& call) {
  const auto account = call.account();
  if (!account) return account.error();
  const auto given = parameters_of(call);
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
