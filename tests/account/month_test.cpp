#include <account/month.hpp>
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

TEST_CASE("a month's text reads back, and nothing else does") {
  for (month_index month = 1970 * 12; month < 1972 * 12; ++month)
    CHECK(parse_month(month_text(month)) == month);
  for (const char* bad : {"", "2026", "2026-13", "2026-00", "2026-1", "2026/11", "2026-11-01",
                          "20a6-11", "2026- 1", "-026-11"})
    CHECK(parse_month(bad) == no_month);
}
