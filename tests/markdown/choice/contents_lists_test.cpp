// Lists of all pages of a manual beside the few lines that one of them has.
#include <catch2/catch.hpp>
#include <html/document.hpp>
#include <markdown/choice/contents_lists.hpp>
#include <markdown/tree/tree.hpp>
#include <string>
#include <string_view>

namespace freshet::markdown {

namespace {

const std::string text =
    "<h2>3.7 Gauge</h2><p>A gauge says how high the water stands. It is read at noon, and at low "
    "tide once more.</p>";

/// A list of links, one of which may be of its own kind.
std::string list_of(int links, const std::string& one = "", const std::string& tag = "ul") {
  const std::string item = tag == "ul" ? "li" : "span";
  std::string out = "<" + tag + ">" + one;
  for (int i = 0; i < links; ++i) {
    const auto name = std::to_string(i);
    out += "<" + item + "><a href=p" + name + ".html>Page " + name + "</a></" + item + ">";
  }
  return out + "</" + tag + ">";
}

const std::string itself = "<li><a href=gauge.html>3.7 <b>Gauge</b></a>";

bool keeps(const std::string& page, std::string_view path = "") {
  const auto parsed = html::parse(page);
  page_tree tree(parsed);
  drop_contents_lists(tree, path);
  return tree.text_of(tree.body()).find("Page 7") != std::string::npos;
}

}  // namespace

TEST_CASE("a list of contents that names the page goes") {
  CHECK_FALSE(keeps(text + list_of(99, itself)));
  CHECK_FALSE(keeps(list_of(99, "<li>3.7 Gauge<ul><li><a href=x>Top</a></ul>") + text));
  CHECK_FALSE(keeps(text + list_of(99, "<b>7 Gauge</b>", "div")));
  CHECK(keeps(text + list_of(99)));
  CHECK(keeps(text + list_of(99, "<li><a href=x>Gauges</a>")));
}

TEST_CASE("a list of contents that leads to the page goes") {
  CHECK_FALSE(keeps(text + list_of(99), "/tides/p9.html"));
  CHECK_FALSE(keeps(text + list_of(99, "<li><a href=/tides/water#x>Water</a>"), "/tides/water"));
  CHECK_FALSE(
      keeps(text + list_of(99, "<li><a href=https://a.example/tides/water>x</a>"), "/tides/water"));
  CHECK(keeps(text + list_of(99), "/tides/other.html"));
  // Every menu leads to the address of its site, and a box of links is no list.
  CHECK(keeps(text + list_of(99, "<li><a href=/>Home</a>"), "/"));
  CHECK(keeps(text + list_of(99, "", "div"), "/tides/p9.html"));
}

TEST_CASE("lists that a page is made of stay") {
  CHECK(keeps("<h2>Gauge</h2>" + list_of(99, itself)));
  CHECK(keeps(text + list_of(20, itself)));
  // A longer text beside it is what the page is about, and the list may be a part of it.
  CHECK(keeps(text + text + text + text + text + text + text + text + list_of(40, itself)));
  // Of cards with pictures, of parts with headings, and of what is told and not linked to.
  std::string cards = "<ul>" + itself, parts = "<div>" + itself, told = "<ul>" + itself;
  for (int i = 0; i < 50; ++i) {
    cards += "<li><a href=a>Page " + std::to_string(i) + "</a><img src=b alt=c>";
    parts += "<h3><a href=a>Page " + std::to_string(i) + "</a></h3>";
    told += "<li>It rose a little more on that day. <a href=a>Page " + std::to_string(i) + "</a>";
  }
  CHECK(keeps(text + cards + "</ul>"));
  CHECK(keeps(text + parts + "</div>"));
  CHECK(keeps(text + told + "</ul>"));
}

}  // namespace freshet::markdown
