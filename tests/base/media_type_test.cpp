#include <base/media_type.hpp>

#include <catch2/catch.hpp>

using namespace freshet::base;

TEST_CASE("a type is read without its parameters, in lower case") {
  CHECK(media_type_of("text/html") == "text/html");
  CHECK(media_type_of(" Text/HTML ; charset=utf-8") == "text/html");
  CHECK(media_type_of("application/atom+xml;type=feed;charset=x") == "application/atom+xml");
  CHECK(media_type_of(";charset=utf-8").empty());
  CHECK(media_type_of("").empty());
}
