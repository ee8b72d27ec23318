#include <base/url.hpp>
#include <catch2/catch.hpp>

using namespace freshet::base;

TEST_CASE("Tracking parameters go, the others stay in their order") {
  struct {
    std::string_view given, expected;
  } const cases[] = {
      {"https://example.org/a?utm_source=x&id=7&utm_medium=y", "https://example.org/a?id=7"},
      {"https://example.org/a?UTM_Source=x", "https://example.org/a"},
      {"https://example.org/a?fbclid=1&gclid=2&msclkid=3", "https://example.org/a"},
      {"https://example.org/a?b=2&a=1", "https://example.org/a?b=2&a=1"},
      {"https://example.org/a?utm=1&xutm_source=2", "https://example.org/a?utm=1&xutm_source=2"},
      {"https://example.org/a?utm%5Fsource=1", "https://example.org/a"},
      {"https://example.org/a?q=%20+x&&y", "https://example.org/a?q=%20+x&y"},
      {"https://example.org/a?", "https://example.org/a"},
      {"https://www.youtube.com/watch?v=abc&si=xyz&pp=1&t=10s",
       "https://www.youtube.com/watch?v=abc&t=10s"},
      {"https://youtu.be/abc?si=xyz", "https://youtu.be/abc"},
      {"https://example.org/?si=xyz&s=1&t=2", "https://example.org/?si=xyz&s=1&t=2"},
      {"https://x.com/a/status/1?s=20&t=abc", "https://x.com/a/status/1"},
      {"https://notx.com/?s=20", "https://notx.com/?s=20"},
      {"https://example.org/?ref=main", "https://example.org/?ref=main"},
  };
  for (const auto& one : cases) {
    INFO(one.given);
    CHECK(canonical_url(one.given) == one.expected);
    CHECK(canonical_url(one.expected) == one.expected);
  }
}

TEST_CASE("The rest of the canonical form is the standard's") {
  CHECK(canonical_url("HTTP://EXAMPLE.org:80") == "http://example.org/");
  CHECK(canonical_url(" https://example.org:443/a/../b ") == "https://example.org/b");
  CHECK(canonical_url("https://example.org/a#section") == "https://example.org/a");
  CHECK(canonical_url("https://example.org/a#:~:text=x") == "https://example.org/a");
  CHECK(canonical_url("https://example.org/#!/route") == "https://example.org/#!/route");
  CHECK(canonical_url("https://example.org/#/room/1") == "https://example.org/#/room/1");
  CHECK(canonical_url("https://example.org/a#/") == "https://example.org/a");
}

TEST_CASE("What is no http(s) URL comes back as it was") {
  for (const std::string_view text :
       {"", "not a url", "/relative?utm_source=x", "mailto:a@b?utm_source=x", "at://did:plc:x/y",
        "http://[", " spaced "}) {
    CHECK(canonical_url(text) == text);
    CHECK(same_page_key(text) == text);
  }
}

TEST_CASE("Addresses of one page have one key") {
  const std::string key = same_page_key("https://example.org/a?x=1&y=2");
  CHECK(key == "example.org/a?x=1&y=2");
  for (const std::string_view same :
       {"http://example.org/a?x=1&y=2", "https://www.example.org/a?x=1&y=2",
        "https://example.org/a/?y=2&x=1", "https://EXAMPLE.org:443/a?x=1&y=2#top",
        "https://example.org/b/../a?x=1&utm_campaign=z&y=2", "https://example.org/%61?x=%31&y=2"}) {
    INFO(same);
    CHECK(same_page_key(same) == key);
  }
}

TEST_CASE("Addresses of different pages have different keys") {
  const char* const pages[] = {
      "https://example.org/a",      "https://example.org/A",         "https://example.org/a?x=1",
      "https://example.org/a?x=2",  "https://example.org:81/a",      "https://sub.example.org/a",
      "https://example.org/a%2Fb",  "https://example.org/a/b",       "https://example.org/#!/one",
      "https://example.org/#!/two", "https://example.org/a?x=1%262", "https://example.org/a?x=1&2"};
  for (const auto& a : pages) {
    for (const auto& b : pages) {
      INFO(a << " and " << b);
      CHECK((same_page_key(a) == same_page_key(b)) == (a == b));
    }
  }
}

TEST_CASE("Escapes have one spelling in a key") {
  CHECK(same_page_key("http://h.example/%c3%a9") == same_page_key("http://h.example/é"));
  CHECK(same_page_key("http://h.example/%7Ea") == same_page_key("http://h.example/~a"));
  CHECK(same_page_key("http://h.example/%") == "h.example/%");
}

TEST_CASE("The host of a URL, without www.") {
  CHECK(host_of("https://www.Example.org/a") == "example.org");
  CHECK(host_of("https://news.example.org:8080/") == "news.example.org");
  CHECK(host_of("https://www.org/") == "www.org");
  CHECK(host_of("https://wwwx.example.org/") == "wwwx.example.org");
  CHECK(host_of("http://[::1]/") == "[::1]");
  CHECK(host_of("mailto:a@b").empty());
  CHECK(host_of("nothing").empty());
}
