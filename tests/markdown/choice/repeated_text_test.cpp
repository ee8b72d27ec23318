// Text that a page holds twice, for two widths of screen.
#include <catch2/catch.hpp>
#include <markdown/choice/repeated_text.hpp>
#include <string>

using namespace freshet::markdown;
namespace html = freshet::html;

namespace {

const std::string text =
    "The gauge at the harbour has been read every hour since the pier was built by the fishermen.";

std::string once(const std::string& body, repeated what = repeated::lines) {
  const auto page = html::parse("<body>" + body);
  page_tree tree(page);
  drop_repeated_text(tree, {tree.body()}, what);
  tree.count();
  return tree.text_of(tree.body());
}

}  // namespace

TEST_CASE("a box that says what another has said goes, however it is built") {
  const auto wide = "<div class=wide><h2>Gauge</h2><p>" + text + "</p></div>";
  const auto narrow =
      "<section class=narrow><div><b>Gauge</b> <span>" + text + "</span></div>\n</section>";
  CHECK(once(wide + narrow) == "Gauge " + text);
  CHECK(once(wide + "<p>Between.</p>" + narrow, repeated::boxes) == "Gauge " + text + " Between.");
}

TEST_CASE("lines of prose repeat on purpose, those of a portal do not") {
  const auto line = "<p>" + text + "</p>";
  CHECK(once(line + line, repeated::boxes) == text + " " + text);
  CHECK(once(line + line, repeated::lines) == text);
}

TEST_CASE("quotes, code, tables and short texts stay") {
  const auto quoted = "<div>" + text + "</div><blockquote>" + text + "</blockquote>";
  CHECK(once(quoted) == text + " " + text);
  const auto code = "<pre>" + text + "</pre><pre>" + text + "</pre>";
  CHECK(once(code) == text + " " + text);
  const auto row = "<tr><td>" + text + "</td></tr>";
  CHECK(once("<table>" + row + row + "</table>") == text + " " + text);
  CHECK(once("<div>Tides</div><div>Tides</div>") == "Tides Tides");
}

TEST_CASE("a wrapper is no twin of what it holds, and order matters") {
  CHECK(once("<div><div><p>" + text + "</p></div></div>") == text);
  const std::string other =
      "Nobody knows who wrote the first number down, or in which year it was.";
  const auto both = "<div><p>" + text + "</p><p>" + other + "</p></div>";
  CHECK(once("<div>" + text + "</div><div>" + other + "</div>", repeated::boxes) ==
        text + " " + other);
  CHECK(once(both + "<ul><li>" + other + "</li><li>" + text + "</li></ul>", repeated::boxes) ==
        text + " " + other + " " + other + " " + text);
}

TEST_CASE("a line that is said three times is said on purpose") {
  const auto line = "<div><div>" + text + "</div></div>";
  CHECK(once(line + line, repeated::boxes) == text);
  CHECK(once(line + line + line, repeated::boxes) == text + " " + text + " " + text);
}
