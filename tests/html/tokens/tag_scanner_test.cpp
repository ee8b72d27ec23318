#include <catch2/catch.hpp>
#include <html/tokens/tag_scanner.hpp>
#include <string>
#include <vector>

using namespace freshet;

namespace {

std::vector<std::string> pieces(std::string_view text) {
  std::vector<std::string> out;
  html::tag_scanner scanner(text);
  for (auto one = scanner.next(); one.type != html::piece_type::end; one = scanner.next()) {
    out.emplace_back(one.raw);
  }
  return out;
}

}  // namespace

TEST_CASE("markup is cut into tokens that add up to the input") {
  using list = std::vector<std::string>;
  CHECK(pieces("a<b c='>'>d</b>") == list{"a", "<b c='>'>", "d", "</b>"});
  CHECK(pieces("1 < 2") == list{"1 < 2"});
  CHECK(pieces("<!-- a > b -->c") == list{"<!-- a > b -->", "c"});
  CHECK(pieces("<!-->c") == list{"<!-->", "c"});
  CHECK(pieces("<!--a--!>c") == list{"<!--a--!>", "c"});
  CHECK(pieces("<?php x ?>c") == list{"<?php x ?>", "c"});
  CHECK(pieces("</ x>c") == list{"</ x>", "c"});
  CHECK(pieces("<a b=\"c") == list{"<a b=\"c"});
  // A quote that follows no '=' or an '=' that begins a name opens nothing.
  CHECK(pieces("<a \">b") == list{"<a \">", "b"});
  CHECK(pieces("<a =\">b") == list{"<a =\">", "b"});
  CHECK(pieces("<a b = '>' c>d") == list{"<a b = '>' c>", "d"});
  CHECK(pieces("<a b=/>c") == list{"<a b=/>", "c"});
}

TEST_CASE("attributes one after the other") {
  std::string_view text = " a=1 b = '2 2' c \"d\"=3 /e=\"\"";
  html::raw_attribute one;
  std::string all;
  while (html::next_attribute(text, one)) {
    all += std::string(one.name) + "=" + std::string(one.value) + ";";
  }
  CHECK(all == "a=1;b=2 2;c=;\"d\"=3;e=;");
}

TEST_CASE("raw text reaches to its own end tag") {
  html::tag_scanner scanner("<script>a</b></scripty></SCRIPT >c");
  CHECK(scanner.next().name == "script");
  CHECK(scanner.raw_text("script").raw == "a</b></scripty>");
  CHECK(scanner.next().type == html::piece_type::end_tag);
  CHECK(scanner.next().raw == "c");
}
