#include <catch2/catch.hpp>
#include <html/document.hpp>
#include <markdown/about/author_boxes.hpp>
#include <string>

using namespace freshet;

namespace {

struct found {
  std::string name, any;
};

found boxes_of(std::string_view body) {
  const auto page = html::parse(std::string("<body>").append(body));
  const markdown::page_tree tree(page);
  markdown::author_boxes boxes(tree);
  for (html::node_id id = 1; id < page.size(); ++id) {
    if (!tree.is_element(id)) continue;
    if (markdown::is_heading(tree.tag_of(id))) boxes.pass_heading();
    boxes.look_at(id);
  }
  return {boxes.name(), boxes.any()};
}

}  // namespace

TEST_CASE("the first box that is named for an author holds a name") {
  const auto both = boxes_of(
      "<h1>T</h1><p class=byline>Ada Byron<p id=author>Bo Carr<p class=author-name>Cy Dunn");
  CHECK(both.any == "Ada Byron");
  CHECK(both.name == "Cy Dunn");
  CHECK(boxes_of("<h1>T</h1><p id=author>Ada Byron").any == "Ada Byron");
  CHECK(boxes_of("<p class=post-author>Ada Byron<h1>T</h1>").any == "Ada Byron");
}

TEST_CASE("what only begins as \"author\" does names none") {
  for (const auto* box :
       {"<a class=authorized-dealer-link>Authorized Dealer</a>",
        "<div id=authorization>Forms</div>", "<li class=authorities>Governing Board</li>",
        "<div class=no-byline>Home</div>", "<section id=authoring-applications>Tides</section>"}) {
    INFO(box);
    CHECK(boxes_of("<h1>T</h1>" + std::string(box)).any.empty());
  }
}

TEST_CASE("a whole post is no box of its author, nor is a place that is called as its text") {
  const auto post = boxes_of(
      "<article class='hentry author-bo-carr'><h1>Tides</h1><p class=byline>Ada Byron</article>");
  CHECK(post.any == "Ada Byron");
  for (const auto* place : {"<h2 id=reset-author>Reset</h2>", "<dt id=x--author>--author</dt>",
                            "<a id=configure-runasusername>Configure It</a>"}) {
    INFO(place);
    CHECK(boxes_of("<h1>T</h1>" + std::string(place)).any.empty());
  }
}

TEST_CASE("a user above all headings is who reads, unless there are none") {
  CHECK(boxes_of("<div class=username>Account</div><h1>T</h1>").any.empty());
  CHECK(boxes_of("<div class=username>Account</div><h1>T</h1><p class=username>ada7").any ==
        "ada7");
  CHECK(boxes_of("<h1>T</h1><h2>U</h2><div class=username>ada7</div><h2>V</h2>").any == "ada7");
  CHECK(boxes_of("<a class=bigusername>ada7</a>").any == "ada7");
}
