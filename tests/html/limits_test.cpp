// Every limit of the parser, reached: the page is cut there, says so once, and stays a tree.
#include <catch2/catch.hpp>
#include <html/document.hpp>
#include <html/limits.hpp>
#include <string>

using namespace freshet;

namespace {

std::string times(std::string_view unit, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += unit;
  return out;
}

html::node_id first_element(const html::document& page, html::tag_id tag) {
  for (auto at = page.root(); at != html::none; at = page.next_in_order(at, page.root())) {
    if (page.is_element(at, tag)) return at;
  }
  return html::none;
}

void check_warning(const html::document& page, std::string_view part) {
  REQUIRE(page.warnings.size() == 1);
  CHECK(page.warnings[0].find(part) != std::string::npos);
}

std::string text_of(const html::document& page) {
  std::string text;
  for (html::node_id at = 0; at < page.size(); ++at) {
    if (page.at(at).type == html::node_type::text) text += page.at(at).text;
  }
  return text;
}

}  // namespace

TEST_CASE("tags beyond the depth go in pairs, so that what follows keeps its place") {
  const auto page =
      html::parse("<main>" + times("<div>", 600) + "x" + times("</div>", 600) + "</main><p>y");
  check_warning(page, "deeply");
  const auto p = first_element(page, html::tag_id::p);
  REQUIRE(p != html::none);
  CHECK(page.is_element(page.at(p).parent, html::tag_id::body));
  CHECK(text_of(page) == "xy");
}

TEST_CASE("a table that is too deep is dropped, its text is not") {
  const auto page = html::parse(times("<div>", 600) + "<table><tr><td>x</table>y");
  check_warning(page, "deeply");
  CHECK(first_element(page, html::tag_id::table) == html::none);
  CHECK(text_of(page) == "xy");
}

TEST_CASE("a script ends even where one of SVG was dropped") {
  const auto page = html::parse("<svg>" + times("<g>", 600) + "<script><desc><script>x</script>y");
  check_warning(page, "deeply");
  CHECK(text_of(page).ends_with("y"));
}

TEST_CASE("too many open formatting elements do not reach into the next block") {
  std::string many;
  for (int i = 0; i < 40; ++i) many += "<b id=a" + std::to_string(i) + ">";
  const auto page = html::parse("<p>" + many + "x<p>y");
  check_warning(page, "formatting");
  std::size_t copies = 0;
  for (html::node_id at = 0; at < page.size(); ++at) {
    if (page.is_element(at, html::tag_id::b)) ++copies;
  }
  CHECK(copies == 40 + html::max_open_formatting);
}

TEST_CASE("three formatting elements that are alike are remembered, as the standard says") {
  const auto page = html::parse(
      "<p><b class=x id=y><b id=y class=x><b class=x id=y>"
      "<b class=x id=y><b class=x id=y>1<p>2");
  std::size_t copies = 0;
  for (html::node_id at = 0; at < page.size(); ++at) {
    if (page.is_element(at, html::tag_id::b)) ++copies;
  }
  CHECK(copies == 5 + 3);
  CHECK(page.warnings.empty());
}

TEST_CASE("long names are cut or dropped") {
  const std::string longer(html::max_name_bytes + 1, 'x');
  const auto element = html::parse("<" + longer + ">a</" + longer + ">b");
  check_warning(element, "name");
  CHECK(text_of(element) == "ab");
  const auto attribute = html::parse("<p " + longer + "=1 y=2>");
  check_warning(attribute, "name");
  const auto p = first_element(attribute, html::tag_id::p);
  CHECK(attribute.at(p).attribute_count == 1);
  CHECK(attribute.attribute_of(p, "y") == "2");
}

TEST_CASE("an attribute that comes twice counts once, however many there are") {
  std::string many;
  for (int i = 0; i < 100; ++i) many += " a" + std::to_string(i) + "=1";
  for (int i = 0; i < 100; ++i) many += " A" + std::to_string(i) + "=2";
  const auto page = html::parse("<p" + many + ">");
  const auto p = first_element(page, html::tag_id::p);
  CHECK(page.at(p).attribute_count == 100);
  CHECK(page.attribute_of(p, "a99") == "1");
  CHECK(page.warnings.empty());
}

TEST_CASE("the input and the nodes are bounded") {
  const auto page = html::parse(times("<br>", html::max_input_bytes / 4 + 10));
  REQUIRE(page.warnings.size() == 2);
  CHECK(page.warnings[0].find("too large") != std::string::npos);
  CHECK(page.warnings[1].find("too many elements") != std::string::npos);
  CHECK(page.size() < html::max_nodes + 64);
}

TEST_CASE("attributes of repeated html and body tags are merged up to the limit") {
  std::string text;
  for (int i = 0; i < 400; ++i) text += "<html h" + std::to_string(i) + "><body b0=x b1>";
  const auto page = html::parse(text);
  check_warning(page, "attributes");
  CHECK(page.at(first_element(page, html::tag_id::html)).attribute_count ==
        html::max_attributes_per_element);
  const auto body = first_element(page, html::tag_id::body);
  CHECK(page.at(body).attribute_count == 2);
  CHECK(page.attribute_of(body, "b0") == "x");
}
