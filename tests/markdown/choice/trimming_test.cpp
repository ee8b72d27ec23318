// Short blocks that are no part of an article.
#include <catch2/catch.hpp>
#include <markdown/choice/trimming.hpp>
#include <string>

using namespace freshet::markdown;
namespace html = freshet::html;

namespace {

const std::string prose =
    "<p>The gauge at the harbour has been read every hour since the pier was built, and nobody "
    "knows who wrote the first number down.</p>";

std::string trimmed(const std::string& body) {
  const auto page = html::parse("<body>" + body);
  page_tree tree(page);
  trim_blocks(tree, {tree.body()});
  return tree.text_of(tree.body());
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("lines that name an aside go wherever they stand") {
  for (const auto* line :
       {"<p>ADVERTISEMENT</p>", "<div>Anzeige</div>", "<p>Related: <a href=/x>The pier</a></p>",
        "<p>Read more: <a href=/x>The pier</a></p>", "<p>(Photo: A. Keeper)</p>",
        "<p>Lea también: <a href=/x>El muelle</a></p>", "<p>© The Harbour Press</p>"}) {
    INFO(line);
    CHECK(trimmed(prose + line + prose) == trimmed(prose + prose));
  }
  CHECK(has(trimmed(prose + "<p>Related work was done at the pier.</p>" + prose), "Related work"));
  CHECK(has(trimmed(prose + "<pre>Advertisement</pre>" + prose), "Advertisement"));
}

TEST_CASE("a heading over teasers takes them along, a heading over prose stays") {
  const std::string teasers = "<ul><li><a href=/a>The pier</a><li><a href=/b>The tower</a></ul>";
  CHECK_FALSE(has(trimmed(prose + "<h3>Related articles</h3>" + teasers), "pier</a>"));
  CHECK_FALSE(has(trimmed(prose + "<h3>Related articles</h3>" + teasers), "tower"));
  const auto section =
      trimmed(prose + "<h2>Discussion</h2>" + prose + prose + prose + "<h2>Results</h2>" + prose);
  CHECK(has(section, "Discussion"));
}

TEST_CASE("dates and links before the first paragraph go, words do not") {
  const auto text = trimmed(
      "<div>12 March 2024</div><div><a href=/t>Harbours</a></div>"
      "<div>For Anna</div>" +
      prose + prose);
  CHECK_FALSE(has(text, "2024"));
  CHECK_FALSE(has(text, "Harbours"));
  CHECK(has(text, "For Anna"));
}

TEST_CASE("after the last paragraph stay sentences, items and references") {
  const auto text = trimmed(prose + prose +
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
  CHECK(trimmed(prose + "<h2>More</h2><h3>Still more</h3>") == trimmed(prose));
  CHECK(has(trimmed(prose + "<h2>Chapter</h2><h3>Part</h3>" + prose), "Chapter"));
}

TEST_CASE("a page of many small parts is not trimmed at its edges") {
  const auto text = trimmed("<div>12 rooms</div><div>Open 9 to 5</div><div>Ann Keeper</div>");
  CHECK(text == "12 rooms Open 9 to 5 Ann Keeper");
}

TEST_CASE("a line in a box with an empty block is a line") {
  CHECK(trimmed(prose + "<div><center>Advert<br><div></div></center></div>" + prose) ==
        trimmed(prose + prose));
}

TEST_CASE("excerpts of other pages at the end go, an article that trails off stays") {
  const std::string excerpt =
      "<div><p>The tower was built by the fishermen themselves, out of what the storms had left of "
      "the old pier, and it …</p></div>";
  const auto text = trimmed(prose + prose + excerpt + "<p>By the keeper</p>" + excerpt);
  CHECK_FALSE(has(text, "fishermen"));
  CHECK_FALSE(has(text, "keeper"));
  CHECK(has(trimmed(prose + prose + excerpt), "fishermen"));
  CHECK(has(trimmed(excerpt + excerpt), "fishermen"));
}

TEST_CASE("headings at the end that lead elsewhere go with what is below them") {
  const std::string card =
      "<div class=card><h4><a href=/tower>The tower</a></h4><p>It was built by the fishermen.</p>"
      "</div>";
  const auto text = trimmed("<div>" + prose + prose + "</div>" + card + card);
  CHECK_FALSE(has(text, "tower"));
  CHECK_FALSE(has(text, "fishermen"));
  // Between the paragraphs of an article such headings are its own.
  const std::string section = "<h4><a href=/tower>The tower</a></h4>" + prose;
  CHECK(has(trimmed(prose + section + section), "tower"));
}
