#include <catch2/catch.hpp>
#include <html/document.hpp>
#include <markdown/about/heading_text.hpp>
#include <string>
#include <vector>

using namespace freshet;

namespace {

/// What `read` makes of the heading.
template <class Reading>
auto reading_of(std::string_view inside, Reading read) {
  const auto page = html::parse(std::string("<body><h1>").append(inside).append("</h1>"));
  const markdown::page_tree tree(page);
  for (html::node_id id = 1; id < page.size(); ++id) {
    if (tree.is_element(id, html::tag_id::h1)) return read(tree, id);
  }
  FAIL("no heading");
  return read(tree, 0);
}

std::string heading_of(std::string_view inside) {
  return reading_of(inside, markdown::heading_text);
}

}  // namespace

TEST_CASE("a heading is read without what is no text of it") {
  for (const auto* inside :
       {"The tides rise", "<style>.a{}</style>The tides rise", "<div>The tides</div><p>rise</p>",
        "The<br>tides rise", "<time>5 March 2026</time> The tides rise",
        "<span><span class=date>05.03.2026</span></span>The tides rise",
        "<span aria-hidden=true>The tidesrise</span><span>The tides rise</span>",
        "<span>The tides rise</span><span aria-hidden=true>The tides</span>",
        "<span aria-hidden=true><i>The tides</i><i>rise</i><b>The tides rise</b></span>"
        "<span>The tides rise</span>",
        "<b>The tides rise </b><i>The tides rise</i>"}) {
    INFO(inside);
    CHECK(heading_of(inside) == "The tides rise");
  }
}

TEST_CASE("what stands in no other part of a heading stays") {
  CHECK(heading_of("Sea <span aria-hidden=true>-</span> tides") == "Sea - tides");
  CHECK(heading_of("<span aria-hidden=true>The tides rise</span>") == "The tides rise");
  CHECK(heading_of("Tides of <time>2026</time>") == "Tides of 2026");
  CHECK(heading_of("<time>2026</time> tides") == "2026 tides");
  CHECK(heading_of("New York, New York") == "New York, New York");
  CHECK(heading_of("").empty());
}

TEST_CASE("what a heading begins and ends with in an element of its own can be left out") {
  using texts = std::vector<std::string>;
  const auto cores_of = [](std::string_view inside) {
    return reading_of(inside, markdown::heading_cores);
  };
  CHECK(cores_of("<span>News</span> <span> </span>Tides rise") == texts{"Tides rise"});
  CHECK(cores_of("Tide clock<small>for sailors</small>") == texts{"Tide clock"});
  CHECK(cores_of("<a href=/><i>Sea:</i> tides <b>rise</b></a>") ==
        texts{"tides rise", "Sea: tides"});
  CHECK(cores_of("<b>Tides rise</b>").empty());
  CHECK(cores_of("Tides <b>will</b> rise").empty());
  CHECK(cores_of("").empty());
}
