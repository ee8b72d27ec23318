// Shapes of answers: what is gone, what has another type, and what is no change at all.
#include <catch2/catch.hpp>
#include <engine/checkup/json_shape.hpp>

using namespace freshet;
using namespace freshet::detail;

namespace {

json_shape shape_of(std::string_view text) {
  json_shape made;
  made.add(*base::parse_json(text));
  return made;
}

using sentences = std::vector<std::string>;

}  // namespace

TEST_CASE("a shape tells of keys that are gone and of types that have changed") {
  const auto then = shape_of(R"({"posts":[{"id":"a","likes":1,"by":{"name":"ann"}},
                                          {"id":"b","likes":2,"by":{"name":"bo"},"edited":true}]})");
  CHECK(then.differences_from(then).empty());
  CHECK(shape_of(R"({"posts":[{"id":"c","likes":"3","by":{"handle":"x"}}],"cursor":"x"})")
            .differences_from(then) ==
        sentences{"the key posts[].by.name is gone", "posts[].likes is a text, it was a number"});
  CHECK(shape_of(R"({"items":[]})").differences_from(then) == sentences{"the key posts is gone"});
}

TEST_CASE("what is missing now and then, null, or in an empty list is no change") {
  const auto then = shape_of(R"({"posts":[{"id":"a","note":"x"},{"id":"b"}],"next":"c"})");
  CHECK(shape_of(R"({"posts":[{"id":"c"}],"next":null})").differences_from(then).empty());
  CHECK(shape_of(R"({"posts":[],"next":null})").differences_from(then).empty());
}

TEST_CASE("a shape is bounded, however large and deep an answer is") {
  std::string deep, wide = "{";
  for (int i = 0; i < 300; ++i) deep += R"({"a":)";
  deep += "1" + std::string(300, '}');
  for (int i = 0; i < 9000; ++i) wide += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\":1";
  wide += "}";
  CHECK(shape_of(deep).differences_from(shape_of(wide)).size() <= json_shape::max_differences);
}
