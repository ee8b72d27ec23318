#include <base/time_text.hpp>
#include <base/time_zone.hpp>
#include <catch2/catch.hpp>
#include <string>

using namespace freshet;
using namespace freshet::base;

namespace {

/// The local day of a moment, as text.
std::string day(std::string_view zone, std::string_view moment) {
  const auto found = time_zone::find(zone);
  REQUIRE(found.has_value());
  const time_point midnight{found->day_of(parse_time(moment).value())};
  return format_time(midnight).substr(0, 10);
}

}  // namespace

TEST_CASE("a moment falls on the local day, daylight saving time included") {
  CHECK(day("UTC", "2026-11-21T23:59:59.999Z") == "2026-11-21");
  CHECK(day("UTC", "2026-11-22T00:00:00Z") == "2026-11-22");
  // Central European time is an hour before UTC in winter, two in summer.
  CHECK(day("Europe/Berlin", "2026-11-21T22:59:59.999Z") == "2026-11-21");
  CHECK(day("Europe/Berlin", "2026-11-21T23:00:00Z") == "2026-11-22");
  CHECK(day("Europe/Berlin", "2026-07-21T21:59:59.999Z") == "2026-07-21");
  CHECK(day("Europe/Berlin", "2026-07-21T22:00:00Z") == "2026-07-22");
  // The day on which the clocks go forward has 23 hours, the one on which they go back 25.
  CHECK(day("Europe/Berlin", "2026-03-28T23:00:00Z") == "2026-03-29");
  CHECK(day("Europe/Berlin", "2026-03-29T21:59:59Z") == "2026-03-29");
  CHECK(day("Europe/Berlin", "2026-03-29T22:00:00Z") == "2026-03-30");
  CHECK(day("Europe/Berlin", "2026-10-24T22:00:00Z") == "2026-10-25");
  CHECK(day("Europe/Berlin", "2026-10-25T22:59:59Z") == "2026-10-25");
  CHECK(day("Europe/Berlin", "2026-10-25T23:00:00Z") == "2026-10-26");
  CHECK(day("America/New_York", "2026-11-22T04:59:59Z") == "2026-11-21");
  CHECK(day("America/New_York", "2026-11-22T05:00:00Z") == "2026-11-22");
  // Offsets that are no whole hours, and both ends of the world.
  CHECK(day("Asia/Kolkata", "2026-11-21T18:30:00Z") == "2026-11-22");
  CHECK(day("Asia/Kolkata", "2026-11-21T18:29:59Z") == "2026-11-21");
  CHECK(day("Pacific/Kiritimati", "2026-11-21T10:00:00Z") == "2026-11-22");
  CHECK(day("Pacific/Pago_Pago", "2026-11-21T10:59:59Z") == "2026-11-20");
  // The clocks of Cairo go forward at midnight: the day begins at one o'clock.
  CHECK(day("Africa/Cairo", "2026-04-23T21:59:59Z") == "2026-04-23");
  CHECK(day("Africa/Cairo", "2026-04-23T22:00:00Z") == "2026-04-24");
  CHECK(day("Europe/Berlin", "1970-01-01T00:00:00Z") == "1970-01-01");
}

TEST_CASE("only UTC and names with an area are time zones") {
  for (const char* known : {"UTC", "Etc/UTC", "Etc/GMT+3", "Europe/Berlin", "US/Pacific",
                            "America/Argentina/Buenos_Aires", "Asia/Calcutta"})
    CHECK(time_zone::find(known).has_value());
  for (const std::string& wrong :
       {std::string(), std::string("Europe/Berln"), std::string("europe/berlin"),
        std::string("PST"), std::string("EST"), std::string("GMT+3"), std::string("+01:00"),
        std::string("Etc/Unknown"), std::string("/"), std::string("Europe/"), std::string("utc"),
        std::string(4096, '/'), std::string("Europe/Berlin\0", 14), std::string("\xff/\xfe")})
    CHECK_FALSE(time_zone::find(wrong).has_value());
}
