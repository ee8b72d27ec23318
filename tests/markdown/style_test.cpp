// Declarations that hide what they are on.
#include <catch2/catch.hpp>
#include <markdown/style.hpp>

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
