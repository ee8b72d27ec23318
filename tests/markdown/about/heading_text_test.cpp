#include <catch2/catch.hpp>
#include <html/document.hpp>
#include <markdown/about/heading_text.hpp>

using namespace freshet;

namespace {

std::string heading_of(std::string_view inside) {
  const auto page = html::parse(std::string("<body><h1>").append(inside).append("</h1>"));
  const markdown::page_tree tree(page);
  for (html::node_id id = 1; id < page.size(); ++id) {
    if (tree.is_element(id, html::tag_id::h1)) return heading_text(tree, id);
  }
  return "no heading";
}

}  // namespace

TEST_CASE("a heading is read without what is no text of it") {
  for (const auto* inside :
       {"The tides rise", "<style>.a{}</style>The tides rise", "<div>The tides</div><p>rise</p>",
        "The<br>tides rise", "<time>5 March 2026</time> The tides rise",
        "<span aria-hidden=true>The tidesrise</span><span>The tides rise</span>",
        "<span>The tides rise</span><span aria-hidden=true>The tides</span>",
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
