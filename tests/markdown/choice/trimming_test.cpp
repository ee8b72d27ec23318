// Short blocks that are no part of an article.
#include <catch2/catch.hpp>
#include <markdown/choice/trimming.hpp>
#include <markdown/words.hpp>
#include <string>

using namespace freshet::markdown;
using freshet::test::has;
namespace html = freshet::html;

namespace {

const std::string gauge_paragraph =
    "<p>The gauge at the harbour has been read every hour since the pier was built, and nobody "
    "knows who wrote the first number down.</p>";

std::string trimmed(const std::string& body) {
  const auto page = html::parse("<body>" + body);
  page_tree tree(page);
  trim_blocks(tree, {tree.body()});
  return tree.text_of(tree.body());
}

}  // namespace

TEST_CASE("lines that name an aside go wherever they stand") {
  for (const auto* line :
       {"<p>ADVERTISEMENT</p>", "<div>Anzeige</div>", "<p>Related: <a href=/x>The pier</a></p>",
        "<p>Read more: <a href=/x>The pier</a></p>", "<p>(Photo: A. Keeper)</p>",
        "<p>Lea también: <a href=/x>El muelle</a></p>", "<p>© The Harbour Press</p>"}) {
    INFO(line);
    CHECK(trimmed(gauge_paragraph + line + gauge_paragraph) ==
          trimmed(gauge_paragraph + gauge_paragraph));
  }
  CHECK(
      has(trimmed(gauge_paragraph + "<p>Related work was done at the pier.</p>" + gauge_paragraph),
          "Related work"));
  CHECK(has(trimmed(gauge_paragraph + "<pre>Advertisement</pre>" + gauge_paragraph),
            "Advertisement"));
}

TEST_CASE("a heading over teasers takes them along, a heading over prose stays") {
  const std::string teasers = "<ul><li><a href=/a>The pier</a><li><a href=/b>The tower</a></ul>";
  CHECK_FALSE(has(trimmed(gauge_paragraph + "<h3>Related articles</h3>" + teasers), "pier</a>"));
  CHECK_FALSE(has(trimmed(gauge_paragraph + "<h3>Related articles</h3>" + teasers), "tower"));
  const auto section =
      trimmed(gauge_paragraph + "<h2>Discussion</h2>" + gauge_paragraph + gauge_paragraph +
              gauge_paragraph + "<h2>Results</h2>" + gauge_paragraph);
  CHECK(has(section, "Discussion"));
}

TEST_CASE("dates and links before the first paragraph go, words do not") {
  const auto text = trimmed(
      "<div>12 March 2024</div><div><a href=/t>Harbours</a></div>"
      "<div>For Anna</div>" +
      gauge_paragraph + gauge_paragraph);
  CHECK_FALSE(has(text, "2024"));
  CHECK_FALSE(has(text, "Harbours"));
  CHECK(has(text, "For Anna"));
}

TEST_CASE("after the last paragraph stay sentences, items and references") {
  const auto text = trimmed(gauge_paragraph + gauge_paragraph +
                            "<p>So it is.</p><ul><li>one<li><a href=/x>link</a></ul>"
                            "<ol><li><a href=/r>reference</a></ol><div>Ann Keeper</div>"
                            "<p>\xF0\x9F\x98\x89</p><div><a href=/y>elsewhere</a></div>");
  for (const auto* kept : {"So it is.", "one", "reference", "\xF0\x9F\x98\x89"}) {
    INFO(kept);
    CHECK(has(text, kept));
  }
  for (const auto* gone : {"link", "Ann Keeper", "elsewhere"}) {
    INFO(gone);
    CHECK_FALSE(has(text, gone));
  }
}

TEST_CASE("a heading over nothing at the end goes") {
  CHECK(trimmed(gauge_paragraph + "<h2>More</h2><h3>Still more</h3>") == trimmed(gauge_paragraph));
  CHECK(
      has(trimmed(gauge_paragraph + "<h2>Chapter</h2><h3>Part</h3>" + gauge_paragraph), "Chapter"));
}

TEST_CASE("a page of many small parts is not trimmed at its edges") {
  const auto text = trimmed("<div>12 rooms</div><div>Open 9 to 5</div><div>Ann Keeper</div>");
  CHECK(text == "12 rooms Open 9 to 5 Ann Keeper");
}

TEST_CASE("a line in a box with an empty block is a line") {
  CHECK(trimmed(gauge_paragraph + "<div><center>Advert<br><div></div></center></div>" +
                gauge_paragraph) == trimmed(gauge_paragraph + gauge_paragraph));
}

TEST_CASE("excerpts of other pages at the end go, an article that trails off stays") {
  const std::string excerpt =
      "<div><p>The tower was built by the fishermen themselves, out of what the storms had left of "
      "the old pier, and it …</p></div>";
  const auto text =
      trimmed(gauge_paragraph + gauge_paragraph + excerpt + "<p>By the keeper</p>" + excerpt);
  CHECK_FALSE(has(text, "fishermen"));
  CHECK_FALSE(has(text, "keeper"));
  CHECK(has(trimmed(gauge_paragraph + gauge_paragraph + excerpt), "fishermen"));
  CHECK(has(trimmed(excerpt + excerpt), "fishermen"));
}

TEST_CASE("headings at the end that lead elsewhere go with what is below them") {
  const std::string card =
      "<div class=card><h4><a href=/tower>The tower</a></h4><p>It was built by the fishermen.</p>"
      "</div>";
  const auto text = trimmed("<div>" + gauge_paragraph + gauge_paragraph + "</div>" + card + card);
  CHECK_FALSE(has(text, "tower"));
  CHECK_FALSE(has(text, "fishermen"));
  // Between the paragraphs of an article such headings are its own.
  const std::string section = "<h4><a href=/tower>The tower</a></h4>" + gauge_paragraph;
  CHECK(has(trimmed(gauge_paragraph + section + section), "tower"));
}
