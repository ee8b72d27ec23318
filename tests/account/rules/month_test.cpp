#include <account/rules/month.hpp>
#include <catch2/catch.hpp>

using namespace freshet;
using namespace freshet::account;
using namespace std::chrono_literals;

TEST_CASE("months are calendar months in UTC, to the millisecond") {
  const time_point december{std::chrono::sys_days{std::chrono::year{2026} / 12 / 1}};
  CHECK(month_text(month_of(december)) == "2026-12");
  CHECK(month_text(month_of(december - 1ms)) == "2026-11");
  CHECK(start_of(month_of(december)) == december);
  CHECK(start_of(month_of(december + 40 * 24h)) ==
        time_point{std::chrono::sys_days{std::chrono::year{2027} / 1 / 1}});
  CHECK(month_of(december + 31 * 24h) == month_of(december) + 1);
  CHECK(month_text(month_of(time_point{})) == "1970-01");
}

TEST_CASE("the days of a month, and those that are left of it") {
  const auto at = [](int year, unsigned month, unsigned day) {
    return time_point{std::chrono::sys_days{std::chrono::year{year} / month / day}};
  };
  const auto days = [&](int year, unsigned month) { return days_in(month_of(at(year, month, 1))); };
  CHECK(days(2026, 11) == 30);
  CHECK(days(2026, 12) == 31);
  CHECK(days(2027, 2) == 28);
  CHECK(days(2028, 2) == 29);
  CHECK(days_left(at(2026, 11, 1)) == 30);
  CHECK(days_left(at(2026, 11, 21) + 12h) == 10);
  CHECK(days_left(at(2026, 12, 1) - 1ms) == 1);
  CHECK(days_left(at(2028, 2, 29)) == 1);
}
