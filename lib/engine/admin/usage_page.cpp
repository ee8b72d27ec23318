// The list is read anew for each page: groups are few, and what they hold may have changed.
#include "engine/admin/usage_page.hpp"

#include <algorithm>
#include <base/clock.hpp>
#include <base/invalid_parameter.hpp>
#include <compare>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace freshet::detail {
namespace {

/// What the others used, beside those of `top`: no name of an endpoint, a key or a source.
constexpr std::string_view others = "*";

/// What a row is of beside its day: of the three one is given at most.
const std::string& part_of(const account::usage_row& row) {
  return !row.endpoint.empty() ? row.endpoint : !row.key.empty() ? row.key : row.source;
}

/// The parts with the most credits, so many; of those with as many the ones with more calls.
std::set<std::string> most_used(const std::vector<account::usage_row>& rows, std::size_t top) {
  struct use {
    std::int64_t credits = 0, calls = 0;
    auto operator<=>(const use&) const = default;
  };
  std::map<std::string, use> used;
  for (const auto& row : rows) {
    if (part_of(row).empty()) continue;
    auto& sum = used[part_of(row)];
    sum.credits += row.used.value;
    sum.calls += row.calls;
  }
  std::vector<std::pair<use, std::string>> ranked;
  for (auto& [part, sum] : used) ranked.emplace_back(sum, part);
  std::ranges::sort(ranked, std::greater());
  std::set<std::string> parts;
  ranked.resize(std::min(top, ranked.size()));
  for (auto& [sum, part] : ranked) parts.insert(std::move(part));
  return parts;
}

/// One row (of each day) in place of those that are not of the most used parts.
std::vector<account::usage_row> with_others(std::vector<account::usage_row> rows, std::size_t top) {
  const auto kept = most_used(rows, top);
  std::map<std::string, account::usage_row> shown;
  for (auto& row : rows) {
    if (part_of(row).empty() || kept.contains(part_of(row))) {
      shown.emplace(row.group, std::move(row));
      continue;
    }
    const auto group = (row.day.empty() ? "" : row.day + ",") + std::string(others);
    auto& rest = shown[group];
    rest.group = group;
    rest.day = row.day;
    rest.calls += row.calls;
    rest.used.value += row.used.value;
  }
  std::vector<account::usage_row> made;
  made.reserve(shown.size());
  for (auto& [group, row] : shown) made.push_back(std::move(row));
  return made;
}

/// Why the parameters do not go together, if they do not.
std::optional<error> wrong_parameters(const catalog::arguments& arguments) {
  if (arguments.integer("top") != 0 && arguments.text("group_by") == "day") {
    return base::invalid_parameter("/top", "not_allowed",
                                   "only with a group_by of endpoint, key or source, or of day and "
                                   "one of them");
  }
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
  if (const auto top = arguments.integer("top"); top != 0)
    *rows = with_others(std::move(*rows), static_cast<std::size_t>(top));
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
