#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace freshet::base;
using freshet::time_point;

namespace {

/// The text that a text means, or "".
std::string normal_form(std::string_view text) {
  const auto at = parse_time(text);
  return at ? format_time(*at) : "";
}

struct time_case {
  std::string_view given, expected;
};

}  // namespace

TEST_CASE("Moments are written in RFC 3339") {
  using std::chrono::milliseconds;
  CHECK(format_time(time_point{}) == "1970-01-01T00:00:00Z");
  CHECK(format_time(time_point{milliseconds{1'763'696'400'000}}) == "2025-11-21T03:40:00Z");
  CHECK(format_time(time_point{milliseconds{1'763'696'400'007}}) == "2025-11-21T03:40:00.007Z");
  CHECK(format_time(time_point{milliseconds{951'782'400'120}}) == "2000-02-29T00:00:00.120Z");
  CHECK(format_time(time_point{milliseconds{-1}}) == "1969-12-31T23:59:59.999Z");
  CHECK(format_time(time_point::max()) == "9999-12-31T23:59:59.999Z");
  CHECK(format_time(time_point::min()) == "0000-01-01T00:00:00Z");
}

TEST_CASE("Moments are written for mail in RFC 5322") {
  CHECK(format_mail_date(parse_time("2026-11-21T03:40:05.999Z").value()) ==
        "Sat, 21 Nov 2026 03:40:05 +0000");
  CHECK(format_mail_date(parse_time("2026-03-01T23:59:59Z").value()) ==
        "Sun, 1 Mar 2026 23:59:59 +0000");
  CHECK(format_mail_date({}) == "Thu, 1 Jan 1970 00:00:00 +0000");
  for (int day = 0; day < 366; ++day) {
    const time_point at = time_point(std::chrono::days(20'000 + day));
    CHECK(parse_time(format_mail_date(at)) == at);
  }
}

TEST_CASE("RFC 3339 and ISO 8601") {
  constexpr time_case cases[] = {
      {"2026-11-21T03:40:00Z", "2026-11-21T03:40:00Z"},
      {"2026-11-21t03:40:00z", "2026-11-21T03:40:00Z"},
      {"2026-11-21T03:40:00.5Z", "2026-11-21T03:40:00.500Z"},
      {"2026-11-21T03:40:00.123456789Z", "2026-11-21T03:40:00.123Z"},
      {"2026-11-21T03:40:59.9999Z", "2026-11-21T03:40:59.999Z"},
      {"2026-11-21T03:40:00,25Z", "2026-11-21T03:40:00.250Z"},
      {"2026-11-21T03:40:00+02:00", "2026-11-21T01:40:00Z"},
      {"2026-11-21T03:40:00-0530", "2026-11-21T09:10:00Z"},
      {"2026-11-21T03:40:00+02", "2026-11-21T01:40:00Z"},
      {"2026-11-21T03:40:00+00:00", "2026-11-21T03:40:00Z"},
      {"2026-11-21T03:40:00-00:00", "2026-11-21T03:40:00Z"},
      {"2026-11-21T03:40:00", "2026-11-21T03:40:00Z"},
      {"2026-11-21T03:40", "2026-11-21T03:40:00Z"},
      {"2026-11-21T03:40Z", "2026-11-21T03:40:00Z"},
      {"2026-11-21 03:40:00", "2026-11-21T03:40:00Z"},
      {"2026-11-21 03:40:00 UTC", "2026-11-21T03:40:00Z"},
      {"2026-11-21 03:40:00 +0100", "2026-11-21T02:40:00Z"},
      {"2026-11-21", "2026-11-21T00:00:00Z"},
      {"2026-11-21Z", "2026-11-21T00:00:00Z"},
      {"2026-1-2", "2026-01-02T00:00:00Z"},
      {"  2026-11-21T03:40:00Z\n", "2026-11-21T03:40:00Z"},
      {"2024-02-29T23:59:59Z", "2024-02-29T23:59:59Z"},
      {"2026-11-21T24:00:00Z", "2026-11-22T00:00:00Z"},
      {"2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"},
      {"1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"},
      {"1970-01-01T01:00:00+01:00", "1970-01-01T00:00:00Z"},
      {"1969-12-31T23:30:00-01:00", "1970-01-01T00:30:00Z"},
      {"9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"},
  };
  for (const auto& one : cases) {
    INFO(one.given);
    CHECK(normal_form(one.given) == one.expected);
  }
}

TEST_CASE("Compact forms") {
  CHECK(normal_form("20260101T120000Z") == "2026-01-01T12:00:00Z");
  CHECK(normal_form("20260101T120000") == "2026-01-01T12:00:00Z");
  CHECK(normal_form("20260101T1200Z") == "2026-01-01T12:00:00Z");
  CHECK(normal_form("20260101T120000+0100") == "2026-01-01T11:00:00Z");
  CHECK(normal_form("20260101120000") == "2026-01-01T12:00:00Z");
  CHECK(normal_form("20260101") == "2026-01-01T00:00:00Z");
}

TEST_CASE("Dates of feeds and HTTP") {
  constexpr time_case cases[] = {
      {"Sat, 21 Nov 2026 03:40:00 GMT", "2026-11-21T03:40:00Z"},
      {"Sat, 21 Nov 2026 03:40:00 +0000", "2026-11-21T03:40:00Z"},
      {"21 Nov 2026 03:40:00 GMT", "2026-11-21T03:40:00Z"},
      {"Sat, 21 Nov 2026 03:40 GMT", "2026-11-21T03:40:00Z"},
      {"Sat, 21 Nov 2026 03:40:00 EST", "2026-11-21T08:40:00Z"},
      {"Sat, 21 Nov 2026 03:40:00 EDT", "2026-11-21T07:40:00Z"},
      {"Sat, 21 Nov 2026 03:40:00 CST", "2026-11-21T09:40:00Z"},
      {"Sat, 21 Nov 2026 03:40:00 PST", "2026-11-21T11:40:00Z"},
      {"Sat, 21 Nov 2026 03:40:00 PDT", "2026-11-21T10:40:00Z"},
      {"Sat, 21 Nov 2026 03:40:00 UT", "2026-11-21T03:40:00Z"},
      {"Sat, 21 Nov 2026 03:40:00 Z", "2026-11-21T03:40:00Z"},
      {"Sat, 21 Nov 2026 03:40:00 CET", "2026-11-21T02:40:00Z"},
      {"Sat, 21 Nov 2026 03:40:00 IST", "2026-11-20T22:10:00Z"},
      {"Sat, 21 Nov 2026 03:40:00 A", "2026-11-21T03:40:00Z"},
      {"Sat, 21 Nov 2026 03:40:00 GMT+0100", "2026-11-21T02:40:00Z"},
      {"Sat, 21 Nov 2026 03:40:00 +01:00", "2026-11-21T02:40:00Z"},
      {"Sat, 21 Nov 2026 03:40:00 -0500 (EST)", "2026-11-21T08:40:00Z"},
      {"Sat, 21 Nov 2026 03:40:00", "2026-11-21T03:40:00Z"},
      {"Sat, 21 Nov 2026", "2026-11-21T00:00:00Z"},
      {"Sat, 1 Nov 2026 03:40:00 GMT", "2026-11-01T03:40:00Z"},
      {"Sat,  1  Nov  2026 3:40:00 GMT", "2026-11-01T03:40:00Z"},
      {"Saturday, 21 November 2026 03:40:00 GMT", "2026-11-21T03:40:00Z"},
      {"sat, 21 nov 2026 03:40:00 gmt", "2026-11-21T03:40:00Z"},
      {"Sat 21 Nov 2026 03:40:00 GMT", "2026-11-21T03:40:00Z"},
      {"21 Sept 2026", "2026-09-21T00:00:00Z"},
      {"21 Nov 26 03:40:00 GMT", "2026-11-21T03:40:00Z"},
      {"21 Nov 94 03:40:00 GMT", "1994-11-21T03:40:00Z"},
      {"21 Nov 126 03:40:00 GMT", "2026-11-21T03:40:00Z"},
      {"Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37Z"},
      {"Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z"},
      {"Wed Oct 10 20:19:24 +0000 2018", "2018-10-10T20:19:24Z"},
      {"Sat Nov 21 03:40:00 UTC 2026", "2026-11-21T03:40:00Z"},
      {"November 21, 2026", "2026-11-21T00:00:00Z"},
      {"Nov. 21, 2026 03:40 EST", "2026-11-21T08:40:00Z"},
      {"(comment) Sat, 21 Nov 2026 03:40:00 GMT (nested (comment))", "2026-11-21T03:40:00Z"},
      {"May 1, 2026", "2026-05-01T00:00:00Z"},
      {"Mon, 02 Mar 2026 10:00:00 +0530", "2026-03-02T04:30:00Z"},
  };
  for (const auto& one : cases) {
    INFO(one.given);
    CHECK(normal_form(one.given) == one.expected);
  }
}

TEST_CASE("Texts that are no moment") {
  for (const std::string_view text : {"",
                                      " ",
                                      "now",
                                      "yesterday",
                                      "2026",
                                      "2026-11",
                                      "2026-13-01",
                                      "2026-00-01",
                                      "2026-02-29",
                                      "2026-11-31",
                                      "2026-11-21T25:00:00Z",
                                      "2026-11-21T24:00:01Z",
                                      "2026-11-21T03:60:00Z",
                                      "2026-11-21T03:40:61Z",
                                      "2026-11-21T03:40:00X1",
                                      "2026-11-21T03:40:00.Z",
                                      "2026-11-21T03:40:00+24:00",
                                      "2026-11-21T03:40:00+1:2",
                                      "2026-11-21T",
                                      "2026-11-21T03",
                                      "2026-11-21T03:4",
                                      "2026/11/21",
                                      "21/11/2026",
                                      "11-21-2026",
                                      "1763696400",
                                      "17636964000000",
                                      "1969-12-31T23:59:59Z",
                                      "0001-01-01T00:00:00Z",
                                      "10000-01-01T00:00:00Z",
                                      "9999-12-31T23:59:59-01:00",
                                      "20261301",
                                      "20260101T",
                                      "20260101T12",
                                      "20260101T120000Zx",
                                      "Sat, 21 Foo 2026 03:40:00 GMT",
                                      "Foo, 21 Nov 2026 03:40:00 GMT",
                                      "32 Nov 2026",
                                      "Sat, 21 Nov",
                                      "Nov 2026",
                                      "21 Nov 2026 03:40:00 GMT and more",
                                      "Sat",
                                      "Sat, ",
                                      "Nov 21",
                                      "21 Nov 68",
                                      "-2026-11-21",
                                      "2026-11-21T03:40:00Z trailing",
                                      "21 No 2026",
                                      "(((((",
                                      "21 Nov 2026 3",
                                      "2026-11-21T03:40:00+",
                                      "Wed Oct 10 20:19:24 +0000 18"}) {
    INFO(text);
    CHECK(normal_form(text).empty());
  }
  CHECK(normal_form("Sat, 21 Nov 2026 03:40:00 GMT" + std::string(200, ' ') + "x").empty());
}

TEST_CASE("What is written is read back") {
  for (std::int64_t ms = 0; ms < 253'402'300'800'000; ms += 86'399'999'987 / 3) {
    const time_point at{std::chrono::milliseconds{ms}};
    CHECK(parse_time(format_time(at)) == at);
  }
}

TEST_CASE("Seconds since 1970") {
  CHECK(format_time(*from_unix_seconds(0)) == "1970-01-01T00:00:00Z");
  CHECK(format_time(*from_unix_seconds(1763696400)) == "2025-11-21T03:40:00Z");
  CHECK(format_time(*from_unix_seconds(1763696400.1239)) == "2025-11-21T03:40:00.124Z");
  CHECK(format_time(*from_unix_seconds(253402300799.0)) == "9999-12-31T23:59:59Z");
  CHECK_FALSE(from_unix_seconds(253402300800.0).has_value());
  CHECK_FALSE(from_unix_seconds(-1).has_value());
  CHECK_FALSE(from_unix_seconds(std::nan("")).has_value());
  CHECK_FALSE(from_unix_seconds(std::numeric_limits<double>::infinity()).has_value());
  CHECK_FALSE(from_unix_seconds(1e300).has_value());
}
