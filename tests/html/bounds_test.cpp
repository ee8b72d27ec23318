#include <catch2/catch.hpp>
#include <html/bounds.hpp>
#include <string>

using namespace freshet;

namespace {

std::string bounded(const std::string& text, std::size_t warnings = 0) {
  html::bounded_input made;
  html::bound_input(text, made);
  CHECK(made.warnings.size() == warnings);
  return std::string(made.text);
}

std::string times(std::string_view unit, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += unit;
  return out;
}

}  // namespace

TEST_CASE("a page within the limits is handed on as it is, without a copy") {
  const std::string text =
      "<!doctype html><html><head><title><b></title><script><div></script></head><body>"
      "<p>a<b>b<i>c</b>d</i><table><tr><td>x<td>y</table><svg><path/><g><title>t</title></g></svg>"
      "<select><option>a<option>b</select><textarea><div></textarea>";
  html::bounded_input made;
  html::bound_input(text, made);
  CHECK(made.text.data() == text.data());
  CHECK(made.text.size() == text.size());
  CHECK(made.warnings.empty());
}

TEST_CASE("start tags beyond the depth go, with their end tags") {
  const auto out = bounded(times("<div>", 600) + "x" + times("</div>", 600) + "y", 1);
  CHECK(out == times("<div>", 508) + "x" + times("</div>", 508) + "y");
}

TEST_CASE("formatting elements beyond the limit go, with their end tags") {
  const auto out = bounded(times("<b id=a>", 20) + "x" + times("</b>", 20), 1);
  CHECK(out == times("<b id=a>", 16) + "x" + times("</b>", 16));
  // Cells are a new beginning.
  CHECK_FALSE(bounded("<table><tr>" + times("<td><b>x", 100)).empty());
}

TEST_CASE("what is text to the parser is not counted") {
  for (const std::string around : {"script", "style", "textarea", "title", "xmp", "iframe"}) {
    INFO(around);
    const auto text = "<" + around + ">" + times("<div>", 600) + "</" + around + ">";
    CHECK(bounded(text) == text);
  }
  const auto plaintext = "<plaintext>" + times("<div>", 600);
  CHECK(bounded(plaintext) == plaintext);
}

TEST_CASE("what only looks like text is counted") {
  bounded("<svg><title>" + times("<x>", 600), 1);
  bounded("<svg><style>" + times("<x>", 600), 1);
  bounded("<select><xmp><input>" + times("<x>", 600), 1);
}

TEST_CASE("tags that never end and long end tags are taken out") {
  CHECK(bounded("a<b c='d") == "a");
  CHECK(bounded("<p>a</p " + times("x ", 50) + ">b") == "<p>a</p>b");
}
