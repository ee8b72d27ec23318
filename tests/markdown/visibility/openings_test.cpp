// What a low box cuts off although its names promise that a click opens it: read where a person
// sees what to click, and nowhere else.
#include <catch2/catch.hpp>
#include <markdown/visibility/visibility.hpp>
#include <string>

using namespace freshet::markdown;
namespace html = freshet::html;

namespace {

const std::string lines = "<p>one</p><p>two</p><p>three</p><p>four</p>";

bool last_line_is_seen(const std::string& body, const std::string& rules = {}) {
  const auto page = html::parse("<style>.read-more{max-height:20px;overflow:hidden}" + rules +
                                "</style><body><p>Before it.</p>" + body);
  page_tree tree(page);
  drop_invisible(tree);
  return tree.text_of(tree.body()).find("four") != std::string::npos;
}

std::string box(const std::string& inside = {}) {
  return "<div class=read-more>" + inside + lines + "</div>";
}

}  // namespace

TEST_CASE("a name alone opens no box that cuts lines off") {
  CHECK_FALSE(last_line_is_seen(box()));
  CHECK_FALSE(last_line_is_seen(box() + "<p>Next</p>"));
  CHECK_FALSE(last_line_is_seen("<p>Read more</p>" + box()));
  CHECK_FALSE(last_line_is_seen(box() + "<a href=/other>Read more</a>"));
  CHECK_FALSE(last_line_is_seen(box() + "<a name=there>Here</a>"));
}

TEST_CASE("a switch that is seen beside a box opens it") {
  for (const std::string one :
       {"<button>More</button>", "<div><button>More</button></div>",
        "<span role=button>More</span>", "<a href='#'>More</a>",
        "<a href='javascript:void(0)'>More</a>", "<a class=link>More</a>",
        "<label for=c>More</label>", "<b onclick='go()'>More</b>", "<b aria-expanded=false>v</b>",
        "<span class=show-more>More</span>"}) {
    CAPTURE(one);
    CHECK(last_line_is_seen(box() + one));
    CHECK(last_line_is_seen(one + box()));
    CHECK(last_line_is_seen("<section><div>" + box() + "</div>" + one + "</section>"));
    CHECK(last_line_is_seen(box(one)));
    CHECK_FALSE(last_line_is_seen(box() + one, "button,span,a,label,b{display:none}"));
    CHECK_FALSE(last_line_is_seen(box() + "<div hidden>" + one + "</div>"));
    CHECK_FALSE(last_line_is_seen(box() + "<div style='opacity:0'>" + one + "</div>"));
  }
}

TEST_CASE("a switch elsewhere opens a box that it names") {
  const std::string rest = "<p>" + std::string(600, 'a') + "</p>";
  const auto named = [&](const std::string& rules) {
    return last_line_is_seen("<b aria-controls=q>All of it</b>" + rest +
                                 "<div class=read-more id=q>" + lines + "</div>" + rest,
                             rules);
  };
  CHECK(named({}));
  CHECK_FALSE(named("b{visibility:hidden}"));
}

TEST_CASE("a switch that is cut off itself opens nothing") {
  CHECK_FALSE(last_line_is_seen("<div class=read-more>" + lines + "<button>More</button></div>"));
  CHECK(last_line_is_seen("<div class=read-more style='position:relative'>" + lines +
                          "<button style='position:absolute;bottom:0'>More</button></div>"));
}
