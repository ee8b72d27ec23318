#include <algorithm>
#include <catch2/catch.hpp>
#include <html/select/selector.hpp>
#include <string>

using namespace freshet;

namespace {

const char* const page_text = R"(<!doctype html><body>
<div id=main class="content wide" lang=en-GB><h1>T</h1>
<p class=lead data-kind="Intro">a</p><p>b<a href="/x">c</a></p><p>d<span></span></p>
<ul><li>1<li class=odd>2<li>3<li>4<li>5</ul>
<form><input checked disabled><button>ok</button></form></div>
<aside class="content"><p>e</p></aside>)";

/// The ids that a selector finds, as the text right inside them.
std::string found(std::string_view selector_text) {
  const auto page = html::parse(page_text);
  const auto compiled = html::selector::compile(selector_text, html::selector_functions::all);
  if (!compiled) return "! " + compiled.error().detail();
  std::string out;
  for (const auto id : compiled->select(page, page.root())) {
    const auto beside = compiled->select(page, page.at(id).parent);
    CHECK(std::find(beside.begin(), beside.end(), id) != beside.end());
    const auto child = page.at(id).first_child;
    out += out.empty() ? "" : " ";
    out += child != html::none && page.at(child).type == html::node_type::text &&
                   page.at(child).text.find('\n') == std::string::npos
               ? page.at(child).text
               : page.at(id).name;
  }
  return out;
}

}  // namespace

TEST_CASE("simple selectors") {
  CHECK(found("p") == "a b d e");
  CHECK(found("P.lead") == "a");
  CHECK(found("*|h1") == "T");
  CHECK(found("#main") == "div");
  CHECK(found(".content.wide") == "div");
  CHECK(found("*:root") == "html");
  CHECK(found("h1, a") == "T c");
  CHECK(found("[href]") == "c");
  CHECK(found("[data-kind=Intro]") == "a");
  CHECK(found("[data-kind='intro']").empty());
  CHECK(found("[data-kind='intro' i]") == "a");
  CHECK(found("[data-kind^=In]") == "a");
  CHECK(found("[data-kind$='ro']") == "a");
  CHECK(found("[data-kind*=tr]") == "a");
  CHECK(found("[class~=wide]") == "div");
  CHECK(found("[lang|=en]") == "div");
  CHECK(found("[lang|=en-GB]") == "div");
  CHECK(found("[lang|=e]").empty());
  CHECK(found("[lang|=EN i]") == "div");
  CHECK(found("[data-kind*='TR' i]") == "a");
  CHECK(found("[data-kind$='RO' i]") == "a");
  CHECK(found("[class~='WIDE' i]") == "div");
  CHECK(found("[class*='']").empty());
}

TEST_CASE("combinators") {
  CHECK(found("div p") == "a b d");
  CHECK(found("body > p").empty());
  CHECK(found("div > p > a") == "c");
  CHECK(found("h1 + p") == "a");
  CHECK(found("h1 ~ p") == "a b d");
  CHECK(found(".lead+p>a") == "c");
  CHECK(found("body div ul > li + li ~ li") == "3 4 5");
  CHECK(found("aside p") == "e");
}

TEST_CASE("pseudo-classes") {
  CHECK(found("li:first-child") == "1");
  CHECK(found("li:last-child") == "5");
  CHECK(found("li:nth-child(2n+1)") == "1 3 5");
  CHECK(found("li:nth-child(odd)") == "1 3 5");
  CHECK(found("li:nth-child( even )") == "2 4");
  CHECK(found("li:nth-child(-n+2)") == "1 2");
  CHECK(found("li:nth-last-child(2)") == "4");
  CHECK(found("p:nth-of-type(2)") == "b");
  CHECK(found("p:last-of-type") == "d e");
  CHECK(found("aside > p:only-child") == "e");
  CHECK(found("p:not(:only-child)") == "a b d");
  CHECK(found("h1:only-of-type, aside > p:only-of-type") == "T e");
  CHECK(found("p:nth-last-of-type(1)") == "d e");
  CHECK(found("li:nth-child( +3n - 2 )") == "1 4");
  CHECK(found("li:nth-child(0n+2)") == "2");
  CHECK(found("span:empty") == "span");
  CHECK(found("li:not(.odd)") == "1 3 4 5");
  CHECK(found("li:not(.odd):not(:last-child)") == "1 3 4");
  CHECK(found("li:not(.odd, :first-child)") == "3 4 5");
  CHECK(found("h1:lang(en)") == "T");
  CHECK(found(":link") == "c");
  CHECK(found("input:checked") == "input");
  CHECK(found("input:disabled") == "input");
  CHECK(found("button:enabled") == "ok");
  CHECK(found("a:hover").empty());
}

/// How many elements of a page a selector finds.
std::size_t count_of(const char* selector_text, const char* text) {
  const auto page = html::parse(text);
  const auto compiled = html::selector::compile(selector_text);
  return compiled ? compiled->select(page, page.root()).size() : 1000;
}

TEST_CASE("places among those that a formula chooses") {
  CHECK(found("li:nth-child(1 of .odd)") == "2");
  CHECK(found("p:nth-child(2 of p)") == "b");
  CHECK(found("p:nth-last-child(1 of p)") == "d e");
  CHECK(found("li:nth-child(even of li:not(.odd), ul)") == "3 5");
  CHECK(found("li:not(:nth-child(1 of .odd))") == "1 3 4 5");
  CHECK(found("h1:nth-child(1 of p)").empty());
  const auto page = html::parse(page_text);
  const auto compiled = html::selector::compile("body ul > li:nth-child(1 of .odd)").value();
  base::meter counted;
  const auto chosen = compiled.select(page, page.root());
  REQUIRE(chosen.size() == 1);
  CHECK(compiled.matches(page, chosen.front(), counted));
  CHECK_FALSE(compiled.matches(page, page.at(chosen.front()).parent, counted));
  CHECK_FALSE(html::selector::compile("p:nth-child(1 of :nth-child(1 of p))").has_value());
  CHECK_FALSE(html::selector::compile("p:nth-child(1 of a p)").has_value());
  CHECK_FALSE(html::selector::compile("p:nth-of-type(1 of p)").has_value());
  std::string many = "p";
  for (int i = 0; i < 4; ++i) many += ":nth-child(1 of p)";
  CHECK(html::selector::compile(many).has_value());
  CHECK_FALSE(html::selector::compile(many + ":nth-child(1 of p)").has_value());
}

TEST_CASE("directions come from above") {
  const char* const text = "<div dir=RTL><p>a<p dir=ltr>b<b>c</b><p dir=auto>d<b>e</b></div><p>f";
  CHECK(count_of("p:dir(rtl)", text) == 1);
  CHECK(count_of("p:dir(ltr), b:dir(ltr)", text) == 5);
  CHECK(count_of("div:dir(rtl) > p", text) == 3);
  CHECK(count_of("p:not(:dir(rtl))", text) == 3);
  const auto page = html::parse(text);
  const auto compiled = html::selector::compile("b:dir(ltr)").value();
  base::meter counted;
  CHECK(compiled.matches(page, compiled.select(page, page.root()).front(), counted));
}

TEST_CASE("what is auto runs as its first letter does") {
  CHECK(count_of("p:dir(rtl)", "<p dir=auto>1 \u05d0 a<p dir=auto>a \u05d0<p dir=auto>1") == 1);
  CHECK(count_of("p:dir(rtl)", "<p dir=auto><b dir=ltr>a</b>\u0627") == 1);
  CHECK(count_of("b:dir(rtl)", "<p dir=auto>\u05d0<b>a</b><bdi>a</bdi>") == 1);
  CHECK(count_of("bdi:dir(rtl)", "<bdi>\u05d0</bdi><p dir=rtl><bdi>a</bdi>") == 1);
}

TEST_CASE("what forms say of their fields") {
  CHECK(count_of("input:valid", "<input><input required><input required value=a>") == 2);
  CHECK(count_of("input:invalid",
                 "<input type=email value=a><input type=email value=a@b><input type=url value=a>"
                 "<input type=number value=1.5><input type=number step=any value=1.5>"
                 "<input type=number min=5 value=1><input pattern=a value=b>") == 5);
  CHECK(count_of("input:valid, input:invalid",
                 "<input type=hidden><input readonly required><input pattern='a+' value=b>"
                 "<fieldset disabled><input required></fieldset>") == 0);
  CHECK(count_of("form:invalid, fieldset:valid",
                 "<form><input required></form><form></form><fieldset></fieldset>") == 2);
  CHECK(count_of("p:not(:valid):not(:invalid)", "<p>a") == 1);
  CHECK(count_of("select:invalid",
                 "<select required><option value=''>a</select>"
                 "<select required><option>a</select><select required></select>") == 2);
  CHECK(count_of("input:in-range",
                 "<input type=number max=9><input type=number value=1><input type=range>"
                 "<input type=date min=2020-01-01 value=2021-01-01><input max=9>") == 3);
  CHECK(count_of("input:out-of-range",
                 "<input type=number max=9 value=10><input type=date max=2020-01-01 "
                 "value=2021-01-01><input type=range max=9 value=10>") == 2);
  CHECK(count_of("input:required, p:optional, input:optional",
                 "<input required><input><p required>") == 2);
  CHECK(count_of("input:indeterminate, progress:indeterminate",
                 "<input type=radio name=a><input type=radio name=b><input type=radio name=b "
                 "checked><input type=checkbox><progress></progress><progress value=1>") == 2);
  CHECK(count_of("button:default, input:default",
                 "<form><button type=button></button><button></button><button></button></form>"
                 "<input type=checkbox checked><input>") == 2);
  CHECK(count_of("input:disabled", "<fieldset disabled><input></fieldset><input>") == 1);
}

TEST_CASE("states that a page at rest has") {
  CHECK(count_of("details:open, dialog:open",
                 "<details open></details><details></details><dialog>") == 1);
  CHECK(count_of("p:defined, x-y:defined, x-y:not(:defined)", "<p>a</p><x-y>b</x-y>") == 1);
  CHECK(count_of(":placeholder-shown",
                 "<input placeholder=a><input placeholder=a value=b><textarea placeholder=a>"
                 "b</textarea><textarea placeholder=a></textarea><p placeholder=a>") == 2);
  CHECK(count_of(":read-write",
                 "<input><input type=radio><input readonly><p contenteditable><p>") == 2);
  CHECK(count_of("input:read-only, p:read-only",
                 "<input><input disabled><p contenteditable=false><p>") == 3);
  CHECK(count_of("p:not(:autofill):not(:state(a))", "<p>a") == 1);
}

TEST_CASE("escapes") {
  const auto page = html::parse("<p class='sm:w-1/2' id='1a'>x</p>");
  CHECK(html::selector::compile(".sm\\:w-1\\/2")->select(page, page.root()).size() == 1);
  CHECK(html::selector::compile("#\\31 a")->select(page, page.root()).size() == 1);
}

TEST_CASE("what is not understood is said, with its place") {
  for (const char* wrong : {"",
                            "p >",
                            "> p",
                            "p::before",
                            "p:unknown",
                            "[a",
                            "[a=]",
                            ".",
                            "#",
                            "p,",
                            "p:nth-child(x)",
                            "p:not(:not(a))",
                            "p {",
                            "a[b='c]",
                            "p:not(a.b c)",
                            "p || a",
                            "*|",
                            "*|.a",
                            "*|*|a",
                            ":nth-child(2"}) {
    INFO(wrong);
    const auto compiled = html::selector::compile(wrong);
    REQUIRE_FALSE(compiled.has_value());
    CHECK(compiled.error().code() == errc::invalid_request);
    CHECK(compiled.error().detail().find("position") != std::string::npos);
  }
  std::string many = "a";
  for (int i = 0; i < 70; ++i) many += " a";
  CHECK_FALSE(html::selector::compile(many).has_value());
  CHECK_FALSE(html::selector::compile(std::string(5000, 'a')).has_value());
}

TEST_CASE("matching is bounded by elements times compounds, whatever the selector") {
  std::string text;
  for (int i = 0; i < 400; ++i) text += "<div>";
  for (int i = 0; i < 20'000; ++i) text += "<i></i>";
  const auto page = html::parse(text);
  // With backtracking this would be 400 to the power of 20.
  std::string deep = "x";
  for (int i = 0; i < 20; ++i) deep += " div";
  CHECK(html::selector::compile(deep)->select(page, page.root()).empty());
  CHECK(html::selector::compile("i ~ i ~ i ~ i ~ x")->select(page, page.root()).empty());
  CHECK(html::selector::compile("i:nth-last-child(2n)")->select(page, page.root()).size() ==
        10'000);
}

TEST_CASE("select stays under the node it was given, but sees above it") {
  const auto page = html::parse("<div id=a><p>x</p></div><div id=b><p>y</p></div>");
  const auto b = html::selector::compile("#b")->select(page, page.root()).at(0);
  CHECK(html::selector::compile("p")->select(page, b).size() == 1);
  CHECK(html::selector::compile("#a + #b > p")->select(page, b).size() == 1);
  CHECK(html::selector::compile("#a p")->select(page, b).empty());
}

TEST_CASE("choices, what is not, and what an element has") {
  CHECK(found(":is(h1, .lead)") == "T a");
  CHECK(found("div :where(h1, a)") == "T c");
  CHECK(found("p:is(.lead)") == "a");
  CHECK(found("li:not(.odd, :first-child)") == "3 4 5");
  CHECK(found("p:not(.lead[data-kind])") == "b d e");
  CHECK(found("li:not(:not(.odd))") == "2");
  CHECK(found("p:has(a)") == "b");
  CHECK(found("p:not(:has(*))") == "a e");
  CHECK(found("p:has(> a, > span)") == "b d");
  CHECK(found("p:has(+ ul)") == "d");
  CHECK(found("h1:has(~ form)") == "T");
  CHECK(found("div:has(span) li:has(+ .odd)") == "1");
  CHECK(found("body > :has(h1):is(div)") == "div");
  CHECK(found(":has(:is(h1))").find("div") != std::string::npos);
  CHECK(found("[data-kind='intro' s]").empty());
}

TEST_CASE("what stands in a function is bounded, and said where it is not understood") {
  CHECK(found(":is(a b)") ==
        "! a CSS selector: only tests of one element may stand here at position 7");
  CHECK(found(":has(a:has(b))") == "! a CSS selector: :has inside :has at position 12");
  CHECK(found(":has(:lang(en))") == "! a CSS selector: :lang inside :has at position 12");
  CHECK(found(":is()") == "! a CSS selector: a name is missing at position 5");
  CHECK(found(":is(:is(:is(:is(:is(a)))))").starts_with("! a CSS selector: too many selectors"));
  std::string many = ":is(a";
  for (int i = 0; i < 70; ++i) many += ",a";
  CHECK(found(many + ")").starts_with("! a CSS selector: too many selectors"));
  // As style sheets' rules have them taken apart before.
  CHECK_FALSE(html::selector::compile(":is(a)").has_value());
  CHECK_FALSE(html::selector::compile("p:has(a)").has_value());
  CHECK_FALSE(html::selector::compile("p:not(.a.b)").has_value());
}

TEST_CASE("what elements have is found in one walk, however many ask") {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "<div><p>";
  const auto page = html::parse(text + "<a>");
  const auto compiled = html::selector::compile("div:has(a), p:has(~ a), div:has(> p)",
                                                html::selector_functions::all);
  REQUIRE(compiled.has_value());
  base::meter counted;
  // The square of this takes longer than a test may.
  CHECK_FALSE(compiled->select(page, page.root(), counted).empty());
}
