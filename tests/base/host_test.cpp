// The table in url_parser_test.cpp covers most hosts; here are those that no URL can carry.
#include <base/host.hpp>
#include <catch2/catch.hpp>

using namespace freshet::base;

TEST_CASE("A host is never empty in a special scheme") {
  CHECK_FALSE(parse_host("", true).has_value());
  CHECK_FALSE(parse_host("\xC2\xAD", true).has_value());  // a soft hyphen maps to nothing
  CHECK(parse_host("", false) == "");
}

TEST_CASE("Forbidden code points are refused, also when escaped") {
  constexpr std::string_view forbidden("\0\t\n\r #/:<>?@[\\]^|", 17);
  for (const char c : forbidden) {
    const std::string host = std::string("a") + c + "b";
    CHECK_FALSE(parse_host(host, true).has_value());
    CHECK_FALSE(parse_host(host, false).has_value());
  }
  CHECK_FALSE(parse_host("a%23b", true).has_value());
  CHECK_FALSE(parse_host("a%25b", true).has_value());
  CHECK_FALSE(parse_host("a\x01"
                         "b",
                         true)
                  .has_value());
  CHECK(parse_host("a\x01"
                   "b",
                   false) == "a%01b");
}

TEST_CASE("The written form of IPv6 is RFC 5952's, without dotted decimals") {
  CHECK(parse_host("[0:0:1:0:0:0:1:0]", true) == "[0:0:1::1:0]");
  CHECK(parse_host("[1:0:0:2:3:0:0:4]", true) == "[1::2:3:0:0:4]");  // the first of two equal runs
  CHECK(parse_host("[1:0:2:3:4:5:6:7]", true) == "[1:0:2:3:4:5:6:7]");  // a single 0 stays
  CHECK(parse_host("[ABCD:EF01::]", true) == "[abcd:ef01::]");
  CHECK(parse_host("[::ffff:192.0.2.1]", true) == "[::ffff:c000:201]");
  CHECK(parse_host("[0:0:0:0:0:ffff:7f00:1]", true) == "[::ffff:7f00:1]");
}

TEST_CASE("Unicode domains become what the DNS knows") {
  CHECK(parse_host("Ünïcödé.example", true) == "xn--ncd-dma1a7bzb.example");
  CHECK(parse_host("www.ﬀ.example", true) == "www.ff.example");
  CHECK(parse_host("example．org", true) == "example.org");
  CHECK_FALSE(parse_host("xn--99999999", true).has_value());
}

TEST_CASE("A host is of its domain and of those above it") {
  CHECK(is_of_domain("example.org", "example.org"));
  CHECK(is_of_domain("a.b.example.org", "example.org"));
  CHECK(is_of_domain("a.example.org", "org"));
  CHECK_FALSE(is_of_domain("badexample.org", "example.org"));
  CHECK_FALSE(is_of_domain("example.org", "a.example.org"));
  CHECK_FALSE(is_of_domain("example.org", ""));
}
