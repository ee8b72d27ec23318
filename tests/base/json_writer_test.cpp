// JSON as it is written: as it was read, of any depth.
#include <base/json_writer.hpp>
#include <catch2/catch.hpp>
#include <cmath>

namespace freshet::base {
namespace {

std::string written(const json::value& value) {
  std::string out;
  append_json(out, value);
  return out;
}

std::string again(const std::string& text) { return written(*parse_json(text)); }

}  // namespace

TEST_CASE("json writer: what was read is written as it was") {
  for (const auto* text :
       {"null", "true", "[]", "{}", "\"a\\\"b\"", "1299.5", "0.1", "-7", "18446744073709551615",
        R"({"b":[1,{"a":null},[]],"a":{"c":"d","e":{}}})", "[[],[[]],{}]"}) {
    CHECK(again(text) == text);
  }
  CHECK(again(" [ 1.0 , 1e3 ] ") == "[1,1000]");
  CHECK(written(json::value(std::nan(""))) == "null");
  const std::string deep = std::string(500, '[') + std::string(500, ']');
  CHECK(again(deep) == deep);
}

}  // namespace freshet::base
