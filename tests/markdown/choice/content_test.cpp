// Which part of a page is its content, by type of page: a table of pages, each with what must be
// there of it and what must not.
#include <catch2/catch.hpp>
#include <markdown/choice/content.hpp>
#include <markdown/tree/visibility.hpp>
#include <markdown/words.hpp>
#include <markdown/writing/writer.hpp>
#include <optional>
#include <string>
#include <vector>

namespace freshet::markdown {

using test::has;
using test::times;

namespace {

struct choice {
  page_type type;
  std::string text;
};

choice choose(const std::string& page, std::string_view url) {
  const auto parsed = html::parse(page);
  page_tree tree(parsed);
  const auto about = read_metadata(tree, base_of(parsed, url));
  drop_invisible(tree);
  const auto chosen = choose_content(tree, about);
  return {chosen.type, write_text(tree, chosen.roots)};
}

/// A page, and what its content is.
struct content_row {
  std::string name;
  std::string page;
  std::optional<page_type> type;
  std::vector<std::string> kept, dropped;
  std::string_view url = "https://example.org/x";
};

void check_rows(const std::vector<content_row>& rows) {
  for (const auto& row : rows) {
    DYNAMIC_SECTION(row.name) {
      const auto made = choose(row.page, row.url);
      INFO(made.text);
      if (row.type) CHECK(made.type == *row.type);
      for (const auto& part : row.kept) {
        INFO("must be there: " << part);
        CHECK(has(made.text, part));
      }
      for (const auto& part : row.dropped) {
        INFO("must not be there: " << part);
        CHECK_FALSE(has(made.text, part));
      }
    }
  }
}

/// `count` copies with the number of each between `before` and `after`.
std::string numbered(const std::string& before, const std::string& after, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += before + std::to_string(i) + after;
  return out;
}

const std::string prose =
    "<p>The sea rises, the sea falls, and every harbour keeps its own table of when it does so, "
    "printed once a year and pinned to the door of the office.</p>";

std::string section_named(const std::string& name) {
  return "<section class=band><div><h2>" + name + "</h2>" + times(prose, 2) + "</div></section>";
}

constexpr std::string_view jugs_url = "https://example.org/collections/j";

}  // namespace

TEST_CASE("the content of a page with prose") {
  check_rows({
      {"prose with a list of other articles is an article",
       "<body><h1>Tides</h1><article>" + times(prose, 10) + "</article><div>" +
           times("<div class=teaser><a href=/b>Another thing to read</a></div>", 12) + "</div>",
       page_type::article,
       {},
       {"Another thing"}},
      {"an article stays one whatever is said below it",
       "<head><meta property=og:type content=article></head><body><article>" + times(prose, 10) +
           "</article><section class=comments>" +
           times("<div class=comment-body>" + prose + "</div>", 40) + "</section>",
       page_type::article,
       {},
       {}},
      {"many short sections are kept, all of them",
       "<body><header><a href=/>Home</a></header><main>" + section_named("Plan") +
           section_named("Build") + section_named("Ship") + section_named("Watch") +
           "</main><footer>About us</footer>",
       {},
       {"Plan", "Build", "Ship", "Watch"},
       {"About us"}},
      {"links that only styles part stand apart in the text, too",
       "<body><p>" + std::string(90, 'x') +
           " <a href=/a>Tides</a><a href=/b>Towers</a><a href=/b>2</a></p>",
       {},
       {"Tides Towers2"},
       {}},
  });
}

TEST_CASE("the content of a page of links") {
  check_rows({
      {"a page of nothing but links is still answered",
       "<body>" + times("<a href=/x>Somewhere</a> ", 30),
       {},
       {"Somewhere"},
       {}},
      // Found by fuzzing: where all parts score alike, nothing above <html> is the article.
      {"a page that is one link is its own content",
       "<s><i><h3><a>" + times("Harbours and towers. ", 30),
       {},
       {"Harbours and towers."},
       {}},
      {"links above the title lead elsewhere, below it they are the list",
       "<body class=archive><ul>" + times("<li><a href=/x>Some part of the site</a>", 8) +
           "</ul><h1>Islands</h1><ul>" + numbered("<li><a href=/i>Island ", "</a>", 30) + "</ul>",
       page_type::listing,
       {"Island 29"},
       {"part of the site"}},
      {"a card's summary that only screen readers are spared is read",
       "<body class=archive><main><h1>Storms</h1>" +
           numbered("<article><h2><a href=/i>Storm number ",
                    "</a></h2><a href=/i aria-hidden=true tabindex=-1>It came ashore at night and "
                    "nobody had seen it coming.</a></article>",
                    8) +
           "</main>",
       {},
       {"came ashore at night"},
       {}},
  });
  CHECK(choose("<body></body>", "https://example.org/x").text.empty());
}

TEST_CASE("the content of a page of items") {
  check_rows({
      {"a list of items keeps its items and loses what it is operated with",
       "<body><nav>Shop</nav><main><h1>Jugs</h1><div class=filter-bar>Colour Size</div>"
       "<div class=grid>" +
           numbered("<div class=card><a href=/i><img src=i.png><h3>Jug ",
                    "</h3></a><span class=price>9.50</span><button>Add to cart</button></div>",
                    12) +
           "</div><div class=pagination>1 2 3</div></main>",
       page_type::collection,
       {"Jug 0", "Jug 11", "9.50"},
       {"Add to cart", "Colour Size", "1 2 3"},
       jugs_url},
      {"what scripts make buttons and fields of goes, what it opens and cards stay",
       "<body><main><a href=#jugs>Skip to jugs</a><h1>Jugs</h1><div role=button>Newest</div>"
       "<div role=button><h2>A jug for the harbour, shown large</h2></div>" +
           numbered("<div class=card><h3><a href=/i>Jug ",
                    "</a></h3><div role=button>Put on the list</div>"
                    "<div role=checkbox>Pick</div></div>",
                    12) +
           "<div role=button aria-expanded=false>How they are fired</div><p>Twice, in the kiln.</p>"
           "<div><button aria-expanded=false><h3>Where do they stand?</h3></button></div>"
           "<p>On the pier.</p><a role=button href=/all>All the jugs</a></main>",
       {},
       {"Jug 11", "shown large", "How they are fired", "Where do they stand?", "All the jugs"},
       {"Put on the list", "Pick", "Skip to jugs", "Newest"},
       jugs_url},
  });
}

TEST_CASE("the content of a page of one product") {
  check_rows({
      {"of a product its details stay, how it is bought and what else there is go",
       "<body class=single-product><main><h1>A jug</h1><p class=price>9.50</p>"
       "<div class=add-to-cart><button>Buy</button></div>" +
           prose +
           "<div class=shipping-info><p>Posted within two days to most places, and within a week "
           "to all others, if the weather is kind.</p></div>"
           "<div class='details modal'><p>Height: 30 cm, width: 12 cm, weight: 900 g. It is fired "
           "twice and glazed inside and out, so that it holds water.</p></div>"
           "<section><h2>You may also like</h2><div>A cup</div></section>"
           "<h2>Reviews</h2><p>Lovely.</p><h2>Care</h2><p>Wash it by hand.</p></main>",
       page_type::product,
       {"9.50", "every harbour", "Height: 30 cm", "Wash it by hand"},
       {"Buy", "Posted within", "A cup", "Lovely"}},
      {"a product keeps what lies over the page, and not how it is bought",
       "<head><script type='application/ld+json'>{\"@type\":\"Product\",\"name\":\"Mug\"}</script>"
       "</head><body><main><div>Harbour Shop</div><h1>Mug of the tower</h1>"
       "<p class=price>12 EUR</p><button class=add-to-cart>Buy</button>"
       "<p>Free shipping above 50 EUR</p>" +
           prose +
           "<div class=details-modal><h3><button>Materials</button></h3>"
           "<div class=details-modal__row><p class=details-modal__text>Stoneware with a glaze of "
           "ash.</p></div><p class=details-modal__text>Fired in the kiln behind the harbour, "
           "twice, "
           "by hand.</p></div></main></body>",
       page_type::product,
       {"Stoneware", "Materials", "12 EUR"},
       {"shipping", "Harbour Shop"}},
      {"what holds the name of a product stays, although it is named after how it is sent",
       "<body class=single-product><main><div class='product shipping-taxable'><h1>Jug</h1>"
       "<p>It holds a litre.</p></div><div class=shipping>By ship, on Fridays</div>" +
           times(prose, 3) + "</main>",
       page_type::product,
       {"It holds a litre."},
       {"on Fridays"}},
  });
}

TEST_CASE("what remarks are about stands before them") {
  const std::string remark =
      "<li><b class=author>Keeper</b><div class=comment-body>I have read the gauge for years, and "
      "it has never stood as high as it did on that morning in March, number ";
  for (const auto* box : {"<ul>", "</div><ul>"}) {
    INFO(box);
    const auto page = "<body><nav>Harbours Towers</nav><div class=story>" + times(prose, 3) + box +
                      numbered(remark, ".</div></li>", 25) + "</ul></div><footer>Imprint</footer>";
    check_rows({{box, page, page_type::forum, {"number 24.", "Keeper"}, {"Imprint"}}});
    CHECK(choose(page, "https://example.org/x").text.starts_with("The sea rises"));
  }
}

}  // namespace freshet::markdown
