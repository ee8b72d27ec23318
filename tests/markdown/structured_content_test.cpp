#include <base/unicode.hpp>
#include <catch2/catch.hpp>
#include <markdown/page.hpp>
#include <markdown/structured_content.hpp>
#include <string>

using namespace freshet;

namespace {

const std::string claim =
    "A jug for water & wine, thrown on a slow wheel and fired twice, so that it keeps what is in "
    "it cool.";

std::string missing(const std::string& said, std::string_view text, const std::string& state = {}) {
  markdown::metadata about;
  about.product = said;
  const auto page = html::parse("<script type=application/json>" + state + "</script>");
  return markdown::missing_text(page, about, markdown::page_type::product, text);
}

}  // namespace

TEST_CASE("a description is missing if the page is short and has not its first words") {
  CHECK(missing(claim, "A jug. 9.50") == "<p>" + claim);
  CHECK(missing(claim, "A jug.\nA jug for water & wine,\nthrown on a slow wheel.").empty());
  CHECK(missing(claim, std::string(600, 'x')).empty());
  CHECK(missing("A jug.", "9.50").empty());
  CHECK(missing("", "9.50").empty());
}

TEST_CASE("a description may be HTML, or text of several paragraphs") {
  CHECK(missing("<p>" + claim + "</p>", "") == "<p>" + claim + "</p>");
  CHECK(missing("&lt;p&gt;" + claim + "&lt;/p&gt;", "") == "<p>" + claim + "</p>");
  CHECK(missing(claim + "\n\nIt holds <1 l.\nIt stands.", "") ==
        "<p>" + claim + "<p>It holds &lt;1 l.<br>It stands.");
}

TEST_CASE("features of a product are added where the page does not say them") {
  const std::string feature = "Two layers of slip keep the clay from drinking what is in it. ";
  const auto state = "{\"product\":{\"description\":\"" + claim +
                     "\",\"features\":[{\"title\":\"Glaze <2>\",\"text\":\"" + feature + "\"}]}}";
  CHECK(missing(claim, "", state) ==
        "<p>" + claim + "<h3>Glaze &lt;2></h3><p>" + std::string(base::trim(feature)));
  CHECK(missing(claim, claim, state) ==
        "<h3>Glaze &lt;2></h3><p>" + std::string(base::trim(feature)));
  CHECK(missing(claim, claim + " " + feature, state).empty());
  CHECK(missing(claim, std::string(600, 'x'), state).empty());
}

TEST_CASE("what only the structured data says of a product is in its document") {
  const auto made = markdown::convert(
      {"<head><script type=application/ld+json>{\"@type\":\"Product\",\"name\":\"Jug\","
       "\"description\":\"" +
           claim + "\"}</script></head><body class=single-product><h1>Jug</h1><p class=price>9.50",
       "text/html", "https://example.org/jug"},
      {});
  REQUIRE(made.has_value());
  const auto& item = made->document;
  CHECK(item.markdown.find("A jug for water & wine") != std::string::npos);
  CHECK(item.text.find("A jug for water & wine") != std::string::npos);
  REQUIRE_FALSE(made->blocks.empty());
  CHECK(item.markdown.compare(made->blocks.back(), 5, "A jug") == 0);
}

TEST_CASE("a page that shows the beginning of an article is answered by all that its data hold") {
  const auto page = [](const std::string& shown, const std::string& held) {
    return "<head><title>Tides</title><script type=application/ld+json>{\"@type\":"
           "\"NewsArticle\",\"articleBody\":\"" +
           held + "\"}</script></head><body><nav>Home</nav><article><h1>Tides</h1>" + shown +
           "</article><div class=offer><p>Subscribe now and read this and all other articles of "
           "the harbour's paper for a week, at no charge.</p></div></body>";
  };
  std::string held, shown;
  for (int i = 0; i < 12; ++i) {
    const auto number = std::to_string(i);
    held += "In the year " + number + " the gauge stood " + number +
            " inches above the mark that the keeper had cut into the wall. ";
    shown += "<p>In the year " + number + " the gauge stood " + number +
             " inches above the mark that the keeper had cut into the wall.</p>";
  }
  const auto made = markdown::convert(
      {page("<p>In the year 0 the gauge stood high.</p>", held), "text/html", ""}, {});
  REQUIRE(made.has_value());
  CHECK(made->document.text.find("In the year 11") != std::string::npos);
  CHECK(made->document.text.find("Subscribe") == std::string::npos);
  CHECK(made->blocks.front() == 0);
  REQUIRE(made->warnings.size() == 1);
  CHECK(made->warnings[0].find("structured data") != std::string::npos);
  // Where the page has it all, it is the page that is read.
  const auto whole = markdown::convert({page(shown, held), "text/html", ""}, {});
  REQUIRE(whole.has_value());
  CHECK(whole->warnings.empty());
  CHECK(whole->blocks.size() >= 12);
}

TEST_CASE("a page that only scripts fill gives the text of its article, or its summary") {
  const std::string shell = "</head><body><div id=app></div><script>start()</script>";
  const std::string body =
      "The tide gauge of the harbour was read at noon, and it stood higher than in any year since "
      "it was built.";
  const auto with_body = markdown::convert(
      {"<head><title>Tides</title><meta name=description content='Of tides.'><script "
       "type=application/ld+json>{\"@type\":\"NewsArticle\",\"articleBody\":\"" +
           body + "\"}</script>" + shell,
       "text/html", ""},
      {});
  REQUIRE(with_body.has_value());
  CHECK(with_body->document.markdown == body + "\n");
  REQUIRE(with_body->warnings.size() == 1);
  CHECK(with_body->warnings[0].find("without its scripts") != std::string::npos);

  const auto summary = markdown::convert(
      {"<head><title>Tides</title><meta name=description content='" + body + "'>" + shell,
       "text/html", ""},
      {});
  REQUIRE(summary.has_value());
  CHECK(summary->document.markdown == body + "\n");

  markdown::page_options whole;
  whole.mode = markdown::page_mode::page;
  const auto visible = markdown::convert(
      {"<head><meta name=description content='" + body + "'>" + shell, "text/html", ""}, whole);
  REQUIRE(visible.has_value());
  CHECK(visible->document.markdown.empty());
}
