#include <base/plain_url.hpp>
#include <base/url.hpp>
#include <catch2/catch.hpp>
#include <random>
#include <string>

using namespace freshet::base;

namespace {

/// The same address by the long way: a space in front is not plain, and is stripped.
std::string by_parser(std::string_view text) { return " " + std::string(text); }

void check_alike(const std::string& text) {
  INFO(text);
  const auto parsed = parse_url(by_parser(text));
  if (parsed && parsed->is_http()) {
    CHECK(canonical_url(text) == canonical_url(by_parser(text)));
    CHECK(same_page_key(text) == same_page_key(by_parser(text)));
  }
  CHECK(host_of(text) == host_of(by_parser(text)));
  const auto plain = read_plain_url(text);
  if (!plain) return;
  REQUIRE(parsed.has_value());
  CHECK(parsed->text() == text);
  CHECK(plain->scheme == parsed->scheme);
  CHECK(plain->host == parsed->host);
  CHECK(plain->path == parsed->path);
  CHECK(plain->query == parsed->query);
  CHECK(plain->has_query == parsed->has_query);
  CHECK(plain->fragment == parsed->fragment);
  CHECK(plain->has_fragment == parsed->has_fragment);
  const auto direct = parse_url(text);
  REQUIRE(direct.has_value());
  CHECK(direct->text() == text);
  CHECK(direct->origin() == parsed->origin());
}

}  // namespace

TEST_CASE("A plain address is cut into its parts") {
  const auto found = read_plain_url("https://www.example.org/a/b%C3%A9.html?c=d&e#/f");
  REQUIRE(found.has_value());
  CHECK(found->scheme == "https");
  CHECK(found->host == "www.example.org");
  CHECK(found->path == "/a/b%C3%A9.html");
  CHECK(found->query == "c=d&e");
  CHECK(found->fragment == "/f");
  CHECK(found->has_query);
  CHECK(found->has_fragment);
}

TEST_CASE("What the parser would change is not plain") {
  for (const std::string_view text : {"",
                                      "http",
                                      "http:/a",
                                      "https:",
                                      "ftp://example.org/",
                                      "HTTP://example.org/",
                                      "http://example.org",
                                      "http://example.org?a",
                                      "http://Example.org/",
                                      "http://a@b.org/",
                                      "http://example.org:80/",
                                      "http://example.org:8080/",
                                      "http://127.1/",
                                      "http://a.0x7f/",
                                      "http://example.org./",
                                      "http://xn--nxa.example/",
                                      "http://[::1]/",
                                      "http:///a",
                                      "http://example.org/a/../b",
                                      "http://example.org/./",
                                      "http://example.org/%2e%2E/a",
                                      "http://example.org/a b",
                                      "http://example.org/\xC3\xA9",
                                      "http://example.org/a\\b",
                                      "http://example.org/a?b c",
                                      "http://example.org/?'",
                                      "http://example.org/#a b",
                                      "http://example.org/a\n",
                                      " http://example.org/",
                                      "http://example.org/ "}) {
    INFO(text);
    CHECK_FALSE(read_plain_url(text).has_value());
    check_alike(std::string(text));
  }
}

TEST_CASE("A plain address means what the parser reads") {
  for (const std::string_view text : {"http://a/",
                                      "https://example.org/a//b/",
                                      "https://example.org/?",
                                      "https://example.org/#",
                                      "https://example.org/?#",
                                      "https://example.org/?a=1&utm_source=b&c",
                                      "https://example.org/?a=1&&b",
                                      "https://example.org/?&a",
                                      "https://example.org/?a&",
                                      "https://example.org/?%75tm_source=a",
                                      "https://example.org/?UTM_Medium=x#!r",
                                      "https://www.youtube.com/watch?v=a&si=b",
                                      "https://example.org/?si=b",
                                      "https://a/?#!b",
                                      "https://www.example.org/a?b=2&a=%7e1#/c",
                                      "https://www.org/",
                                      "https://www.a.b/%41/",
                                      "https://example.org/a?fbclid=1#c",
                                      "https://example.org/?=&==",
                                      "https://e.org/a%2e"}) {
    CHECK((read_plain_url(text).has_value()));
    check_alike(std::string(text));
  }
}

TEST_CASE("Made-up addresses mean the same by either way") {
  constexpr std::string_view pieces[] = {
      "http", "https", "://", "/",  "//", ".",    "..", "%2e",   "%2E",    "a",  "Z", "0",
      "1.2",  "www.",  "?",   "&",  "=",  "#",    "!",  "utm_x", "gclid=", "s=", "%", "%zz",
      ":",    "@",     "\\",  "\t", " ",  "\xC3", "'",  "xn--a", "-",      "_",  "~", "x.com"};
  std::mt19937 random(11);
  std::size_t plain = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = random() % 4 != 0 ? "https://x.com/" : "";
    for (auto left = random() % 10; left > 0; --left) text += pieces[random() % std::size(pieces)];
    check_alike(text);
    plain += read_plain_url(text) ? 1 : 0;
  }
  CHECK(plain > 1'000);
}
