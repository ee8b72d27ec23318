#include <catch2/catch.hpp>
#include <sources/query_syntax.hpp>

using namespace freshet;
using sources::write_query;

TEST_CASE("A query is written in an engine's syntax, and holds no operators of its own") {
  const auto parsed = query::parse_text_query("a \"b c\" -d -\"e f\" OR x:y");
  REQUIRE(parsed.has_value());
  CHECK(write_query(*parsed, {.special = ""}) == "a \"b c\" -d -\"e f\" \"OR\" x:y");
  CHECK(write_query(*parsed, {.special = ":"}) == "a \"b c\" -d -\"e f\" \"OR\" \"x:y\"");
  CHECK(write_query(*parsed, {.phrases = false, .exclusions = false, .special = ":"}) ==
        "a b c OR x:y");
  CHECK(write_query({}, {.special = ""}).empty());
}
