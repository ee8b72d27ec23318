// JSON of scripts. What is set right is told by tests/extract/linked_data_test.cpp.
#include <catch2/catch.hpp>
#include <markdown/about/script_json.hpp>
#include <string>
#include <support/sanitized.hpp>

namespace freshet::markdown {

TEST_CASE("script JSON: the first value counts, and what is JSON is not tidied") {
  CHECK(parse_script_json(R"({"a":1}{"a":2})")->at("a") == 1);
  CHECK(parse_script_json("//<![CDATA[\n{\"a\":[1,],}\n//]]>")->at("a").as_array().size() == 1);
  CHECK(parse_script_json(R"({"a":"&quot;"})")->at("a") == "&quot;");
  CHECK_FALSE(parse_script_json("{'a':1}").has_value());
  CHECK_FALSE(parse_script_json("").has_value());
}

TEST_CASE("script JSON: tidying takes time that grows with the text") {
  for (const std::string piece : {"<!--{", "<!--x", "//<![CDATA[", "// <!--", ", ", "\" ", "\"",
                                  ",", "/*", "//", "{", "-->", "]]>", "\\", "<![CDATA["}) {
    std::string text = "{";
    while (text.size() < (test::sanitized ? 1u << 17 : 1u << 20)) text += piece;
    INFO(piece);
    CHECK(tidy_json(text).size() <= 6 * text.size() + 10);
  }
}

}  // namespace freshet::markdown
