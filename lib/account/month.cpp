// Calendar months in UTC, by <chrono>'s calendar: no time zone, no locale.
#include <account/month.hpp>
#include <charconv>
#include <cstdio>

namespace freshet::account {

month_index month_of(time_point at) noexcept {
  const std::chrono::year_month_day date{std::chrono::floor<std::chrono::days>(at)};
  return static_cast<int>(date.year()) * 12 +
         static_cast<month_index>(static_cast<unsigned>(date.month())) - 1;
}

time_point start_of(month_index month) noexcept {
  const std::chrono::year_month_day first{std::chrono::year{month / 12},
                                          std::chrono::month{static_cast<unsigned>(month % 12 + 1)},
                                          std::chrono::day{1}};
  return std::chrono::sys_days{first};
}

std::string month_text(month_index month) {
  char text[24];
  const int size = std::snprintf(text, sizeof text, "%04d-%02d", month / 12, month % 12 + 1);
  return {text, static_cast<std::size_t>(size)};
}

month_index parse_month(std::string_view text) noexcept {
  constexpr std::size_t written_size = 7;
  if (text.size() != written_size || text[4] != '-') return no_month;
  int year = 0, month = 0;
  const char* const begin = text.data();
  if (std::from_chars(begin, begin + 4, year).ptr != begin + 4) return no_month;
  if (std::from_chars(begin + 5, begin + 7, month).ptr != begin + 7) return no_month;
  if (year < 0 || month < 1 || month > 12) return no_month;
  return year * 12 + month - 1;
}

}  // namespace freshet::account
