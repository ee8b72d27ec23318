// What is read from the state of a page about its product.
#include <catch2/catch.hpp>
#include <markdown/product_state.hpp>
#include <string>

using namespace freshet;

namespace {

const std::string description = "A jug for water and wine, thrown on a slow wheel, fired twice.";
const std::string glaze = "Two layers of slip keep the clay from drinking what is in it.";
const std::string handle = "The handle is pulled from one piece and holds a full jug easily.";

/// The parts as "title: text", each followed by a bar.
std::string parts_of(const std::string& body, const std::string& name,
                     const std::string& said = {}) {
  markdown::metadata about;
  about.declared_title = name;
  about.product = said;
  const auto page = html::parse(body);
  std::string out;
  for (const auto& part : markdown::read_product_state(page, about)) {
    out += part.title + ": " + part.text + "|";
  }
  return out;
}

std::string script(const std::string& state) {
  return "<script type='application/json' id=state>" + state + "</script>";
}

std::string feature_of_state(const std::string& title, const std::string& text,
                             const std::string& more = {}) {
  return R"({"title":")" + title + R"(","description":")" + text + '"' + more + "}";
}

std::string product(const std::string& members) {
  return R"({"page":[{"name":"Menu"},{"title":"Jug","price":9,"description":")" + description +
         "\"," + members + "}]}";
}

}  // namespace

TEST_CASE("a product is known by its name or by its description") {
  const auto state = script(product(R"("features":[)" + feature_of_state("Glaze", glaze) + "]"));
  const auto all = ": " + description + "|Glaze: " + glaze + "|";
  CHECK(parts_of(state, "jug") == all);
  CHECK(parts_of(state, "Another name", description + " And more.") == all);
  CHECK(parts_of(state, "Cup").empty());
  CHECK(parts_of(state, "").empty());
}

TEST_CASE("features stand in the order of the state, however deep") {
  CHECK(parts_of(script(product(R"("details":[{"features":[)" + feature_of_state("Glaze", glaze) +
                                "]}],\"more\":" + feature_of_state("Handle", handle))),
                 "Jug") == ": " + description + "|Glaze: " + glaze + "|Handle: " + handle + "|");
}

TEST_CASE("other things in the product's data are not its features") {
  for (const auto& other :
       {R"("relatedProducts":[)" + feature_of_state("Cup", glaze) + "]",
        R"("reviews":[)" + feature_of_state("Lovely", glaze) + "]",
        R"("image":)" + feature_of_state("Front", glaze),
        R"("set":[)" + feature_of_state("Cup", glaze, R"(,"price":3)") + "]",
        R"("links":[)" + feature_of_state("Cup", glaze, R"(,"url":"/cup")") + "]",
        R"("colours":[)" + feature_of_state("White", "A white.") + "]",
        R"("notes":[{"description":")" + glaze + "\"}]"}) {
    INFO(other);
    CHECK(parts_of(script(product(other)), "Jug") == ": " + description + "|");
  }
}

TEST_CASE("what is no state, and what is broken, is passed over") {
  const auto good = script(product(R"("a":1)"));
  CHECK(parts_of("<script>" + product(R"("a":1)") + "</script>", "Jug").empty());
  CHECK(parts_of(script("") + script("{broken") + script("[1,null,\"Jug\"]") + good, "Jug") ==
        ": " + description + "|");
}

TEST_CASE("no more than some features are read") {
  std::string many;
  for (int i = 0; i < 1000; ++i) many += (i > 0 ? "," : "") + feature_of_state("Glaze", glaze);
  const auto read = parts_of(script(product("\"features\":[" + many + "]")), "Jug");
  CHECK(read.size() < 20 * (glaze.size() + 20));
}
