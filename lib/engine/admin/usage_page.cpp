// The list is read anew for each page: groups are few, and what they hold may have changed.
#include "engine/admin/usage_page.hpp"

#include <base/clock.hpp>
#include <base/invalid_parameter.hpp>

namespace freshet::detail {
namespace {

/// Why the parameters do not go together, if they do not.
std::optional<error> wrong_parameters(const catalog::arguments& arguments) {
  if (!arguments.flag("empty_days") || arguments.text("group_by").starts_with("day")) {
    return std::nullopt;
  }
  return base::invalid_parameter("/empty_days", "not_allowed",
                                 "only with a group_by of day, or of day and another");
}

}  // namespace

result<usage_page> read_usage(const account::accounts& accounts, std::int64_t account_id,
                              const catalog::arguments& arguments, const list_cursor& cursor,
                              std::size_t limit, const std::function<bool()>& is_wanted) {
  if (const auto wrong = wrong_parameters(arguments)) return *wrong;
  const std::string group_by(arguments.text("group_by"));
  const auto span = arguments.since.value_or(std::chrono::days(30));
  account::usage_query query{.group_by = group_by, .empty_days = arguments.flag("empty_days")};
  query.since = cursor.since.value_or(base::system_clock().now() - span);
  query.is_wanted = is_wanted;
  if (const auto zone = base::time_zone::find(arguments.text("time_zone"))) query.zone = *zone;
  auto rows = accounts.usage_of(account_id, query);
  if (!rows) return rows.error();
  if (cursor.after) {
    std::erase_if(*rows, [&](const auto& row) { return row.group <= *cursor.after; });
  }
  usage_page page{{}, cursor};
  page.cursor.after = cut_list(*rows, limit, [](const auto& last) { return last.group; });
  page.cursor.since = query.since;
  for (const account::usage_row& row : *rows) {
    page.rows.push_back({group_by + ":" + row.group, row.group, row.calls, row.used.value, row.day,
                         row.endpoint, row.key, row.source});
  }
  return page;
}

}  // namespace freshet::detail
