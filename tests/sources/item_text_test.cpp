#include <catch2/catch.hpp>
#include <sources/item_text.hpp>
#include <string>

using namespace freshet::sources;

TEST_CASE("item_text: texts are clean") {
  CHECK(clean_text("  e\xCC\x81t\xC3\xA9 \n") == "\xC3\xA9t\xC3\xA9");
  CHECK(clean_text("a\xFF"
                   "b") ==
        "a\xEF\xBF\xBD"
        "b");
  CHECK(clean_html("<p>a &amp; <b>b</b><br>c</p>") == "a & b\nc");
}

TEST_CASE("item_text: addresses are absolute web addresses or nothing") {
  CHECK(page_url("https://Example.ORG:443/a/../b?utm_source=x&id=1") ==
        "https://example.org/b?id=1");
  CHECK(file_url("https://cdn.example/a.jpg?sig=1&utm_source=x") ==
        "https://cdn.example/a.jpg?sig=1&utm_source=x");
  // Nobody's password, and no name that reads like a host.
  CHECK(page_url("https://bank.example:x@evil.example/a") == "https://evil.example/a");
  CHECK(file_url("https://bank.example@evil.example/a?sig=1") == "https://evil.example/a?sig=1");
  CHECK(page_url("https://a.example/\x1B\u202E\u009B") == "https://a.example/%1B%E2%80%AE%C2%9B");
  CHECK(file_url("https://a.example/\u202E") == "https://a.example/%E2%80%AE");
  for (const auto bad : {"", "javascript:alert(1)", "/path", "mailto:a@b.c", "data:text/html,x",
                         "https://", "ftp://a.example/", "//a.example/x"}) {
    CAPTURE(bad);
    CHECK(page_url(bad).empty());
    CHECK(file_url(bad).empty());
  }
}

TEST_CASE("item_text: a name is one line, and names and addresses have an end") {
  CHECK(clean_name(std::string(" a\n b\r\n\tc ")) == "a b c");
  CHECK(clean_name(std::string("a  b")) == "a  b");
  CHECK(clean_name(std::string(1'000'000, 'x')) == std::string(max_name_points, 'x'));
  std::string umlauts;
  for (int i = 0; i < 1000; ++i) umlauts += "\xC3\xA4";
  CHECK(clean_name(umlauts) == umlauts.substr(0, 2 * max_name_points));
  CHECK(clean_name(std::string(1000, ' ') + "far" + std::string(1'000'000, ' ')) == "far");

  // What a terminal obeys and what turns letters is gone before it is cut.
  CHECK(clean_name(std::string("\x1B[1mAda\u202E \u009BB\u200F")) == "[1mAda B\u200F");
  std::string evil;
  for (std::size_t i = 0; i < max_name_points; ++i) evil += "\u2066\x07y";
  CHECK(clean_name(evil) == std::string(max_name_points, 'y'));

  const std::string start = "https://example.org/?q=";
  const auto longest = start + std::string(max_address_bytes - start.size(), 'x');
  CHECK(page_url(longest) == longest);
  CHECK(file_url(longest) == longest);
  CHECK(page_url(longest + "x").empty());
  CHECK(file_url(longest + "x").empty());
  // Written out, a space takes three bytes.
  const auto spaced = start + std::string(max_address_bytes / 2, ' ') + "x";
  CHECK(page_url(spaced).empty());
  CHECK(file_url(spaced).empty());
}

TEST_CASE("item_text: an article's first author is its author, and there is an end to them") {
  freshet::article one;
  set_authors(one, "");
  CHECK(one.authors.empty());
  CHECK(one.author.display_name.empty());
  std::vector<freshet::author> crowd(200);
  for (auto& person : crowd) person.display_name = "Ada";
  set_authors(one, crowd);
  CHECK(one.authors.size() == 50);
  CHECK(one.author.display_name == "Ada");
}

TEST_CASE("item_text: the names of a byline are names") {
  freshet::article one;
  set_authors(one, "Ada\u202E Byron, \x1B[31mBo\x7F Carr");
  REQUIRE(one.authors.size() == 2);
  CHECK(one.authors[0].display_name == "Ada Byron");
  CHECK(one.authors[1].display_name == "[31mBo Carr");
  freshet::author person;
  person.display_name = "Ada\n\u2067Byron";
  set_authors(one, std::vector{person});
  CHECK(one.author.display_name == "Ada Byron");
}

TEST_CASE("item_text: languages are tags or nothing") {
  CHECK(language_tag("en") == "en");
  CHECK(language_tag("EN_us") == "en-us");
  CHECK(language_tag("zh-Hant-TW") == "zh-Hant-TW");
  for (const auto bad : {"", "e", "und", "zxx", "mul", "Unknown", "en-", "en--us", "en us", "12",
                         "en-toolongsubtag"}) {
    CAPTURE(bad);
    CHECK(language_tag(bad).empty());
  }
}

TEST_CASE("item_text: a list holds each text once") {
  std::vector<std::string> list;
  for (const auto one : {"a", "", "b", "a"}) add_once(list, one);
  CHECK(list == std::vector<std::string>{"a", "b"});
}
