#include <catch2/catch.hpp>
#include <markdown/page.hpp>
#include <markdown/product_content.hpp>
#include <string>

using namespace freshet;

namespace {

const std::string description =
    "A jug for water & wine, thrown on a slow wheel and fired twice, so that it keeps what is in "
    "it cool.";

std::string missing(const std::string& said, std::string_view text) {
  markdown::metadata about;
  about.product = said;
  return markdown::missing_description(about, text);
}

}  // namespace

TEST_CASE("a description is missing if the page is short and has not its first words") {
  CHECK(missing(description, "A jug. 9.50") == "<p>" + description);
  CHECK(missing(description, "A jug.\nA jug for water & wine,\nthrown on a slow wheel.").empty());
  CHECK(missing(description, std::string(600, 'x')).empty());
  CHECK(missing("A jug.", "9.50").empty());
  CHECK(missing("", "9.50").empty());
}

TEST_CASE("a description may be HTML, or text of several paragraphs") {
  CHECK(missing("<p>" + description + "</p>", "") == "<p>" + description + "</p>");
  CHECK(missing("&lt;p&gt;" + description + "&lt;/p&gt;", "") == "<p>" + description + "</p>");
  CHECK(missing(description + "\n\nIt holds <1 l.\nIt stands.", "") ==
        "<p>" + description + "<p>It holds &lt;1 l.<br>It stands.");
}

TEST_CASE("what only the structured data says of a product is in its document") {
  const auto made = markdown::convert(
      {"<head><script type=application/ld+json>{\"@type\":\"Product\",\"name\":\"Jug\","
       "\"description\":\"" +
           description +
           "\"}</script></head><body class=single-product><h1>Jug</h1><p class=price>9.50",
       "text/html", "https://example.org/jug"},
      {});
  REQUIRE(made.has_value());
  const auto& item = made->document;
  CHECK(item.markdown.find("A jug for water & wine") != std::string::npos);
  CHECK(item.text.find("A jug for water & wine") != std::string::npos);
  REQUIRE_FALSE(made->blocks.empty());
  CHECK(item.markdown.compare(made->blocks.back(), 5, "A jug") == 0);
}
