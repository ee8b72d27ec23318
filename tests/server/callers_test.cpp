// Whom a proxy names, in every way that proxies write it, and whom a stranger names.
#include <catch2/catch.hpp>
#include <server/callers.hpp>
#include <string>

using namespace freshet;
using namespace freshet::server;

namespace {

/// The caller behind the proxy 10.0.0.1, whose request has these fields.
std::string caller(const std::string& fields, const std::string& peer = "10.0.0.1") {
  message_parser parser{reader_limits{}};
  REQUIRE(parser.read_head("GET / HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n").has_value());
  const auto proxies = trusted_proxies::of({"10.0.0.0/8", "fd00::/8", "192.0.2.7"});
  REQUIRE(proxies.has_value());
  return proxies->caller_of(parser.head(), *parse_address(peer)).to_string();
}

}  // namespace

TEST_CASE("addresses as proxies write them") {
  for (const char* text : {"192.0.2.1", "192.0.2.1:5678", " 192.0.2.1 ", "\"192.0.2.1:80\"",
                           "::ffff:192.0.2.1", "[::ffff:192.0.2.1]:80", "\"[::ffff:c000:201]\""}) {
    INFO(text);
    REQUIRE(parse_address(text).has_value());
    CHECK(parse_address(text)->to_string() == "192.0.2.1");
  }
  for (const char* text : {"2001:db8::1", "[2001:db8::1]", "[2001:db8::1]:80", "2001:db8::1%lo",
                           "\"[2001:db8::1]:443\""}) {
    INFO(text);
    REQUIRE(parse_address(text).has_value());
    CHECK(parse_address(text)->to_string() == "2001:db8::1");
  }
  for (const char* text :
       {"", "unknown", "_hidden", "[2001:db8::1", "1.2.3", "host.example", "\"", ":80", "[]:80"}) {
    INFO(text);
    CHECK(!parse_address(text).has_value());
  }
}

TEST_CASE("whom the proxies name is the caller") {
  CHECK(caller("X-Forwarded-For: 192.0.2.1\r\n") == "192.0.2.1");
  CHECK(caller("X-Forwarded-For: 192.0.2.1:5678\r\n") == "192.0.2.1");
  CHECK(caller("X-Forwarded-For: [2001:db8::1]:80\r\n") == "2001:db8::1");
  CHECK(caller("X-Forwarded-For: 6.6.6.6, 192.0.2.1, 10.1.2.3\r\n") == "192.0.2.1");
  CHECK(caller("X-Forwarded-For: 6.6.6.6\r\nX-Forwarded-For: 192.0.2.1\r\n") == "192.0.2.1");
  CHECK(caller("X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-For: 10.9.9.9\r\n") == "192.0.2.1");
  CHECK(caller("X-Forwarded-For: 192.0.2.1, ,\r\n") == "192.0.2.1");
  CHECK(caller("X-Forwarded-For: 192.0.2.1, 192.0.2.7\r\n") == "192.0.2.1");
  CHECK(caller("Forwarded: for=192.0.2.1\r\n") == "192.0.2.1");
  CHECK(caller("Forwarded: for=6.6.6.6, proto=https;For=\"[2001:db8::1]:80\"\r\n") ==
        "2001:db8::1");
  CHECK(caller("Forwarded: for=192.0.2.1\r\nForwarded: by=x;for=10.1.1.1\r\n") == "192.0.2.1");
  CHECK(caller("X-Forwarded-For: 192.0.2.1\r\n", "::ffff:10.0.0.1") == "192.0.2.1");
}

TEST_CASE("what a stranger writes names nobody") {
  CHECK(caller("X-Forwarded-For: 192.0.2.1\r\n", "198.51.100.9") == "198.51.100.9");
  CHECK(caller("X-Forwarded-For: 192.0.2.1, junk\r\n") == "10.0.0.1");
  CHECK(caller("X-Forwarded-For: junk, 192.0.2.1\r\n") == "192.0.2.1");
  CHECK(caller("X-Forwarded-For: junk, 10.3.3.3\r\n") == "10.3.3.3");
  CHECK(caller("Forwarded: for=unknown\r\n") == "10.0.0.1");
  // A proxy that knows one of the two fields hands on the other as the caller has sent it.
  CHECK(caller("X-Forwarded-For: 192.0.2.1\r\nForwarded: for=6.6.6.6\r\n") == "10.0.0.1");
  CHECK(caller("X-Forwarded-For: 192.0.2.1\r\nForwarded: for=192.0.2.1\r\n") == "192.0.2.1");
}

TEST_CASE("a host and a network have one name each") {
  const auto host = [](const char* text) { return host_part(*parse_address(text)); };
  const auto network = [](const char* text) { return network_part(*parse_address(text)); };
  CHECK(host("192.0.2.1") != host("192.0.2.2"));
  CHECK(host("2001:db8::1") == host("2001:db8::ffff:1"));
  CHECK(network("192.0.2.1") == network("192.0.2.200"));
  CHECK(network("192.0.2.1") != network("192.0.3.1"));
  CHECK(network("2001:db8:0:1::1") == network("2001:db8:0:ff::1"));
  CHECK(network("2001:db8:0:1::1") != network("2001:db8:1:1::1"));
}
