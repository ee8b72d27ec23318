#include <catch2/catch.hpp>
#include <markdown/choice/content.hpp>
#include <markdown/tree/visibility.hpp>
#include <markdown/writing/writer.hpp>
#include <string>

using namespace freshet;
using markdown::page_type;

namespace {

struct choice {
  page_type type;
  std::string text;
};

choice choose(const std::string& page, std::string_view url = "https://example.org/x") {
  const auto parsed = html::parse(page);
  markdown::page_tree tree(parsed);
  const auto about = markdown::read_metadata(tree, markdown::base_of(parsed, url));
  markdown::drop_invisible(tree);
  const auto chosen = markdown::choose_content(tree, about);
  return {chosen.type, markdown::write_text(tree, chosen.roots)};
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::string times(const std::string& unit, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += unit;
  return out;
}

const std::string prose =
    "<p>The sea rises, the sea falls, and every harbour keeps its own table of when it does so, "
    "printed once a year and pinned to the door of the office.</p>";

}  // namespace

TEST_CASE("prose with a list of other articles is an article") {
  const auto made =
      choose("<body><h1>Tides</h1><article>" + times(prose, 10) + "</article><div>" +
             times("<div class=teaser><a href=/b>Another thing to read</a></div>", 12) + "</div>");
  CHECK(made.type == page_type::article);
  CHECK_FALSE(contains(made.text, "Another thing"));
}

TEST_CASE("an article stays one whatever is said below it") {
  const auto made = choose("<head><meta property=og:type content=article></head><body><article>" +
                           times(prose, 10) + "</article><section class=comments>" +
                           times("<div class=comment-body>" + prose + "</div>", 40) + "</section>");
  CHECK(made.type == page_type::article);
}

TEST_CASE("many short sections are kept, all of them") {
  std::string sections;
  for (const auto* name : {"Plan", "Build", "Ship", "Watch"}) {
    sections += "<section class=band><div><h2>" + std::string(name) + "</h2>" + times(prose, 2) +
                "</div></section>";
  }
  const auto made = choose("<body><header><a href=/>Home</a></header><main>" + sections +
                           "</main><footer>About us</footer>");
  for (const auto* name : {"Plan", "Build", "Ship", "Watch"}) CHECK(contains(made.text, name));
  CHECK_FALSE(contains(made.text, "About us"));
}

TEST_CASE("a list of items keeps its items and loses what it is operated with") {
  std::string items;
  for (int i = 0; i < 12; ++i) {
    items += "<div class=card><a href=/i><img src=i.png><h3>Jug " + std::to_string(i) +
             "</h3></a><span class=price>9.50</span><button>Add to cart</button></div>";
  }
  const auto made = choose(
      "<body><nav>Shop</nav><main><h1>Jugs</h1><div class=filter-bar>Colour Size</div>"
      "<div class=grid>" +
          items + "</div><div class=pagination>1 2 3</div></main>",
      "https://example.org/collections/j");
  CHECK(made.type == page_type::collection);
  CHECK(contains(made.text, "Jug 0"));
  CHECK(contains(made.text, "Jug 11"));
  CHECK(contains(made.text, "9.50"));
  CHECK_FALSE(contains(made.text, "Add to cart"));
  CHECK_FALSE(contains(made.text, "Colour Size"));
  CHECK_FALSE(contains(made.text, "1 2 3"));
}

TEST_CASE("a page of nothing but links is still answered") {
  const auto made = choose("<body>" + times("<a href=/x>Somewhere</a> ", 30));
  CHECK(contains(made.text, "Somewhere"));
  CHECK(choose("<body></body>").text.empty());
}

TEST_CASE("of a product its details stay, how it is bought and what else there is go") {
  const auto made = choose(
      "<body class=single-product><main><h1>A jug</h1><p class=price>9.50</p>"
      "<div class=add-to-cart><button>Buy</button></div>" +
      prose +
      "<div class=shipping-info><p>Posted within two days to most places, and within a week to all "
      "others, if the weather is kind.</p></div>"
      "<div class='details modal'><p>Height: 30 cm, width: 12 cm, weight: 900 g. It is fired twice "
      "and glazed inside and out, so that it holds water.</p></div>"
      "<section><h2>You may also like</h2><div>A cup</div></section>"
      "<h2>Reviews</h2><p>Lovely.</p><h2>Care</h2><p>Wash it by hand.</p></main>");
  CHECK(made.type == page_type::product);
  CHECK(contains(made.text, "9.50"));
  CHECK(contains(made.text, "every harbour"));
  CHECK(contains(made.text, "Height: 30 cm"));
  CHECK(contains(made.text, "Wash it by hand"));
  CHECK_FALSE(contains(made.text, "Buy"));
  CHECK_FALSE(contains(made.text, "Posted within"));
  CHECK_FALSE(contains(made.text, "A cup"));
  CHECK_FALSE(contains(made.text, "Lovely"));
}

TEST_CASE("links above the title lead elsewhere, below it they are the list") {
  const auto links = times("<li><a href=/x>Some part of the site</a>", 8);
  std::string list;
  for (int i = 0; i < 30; ++i) list += "<li><a href=/i>Island " + std::to_string(i) + "</a>";
  const auto made =
      choose("<body class=archive><ul>" + links + "</ul><h1>Islands</h1><ul>" + list + "</ul>");
  CHECK(made.type == page_type::listing);
  CHECK_FALSE(contains(made.text, "part of the site"));
  CHECK(contains(made.text, "Island 29"));
}

TEST_CASE("a card's summary that only screen readers are spared is read") {
  std::string cards;
  for (int i = 0; i < 8; ++i) {
    cards += "<article><h2><a href=/i>Storm number " + std::to_string(i) +
             "</a></h2><a href=/i aria-hidden=true tabindex=-1>It came ashore at night and nobody "
             "had seen it coming.</a></article>";
  }
  const auto made = choose("<body class=archive><main><h1>Storms</h1>" + cards + "</main>");
  CHECK(contains(made.text, "came ashore at night"));
}

TEST_CASE("what remarks are about stands before them") {
  const std::string remark =
      "<li><b class=author>Keeper</b><div class=comment-body>I have read the gauge for years, and "
      "it "
      "has never stood as high as it did on that morning in March, number ";
  std::string remarks;
  for (int i = 0; i < 25; ++i) remarks += remark + std::to_string(i) + ".</div></li>";
  for (const auto* box : {"<ul>", "</div><ul>"}) {
    INFO(box);
    const auto made = choose("<body><nav>Harbours Towers</nav><div class=story>" + times(prose, 3) +
                             box + remarks + "</ul></div><footer>Imprint</footer>");
    CHECK(made.type == page_type::forum);
    CHECK(made.text.starts_with("The sea rises"));
    CHECK(contains(made.text, "number 24."));
    CHECK(contains(made.text, "Keeper"));
    CHECK_FALSE(contains(made.text, "Imprint"));
  }
}

TEST_CASE("a product keeps what lies over the page, and not how it is bought") {
  const auto made = choose(
      "<head><script type='application/ld+json'>{\"@type\":\"Product\",\"name\":\"Mug\"}</script>"
      "</head><body><main><div>Harbour Shop</div><h1>Mug of the tower</h1><p class=price>12 EUR</p>"
      "<button class=add-to-cart>Buy</button><p>Free shipping above 50 EUR</p>" +
      prose +
      "<div class=details-modal><h3><button>Materials</button></h3><div "
      "class=details-modal__row><p class=details-modal__text>Stoneware with a glaze of "
      "ash.</p></div>"
      "<p class=details-modal__text>Fired in the kiln behind the harbour, twice, by hand.</p></div>"
      "</main></body>");
  CHECK(made.type == page_type::product);
  CHECK(contains(made.text, "Stoneware"));
  CHECK(contains(made.text, "Materials"));
  CHECK(contains(made.text, "12 EUR"));
  CHECK_FALSE(contains(made.text, "shipping"));
  CHECK_FALSE(contains(made.text, "Harbour Shop"));
}

TEST_CASE("what scripts make buttons and fields of goes, what it opens and cards stay") {
  std::string items;
  for (int i = 0; i < 12; ++i) {
    items += "<div class=card><h3><a href=/i>Jug " + std::to_string(i) +
             "</a></h3><div role=button>Put on the list</div><div role=checkbox>Pick</div></div>";
  }
  const auto made = choose(
      "<body><main><a href=#jugs>Skip to jugs</a><h1>Jugs</h1><div role=button>Newest</div><div "
      "role=button><h2>A jug for the "
      "harbour, shown large</h2></div>" +
          items +
          "<div role=button aria-expanded=false>How they are fired</div><p>Twice, in the kiln.</p>"
          "<div><button aria-expanded=false><h3>Where do they stand?</h3></button></div>"
          "<p>On the pier.</p><a role=button href=/all>All the jugs</a></main>",
      "https://example.org/collections/j");
  CHECK(contains(made.text, "Jug 11"));
  CHECK(contains(made.text, "shown large"));
  CHECK(contains(made.text, "How they are fired"));
  CHECK(contains(made.text, "Where do they stand?"));
  CHECK(contains(made.text, "All the jugs"));
  CHECK_FALSE(contains(made.text, "Put on the list"));
  CHECK_FALSE(contains(made.text, "Pick"));
  CHECK_FALSE(contains(made.text, "Skip to jugs"));
  CHECK_FALSE(contains(made.text, "Newest"));
}

TEST_CASE("links that only styles part stand apart in the text, too") {
  const auto made = choose("<body><p>" + std::string(90, 'x') +
                           " <a href=/a>Tides</a><a href=/b>Towers</a><a href=/b>2</a></p>");
  CHECK(contains(made.text, "Tides Towers2"));
}

TEST_CASE("what holds the name of a product stays, although it is named after how it is sent") {
  const auto made = choose(
      "<body class=single-product><main><div class='product shipping-taxable'><h1>Jug</h1>"
      "<p>It holds a litre.</p></div><div class=shipping>By ship, on Fridays</div>" +
      times(prose, 3) + "</main>");
  CHECK(made.type == page_type::product);
  CHECK(contains(made.text, "It holds a litre."));
  CHECK_FALSE(contains(made.text, "on Fridays"));
}

// Found by fuzzing: where all parts score alike, nothing above <html> is the article.
TEST_CASE("a page that is one link is its own content") {
  const auto made = choose("<s><i><h3><a>" + times("Harbours and towers. ", 30));
  CHECK(contains(made.text, "Harbours and towers."));
}
