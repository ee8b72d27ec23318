// Declarations that hide what they are on.
#include <catch2/catch.hpp>
#include <markdown/tree/style.hpp>

using namespace freshet::markdown;

TEST_CASE("declarations that scripts may take back") {
  for (const auto* style :
       {"display:none", "DISPLAY : NONE !important", "color:red;visibility:hidden",
        "visibility: collapse", "opacity:0", "opacity: 0.0;", "height:0;overflow:hidden",
        "max-height: 1px; overflow: hidden"}) {
    INFO(style);
    CHECK(hiding_by_style(style) == hiding::until_shown);
  }
}

TEST_CASE("declarations that hide for good") {
  for (const auto* style :
       {"font-size:0", "font-size: 0px", "position:absolute;left:-9999px",
        "position:fixed; top:-10000px", "text-indent:-9999px",
        "position:absolute;clip:rect(0 0 0 0)", "position:absolute;clip-path: inset(50%)"}) {
    INFO(style);
    CHECK(hiding_by_style(style) == hiding::for_good);
  }
}

TEST_CASE("declarations that hide nothing") {
  for (const auto* style :
       {"", ";;", "display", "display:block", "opacity:0.5", "left:-9999px", "height:0",
        "overflow:hidden", "height:0%;overflow:hidden", "font-size:10px", "top:-10px",
        "text-indent:-20px", ":none", "position:absolute"}) {
    INFO(style);
    CHECK(hiding_by_style(style) == hiding::none);
  }
}

TEST_CASE("simple rules of a page's own sheets hide") {
  hidden_names names;
  CHECK(names.empty());
  names.read(
      "/* .z{display:none} */ .a, #b { display: none } .c{opacity:0}.d .e{display:none}"
      "p.f{display:none} .g{color:red}@import url(x);.h{font-size:0}");
  CHECK(names.of("x a", "") == hiding::until_shown);
  CHECK(names.of("", "b") == hiding::until_shown);
  CHECK(names.of("\tc\n", "") == hiding::until_shown);
  CHECK(names.of("h", "") == hiding::for_good);
  for (const auto* not_hidden : {"b", "d", "e", "f", "g", "z", "A", ""}) {
    INFO(not_hidden);
    CHECK(names.of(not_hidden, "") == hiding::none);
  }
  CHECK(names.of("", "a") == hiding::none);
}

TEST_CASE("what another rule may show is not hidden") {
  hidden_names names;
  names.read(".tab{display:none}.tab.active{display:block}");
  names.read(".menu{display:none}@media (min-width:50em){.x{color:red}.menu{display:flex}.y{}}");
  names.read("@media print{.note{display:none}.page{display:none}}.after{display:none}");
  for (const auto* shown : {"tab", "menu", "note", "page"}) {
    INFO(shown);
    CHECK(names.of(shown, "") == hiding::none);
  }
  CHECK(names.of("after", "") == hiding::until_shown);
}

TEST_CASE("broken sheets end somewhere") {
  hidden_names names;
  for (const auto* sheet :
       {"", "}", "}}}{", "{{{{", "/*", "@media{", ".a", ".a{", ".{}#{}", ",,{}"}) {
    names.read(sheet);
  }
  CHECK(names.of("a", "a") == hiding::none);
}
