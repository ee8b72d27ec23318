// What is dropped inside the chosen content.
#include <catch2/catch.hpp>
#include <markdown/choice/cleaning.hpp>
#include <string>

using namespace freshet::markdown;
namespace html = freshet::html;

namespace {

const std::string gauge_sentence =
    "The gauge at the harbour has been read every hour since the pier was built, and nobody knows "
    "who wrote the first number down. ";

std::string cleaned(const std::string& body, cleaning how = {}) {
  const auto page = html::parse("<body>" + body);
  page_tree tree(page);
  clean_content(tree, {tree.body()}, how);
  return tree.text_of(tree.body());
}

}  // namespace

TEST_CASE("parts with a name of what is no text go") {
  for (const auto* name :
       {"related-posts", "newsletter", "social-share", "comments", "ad", "byline", "breadcrumbs",
        "wp-caption-text", "cookie-banner", "paywall-box"}) {
    INFO(name);
    CHECK(cleaned("<p>a</p><div class='" + std::string(name) + "'><p>x</p></div>") == "a");
  }
}

TEST_CASE("a name is not enough where there is much prose, nor on a heading") {
  CHECK(cleaned("<div class=related><p>" + gauge_sentence + gauge_sentence + gauge_sentence +
                "</p></div>")
            .size() > 300);
  CHECK(cleaned("<h2 class=share id=newsletter>Shares</h2><p>a</p>") == "Shares a");
  CHECK(cleaned("<section id=related-work><h2>Related work</h2><p>a</p></section>") ==
        "Related work a");
}

TEST_CASE("what members put below each of their posts goes, who has written a post stays") {
  for (const std::string name :
       {"signature restore", "message-signature", "ipsEntry__signature", "postsignature"}) {
    INFO(name);
    const auto page = html::parse("<body><p>a</p><div class='" + name +
                                  "'><p>x</p></div><div "
                                  "class='post-signature owner'>b</div>");
    page_tree tree(page);
    drop_signatures(tree);
    CHECK(tree.text_of(tree.body()) == "a b");
  }
}

TEST_CASE("elements that are never content go") {
  CHECK(cleaned("<p>a</p><nav>x</nav><aside>x</aside><footer>x</footer><button>x</button>"
                "<select><option>x</select>") == "a");
}

TEST_CASE("the switch of an accordion stays, as the heading that it is") {
  CHECK(cleaned("<h3><button>How deep?</button></h3><p>a</p>") == "How deep? a");
}

TEST_CASE("links and fields without words go, links in words stay") {
  CHECK(cleaned("<p>a</p><div><a href=/1>one</a> <a href=/2>two</a></div>") == "a");
  CHECK(cleaned("<p>a</p><form><input><button>x</button></form>") == "a");
  CHECK(cleaned("<div><p>See the <a href=/1>first book of the gauge</a> for what was read on the "
                "day on which the pier was opened, and by whom.</p></div>")
            .size() > 80);
}

TEST_CASE("tables of data and code are not judged by their looks") {
  const std::string table = "<table><tr><th>a<th>b<tr><td><a href=/x>c</a><td>d</table>";
  CHECK(cleaned("<div class=widget>" + table + "</div>") == "a b c d");
  CHECK(cleaned("<div class=widget><pre>x = 1</pre></div>") == "x = 1");
}

TEST_CASE("rows of links to the pages before and behind go") {
  const auto rest = [](const std::string& body) {
    const auto page = html::parse("<body>" + body);
    page_tree tree(page);
    drop_steps(tree, {tree.body()});
    tree.count();
    return tree.text_of(tree.body());
  };
  const std::string text = "<div><h2>Tides</h2><p>a</p></div>";
  const std::string by_keys =
      "<table><tr><th>Chapter 7. Tides<tr><td><a accesskey=p href=a>Prev</a><td><a accesskey=n "
      "href=b>Next</a></table>";
  const std::string by_relation =
      "<ul><li><a rel=prev href=a>戻る</a><li>The book<li><a rel=Next href=b>次へ</a></ul>";
  for (const auto& row : {by_keys, by_relation}) {
    CHECK(rest(row + text + row) == "Tides a");
    CHECK(rest("<div>" + row + text + "</div>") == "Tides a");
  }
  // One such link may be a reference, and what holds text is no row.
  CHECK(rest("<p>See <a rel=next href=b>the next</a>.</p>") == "See the next.");
  CHECK(rest("<p>" + gauge_sentence + "<a rel=prev href=a>x</a> <a rel=next href=b>y</a></p>")
            .ends_with("x y"));
}

TEST_CASE("without conditions only what is never content goes") {
  cleaning how;
  how.conditionally = false;
  CHECK(cleaned("<div class=related>b</div><nav>x</nav>", how) == "b");
}
