#include <boost/json/value.hpp>
#include <catalog/formats.hpp>
#include <catalog/json_schema.hpp>
#include <catch2/catch.hpp>
#include <regex>
#include <string>
#include <string_view>

using namespace freshet::catalog;

namespace {

std::string canonical(value_format format, std::string value) {
  const auto wrong = canonicalise(format, value);
  return wrong.empty() ? value : "wrong";
}

}  // namespace

TEST_CASE("a value is quoted, and shortened by characters") {
  CHECK(quoted("24x") == "'24x'");
  std::string wide;
  for (int at = 0; at < 70; ++at) wide += "é";
  CHECK(quoted(wide) == "'" + wide.substr(0, 128) + "…'");
}

TEST_CASE("communities keep their host and lose Lemmy's mark") {
  CHECK(canonical(value_format::community, "!rust@programming.dev") == "rust@programming.dev");
  CHECK(canonical(value_format::community, "all") == "all");
  CHECK(canonical(value_format::community, "a/b") == "wrong");
}

TEST_CASE("sources and keys of items are plain small names") {
  CHECK(canonical(value_format::source, "hackernews") == "hackernews");
  CHECK(canonical(value_format::source, "Hacker News") == "wrong");
  CHECK(canonical(value_format::name, "created_at") == "created_at");
}

TEST_CASE("domains are hosts, alone") {
  CHECK(canonical(value_format::domain, " Example.COM. ") == "example.com");
  CHECK(canonical(value_format::domain, "www.example.com") == "example.com");
  CHECK(canonical(value_format::domain, "www.com") == "www.com");
  CHECK(canonical(value_format::domain, "*.example.com") == "example.com");
  CHECK(canonical(value_format::domain, ".gov") == "gov");
  CHECK(canonical(value_format::domain, "WWW.example.com") == "example.com");
  for (const auto* wrong : {"https://example.com", "example.com/a", "example.com:80", "a b", "a@b",
                            "1.2.3.4", "[::1]", "", ".", "a..b", "a%2eb", "a\"b"}) {
    INFO(wrong);
    CHECK(canonical(value_format::domain, wrong) == "wrong");
  }
}

TEST_CASE("a domain with letters beyond ASCII is told how to give it") {
  std::string value = "*.m\xC3\xBCnchen.example";
  CHECK(canonicalise(value_format::domain, value).ends_with(" give it as xn--mnchen-3ya.example"));
}

TEST_CASE("the schema's pattern takes for a domain what the check does") {
  const auto* search = find_endpoint("web-serp/search");
  REQUIRE(search != nullptr);
  const auto schema = parameters_schema(*search);
  const boost::json::value& item = schema.at("properties").at("sites").at("items");
  const std::string text(item.at("pattern").as_string());
  const std::regex pattern(text);
  constexpr std::string_view letters = "aZ0-_.*/: ";
  constexpr std::size_t longest = 5;
  std::size_t tried = 0, apart = 0;
  for (std::string value; value.size() <= longest; ++tried) {
    const bool taken = canonical(value_format::domain, value) != "wrong";
    if (std::regex_match(value, pattern) != taken) {
      ++apart;
      UNSCOPED_INFO("apart: '" << value << "'");
    }
    // The next text by these letters: "" a Z … aa aZ …
    std::size_t at = value.size();
    while (at > 0 && value[at - 1] == letters.back()) value[--at] = letters.front();
    if (at == 0)
      value.insert(value.begin(), letters.front());
    else
      value[at - 1] = letters[letters.find(value[at - 1]) + 1];
  }
  CHECK(tried == 111111);
  CHECK(apart == 0);
}

TEST_CASE("cursors hold only what we write") {
  CHECK(canonical(value_format::cursor, "c1.eyJ_-") == "c1.eyJ_-");
  CHECK(canonical(value_format::cursor, "c1.eyJ=") == "wrong");
  CHECK(canonical(value_format::cursor, "c1 x") == "wrong");
}

TEST_CASE("selectors may hold white space, not emptiness") {
  CHECK(canonical(value_format::css_selector, " main > p ") == "main > p");
  CHECK(canonical(value_format::css_selector, "  ") == "wrong");
}
