// Which heading of a page says its title.
#include <catch2/catch.hpp>
#include <html/document.hpp>
#include <markdown/about/page_headings.hpp>
#include <string>

using namespace freshet;

namespace {

/// The id attribute of the heading that says `title`; "-" if none does.
std::string place_of(std::string_view body, std::string_view title) {
  const auto page = html::parse(std::string("<body>").append(body));
  const markdown::page_tree tree(page);
  markdown::page_headings headings(tree);
  for (html::node_id id = 1; id < page.size(); ++id) {
    if (tree.is_element(id) && markdown::page_headings::has(tree.tag_of(id))) headings.add(id);
  }
  const auto found = headings.place_of(title);
  return found == html::none ? "-" : std::string(tree.attribute_of(found, "id"));
}

}  // namespace

TEST_CASE("the heading of a title is the highest that says it") {
  CHECK(place_of("<h1 id=a>The Harbour</h1><h1 id=b>Tides rise</h1>", "Tides rise") == "b");
  CHECK(place_of("<h1 id=a>The Harbour</h1><h3 id=b>Menu</h3><h2 id=c>Tides rise</h2>",
                 "Tides rise") == "c");
  CHECK(place_of("<h4 id=a>Tides rise</h4><h1 id=b>Tides rise!</h1>", "Tides rise") == "b");
  CHECK(place_of("<h2 id=a>Tides</h2><h4 id=b>Tides rise</h4>", "Tides rise") == "b");
}

TEST_CASE("something may stand beside the title in its heading") {
  CHECK(place_of("<h1 id=a>Tides rise (harbour.example) 139</h1><h4 id=b>Tides rise</h4>",
                 "Tides rise") == "a");
  CHECK(place_of("<h3 id=a>At sea: Tides rise</h3>", "Tides rise") == "a");
  CHECK(place_of("<h3 id=a>High Tides risen</h3>", "Tides rise") == "-");
}

TEST_CASE("without one it is the first h1, and no lower heading") {
  CHECK(place_of("<h2 id=a>Menu</h2><h1 id=b>News</h1>", "Tides rise") == "b");
  CHECK(place_of("<h2 id=a>Menu</h2>", "Tides rise") == "-");
  CHECK(place_of("<h2 id=a>Menu</h2>", "") == "-");
}
