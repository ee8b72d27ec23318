// The cascade of a page's own styles, as far as it says what is seen.
#include <catch2/catch.hpp>
#include <markdown/visibility/style.hpp>
#include <string>

using namespace freshet::markdown;
namespace html = freshet::html;

namespace {

/// The names of the tests for what hides.
std::string name_of(property one) {
  using enum property;
  switch (one) {
    case display:
      return "display_none";
    case visibility:
      return "visibility";
    case opacity:
      return "opacity";
    case content_visibility:
      return "content_visibility";
    case font_size:
      return "font_size";
    case transform:
      return "transform";
    case color:
      return "same_color";
    case clip:
    case clip_path:
      return "clip";
    case width:
    case height:
    case max_width:
    case max_height:
      return "no_size";
    case count:
      return "";
    default:
      return "off_screen";
  }
}

/// How the element with the id "x" is hidden, itself or its texts; by what.
std::string hidden_as(const std::string& sheet, const std::string& body,
                      const std::string& media = "") {
  const auto page = html::parse("<body>" + body);
  const page_tree tree(page);
  style_rules rules(tree);
  rules.read(sheet, media);
  rules.finish();
  for (html::node_id id = 0; id < page.size(); ++id) {
    if (tree.attribute_of(id, "id") != "x") continue;
    const auto seen = rules.look_at(id, true);
    hidden_by how;
    for (std::size_t screen = 0; screen < screens; ++screen) {
      const auto& on = seen.whole[screen].how != hiding::none ? seen.whole : seen.texts;
      if (screen == 0 || on[screen].how < how.how) how = on[screen];
    }
    if (how.how == hiding::until_shown && rules.may_be_shown(id, how.by)) return "for a state";
    return name_of(how.by);
  }
  return "no such element";
}

std::string hidden_by_attribute(const std::string& style) {
  return hidden_as("", "<p id=x style=\"" + style + "\">t");
}

}  // namespace

TEST_CASE("declarations hide in many ways") {
  const std::pair<const char*, const char*> ways[] = {
      {"display:none", "display_none"},
      {"DISPLAY : NONE !important", "display_none"},
      {"color:red;visibility:hidden", "visibility"},
      {"visibility: collapse", "visibility"},
      {"opacity:0", "opacity"},
      {"opacity: 0.0;", "opacity"},
      {"height:0;overflow:hidden", "no_size"},
      {"max-height: 1px; overflow: hidden", "no_size"},
      {"font-size:0", "font_size"},
      {"font-size: 0px", "font_size"},
      {"font:0/0 a", "font_size"},
      {"position:absolute;left:-9999px", "off_screen"},
      {"position:fixed; top:-10000px", "off_screen"},
      {"position:absolute;inset:auto auto auto -9999px", "off_screen"},
      {"margin:0 0 0 -9999px", "off_screen"},
      {"text-indent:-9999px", "off_screen"},
      {"transform:scale(0)", "transform"},
      {"position:absolute;clip:rect(0 0 0 0)", "clip"},
      {"position:absolute;clip-path: inset(50%)", "clip"},
      {"color:transparent", "same_color"},
      {"color:rgba(1,2,3,0)", "same_color"},
      {"background:#123 none;color:rgb(17, 34, 51)", "same_color"},
      {"color:#fff", "same_color"},
      {"content-visibility:hidden", "content_visibility"},
      {"/* ; */ display: none", "display_none"},
      {"content:';display:block';display:none", "display_none"}};
  for (const auto& [style, rule] : ways) {
    INFO(style);
    CHECK(hidden_by_attribute(style) == rule);
  }
}

TEST_CASE("declarations that hide nothing") {
  for (const auto* style :
       {"",
        ";;",
        "display",
        "display:block",
        "opacity:0.5",
        "left:-9999px",
        "height:0",
        "overflow:hidden",
        "height:0%;overflow:hidden",
        "font-size:10px",
        "top:-10px",
        "text-indent:-20px",
        ":none",
        "position:absolute",
        "color:#fff;background:#000",
        "color:transparent;background-clip:text;background:linear-gradient(red,blue)",
        "display:none;display:block",
        "display:block!important;display:none",
        "font:700 1em/2 a",
        "color:#fff;background:url(dark.png)",
        "position:absolute;clip:rect(auto auto auto auto)",
        "font-size:calc(1px + 2vw)",
        "color:currentcolor;background:inherit"}) {
    INFO(style);
    CHECK(hidden_by_attribute(style).empty());
  }
}

TEST_CASE("rules of all kinds of selectors hide") {
  const std::string body = "<div class=o><p>a</p><p id=x class='a b' data-k=v>t</p></div>";
  for (const auto* selector :
       {".a", "#x", "p.a", ".a.b", "[data-k]", "[data-k=v]", ".o .a", ".o > p + .b",
        "p:nth-child(2)", ".z, .b", ".a:not(.c)", "body div > [class~=b]", ":last-child"}) {
    INFO(selector);
    CHECK(hidden_as(std::string(selector) + "{display:none}", body) == "display_none");
  }
  for (const auto* selector :
       {".c", "p:first-child", ".o + .a", ".a:hover", ".a::before", "b", ""}) {
    INFO(selector);
    CHECK(hidden_as(std::string(selector) + "{display:none}", body).empty());
  }
}

TEST_CASE("the stronger rule wins, and of equal ones the later") {
  const std::string body = "<p id=x class=a style='opacity:1'>t";
  CHECK(hidden_as(".a{display:none}.a{display:block}", body).empty());
  CHECK(hidden_as(".a{display:block}.a{display:none}", body) == "display_none");
  CHECK(hidden_as("#x{display:none}.a{display:block}", body) == "display_none");
  CHECK(hidden_as("#x{display:none}.a{display:block!important}", body).empty());
  CHECK(hidden_as("p.a{display:none}.a{display:block}", body) == "display_none");
  CHECK(hidden_as(".a{opacity:0}", body).empty());
  CHECK(hidden_as(".a{opacity:0 !important}", body) == "opacity");
}

TEST_CASE("what is inside may say otherwise of visibility, size and color only") {
  CHECK(hidden_as(".a{visibility:hidden}", "<div class=a><p id=x>t") == "visibility");
  CHECK(hidden_as(".a{visibility:hidden}#x{visibility:visible}", "<div class=a><p id=x>t").empty());
  CHECK(hidden_as(".a{font-size:0}", "<div class=a><p id=x>t") == "font_size");
  CHECK(hidden_as(".a{font-size:0}#x{font-size:14px}", "<div class=a><p id=x>t").empty());
  CHECK(hidden_as(".a{font-size:0}#x{font-size:2em}", "<div class=a><p id=x>t") == "font_size");
  CHECK(hidden_as(".a{background:#333}#x{color:#333}", "<div class=a><p id=x>t") == "same_color");
  CHECK(hidden_as(".a{color:#333}#x{background:#333}", "<div class=a><p id=x>t") == "same_color");
  CHECK(hidden_as(".a{color:#333}#x{background:#fff}", "<div class=a><p id=x>t").empty());
}

TEST_CASE("what is seen on one screen is seen") {
  const std::string body = "<p id=x class=a>t";
  CHECK(hidden_as("@media (min-width:600px){.a{display:none}}", body).empty());
  CHECK(hidden_as(".a{display:none}@media (min-width:50em){.a{display:flex}}", body).empty());
  CHECK(
      hidden_as("@media (min-width:600px){.a{display:none}}@media (max-width:599px){.a{opacity:0}}",
                body) == "display_none");
  CHECK(hidden_as("@media screen and (min-width:1px){.a{display:none}}", body) == "display_none");
  CHECK(hidden_as("@media not print{@layer y{.a{display:none}}}", body) == "display_none");
  CHECK(hidden_as("@supports (display:grid){.a{display:none}}", body) == "display_none");
  CHECK(hidden_as("@media print{.a{display:none}}", body).empty());
  CHECK(hidden_as(".a{display:none}@media print{.a{display:block}}", body) == "display_none");
  CHECK(hidden_as("@keyframes y{.a{display:none}}@font-face{}", body).empty());
  CHECK(hidden_as(".a{display:none}", body, "print").empty());
  CHECK(hidden_as(".a{display:none}", body, "screen, print") == "display_none");
}

TEST_CASE("what another state may show is told apart") {
  const std::string body = "<p id=x class=tab>t";
  CHECK(hidden_as(".tab{display:none}.tab.active{display:block}", body) == "for a state");
  CHECK(hidden_as(".tab{display:none}.tab:hover{display:block}", body) == "for a state");
  CHECK(hidden_as(".tab{display:none}.open .tab{display:block}", body) == "for a state");
  CHECK(hidden_as(".tab{display:none}.tab.active{color:red}", body) == "display_none");
  CHECK(hidden_as("#x.tab{display:none}p.tab{display:block}", body) == "display_none");
}

TEST_CASE("names in selectors are those of the page, however they are written") {
  CHECK(hidden_as(".md\\:off{display:none}", "<p id=x class='md:off'>t") == "display_none");
  CHECK(hidden_as(".\\31 a{display:none}", "<p id=x class=1a>t") == "display_none");
  CHECK(hidden_as(".o .md\\:off{display:none}", "<div class=o><p id=x class='md:off'>t") ==
        "display_none");
  CHECK(hidden_as("[HIDDEN]{display:none}", "<p id=x hidden>t") == "display_none");
  CHECK(hidden_as("P.a{display:none}", "<p id=x class=a>t") == "display_none");
  CHECK(hidden_as("P{display:none}", "<p id=x class=a>t") == "display_none");
  CHECK(hidden_as("x-y{display:none}", "<x-y id=x>t") == "display_none");
  CHECK(hidden_as("*{display:none}", "<p id=x>t") == "display_none");
  CHECK(hidden_as(".z .a{display:none}", "<p id=x class=a>t").empty());
}

TEST_CASE("where other sheets are not read, a color hides on the ground of its own block") {
  const auto hidden = [](const std::string& sheet) {
    const auto page = html::parse("<body><p id=x class=a>t");
    const page_tree tree(page);
    style_rules rules(tree);
    rules.has_others();
    rules.read(sheet);
    rules.finish();
    for (html::node_id id = 0; id < page.size(); ++id) {
      if (tree.attribute_of(id, "id") != "x") continue;
      return rules.look_at(id, false).texts[0].how != hiding::none;
    }
    return false;
  };
  CHECK(hidden(".a{color:#fff;background:#fff}"));
  CHECK(hidden(".a{color:transparent}"));
  CHECK_FALSE(hidden(".a{color:#fff}"));
  CHECK_FALSE(hidden(".a{color:#fff}p{background:#fff}"));
  CHECK(hidden("@import url(y.css);.a{color:#111;background:#111}"));
}

TEST_CASE("blocks are read to their ends, whatever is in them") {
  const std::string body = "<p id=x class=a>t";
  for (const auto* sheet :
       {".b{content:'}';color:red}.a{display:none}", ".b{/* } */color:red}.a{display:none}",
        ".b{background:url(data:a;b:c)}.a{display:none}",
        ".b{color:red;&:hover{top:0}}.a{display:none}", ".a{display:none;& b{display:block}}",
        "@media all{.b{c:d}}.a{ /**/ display : none }"}) {
    INFO(sheet);
    CHECK(hidden_as(sheet, body) == "display_none");
  }
  CHECK(hidden_by_attribute("top:0}left:0;display:none") == "display_none");
  CHECK(hidden_by_attribute("top:0;{left:0};display:none") == "display_none");
}

TEST_CASE("broken sheets end somewhere") {
  for (const auto* sheet :
       {"",      "}",      "}}}{",      "{{{{",       "/*",           "@media{",   ".a",
        ".a{",   ".{}#{}", ",,{}",      "@import;{}", ".a{content:'", "@media(((", ".a{color:rgb(",
        "@",     "@{",     "a{font:/}", ".a{inset:}", ".a{b{",        ".a{b{}",    "a{\"",
        "a{:;}", "a{;:}"}) {
    INFO(sheet);
    CHECK(hidden_as(sheet, "<p id=x class=a>t").empty());
  }
}
