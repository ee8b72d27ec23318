#include <base/month_names.hpp>
#include <base/unicode.hpp>
#include <catch2/catch.hpp>
#include <string>

using freshet::base::month_named;

TEST_CASE("A month is found by how its name begins, in any language", "[dates]") {
  struct month_case {
    std::string_view word;
    unsigned number;
  };
  const auto c = GENERATE(
      month_case{"January", 1}, month_case{"Jänner", 1}, month_case{"Ene", 1},
      month_case{"września", 9}, month_case{"paz", 10}, month_case{"MÄRZ", 3},
      month_case{"maart", 3}, month_case{"Mai", 5}, month_case{"juin", 6}, month_case{"juil.", 7},
      month_case{"Μαΐου", 5}, month_case{"декабря", 12}, month_case{"червня", 6},
      month_case{"يناير", 1}, month_case{"जनवरी", 1}, month_case{"Ağustos", 8},
      // The longest beginning decides.
      month_case{"červen", 6}, month_case{"červenec", 7}, month_case{"lip", 7},
      month_case{"lipca", 7}, month_case{"lipnja", 6}, month_case{"listopada", 11});
  CAPTURE(c.word);
  CHECK(month_named(freshet::base::fold(c.word)) == c.number);
}

TEST_CASE("What names no month is 0", "[dates]") {
  CHECK(month_named("") == 0);
  CHECK(month_named("xyz") == 0);
  CHECK(month_named("j") == 0);
  CHECK(month_named("january" + std::string(100, 'y')) == 0);
}
