// Every address that must not be reached, on its bytes; the spellings are in curl_engine_test.cpp.
#include <catch2/catch.hpp>
#include <http/address_guard.hpp>
#include <support/print_result.hpp>

using freshet::errc;
using freshet::http::address_guard;

namespace {

address_guard guard(std::vector<std::string> allowed = {}, bool any_port = false) {
  return address_guard::make(allowed, any_port).value();
}

}  // namespace

TEST_CASE("public addresses are allowed on 80 and 443 only") {
  const auto judge = guard();
  for (const char* each :
       {"1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1",
        "192.0.1.1", "198.17.0.1", "198.20.0.1", "223.255.255.1", "2606:4700::1111", "2a00:1450::1",
        "2003::1", "64:ff9b::8.8.8.8", "::ffff:8.8.8.8", "2002:808:808::1"}) {
    INFO(each);
    CHECK(judge.allows(each, 443));
    CHECK(judge.allows(each, 80));
    CHECK_FALSE(judge.allows(each, 22));
    CHECK(guard({}, true).allows(each, 8443));
  }
}

TEST_CASE("special addresses are denied on every port") {
  const auto judge = guard({}, true);
  for (const char* each : {"0.0.0.0",
                           "0.1.2.3",
                           "10.0.0.1",
                           "10.255.255.255",
                           "100.64.0.1",
                           "100.100.100.200",
                           "127.0.0.1",
                           "127.255.255.254",
                           "168.63.129.16",
                           "169.254.169.254",
                           "172.16.0.1",
                           "172.31.255.255",
                           "192.0.0.170",
                           "192.0.2.1",
                           "192.88.99.1",
                           "192.168.1.1",
                           "198.18.0.1",
                           "198.19.255.255",
                           "198.51.100.1",
                           "203.0.113.1",
                           "224.0.0.1",
                           "239.255.255.250",
                           "240.0.0.1",
                           "255.255.255.255",
                           "::",
                           "::1",
                           "::127.0.0.1",
                           "::ffff:127.0.0.1",
                           "::ffff:10.0.0.1",
                           "::ffff:169.254.169.254",
                           "::ffff:0:127.0.0.1",
                           "64:ff9b::127.0.0.1",
                           "64:ff9b::10.0.0.1",
                           "64:ff9b:1::a00:1",
                           "100::1",
                           "2001::1",
                           "2001:0:7f00:1:0:0:80ff:fffe",
                           "2001:2::1",
                           "2001:10::1",
                           "2001:20::1",
                           "2001:db8::1",
                           "2002:7f00:1::",
                           "2002:a00:1::1",
                           "2002:a9fe:a9fe::",
                           "3fff::1",
                           "3fff:fff::1",
                           "4000::1",
                           "5f00::1",
                           "fc00::1",
                           "fd00:ec2::254",
                           "fe80::1",
                           "fec0::1",
                           "ff02::1"}) {
    INFO(each);
    CHECK_FALSE(judge.allows(each, 443));
    CHECK_FALSE(judge.allows(each, 8080));
  }
}

TEST_CASE("what is no address is denied") {
  const auto judge = guard({"0.0.0.0/0", "::/0"}, true);
  for (const char* each :
       {"", "localhost", "1.2.3", "1.2.3.4.5", "fe80::1%eth0", "[::1]", "127.0.0.1 ", "/run/socket",
        "0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000"}) {
    INFO(each);
    CHECK_FALSE(judge.allows(each, 443));
  }
  const std::uint8_t five[5] = {127, 0, 0, 1, 1};
  CHECK_FALSE(judge.allows(std::span(five), 443));
}

TEST_CASE("an allowed network opens its addresses, in every wrapping, on any port") {
  const auto judge = guard({"127.0.0.0/8", "10.1.0.0/16", "fd00::/8", "192.168.1.7"});
  CHECK(judge.allows("127.0.0.1", 7141));
  CHECK(judge.allows("::ffff:127.0.0.1", 7141));
  CHECK(judge.allows("10.1.255.1", 22));
  CHECK_FALSE(judge.allows("10.2.0.1", 443));
  CHECK(judge.allows("fd12::1", 5432));
  CHECK_FALSE(judge.allows("fc12::1", 443));
  CHECK(judge.allows("192.168.1.7", 443));
  CHECK_FALSE(judge.allows("192.168.1.8", 443));
  CHECK_FALSE(judge.allows("::1", 443));
  CHECK(guard({"0.0.0.0/0"}).allows("127.0.0.1", 1));
  CHECK_FALSE(guard({"0.0.0.0/0"}).allows("::1", 1));
}

TEST_CASE("one port of a host, by its address or by its name") {
  const auto judge = guard({"127.0.0.1:8888", "[::1]:8888", "Wiki.Internal:80"});
  CHECK(judge.allows("127.0.0.1", 8888));
  CHECK(judge.allows("::ffff:127.0.0.1", 8888));
  CHECK(judge.allows("::1", 8888));
  CHECK_FALSE(judge.allows("127.0.0.1", 80));
  CHECK_FALSE(judge.allows("::1", 443));
  CHECK(judge.allows("10.0.0.5", 80, "wiki.internal"));
  CHECK_FALSE(judge.allows("10.0.0.5", 80));
  CHECK_FALSE(judge.allows("10.0.0.5", 443, "wiki.internal"));
  CHECK_FALSE(judge.allows("10.0.0.5", 80, "wiki.internal.evil.example"));
}

TEST_CASE("a malformed CIDR is named") {
  for (const char* each :
       {"", "10.0.0.0/33", "10.0.0/8", "::1/129", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8x",
        "localhost", "10.0.0.0/8/8", "10.0.0.0/8:80", "localhost:0", "localhost:65536",
        "localhost:", ":80", "a@b:80", "http://a:80"}) {
    INFO(each);
    const auto made = address_guard::make({each}, false);
    REQUIRE_FALSE(made);
    CHECK(made.error().code() == errc::invalid_configuration);
    CHECK(made.error().detail().find(std::string("'") + each + "'") != std::string::npos);
  }
}
