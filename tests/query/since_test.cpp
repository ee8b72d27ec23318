#include <catch2/catch.hpp>
#include <query/since.hpp>

using namespace freshet;
using namespace std::chrono_literals;
using query::parse_since;

TEST_CASE("Lengths of time are read") {
  CHECK(*parse_since("1m") == 1min);
  CHECK(*parse_since("24h") == 24h);
  CHECK(*parse_since("7d") == 7 * 24h);
  CHECK(*parse_since("2w") == 14 * 24h);
  CHECK(*parse_since("9999m") == 9999min);
  CHECK(*parse_since("9999h") == 9999h);
  CHECK(*parse_since("3650d") == 3650 * 24h);
  CHECK(*parse_since("521w") == 521 * 7 * 24h);
  CHECK(*parse_since("0007d") == 7 * 24h);
}

TEST_CASE("Anything else is refused, with the reason") {
  struct {
    std::string_view given, code, reason;
  } const cases[] = {
      {"", "invalid_format", "it is empty"},
      {"h", "invalid_format", "has no number"},
      {"-1h", "invalid_format", "has no number"},
      {"+1h", "invalid_format", "has no number"},
      {" 1h", "invalid_format", "has no number"},
      {"24", "invalid_format", "has no unit"},
      {"24x", "invalid_format", "'24x' has an unknown unit; use m, h, d or w"},
      {"24H", "invalid_format", "unknown unit"},
      {"1h ", "invalid_format", "unknown unit"},
      {"1h30m", "invalid_format", "unknown unit"},
      {"1.5h", "invalid_format", "unknown unit"},
      {"1s", "invalid_format", "unknown unit"},
      {"1y", "invalid_format", "unknown unit"},
      {"0d", "out_of_bounds", "1 to 9999"},
      {"00000d", "out_of_bounds", "1 to 9999"},
      {"10000m", "out_of_bounds", "1 to 9999"},
      {"99999999999999999999d", "out_of_bounds", "1 to 9999"},
      {"3651d", "out_of_bounds", "3650 days"},
      {"522w", "out_of_bounds", "3650 days"},
      {"9999w", "out_of_bounds", "3650 days"},
      {"2 days\xFF\x01", "invalid_format", "the value has an unknown unit"},
  };
  for (const auto& one : cases) {
    INFO(one.given);
    const auto parsed = parse_since(one.given);
    REQUIRE(parsed.has_error());
    CHECK(parsed.error().code() == errc::invalid_request);
    CHECK(parsed.error().detail().starts_with("since: "));
    CHECK(parsed.error().detail().find(one.reason) != std::string::npos);
    REQUIRE(parsed.error().parameters.size() == 1);
    CHECK(parsed.error().parameters[0].pointer == "/since");
    CHECK(parsed.error().parameters[0].code == one.code);
    CHECK("since: " + parsed.error().parameters[0].detail == parsed.error().detail());
  }
}

TEST_CASE("A long text does not come back whole") {
  const auto parsed = parse_since("1" + std::string(10'000, 'h'));
  CHECK(parsed.error().detail().size() < 200);
}
