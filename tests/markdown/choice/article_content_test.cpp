// Which part of a page is its article.
#include <catch2/catch.hpp>
#include <markdown/choice/article_content.hpp>
#include <markdown/visibility/visibility.hpp>
#include <markdown/words.hpp>
#include <string>

using namespace freshet::markdown;
using freshet::test::has;
namespace html = freshet::html;
namespace test = freshet::test;

namespace {

const std::string article_prose =
    "The gauge at the harbour has been read every hour since the pier was built, and nobody knows "
    "who wrote the first number down. Its keepers changed, the numbers stayed.";

std::string article_paragraphs(int count) {
  return test::times("<p>" + article_prose + "</p>", count);
}

struct choice {
  std::string text;
  bool found = false;
};

choice choose(const std::string& body) {
  const auto page = html::parse("<body>" + body);
  page_tree tree(page);
  drop_invisible(tree);
  const auto chosen = choose_article(tree);
  choice made{"", chosen.found};
  for (const auto root : chosen.roots) made.text += tree.text_of(root) + "\n";
  return made;
}

}  // namespace

TEST_CASE("the article is found among what is around it") {
  const auto made =
      choose("<div class=menu><a href=/>Home</a></div><div class=sidebar><p>" + article_prose +
             "Side.</p></div><div class=story>" + article_paragraphs(4) + "</div>");
  CHECK(made.found);
  CHECK(has(made.text, "first number"));
  CHECK_FALSE(has(made.text, "Home"));
  CHECK_FALSE(has(made.text, "Side."));
}

TEST_CASE("a wrapper with a bad name is kept where most of the prose is in it") {
  const auto made =
      choose("<div class=above-footer>" + article_paragraphs(5) + "</div><div>x</div>");
  CHECK(made.found);
  CHECK(has(made.text, "first number"));
}

TEST_CASE("a header with the title and what leads into the text is its beginning") {
  const auto page = [](const std::string& title) {
    return choose("<main><div class=layout-header>" + title + "<section><p>Lead: " + article_prose +
                  "</p><p>" + article_prose +
                  "</p></section></div><div class=layout-text><section>" + article_paragraphs(40) +
                  "</section></div></main>");
  };
  CHECK(has(page("<h1>Gauges</h1>").text, "Lead:"));
  CHECK_FALSE(has(page("<h2>Latest</h2>").text, "Lead:"));
}

TEST_CASE("what the page declares to be its content counts where prose would be lost") {
  const auto made = choose("<main><div class=intro><p>Intro: " + article_prose +
                           "</p></div><div><div class=post-body>" + article_paragraphs(4) +
                           "</div></div></main>");
  CHECK(has(made.text, "Intro:"));
  CHECK(has(made.text, "first number"));
}

TEST_CASE("text without paragraphs is text, in scripts without spaces too") {
  CHECK(has(choose("<div><div>" + article_prose + "<br><br>" + article_prose + "</div></div>").text,
            "keepers"));
  std::string tide;
  for (int i = 0; i < 60; ++i) tide += "\xE6\xBD\xAE\xE6\xB0\xB4\xE3\x80\x82";
  CHECK(has(choose("<nav><a href=/>x</a></nav><div>" + tide + "</div>").text, "\xE6\xBD\xAE"));
}

TEST_CASE("a page with text is answered, and says where nothing was found") {
  const auto links = choose("<nav><a href=/a>Only links</a></nav>");
  CHECK_FALSE(links.found);
  CHECK(has(links.text, "Only links"));
  CHECK(choose("").found);
}

TEST_CASE("an accordion stays, although its parts are named after their headers") {
  const auto made =
      choose("<article>" + article_paragraphs(4) +
             "<div class='accordion pane-header-left'><div class=accordion-item__header>"
             "<button><h3>Who keeps it now?</h3></button></div><div class='accordion-panel "
             "panel-hidden'><p>The office of the harbour, and " +
             article_prose + "</p><p>" + article_prose + "</p></div></div>" +
             article_paragraphs(2) + "<div class=header-links><p>Elsewhere</p></div></article>");
  CHECK(has(made.text, "Who keeps it now?"));
  CHECK(has(made.text, "The office of the harbour"));
  CHECK_FALSE(has(made.text, "Elsewhere"));
}
