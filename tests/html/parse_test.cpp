#include <algorithm>
#include <catch2/catch.hpp>
#include <html/document.hpp>
#include <string>
#include <support/sanitized.hpp>

using namespace freshet;

namespace {

std::string repeat(std::string_view text, std::size_t bytes) {
  std::string out;
  while (out.size() < bytes) out += text;
  return out;
}

/// The tree as "div(p(#a),br)".
std::string outline(const html::document& page, html::node_id root) {
  std::string out;
  html::node_id at = page.at(root).first_child;
  while (at != html::none) {
    const auto& one = page.at(at);
    if (one.previous != html::none) out += ',';
    if (one.type == html::node_type::text) out += "#" + std::string(one.text);
    if (one.type == html::node_type::comment) out += "!" + std::string(one.text);
    if (one.type == html::node_type::element) out += std::string(one.name);
    if (one.first_child != html::none) {
      out += '(';
      at = one.first_child;
      continue;
    }
    while (at != root && page.at(at).next == html::none) {
      at = page.at(at).parent;
      if (at == root) return out;
      out += ')';
    }
    at = page.at(at).next;
  }
  return out;
}

html::node_id find(const html::document& page, std::string_view name) {
  for (auto at = page.root(); at != html::none; at = page.next_in_order(at, page.root())) {
    if (page.at(at).type == html::node_type::element && page.at(at).name == name) return at;
  }
  return html::none;
}

std::string body_of(std::string_view text) {
  const auto page = html::parse(text);
  CHECK(page.warnings.empty());
  return outline(page, find(page, "body"));
}

std::size_t depth_of(const html::document& page) {
  std::size_t deepest = 0;
  std::vector<std::size_t> depth(page.size(), 0);
  for (html::node_id at = 1; at < page.size(); ++at) {
    depth[at] = depth[page.at(at).parent] + 1;
    deepest = std::max(deepest, depth[at]);
  }
  return deepest;
}

}  // namespace

TEST_CASE("a page becomes a tree as the standard says") {
  const auto page = html::parse("<!doctype html><title>T</title><p id=a class='b c'>x<p>y");
  CHECK(page.at(1).type == html::node_type::doctype);
  CHECK(outline(page, page.root()) == ",html(head(title(#T)),body(p(#x),p(#y)))");
  const auto p = find(page, "p");
  CHECK(page.attribute_of(p, "id") == "a");
  CHECK(page.attribute_of(p, "class") == "b c");
  CHECK(page.attribute_of(p, "style").empty());
  CHECK(page.has_attribute(p, "id"));
  CHECK_FALSE(page.has_attribute(p, "style"));
}

TEST_CASE("what browsers repair is repaired") {
  CHECK(body_of("<p>a<b>b<p>c</b>d") == "p(#a,b(#b)),p(b(#c),#d)");
  CHECK(body_of("<ul><li>a<li>b</ul>") == "ul(li(#a),li(#b))");
  CHECK(body_of("<table><td>a<td>b<tr><td>c</table>") ==
        "table(tbody(tr(td(#a),td(#b)),tr(td(#c))))");
  CHECK(body_of("<table>x<tr><td>a</table>") == "#x,table(tbody(tr(td(#a))))");
  CHECK(body_of("a&amp;b &eacute; &notit; &#x41;") == "#a&b \xC3\xA9 \xC2\xACit; A");
  CHECK(body_of("<svg><path/><path/></svg>x") == "svg(path,path),#x");
  CHECK(body_of("<x-card><b>a</b></x-card>") == "x-card(b(#a))");
}

TEST_CASE("namespaces and adjusted attributes are kept") {
  const auto page = html::parse("<svg><a xlink:href='#x'/></svg><math><mi>x</mi></math>");
  const auto a = find(page, "a");
  CHECK(page.at(a).space == html::element_space::svg);
  CHECK(page.attribute_of(a, "xlink:href") == "#x");
  CHECK(page.at(find(page, "mi")).space == html::element_space::math);
}

TEST_CASE("scripting is off: noscript is markup") {
  const auto page = html::parse("<body><noscript><p>x</p></noscript>");
  CHECK(find(page, "p") != html::none);
}

TEST_CASE("what reads as text inside a noscript ends with it, as where scripts run") {
  for (const char* inner : {"<iframe src=x />", "<iframe>", "<style>", "<script>", "<script><!--",
                            "<textarea>", "<title>", "<noembed>"}) {
    INFO(inner);
    for (const char* before : {"", "<body>", "<body><div><p>"}) {
      const auto text = before + ("<noscript>" + std::string(inner)) + "</noscript><h2>seen</h2>";
      const auto page = html::parse(text);
      const auto heading = find(page, "h2");
      REQUIRE(heading != html::none);
      CHECK(page.at(page.at(heading).first_child).text == "seen");
      for (auto above = page.at(heading).parent; above != html::none; above = page.at(above).parent)
        CHECK_FALSE(page.is_element(above, html::tag_id::noscript));
      CHECK(find(html::parse(text, nullptr, html::raw_text_end::standard), "h2") == html::none);
    }
  }
}

TEST_CASE("many unclosed paragraphs, items and cells are no nesting") {
  for (const char* text : {"<p>a", "<ul><li>a</ul>", "<option>a", "<b>x</b>", "<br>"}) {
    const auto page = html::parse(repeat(text, 40'000));
    CHECK(page.warnings.empty());
    CHECK(page.size() > 5'000);
  }
  const auto items = html::parse("<ul>" + repeat("<li>a", 20'000));
  CHECK(items.warnings.empty());
  const auto cells = html::parse("<table>" + repeat("<tr><td>a<p>b<td>c", 20'000));
  CHECK(cells.warnings.empty());
  const auto paths = html::parse("<svg>" + repeat("<path d='M0'/>", 20'000));
  CHECK(paths.warnings.empty());
  const auto links = html::parse(repeat("<a href=x>a", 20'000));
  CHECK(links.warnings.empty());
}

TEST_CASE("hostile inputs are cut and take work that is linear in them") {
  struct hostile {
    const char* what;
    std::string before, unit;
  };
  const hostile inputs[] = {
      {"div", "", "<div>"},
      {"b", "", "<b>"},
      {"b with attributes", "", "<b class=a><b class=b><b id=c>"},
      {"b in p", "", "<p><b id=a><i><u><s><em><tt>"},
      {"table", "", "<table>"},
      {"table in cell", "", "<table><tr><td>"},
      {"text before table", "<table>", "x<b>y"},
      {"misnested", "", "<b><div></b>"},
      {"misnested a", "", "<a><div><b><p></a>"},
      {"end tags", "<div><div><div><div>", "</p></b></x>"},
      {"deep end tags", repeat("<div>", 2000), "</x>"},
      {"dl", "", "<dl><dt><dd>"},
      {"select", "", "<select><option>"},
      {"svg", "<svg>", "<g>"},
      {"foreign", "", "<svg><desc><math><mi>"},
      {"foreign title", "<svg><title>", "<x>"},
      {"hidden in a select", "<select><xmp><input>", "<x>"},
      {"hidden in annotations", "<math><annotation-xml encoding=text/html>", "<x/>"},
      {"template", "", "<template>"},
      {"ruby", "", "<ruby><rb><rtc>"},
      {"button", "", "<button>"},
      {"form", "", "<form><fieldset>"},
      {"html", "", "<html a=b><body c=d>"},
      {"comments", "", "<!--x--><?y?><!z>"},
      {"unterminated", "", "<a b='"},
      {"ampersands", "", "&&amp&notanentity"},
      {"less than", "", "<"},
      {"nobr", "", "<nobr><p>"},
      {"frameset", "", "<frameset>"},
      {"odd quotes", "", "<a =\"><div>"},
  };
  const std::size_t bytes = test::cases<std::size_t>(100'000, 100'000, 20'000);
  for (const auto& one : inputs) {
    INFO(one.what);
    const auto small = one.before + repeat(one.unit, bytes);
    const auto page = html::parse(small);
    CHECK(depth_of(page) <= html::max_depth + 1);
    // Nodes are bounded by the input, so that nothing grows faster than what was sent.
    CHECK(page.size() < 20 * small.size());
    const auto large = html::parse(one.before + repeat(one.unit, 10 * bytes));
    CHECK(large.work <= 12 * page.work);
    CHECK(large.size() <= 12 * page.size());
  }
}

TEST_CASE("floods of attributes are cut") {
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += " a" + std::to_string(i) + "=1";
  const auto page = html::parse("<p" + many + ">x</p" + many + "><i" + many);
  const auto p = find(page, "p");
  CHECK(page.at(p).attribute_count == html::max_attributes_per_element);
  CHECK(page.attribute_of(p, "a255") == "1");
  REQUIRE(page.warnings.size() == 1);
  CHECK(page.warnings[0].find("attributes") != std::string::npos);
}

TEST_CASE("text beyond the depth limit is kept") {
  const auto page =
      html::parse(repeat("<div>", 10'000) + "deep" + repeat("</div>", 10'000) + "end");
  REQUIRE(page.warnings.size() == 1);
  std::string text;
  for (auto at = page.root(); at != html::none; at = page.next_in_order(at, page.root())) {
    if (page.at(at).type == html::node_type::text) text += page.at(at).text;
  }
  CHECK(text == "deepend");
}

TEST_CASE("any bytes give a page") {
  CHECK(html::parse("").size() > 1);
  CHECK(html::parse("<").size() > 1);
  CHECK(html::parse("</").size() > 1);
  CHECK(html::parse("<!--").size() > 1);
  CHECK(html::parse(std::string_view("a\0<b\0>", 6)).size() > 1);
  CHECK(html::parse("\xff\xfe<p>").size() > 1);
}

TEST_CASE("a doctype keeps its identifiers") {
  const auto page = html::parse("<!DOCTYPE HTML PUBLIC '-//A' \"b\">");
  CHECK(page.at(1).name == "html");
  CHECK(page.attribute_of(1, "public") == "-//A");
  CHECK(page.attribute_of(1, "system") == "b");
  CHECK_FALSE(html::parse("<!doctype html>").has_attribute(1, "public"));
}

TEST_CASE("in quirks mode a table stays in its paragraph") {
  CHECK(body_of("<p>a<table></table>") == "p(#a,table)");
  const auto page = html::parse("<!doctype html><p>a<table></table>");
  CHECK(outline(page, find(page, "body")) == "p(#a),table");
}

TEST_CASE("a template's content is below it") {
  CHECK(body_of("x<template><tr><td>y</template>z") == "#x,template(tr(td(#y))),#z");
}

TEST_CASE("pieces of text become one node, whatever stands between them") {
  std::string pieces, expected;
  for (int i = 0; i < 10'000; ++i) {
    pieces += "ab";
    pieces += '\0';
    expected += "ab";
  }
  CHECK(body_of(pieces) == "#" + expected);
  CHECK(body_of("<table>a<tr>b<tr>c</table>") == "#abc,table(tbody(tr,tr))");
  CHECK(body_of("a&lt;b&#99;") == "#a<bc");
}

TEST_CASE("newlines are normalised, and the first one of pre and textarea is dropped") {
  CHECK(body_of("a\r\nb\rc\n\rd") == "#a\nb\nc\n\nd");
  CHECK(body_of("<pre>\r\n\r\nx</pre>") == "pre(#\nx)");
  CHECK(body_of("<textarea>\n\nx</textarea>") == "textarea(#\nx)");
}

TEST_CASE("numbers are in document order, also where nodes were moved") {
  for (const char* text :
       {"<table>a<b>c<tr><td>d</table>e", "<b><p>a</b>b", "<a><div><a>x</a>y</div>z",
        "<p></body><!--x--><p>y</html><!--z--><p>", "<table><a>1<p>2</a>3</p>", "<svg><p>x</svg>",
        "</head><!--a--><title>b</title> c", "a<frameset>"}) {
    INFO(text);
    const auto page = html::parse(text);
    html::node_id expected = 0;
    for (auto at = page.root(); at != html::none; at = page.next_in_order(at, page.root())) {
      CHECK(at == expected++);
    }
    CHECK(expected == page.size());
  }
}

TEST_CASE("a select shows the option chosen last, but copies nothing twice") {
  CHECK(body_of("<select><button><selectedcontent></button><option>a<option selected>b<i>c") ==
        "select(button(selectedcontent(#b,i(#c))),option(#a),option(#b,i(#c)))");
  CHECK(body_of("<select multiple><button><selectedcontent></button><option>a") ==
        "select(button(selectedcontent),option(#a))");
  std::string nested;
  for (int i = 0; i < 100; ++i) {
    nested += "<select><button><selectedcontent></selectedcontent></button><option><object>";
  }
  const auto page = html::parse(nested);
  CHECK(page.size() < 2 * 5 * 100 + 100);
}

TEST_CASE("a fragment is read as what stands inside its element") {
  const auto in = [](std::string_view text, std::string_view context,
                     html::element_space space = html::element_space::html) {
    const auto page = html::parse_fragment(text, context, space);
    return outline(page, page.at(page.root()).first_child);
  };
  CHECK(in("<td>a<td>b", "tr") == "td(#a),td(#b)");
  CHECK(in("<td>a<td>b", "div") == "#ab");
  CHECK(in("<form><p>a</form>b", "form") == "p(#ab)");
  CHECK(in("a<b>c</title>", "title") == "#a<b>c</title>");
  CHECK(in("<path/><p>x", "svg", html::element_space::svg) == "path,p(#x)");
}
