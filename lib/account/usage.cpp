// What calls have used, grouped by local day, endpoint, key or source. The rows are read in the
// order of their time and summed here, since no SQL knows time zones; nothing is cached.
#include <account/owners.hpp>
#include <algorithm>
#include <array>
#include <map>

namespace freshet::account {
namespace {

using std::chrono::sys_days;

struct grouping {
  std::string_view name;
  bool by_day;
  std::string usage_row::*by;  ///< what a row stands for beside its day; null for nothing
};

constexpr grouping groupings[] = {
    {"day", true, nullptr},
    {"endpoint", false, &usage_row::endpoint},
    {"key", false, &usage_row::key},
    {"source", false, &usage_row::source},
    {"day,endpoint", true, &usage_row::endpoint},
    {"day,key", true, &usage_row::key},
    {"day,source", true, &usage_row::source},
};

constexpr std::size_t calls_between_questions = 1024;
/// Where the ledger names no source.
constexpr std::string_view no_source = "none";
/// A span of `since` is at most 3650 days; a day is begun at either end of it.
constexpr int max_empty_days = 3'652;

std::string day_text(sys_days day) {
  const std::chrono::year_month_day date{day};
  std::array<char, 32> text{};
  const int size =
      std::snprintf(text.data(), text.size(), "%04d-%02u-%02u", static_cast<int>(date.year()),
                    static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return {text.data(), static_cast<std::size_t>(size)};
}

/// Sums calls by what they are grouped by.
class sums {
 public:
  explicit sums(const grouping& by) : by_(by) {}

  void add(const std::string& day, std::string_view name, std::int64_t price) {
    std::string group = day;
    if (by_.by_day && by_.by != nullptr) group += ',';
    group += name;
    usage_row& row = rows_[group];
    if (row.calls++ == 0) {
      row.group = std::move(group);
      row.day = day;
      if (by_.by != nullptr) row.*by_.by = name;
    }
    row.used.value += price;
  }

  /// A row without calls, unless the day has one with.
  void add_empty(const std::string& day) {
    const auto at = rows_.lower_bound(day);
    if (at != rows_.end() && at->second.day == day) return;
    usage_row& row = rows_[day];
    row.group = row.day = day;
  }

  [[nodiscard]] std::vector<usage_row> take() {
    std::vector<usage_row> all;
    all.reserve(rows_.size());
    for (auto& [group, row] : rows_) all.push_back(std::move(row));
    return all;
  }

 private:
  const grouping& by_;
  std::map<std::string, usage_row> rows_;
};

/// Counts one call under each of the sources that served it: "a,b".
void add_sources(sums& sums, const std::string& day, std::string_view sources, std::int64_t price) {
  if (sources.empty()) sources = no_source;
  for (bool more = true; more;) {
    const std::size_t comma = sources.find(',');
    sums.add(day, sources.substr(0, comma), price);
    more = comma != std::string_view::npos;
    if (more) sources.remove_prefix(comma + 1);
  }
}

}  // namespace

result<std::vector<usage_row>> accounts::usage_of(std::int64_t account_id,
                                                  const usage_query& query) const {
  const auto* const by =
      std::find_if(std::begin(groupings), std::end(groupings),
                   [&](const grouping& one) { return one.name == query.group_by; });
  if (by == std::end(groupings))
    return error(errc::invalid_request, "group_by is day, endpoint, key or source");
  sums counted(*by);
  sys_days day{};
  std::string day_name;
  std::size_t counted_calls = 0;
  const auto count = [&](const usage_charge& one) {
    if (by->by_day) {
      const sys_days next = query.zone.day_of(one.at);
      if (next != day) day_name = day_text(next);
      day = next;
    }
    if (by->by == &usage_row::source)
      add_sources(counted, day_name, one.sources, one.price);
    else if (by->by == nullptr)
      counted.add(day_name, {}, one.price);
    else
      counted.add(day_name, by->by == &usage_row::endpoint ? one.endpoint : one.key, one.price);
    return ++counted_calls % calls_between_questions != 0 || !query.is_wanted || query.is_wanted();
  };
  auto read = owners_->books->read_usage(account_book_name(account_id), query.since, count);
  if (!read) return read.error();
  if (query.empty_days && by->by_day) {
    const sys_days last = query.zone.day_of(owners_->now());
    day = std::max(query.zone.day_of(query.since), last - std::chrono::days(max_empty_days));
    for (; day <= last; day += std::chrono::days(1)) counted.add_empty(day_text(day));
  }
  return counted.take();
}

}  // namespace freshet::account
