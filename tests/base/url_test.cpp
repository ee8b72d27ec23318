#include <base/url.hpp>
#include <catch2/catch.hpp>

using namespace freshet::base;

TEST_CASE("A URL built by hand is written like a parsed one") {
  url made;
  made.scheme = "https";
  made.host = "example.org";
  made.path = "/a";
  CHECK(made.text() == "https://example.org/a");
  made.query = "b=c";
  made.fragment = "d";
  made.port = "444";
  made.username = "u";
  CHECK(made.text() == "https://u@example.org:444/a?b=c#d");
  CHECK(made.origin() == "https://example.org:444");
}

TEST_CASE("A path of two slashes without an authority does not become one") {
  CHECK(parse_url("foo:/.//a")->text() == "foo:/.//a");
  CHECK(parse_url("foo:/a/..//b")->text() == "foo:/.//b");
}

TEST_CASE("Queries are built in order, with every name and value encoded") {
  CHECK(build_query({}).empty());
  CHECK(build_query({{"q", "tide gauge"}, {"a&b", "=?é"}, {"e", ""}}) ==
        "q=tide%20gauge&a%26b=%3D%3F%C3%A9&e=");
}

TEST_CASE("A query parameter is found, decoded, and told from an empty one") {
  constexpr std::string_view query = "a=1&b=x+y%21&c&d=&a=2&e%20f=g=h&&i=%C3%BC";
  CHECK(query_parameter(query, "a") == "1");
  CHECK(query_parameter(query, "b") == "x y!");
  CHECK(query_parameter(query, "c") == "");
  CHECK(query_parameter(query, "d") == "");
  CHECK(query_parameter(query, "e f") == "g=h");
  CHECK(query_parameter(query, "i") == "ü");
  CHECK_FALSE(query_parameter(query, "z").has_value());
  CHECK_FALSE(query_parameter("", "a").has_value());
  CHECK_FALSE(query_parameter("ab=1", "a").has_value());
  CHECK(query_parameter("x&a=1", "a") == "1");
}

TEST_CASE("What was built is found again") {
  const std::string odd("a\0&=+%ü /?#", 12);
  CHECK(query_parameter(build_query({{"k&", odd}}), "k&") == odd);
}

TEST_CASE("Paths are joined with one slash") {
  CHECK(join_path("http://h", "a") == "http://h/a");
  CHECK(join_path("http://h/", "a") == "http://h/a");
  CHECK(join_path("http://h", "/a") == "http://h/a");
  CHECK(join_path("http://h/p//", "//a/b") == "http://h/p/a/b");
  CHECK(join_path("http://h/p", "") == "http://h/p");
}
