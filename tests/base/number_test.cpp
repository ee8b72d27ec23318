// Numbers out of text: all of it or its beginning, and never half of a number that is too large.
#include <base/number.hpp>
#include <catch2/catch.hpp>
#include <cstdint>

using namespace freshet::base;

TEST_CASE("a number is the whole text") {
  CHECK(parse_number<int>("42") == 42);
  CHECK(parse_number<int>("-7") == -7);
  CHECK(parse_number<double>("1.5e3") == 1500.0);
  for (const char* none : {"", " 42", "42 ", "+42", "4 2", "0x2A", "forty", "2147483648"}) {
    INFO(none);
    CHECK_FALSE(parse_number<int>(none));
  }
  CHECK_FALSE(parse_number<unsigned>("-1"));
  CHECK_FALSE(parse_number<std::int64_t>("9223372036854775808"));
}

TEST_CASE("a number within its bounds") {
  CHECK(parse_number<int>("1", 1, 3) == 1);
  CHECK(parse_number<int>("3", 1, 3) == 3);
  CHECK_FALSE(parse_number<int>("0", 1, 3));
  CHECK_FALSE(parse_number<int>("4", 1, 3));
  CHECK_FALSE(parse_number<int>("2x", 1, 3));
}

TEST_CASE("a number at the beginning is taken off") {
  std::string_view text = "12px";
  CHECK(take_number<int>(text) == 12);
  CHECK(text == "px");
  CHECK_FALSE(take_number<int>(text));
  CHECK(text == "px");
  text = "99999999999 too large";
  CHECK_FALSE(take_number<int>(text));
  CHECK(text == "99999999999 too large");
  text = "";
  CHECK_FALSE(take_number<int>(text));
}
