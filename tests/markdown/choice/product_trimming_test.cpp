// Lines on the page of a product that are about buying it.
#include <catch2/catch.hpp>
#include <markdown/choice/product_trimming.hpp>
#include <string>

using namespace freshet::markdown;
namespace html = freshet::html;

namespace {

std::string trimmed_product(const std::string& body) {
  const auto page = html::parse("<body>" + body);
  page_tree tree(page);
  trim_product(tree, tree.body());
  return tree.text_of(tree.body());
}

}  // namespace

TEST_CASE("lines about buying go, the price and the properties stay") {
  CHECK(trimmed_product(
            "<h1>Mug</h1><p>12 EUR</p><p>Only 3 left in stock</p><p>Sign in to save this</p>"
            "<ul><li>Stoneware</li><li>350 ml</li></ul>") == "Mug 12 EUR Stoneware 350 ml");
}

TEST_CASE("a phrase is one only as whole words") {
  CHECK(trimmed_product("<h1>Mixer</h1><p>Analog inputs: 2</p><p>Log in to buy</p>") ==
        "Mixer Analog inputs: 2");
}

TEST_CASE("what stands before the name goes, unless it is prose") {
  const std::string prose =
      "A mug of stoneware with a glaze of ash, fired in the kiln behind the harbour by hand.";
  CHECK(trimmed_product("<div>Harbour Shop</div><p>" + prose + "</p><h1>Mug</h1>") ==
        prose + " Mug");
  CHECK(trimmed_product("<div>Harbour Shop</div><p>Mug</p>") == "Harbour Shop Mug");
}

TEST_CASE("a line that is one short link goes, a table and a sentence with a link stay") {
  CHECK(trimmed_product(
            "<h1>Mug</h1><p><a href=/x>Learn more</a></p>"
            "<p>Made by <a href=/p>the potter</a> at the pier.</p>"
            "<table><tr><td><a href=/g>Glaze</a></td><td>Ash, in stock</td></tr></table>") ==
        "Mug Made by the potter at the pier. Glaze Ash, in stock");
}

TEST_CASE("counts of a gallery, rows of links and what a reader agrees to go") {
  CHECK(trimmed_product(
            "<h1>Mug</h1><div>1</div><div>/</div><div>4</div><p>12 EUR</p><p>XL</p>"
            "<p>By signing up you agree to our <a href=/p>privacy policy</a> and to letters from "
            "the harbour, which come once a month unless there is a storm.</p>"
            "<div><a href=/a>Kitchen and dining</a> <a href=/b>Drinkware of all kinds</a> "
            "<a href=/c>Mugs</a></div>") == "Mug 12 EUR XL");
}

TEST_CASE("a link that is the value of a label stays") {
  CHECK(trimmed_product(
            "<h1>Mug</h1><div><div>Made by:</div><div><a href=/p>Ada</a></div></div>"
            "<div><a href=/m>More of this</a></div><dl><dt>Town<dd><a href=/t>Pier</a></dl>") ==
        "Mug Made by: Ada Town Pier");
}
