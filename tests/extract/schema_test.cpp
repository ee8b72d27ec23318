// Schemas as callers send them: what is read, and the pointer of what is refused.
#include <catch2/catch.hpp>
#include <extract/schema.hpp>
#include <support/print_result.hpp>

namespace freshet::extract {
namespace {

/// "pointer: detail" of the refusal; "" where the schema is taken.
std::string refusal(const std::string& text) {
  const auto made = schema::compile(text, "/schema");
  if (made) return {};
  CHECK(made.error().code() == errc::invalid_request);
  REQUIRE(made.error().parameters.size() == 1);
  return made.error().parameters[0].pointer + ": " + made.error().parameters[0].detail;
}

std::string pointer_of(const std::string& text) {
  const auto all = refusal(text);
  return all.substr(0, all.find(": "));
}

}  // namespace

TEST_CASE("schema: what is wanted at each place") {
  const auto made = schema::compile(R"({"title":"Shop","type":"object","required":["name"],
    "properties":{"name":{"type":"string","minLength":2,"x-name":"headline"},
      "price":{"type":["number","null"],"minimum":0,"x-selector":"p.price, [href*='@x']"},
      "images":{"type":"array","maxItems":3,"items":{"type":"string","format":"uri"},
                "x-selector":"img@data-src"},
      "offer":{"properties":{"currency":{"enum":["EUR","USD"]}}}}})");
  REQUIRE(made);
  const auto& root = made->root();
  CHECK(root.kinds == kind_object);
  REQUIRE(root.properties.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK(made->at(root.properties[i]).is_required == (i == 0));
  const auto& name = made->at(root.properties[0]);
  CHECK(name.name == "name");
  CHECK(name.alias == "headline");
  CHECK(name.least_length == 2);
  const auto& price = made->at(root.properties[1]);
  CHECK(price.kinds == (kind_number | kind_null));
  REQUIRE(price.where);
  CHECK(price.where->attribute.empty());
  const auto& images = made->at(root.properties[2]);
  CHECK(images.where->attribute == "data-src");
  CHECK(images.most_items == 3);
  CHECK(made->at(*images.items).format == text_format::uri);
  const auto& offer = made->at(root.properties[3]);
  CHECK(offer.kinds == kind_object);
  CHECK(made->at(offer.properties[0]).allowed.size() == 2);
}

TEST_CASE("schema: references and null beside one schema are followed") {
  const auto made = schema::compile(R"({"$defs":{"who":{"properties":{"name":{"type":"string"}}}},
    "properties":{"author":{"anyOf":[{"$ref":"#/$defs/who"},{"type":"null"}]},
                  "editor":{"$ref":"#/$defs/who"}}})");
  REQUIRE(made);
  CHECK(made->at(made->root().properties[0]).kinds == (kind_object | kind_null));
  CHECK(made->at(made->root().properties[1]).properties.size() == 1);
}

TEST_CASE("schema: what cannot be used is refused with its pointer") {
  const auto property = [](const std::string& of) {
    return R"({"type":"object","properties":{"a/b":)" + of + "}}";
  };
  CHECK(pointer_of(R"({"type":"object"})") == "/schema/properties");
  CHECK(pointer_of(R"({"type":"array"})") == "/schema/items");
  CHECK(pointer_of(R"({"type":"string"})") == "/schema/type");
  CHECK(pointer_of("[]") == "/schema");
  CHECK(pointer_of(R"({"properties":{"a":7}})") == "/schema/properties/a");
  CHECK(pointer_of(property(R"({"type":"text"})")) == "/schema/properties/a~1b/type");
  CHECK(pointer_of(property(R"({"type":["object","string"]})")) == "/schema/properties/a~1b/type");
  CHECK(pointer_of(property(R"({"x-selector":"a["})")) == "/schema/properties/a~1b/x-selector");
  CHECK(pointer_of(property(R"({"x-attribute":"src"})")) == "/schema/properties/a~1b/x-attribute");
  CHECK(pointer_of(property(R"({"minLength":"2"})")) == "/schema/properties/a~1b/minLength");
  CHECK(pointer_of(property(R"({"pattern":"^a"})")) == "/schema/properties/a~1b/pattern");
  CHECK(refusal(property(R"({"propertees":{}})")).find("did you mean 'properties'?") !=
        std::string::npos);
  CHECK(pointer_of(property(R"({"$ref":"#/$defs/none"})")) == "/schema/properties/a~1b/$ref");
  CHECK(pointer_of(property(R"({"oneOf":[{"type":"string"},{"type":"number"}]})")) ==
        "/schema/properties/a~1b/oneOf");
  CHECK(pointer_of(R"({"properties":{"a":{}},"required":["b"]})") == "/schema/required");
  CHECK(refusal(R"({"properties":{"a":{"type":"string"}}})").empty());
}

TEST_CASE("schema: what would have no end is refused") {
  CHECK_FALSE(refusal(R"({"$ref":"#"})").empty());
  CHECK(refusal(R"({"properties":{"a":{"$ref":"#"}}})").find("deeper than 8 levels") !=
        std::string::npos);
  CHECK(refusal(R"({"properties":{"a":{"$ref":"#"},"b":{"$ref":"#"},"c":{"$ref":"#"}}})")
            .starts_with("/schema"));
  std::string many = R"({"properties":{)";
  for (int i = 0; i < 300; ++i) many += (i ? ",\"p" : "\"p") + std::to_string(i) + "\":{}";
  CHECK(refusal(many + "}}").find("more than 256 places") != std::string::npos);
  const std::string long_name(max_property_name + 1, 'n');
  CHECK(refusal(R"({"properties":{")" + long_name + R"(":{}}})").find("at most 256 bytes") !=
        std::string::npos);
}

TEST_CASE("schema: what is long and referred to from every place stands once") {
  std::string text = R"({"$defs":{"one":{"enum":[0)";
  for (int i = 1; i < 20'000; ++i) text += ",1";
  text += R"(],"default":[1,2,3]}},"required":["p1")";
  for (int i = 0; i < 5'000; ++i) text += R"(,"p1")";
  text += R"(],"properties":{"p0":{"$ref":"#/$defs/one"})";
  for (int i = 1; i < 200; ++i) {
    text += ",\"p" + std::to_string(i) + R"(":{"$ref":"#/$defs/one"})";
  }
  const auto made = schema::compile(text + "}}");
  REQUIRE(made);
  const auto copy = *made;
  const auto& first = copy.at(copy.root().properties[0]);
  CHECK(first.allowed.size() == 20'000);
  for (const auto node : copy.root().properties) {
    CHECK(copy.at(node).allowed.data() == first.allowed.data());
    CHECK(copy.at(node).fallback == first.fallback);
  }
  CHECK(copy.at(copy.root().properties[1]).is_required);
  CHECK_FALSE(first.is_required);
}

}  // namespace freshet::extract
