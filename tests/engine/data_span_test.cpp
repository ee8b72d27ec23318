// Finding `data` in an envelope without parsing it.
#include <catch2/catch.hpp>
#include <engine/data_span.hpp>
#include <string>

namespace {

std::string data_of(const std::string& body) {
  const auto [offset, size] = freshet::detail::find_data(body);
  return body.substr(offset, size);
}

}  // namespace

TEST_CASE("the value of the top-level data, whatever its type") {
  CHECK(data_of(R"({"data":[{"a":"]}"},2],"meta":{}})") == R"([{"a":"]}"},2])");
  CHECK(data_of(R"({ "meta" : {"data":1} , "data" : {"b":"\"}"} })") == R"({"b":"\"}"})");
  CHECK(data_of(R"({"data":null,"meta":1})") == "null");
  CHECK(data_of(R"({"data":12})") == "12");
  CHECK(data_of(R"({"meta":{}})").empty());
  CHECK(data_of("").empty());
  CHECK(data_of(R"({"data":[)") == "[");
}
