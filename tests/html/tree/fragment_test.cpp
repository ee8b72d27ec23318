#include <catch2/catch.hpp>
#include <html/document.hpp>

using namespace freshet;

TEST_CASE("the text of a fragment") {
  CHECK(html::plain_text("<p>Hello <b>world</b></p><p>Second</p>") == "Hello world\n\nSecond");
  CHECK(html::plain_text("a<br>b<br/><br />c") == "a\nb\n\nc");
  CHECK(html::plain_text("  a \n\t b  ") == "a b");
  CHECK(html::plain_text("<ul><li>a</li><li>b</li></ul>") == "a\nb");
  CHECK(html::plain_text("Tom &amp; Jerry &lt;3 &#8364; &nbsp;x") ==
        "Tom & Jerry <3 \xE2\x82\xAC \xC2\xA0x");
  CHECK(html::plain_text("a<script>var x = '<p>';</script>b<style>p{}</style>c") == "abc");
  CHECK(html::plain_text("a <!-- not this --> b") == "a b");
  CHECK(html::plain_text("1 < 2 and <notatag x='>'>3") == "1 < 2 and 3");
  CHECK(html::plain_text("e\xCC\x81") == "\xC3\xA9");
  CHECK(html::plain_text("").empty());
  CHECK(html::plain_text("<span class=\"invisible\">https://</span>x") == "https://x");
}

TEST_CASE("the links of a fragment") {
  const auto links = html::link_targets(
      "<a href=\"https://example.org/a?x=1&amp;y=2\">a</a> <a href='/relative'>b</a>"
      "<A CLASS=x HREF=http://example.org/c>c</A><a href='mailto:a@b'>d</a><a>e</a>"
      "<link href='https://example.org/no'><!-- <a href='https://example.org/no'> -->");
  REQUIRE(links.size() == 2);
  CHECK(links[0] == "https://example.org/a?x=1&y=2");
  CHECK(links[1] == "http://example.org/c");
}

TEST_CASE("character references alone") {
  CHECK(html::decode_entities("<b>&amp;lt;</b> &copy 2026 &unknown; & &#x1F30A;&#0;&#128;") ==
        "<b>&lt;</b> \xC2\xA9 2026 &unknown; & \xF0\x9F\x8C\x8A\xEF\xBF\xBD\xE2\x82\xAC");
  CHECK(html::decode_entities("&") == "&");
  CHECK(html::decode_entities("&#;&#x;&;") == "&#;&#x;&;");
  CHECK(html::decode_entities("&NotEqualTilde;") == "\xE2\x89\x82\xCC\xB8");
  CHECK(html::decode_entities("&CounterClockwiseContourIntegral;") == "\xE2\x88\xB3");
  CHECK(html::decode_entities("&#99999999999;") == "\xEF\xBF\xBD");
}
