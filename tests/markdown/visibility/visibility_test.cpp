// What is dropped before anything is chosen.
#include <catch2/catch.hpp>
#include <markdown/visibility/visibility.hpp>
#include <string>

using namespace freshet::markdown;
namespace html = freshet::html;

namespace {

/// Of a page with scripts, as nearly all have them.
std::string seen(const std::string& body) {
  const auto page = html::parse("<script src=/page.js></script><body>" + body);
  page_tree tree(page);
  drop_invisible(tree);
  return tree.text_of(tree.body());
}

const std::string visible_prose =
    "The gauge at the harbour has been read every hour since the pier was built, and nobody knows "
    "who wrote the first number down.";

}  // namespace

TEST_CASE("elements without text of their own are dropped") {
  CHECK(seen("a<script>x</script><style>x</style><template>x</template><textarea>x</textarea>"
             "<!-- x --><svg><text>x</text></svg><noscript>x</noscript>b") == "ab");
}

TEST_CASE("a tree that a browser shows in an element's place is seen, with what its slots take") {
  const auto shadow = [](const std::string& inside, const std::string& beside) {
    return seen("<x-a><template shadowrootmode=open>" + inside + "</template>" + beside + "</x-a>");
  };
  CHECK(shadow("<p>a</p><script>x</script><p hidden>x</p>", "") == "a");
  CHECK(shadow("<p>a</p>", "<p>x</p>") == "a");
  CHECK(shadow("<p>a</p><slot>x</slot>", " b<i>c</i>") == "a bc");
  CHECK(shadow("<p>a</p><slot> b</slot>", "<!-- x -->") == "a b");
  CHECK(shadow("<p>a</p><slot> x</slot>", " ") == "a");
  CHECK(shadow("<b><slot name=n>x</slot></b>a", "<i slot=n>b</i><i slot=m>x</i>x") == "ab");
  CHECK(shadow("a<x-b><template shadowrootmode=closed>b</template>x</x-b>", "") == "ab");
  CHECK(shadow("a<template>x</template>", "") == "a");
  CHECK(seen("<x-a><template shadowrootmode=none>x</template>a</x-a>") == "a");
}

TEST_CASE("a tree that no browser shows in an element's place is not seen") {
  const std::string tree = "<template shadowrootmode=open>x</template>";
  for (const std::string host : {"ul", "b", "button", "details", "fieldset", "figure", "form"}) {
    INFO(host);
    CHECK(seen("<" + host + ">" + tree + "<i>a</i></" + host + ">") == "a");
  }
  CHECK(seen("<x-a><template shadowrootmode=open>a</template>" + tree + "</x-a>") == "a");
}

TEST_CASE("style sheets hide and show within their tree alone") {
  const std::string open = "<div><template shadowrootmode=open>", end = "</template></div>";
  const std::string hides = "<style>.c{display:none}</style>";
  const std::string shows = "<style>.c{display:block!important}</style>";
  CHECK(seen(hides + open + "<p class=c>a</p>" + end + "<p class=c>x</p>") == "a");
  CHECK(seen(shows + open + "<p class=c style=display:none>x</p>a" + end) == "a");
  for (const std::string from : {"<template>", "<template shadowrootmode=open>"}) {
    INFO(from);
    const auto within = [&](const std::string& text) { return "<div>" + from + text + end; };
    CHECK(seen(hides + within(shows) + "<p class=c>x</p>a") == "a");
    CHECK(seen(within(hides) + "<p class=c>a</p>") == "a");
  }
}

TEST_CASE("a tree is seen as the style sheets in it say, and those alone") {
  const auto shadow = [](const std::string& inside, const std::string& host = "x-a") {
    return seen("<" + host + "><template shadowrootmode=open>" + inside +
                "</template></x-a><p class=c>a</p>");
  };
  CHECK(shadow("<style>.c{display:none}</style><p class=c>x</p><p>b</p>") == "b a");
  CHECK(shadow("<style>p{display:none}b{color:red}</style><p>x</p><b>b</b>") == "b a");
  CHECK(shadow("<link rel=stylesheet href=a.css><p>b</p>") == "b a");
  CHECK(shadow("<style>.c{display:none}body .c{display:block}</style><p class=c>x</p>") == "a");
  CHECK(shadow("<style>.d .c{display:none}</style><p class=d><b class=c>x</b>b</p>") == "b a");
  CHECK(shadow("b<p><template shadowrootmode=open><style>i{display:none}</style><i>x</i></template>"
               "</p><i>c</i>") == "b c a");
  CHECK(seen("<style>.c{display:none}</style><x-a><template shadowrootmode=open><style>b{color:red}"
             "</style><p class=c>b</p></template></x-a>") == "b");
}

TEST_CASE("a tree's style sheets may hide the element that has it") {
  const auto shadow = [](const std::string& sheet, const std::string& host) {
    return seen("<" + host + "><template shadowrootmode=open><style>" + sheet +
                "</style><p>b</p><p class=c>c</p></template></x-a>a");
  };
  CHECK(shadow(":host{display:block}", "x-a") == "b ca");
  CHECK(shadow(":host{display:none}", "x-a") == "a");
  CHECK(shadow(":host([data-off]){display:none}", "x-a") == "b ca");
  CHECK(shadow(":host([data-off]){display:none}", "x-a data-off") == "a");
  CHECK(shadow(":host(:not([open])) .c{display:none}", "x-a") == "ba");
  CHECK(shadow(":host(:not([open])) .c{display:none}", "x-a open") == "b ca");
  CHECK(shadow(":host .c{display:none}", "x-a") == "ba");
}

TEST_CASE("hidden parts are dropped") {
  CHECK(seen("<p>a</p><p hidden>x</p><p aria-hidden=true>x</p><dialog>x</dialog>"
             "<p class='b sr-only'>x</p><p class=rich-snippet-hidden>x</p><p "
             "style='display:none'>x</p>") == "a");
  CHECK(seen("<p hidden=until-found>a</p><dialog open>b</dialog>") == "a b");
  CHECK(seen("<p>a<span class=wt-screen-reader-only>x</span></p><i class='eds-is-hidden-accessible "
             "b'>x</i>"
             "<p class=sr-only-focusable>b</p><p class=a11y>c</p>") == "a b c");
  CHECK(seen("<p>a<span role=tooltip>x</span></p><p role=note>b</p>") == "a b");
}

TEST_CASE("an old price and the new one are seen, whatever readers of screens are told") {
  CHECK(seen("<p>a <del aria-hidden=true>24.95</del> <span class=screen-reader-text>It was "
             "24.95.</span><ins aria-hidden=true>14.97</ins></p>") == "a 24.95 14.97");
  CHECK(seen("<p>" + visible_prose + "<del hidden>24.95</del></p>") == visible_prose);
}

TEST_CASE("what holds most of the page is shown by scripts, unless it was never to be read") {
  for (const auto* how : {"hidden", "style='opacity:0'", "style='visibility:hidden'",
                          "style='display:none'", "aria-hidden=true"}) {
    INFO(how);
    const auto page = "<p>menu</p><div " + std::string(how) + "><p>" + visible_prose + "</p></div>";
    CHECK(seen(page) == "menu " + visible_prose);
  }
  CHECK(seen("<p>a</p><div style='font-size:0'><p>" + visible_prose + "</p></div>") == "a");
  CHECK(seen("<p>a</p><div class=sr-only><p>" + visible_prose + "</p></div>") == "a");
  CHECK(seen("<p>" + visible_prose + "</p><div hidden><p>" + visible_prose + "</p></div>") ==
        visible_prose);
}

TEST_CASE("a page whose parts wait for scripts one by one is shown by them") {
  const auto parts = [](const char* how) {
    std::string page = "<p>menu</p>";
    for (int i = 0; i < 6; ++i) page += "<div " + std::string(how) + ">" + visible_prose + "</div>";
    return seen(page);
  };
  CHECK(parts("style='visibility:hidden'").ends_with("down."));
  CHECK(parts("class=sr-only") == "menu");
}

TEST_CASE("a part that the server streamed later is shown") {
  const std::string late = "</p><div hidden id='S:0'><p>late</p></div>";
  CHECK(seen("<p>" + visible_prose + "<template id='B:0'></template>" + late) ==
        visible_prose + " late");
  CHECK(seen("<p>" + visible_prose + "<template id='P:0'></template>" + late) ==
        visible_prose + " late");
  // No script knows where to put it.
  CHECK(seen("<p>" + visible_prose + "<template id='B:1'></template>" + late) == visible_prose);
}

TEST_CASE("formulas stay behind their pictures") {
  CHECK(seen("<span aria-hidden=true><math><mi>x</mi></math></span>") == "x");
  CHECK(seen("<p>" + visible_prose + "</p><p hidden>evil <math><mi>x</mi></math> evil</p>") ==
        visible_prose + " x");
}

TEST_CASE(
    "the page's own style sheets hide, unless they are for printers or readers of no scripts") {
  CHECK(seen("<style>.x{display:none}</style><p>" + visible_prose + "</p><p class=x>evil</p>") ==
        visible_prose);
  CHECK(seen("<style media=print>.x{display:none}</style><p>a</p><p class=x>b</p>") == "a b");
  CHECK(seen("<noscript><style>.x{display:none}</style></noscript><p>a</p><p class=x>b</p>") ==
        "a b");
}

TEST_CASE("what a click opens is seen although a sheet closes it") {
  const auto is_seen = [](const std::string& title) {
    const auto text = seen("<style>.accordion-text{display:none}</style><p>a</p>" + title +
                           "<div class=accordion-text>b</div>");
    return text.back() == 'b';
  };
  CHECK(is_seen("<button>More</button>"));
  CHECK(is_seen("<p class=accordion-title>More</p>"));
  // The name alone promises a click on nothing.
  CHECK_FALSE(is_seen(""));
  CHECK_FALSE(is_seen("<button hidden>More</button>"));
  CHECK_FALSE(is_seen("<button style='opacity:0'>More</button>"));
}

TEST_CASE("what a sheet shows in another state is seen where something seen brings that about") {
  const auto is_seen = [](const std::string& rules, const std::string& before) {
    const auto text = seen("<style>" + rules + "</style><p>" + visible_prose + "</p>" + before +
                           "<div class=x>b</div>");
    return text.back() == 'b';
  };
  const std::string closed = ".x{display:none}.x.on{display:block}";
  CHECK(is_seen(closed, "<button>More</button>"));
  CHECK_FALSE(is_seen(closed, ""));
  CHECK_FALSE(is_seen(closed, "<button hidden>More</button>"));
  // Scrolling to it is enough.
  CHECK(is_seen(".x{opacity:0}.x.on{opacity:1}", ""));
}

TEST_CASE("panels that a tab or a switch opens are seen, menus and dialogs are not") {
  const auto rest = "<p>" + visible_prose + visible_prose + visible_prose + visible_prose + "</p>";
  const std::string tab_panel = "<div role=tabpanel aria-hidden=true>x = 1</div>";
  CHECK(seen("<b role=tab>Sums</b>" + rest + tab_panel).ends_with("down. x = 1"));
  CHECK(seen("<b role=tab hidden>Sums</b>" + rest + tab_panel).ends_with("down."));
  CHECK(seen(rest + tab_panel).ends_with("down."));
  const auto panel = [&](const std::string& inside) {
    return seen(rest + "<a href=# aria-expanded=false aria-controls=p>Why?</a><div id=p hidden>" +
                inside + "</div>");
  };
  CHECK(panel("<p>Because: " + visible_prose + "</p>").ends_with("Why? Because: " + visible_prose));
  CHECK(panel("<ul><li><a href=/a>Tides</a><li><a href=/b>Towers</a></ul>").ends_with("Why?"));
  CHECK(seen(rest + "<div id=p hidden><p>" + visible_prose + "</p></div>").ends_with("down."));
}

TEST_CASE(
    "a region that is opened needs no prose, and a link that readers of screens skip is seen") {
  const auto rest = "<p>" + visible_prose + visible_prose + visible_prose + visible_prose + "</p>";
  const auto sizes = "<dl><dt>Height<dd>12 m<dt>Range<dd>9 m</dl>";
  const auto part = [&](const std::string& title, const std::string& body) {
    return seen(rest + "<div>" + title + "<div " + body + ">" + sizes + "</div></div>")
        .ends_with("9 m");
  };
  CHECK(part("<h3><button>Sizes</button></h3>", "role=region style='display:none'"));
  CHECK(part("<b aria-controls=p>Sizes</b>", "id=p role=region hidden"));
  CHECK_FALSE(part("<h3>Sizes</h3>", "role=region hidden"));
  CHECK_FALSE(part("<h3><button>Sizes</button></h3>", "hidden"));
  CHECK(seen("<p>a</p><a href=/b aria-hidden=true tabindex=-1>b</a>") == "ab");
  CHECK(seen("<p>a</p><a href=/b aria-hidden=true style='display:none'>b</a>") == "a");
}

TEST_CASE("a part that a link or a button names as what it opens is seen") {
  const auto rest = "<p>" + visible_prose + visible_prose + visible_prose + visible_prose + "</p>";
  const auto is_seen = [&](const std::string& opener) {
    return seen(rest + "<p>" + opener +
                "</p><div id=p style='display:none'><p>Because: " + visible_prose + "</p></div>")
        .ends_with("Because: " + visible_prose);
  };
  CHECK(is_seen("<a href='#p'>Why?</a>"));
  CHECK(is_seen("<b data-target='#p' data-toggle=collapse>Why?</b>"));
  CHECK(is_seen("<b data-bs-target='#p' data-bs-toggle=pill>Why?</b>"));
  CHECK_FALSE(is_seen("<a href='#p' data-toggle=modal>Why?</a>"));
  CHECK_FALSE(is_seen("<b data-bs-target='#p' data-bs-toggle=offcanvas>Why?</b>"));
  CHECK_FALSE(is_seen("<a href='#q'>Why?</a>"));
}

TEST_CASE("panes below a row of as many names are seen, whatever they hold") {
  const auto rest = "<p>" + visible_prose + visible_prose + visible_prose + visible_prose + "</p>";
  const auto is_seen = [&](const std::string& names, const std::string& last) {
    return seen(rest + "<div><div>" + names + "</div></div><div><div class='pane on'>Deep</div>" +
                "<div class=pane style='display:none'><table><tr><th>Height<td>12 m</table></div>" +
                last + "</div>")
        .ends_with("12 m");
  };
  CHECK(is_seen("<b class='tab on'>About</b><b class=tab>Sizes</b><a href=/b>All</a>", ""));
  CHECK_FALSE(is_seen("<b class=tab>Sizes</b>", ""));
  CHECK_FALSE(is_seen("<b>About</b><b>Sizes</b>", ""));
  CHECK_FALSE(is_seen("<b class='tab on'>About</b><b class=tab>Sizes</b>", "<img alt=x src=y>"));
  CHECK_FALSE(
      is_seen("<p class=x>" + visible_prose + "</p><p class=x>" + visible_prose + "</p>", ""));
}

TEST_CASE("a part with a title that opens it is seen, however the page ties the two together") {
  const auto rest = "<p>" + visible_prose + visible_prose + visible_prose + visible_prose + "</p>";
  const auto answer = "<p>Because: " + visible_prose + "</p>";
  const auto links = "<ul><li><a href=/a>Tides</a><li><a href=/b>Towers</a></ul>";
  const auto part = [&](const std::string& title, const std::string& body,
                        const std::string& inside) {
    const auto page = rest + "<div>" + title + "<div " + body + ">" + inside + "</div></div>";
    return seen(page).substr(rest.size() - std::string("<p></p>").size());
  };
  struct row {
    std::string title, body;
    bool opens;
  };
  const row rows[] = {
      {"<h3><button>Why is that?</button></h3>", "style='display:none'", true},
      {"<div role=button>Why is that?</div>", "aria-hidden=true", true},
      {"<p><a aria-expanded=false>Why is that?</a></p>", "style='visibility:hidden'", true},
      {"<h3>Why is that?</h3>", "role=region style='display:none'", false},
      {"<h3><button hidden>Why is that?</button></h3>", "hidden", false},
      {"<h3><b style='opacity:0'><button>Why is that?</button></b></h3>", "hidden", false},
      {"<b aria-controls=p>Why is that?</b>", "id=p style='display:none'", true},
      {"<b aria-controls=p hidden>Why is that?</b>", "id=p style='display:none'", false},
      {"<h3>Why is that?</h3>", "style='display:none'", false},
      {"<h3>Why is that?</h3>", "style='opacity:0;transform:translateY(30px)'", true},
      {"<h3>Why is that?</h3>", "style='opacity:0;transform:none'", false},
      {"<h3>Why is that?</h3>", "style='opacity:0;transform:scale(0)'", false},
      {"<h3>Why is that?</h3>", "style='opacity:0'", false},
      // A switch in a text is no title; a word or two on a button open what is no text.
      {"<p><button>Why?</button> " + visible_prose + visible_prose + "</p>", "hidden", false},
      {"<button>x</button>", "hidden", false},
  };
  for (const auto& one : rows) {
    CAPTURE(one.title, one.body);
    CHECK(part(one.title, one.body, answer).ends_with("Because: " + visible_prose) == one.opens);
    CHECK_FALSE(part(one.title, one.body, links).ends_with("Towers"));
  }
}

TEST_CASE("an animation that never shows something hides it") {
  const auto told = [](const std::string& animation, const std::string& steps) {
    return seen("<style>@keyframes go{" + steps + "}</style><p>" + visible_prose +
                "</p><p style='animation:" + animation + "'>x</p>") != visible_prose;
  };
  const std::string always = "from{opacity:0}50%{opacity:0}to{opacity:0}";
  CHECK_FALSE(told("go 1s infinite", always));
  CHECK_FALSE(told("go 99999s", always));
  CHECK(told("go 1s", always));
  CHECK(told("go 1s infinite", "from{opacity:0}50%{opacity:1}to{opacity:0}"));
  CHECK(told("go 1s infinite", "from{opacity:0}"));
  CHECK_FALSE(told("go 1s paused", "from{opacity:0}"));
  CHECK(told("go 1s paused", "to{opacity:0}"));
  CHECK_FALSE(told("go 1s 9999s backwards", "from{opacity:0}"));
  CHECK(told("go 1s 9999s", "from{opacity:0}"));
  CHECK_FALSE(told("go 1s 2 alternate forwards", "from{opacity:0}"));
  CHECK(told("go 1s 1.5 forwards", "to{opacity:0}"));
}

TEST_CASE("what lies under a box with a ground is not seen, what is raised above it is") {
  const std::string ground = "position:absolute;inset:0;background:#fff";
  const auto around = [&](const std::string& inside) {
    const auto all =
        seen("<p>" + visible_prose + "</p><div style=position:relative>" + inside + "</div>");
    return all == visible_prose ? "" : all.substr(visible_prose.size() + 1);
  };
  CHECK(around("<p>x</p><div style='" + ground + "'>a</div>") == "a");
  CHECK(around("<div style='" + ground + "'></div>x") == "");
  CHECK(around("<div style='" + ground + "'></div><p style=position:relative>a</p>") == "a");
  CHECK(around("<p style='position:relative;z-index:2'>a</p><div style='" + ground +
               ";z-index:1'></div>") == "a");
  CHECK(around("<p>a</p><div style='" + ground + ";opacity:.4'></div>") == "a");
  CHECK(around("<p>a</p><div style='" + ground + ";z-index:-1'></div>") == "a");
  // What other sheets raise nobody knows.
  CHECK(seen("<link rel=stylesheet href=a.css><div style=position:relative><p>a</p><div style='" +
             ground + "'></div></div>") == "a");
}
