// An extraction that is larger than an answer may be.
#include <algorithm>
#include <catch2/catch.hpp>

#include "paying_caller.hpp"

using namespace freshet;

TEST_CASE("an extraction that no answer may hold says so, costs nothing, and fits with a bound") {
  test::paying_caller caller;
  const auto schema = [](const std::string& bound) {
    return R"({"properties":{"tides":{"type":"array","x-selector":"li.tide",)" + bound +
           R"("items":{"type":"string"}}}})";
  };
  const auto before = caller.books_now();
  const auto whole = caller.extract_of(900, schema(""));
  INFO(whole.body);
  CHECK(whole.status == 422);
  CHECK(whole.body.find("unsupported_content") != std::string::npos);
  CHECK(whole.body.find("schema: the page has more") != std::string::npos);
  CHECK(whole.body.find("65536 bytes") != std::string::npos);
  CHECK(whole.body.find("maxItems") != std::string::npos);
  CHECK(caller.books_now().balance == before.balance);
  const auto bounded = caller.extract_of(900, schema(R"("maxItems":5,)"));
  INFO(bounded.body.substr(0, 500));
  CHECK(bounded.status == 200);
  CHECK(std::ranges::count(bounded.body, 'x') >= 5 * 90);
}
