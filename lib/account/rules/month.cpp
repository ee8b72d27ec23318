// Calendar months in UTC, by <chrono>'s calendar: no time zone, no locale.
#include <account/rules/month.hpp>
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

std::int64_t days_in(month_index month) noexcept {
  return std::chrono::floor<std::chrono::days>(start_of(month + 1) - start_of(month)).count();
}

std::int64_t days_left(time_point at) noexcept {
  const auto today = std::chrono::floor<std::chrono::days>(at);
  return std::chrono::floor<std::chrono::days>(start_of(month_of(at) + 1) - today).count();
}

std::string month_text(month_index month) {
  char text[24];
  const int size = std::snprintf(text, sizeof text, "%04d-%02d", month / 12, month % 12 + 1);
  return {text, static_cast<std::size_t>(size)};
}

}  // namespace freshet::account
