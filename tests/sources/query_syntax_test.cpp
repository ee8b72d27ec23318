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

TEST_CASE("A boolean query demands each of its words, and excludes last") {
  using sources::write_boolean_query;
  const auto parsed = query::parse_text_query("a -d \"b c\" OR -\"e f\" x:y");
  REQUIRE(parsed.has_value());
  CHECK(write_boolean_query(*parsed, ":") ==
        "a AND \"b c\" AND \"OR\" AND \"x:y\" AND NOT d AND NOT \"e f\"");
  CHECK(write_boolean_query({}, "").empty());
}
