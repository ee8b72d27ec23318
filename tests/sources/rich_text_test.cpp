#include <catch2/catch.hpp>
#include <sources/exchange.hpp>
#include <sources/rich_text.hpp>

using namespace freshet;

namespace {

forum_post read(std::string_view html) {
  forum_post out;
  sources::read_rich_text(html, "https://forum.example/t/x/1", out);
  return out;
}

}  // namespace

TEST_CASE("A body of HTML gives its text, its links and its pictures") {
  const auto one = read(
      "<p>High &amp; <b>dry</b>, <a href='/u/ada'>Ada</a> and <a href=\"//a.example/x?y=1\">x</a>, "
      "<a href='#top'>up</a>, <a href='javascript:alert(1)'>no</a>, <a href='/u/ada'>again</a></p>"
      "<div><img src='/i.png' alt=' a  tide ' width=640 height='4x'><img class='emoji' "
      "src='/e.png'>"
      "<img src='data:image/png;base64,x'><img src='/i.png'></div>");
  CHECK(one.text.starts_with("High & dry, Ada and x"));
  CHECK(one.links ==
        std::vector<std::string>{"https://forum.example/u/ada", "https://a.example/x?y=1"});
  REQUIRE(one.media.size() == 1);
  CHECK(one.media[0].url == "https://forum.example/i.png");
  CHECK(one.media[0].alt == "a  tide");
  CHECK(one.media[0].width == 640);
  CHECK_FALSE(one.media[0].height);
}

TEST_CASE("Any bytes are a body, and its pictures are bounded") {
  CHECK(read("").text.empty());
  CHECK(read("plain &lt;b&gt;").text == "plain <b>");
  CHECK(base::is_utf8(read("<p>\xC3\x28</p>\xFF").text));
  std::string many, deep;
  for (int i = 0; i < 100; ++i) many += "<img src='/" + std::to_string(i) + ".png'>";
  CHECK(read(many).media.size() == sources::max_pictures);
  for (int i = 0; i < 20000; ++i) deep += "<div>";
  CHECK(read(deep + "x").text == "x");
}
