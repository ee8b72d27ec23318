// What proxies say, whole, in pieces and wrong.
#include <catch2/catch.hpp>
#include <random>
#include <server/wire/proxy_header.hpp>
#include <string>

using namespace freshet::server;
using progress = proxy_header::progress;

namespace {

const std::string signature("\r\n\r\n\0\r\nQUIT\n", 12);

std::string binary(char command, char family, const std::string& rest) {
  return signature + command + family + static_cast<char>(rest.size() / 256) +
         static_cast<char>(rest.size() % 256) + rest;
}
const std::string four("\xC0\x00\x02\x07\x0A\x00\x00\x01\x12\x34\x01\xBB", 12);
const std::string six = std::string("\x20\x01\x0D\xB8", 4) + std::string(11, '\0') + '\x05' +
                        std::string(16, '\1') + "\x12\x34\x01\xBB";

}  // namespace

TEST_CASE("a proxy's header names whose connection it is, and ends where the client begins") {
  struct row {
    std::string header, source;
  };
  for (const row& one : {
           row{"PROXY TCP4 192.0.2.7 10.0.0.1 4660 443\r\n", "192.0.2.7"},
           row{"PROXY TCP6 2001:db8::5 ::1 4660 443\r\n", "2001:db8::5"},
           row{"PROXY TCP6 ::ffff:192.0.2.7 ::1 4660 443\r\n", "192.0.2.7"},
           row{"PROXY UNKNOWN\r\n", ""},
           row{"PROXY UNKNOWN ffff::1 ffff::2 1 2 and whatever\r\n", ""},
           row{binary('\x21', '\x11', four), "192.0.2.7"},
           row{binary('\x21', '\x21', six), "2001:db8::5"},
           row{binary('\x21', '\x11', four + std::string(300, '\x04')), "192.0.2.7"},  // TLVs
           row{binary('\x20', '\x11', four), ""},                                      // LOCAL
           row{binary('\x20', '\0', ""), ""}, row{binary('\x21', '\0', ""), ""},       // UNSPEC
           row{binary('\x21', '\x31', std::string(216, 'x')), ""},                     // AF_UNIX
           row{binary('\x21', '\x12', four), ""},                                      // UDP
       }) {
    INFO(one.header);
    const proxy_header read = read_proxy_header(one.header + "GET / HTTP/1.1\r\n");
    CHECK(read.reached == progress::complete);
    CHECK(read.size == one.header.size());
    CHECK((read.source ? read.source->to_string() : "") == one.source);
    for (std::size_t size = 0; size < one.header.size(); ++size) {
      CHECK(read_proxy_header(one.header.substr(0, size)).reached == progress::incomplete);
    }
  }
}

TEST_CASE("what is no header of a proxy is malformed as soon as that can be seen") {
  for (const std::string& wrong :
       {std::string("G"),
        std::string("PROXX"),
        std::string("\x16\x03\x01"),
        std::string("\r\n\n"),
        std::string("PROXY TCP5 192.0.2.7 10.0.0.1 1 2\r\n"),
        std::string("PROXY tcp4 192.0.2.7 10.0.0.1 1 2\r\n"),
        std::string("PROXY \r\n"),
        std::string("PROXY TCP4 192.0.2.7 10.0.0.1 1\r\n"),
        std::string("PROXY TCP4 192.0.2.7 10.0.0.1 1 65536\r\n"),
        std::string("PROXY TCP4 192.0.2.7  10.0.0.1 1 2\r\n"),
        std::string("PROXY TCP4 192.0.2.7 10.0.0.1 1 2 3\r\n"),
        std::string("PROXY TCP4 2001:db8::5 ::1 1 2\r\n"),
        std::string("PROXY TCP6 192.0.2.7 10.0.0.1 1 2\r\n"),
        std::string("PROXY TCP4 192.0.2.777 10.0.0.1 1 2\r\n"),
        "PROXY UNKNOWN " + std::string(94, 'a'),  // 108 bytes without an end
        binary('\x11', '\x11', four),             // version 1
        binary('\x22', '\x11', four),             // no such command
        binary('\x21', '\x11', four.substr(1)),   // shorter than its addresses
        binary('\x21', '\x21', four),
        binary('\x21', '\x11', std::string(max_proxy_header_bytes - 15, 'x'))}) {
    INFO(wrong);
    CHECK(read_proxy_header(wrong).reached == progress::malformed);
  }
  const std::string longest = "PROXY UNKNOWN " + std::string(91, 'a') + "\r\n";
  CHECK(longest.size() == 107);
  CHECK(read_proxy_header(longest).reached == progress::complete);
  CHECK(read_proxy_header(longest.substr(0, 106)).reached == progress::incomplete);
}

TEST_CASE("no bytes lead the reader of proxies' headers beyond them") {
  std::mt19937 random(7);
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = i % 3 == 0   ? "PROXY TCP4 192.0.2.7 10.0.0.1 1 2\r\n"
                        : i % 3 == 1 ? binary('\x21', '\x11', four)
                                     : binary('\x21', '\x21', six);
    for (int change = 0; change < 3; ++change) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    bytes.resize(random() % (bytes.size() + 1));
    const proxy_header read = read_proxy_header(bytes);
    if (read.reached == progress::complete) CHECK(read.size <= bytes.size());
    if (read.reached == progress::incomplete) CHECK(bytes.size() < max_proxy_header_bytes);
  }
}

TEST_CASE("the PROXY protocol is refused where nobody is trusted to speak it") {
  freshet::config settings;
  CHECK(proxy_protocol_of(settings).value() == false);
  REQUIRE(settings.set("server.proxy_protocol", "true").has_value());
  const auto refused = proxy_protocol_of(settings);
  REQUIRE(!refused.has_value());
  CHECK(refused.error().detail().find("server.trusted_proxies") != std::string::npos);
  REQUIRE(settings.set("server.trusted_proxies", "10.0.0.7").has_value());
  CHECK(proxy_protocol_of(settings).value());
}
