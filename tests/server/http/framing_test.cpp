// Heads as clients and attackers send them.
#include <catch2/catch.hpp>
#include <server/http/message_parser.hpp>
#include <string>

using namespace freshet;
using namespace freshet::server;

namespace {

std::string head_of(const std::string& fields, const std::string& line = "POST /v1/x HTTP/1.1") {
  return line + "\r\n" + fields + "\r\n";
}

result<request_head> parse(const std::string& raw) {
  message_parser parser{reader_limits{}};
  if (const result<void> read = parser.read_head(raw); !read) return read.error();
  return parser.head();
}

errc refusal(const std::string& raw) {
  const auto read = parse(raw);
  REQUIRE(!read.has_value());
  return read.error().code();
}

}  // namespace

TEST_CASE("a plain head is read as it stands") {
  const auto read = parse(head_of("Host: example.org\r\nContent-Length: 14\r\nX-A:  b c \t\r\n",
                                  "POST /v1/a/b?x=1&y=/?z HTTP/1.1"));
  REQUIRE(read.has_value());
  const request_head head = std::move(*read);
  CHECK(head.method() == "POST");
  CHECK(head.path() == "/v1/a/b");
  CHECK(head.query() == "x=1&y=/?z");
  CHECK(head.minor_version() == 1);
  CHECK(head.field("x-a") == "b c");
  CHECK(!head.field("x-b"));
  CHECK(head.body().content_length == 14);
  CHECK(head.body().keep_alive);
  CHECK(!head.body().chunked);
}

TEST_CASE("an absolute target gives its path") {
  const auto read =
      parse(head_of("Host: a\r\n", "GET HTTP://example.org:80/openapi.json?q HTTP/1.1"));
  REQUIRE(read.has_value());
  CHECK(read->path() == "/openapi.json");
  CHECK(read->query() == "q");
  const auto bare = parse(head_of("Host: a\r\n", "GET http://example.org HTTP/1.1"));
  REQUIRE(bare.has_value());
  CHECK(bare->path().empty());
  CHECK(refusal(head_of("Host: a\r\n", "GET http://u@e.org/ HTTP/1.1")) == errc::malformed_http);
}

TEST_CASE("the end of a head is found as bytes come in, and bare LF at once") {
  using state = head_end::state;
  const std::string raw = head_of("Host: a\r\n");
  std::size_t from = 0;
  for (std::size_t size = 1; size < raw.size(); ++size) {
    const head_end end = find_head_end(std::string_view(raw).substr(0, size), from);
    REQUIRE(end.what == state::incomplete);
    from = end.resume_at;
  }
  const head_end end = find_head_end(raw + "next", from);
  REQUIRE(end.what == state::complete);
  CHECK(end.size == raw.size());
  CHECK(find_head_end("GET / HTTP/1.1\nHost: a\n\n", 0).what == state::malformed);
  CHECK(find_head_end("\x16\x03\x01", 0).what == state::malformed);
}

TEST_CASE("shapes that two servers could frame differently are refused") {
  const std::string host = "Host: a\r\n";
  const std::string length = "Content-Length: 14\r\n";
  const auto table = std::initializer_list<std::pair<std::string, errc>>{
      {length + "Transfer-Encoding: chunked\r\n", errc::malformed_http},
      {"Transfer-Encoding: chunked\r\n" + length, errc::malformed_http},
      {"Transfer-Encoding: gzip\r\n" + length, errc::unsupported_transfer_encoding},
      {length + "Transfer-Encoding: gzip\r\n", errc::unsupported_transfer_encoding},
      {"Transfer-Encoding: identity\r\n" + length, errc::unsupported_transfer_encoding},
      {"Transfer-Encoding: xchunked\r\n" + length, errc::unsupported_transfer_encoding},
      {"Transfer-Encoding: gzip\r\n", errc::unsupported_transfer_encoding},
      {"Transfer-Encoding: gzip, chunked\r\n", errc::unsupported_transfer_encoding},
      {"Transfer-Encoding: chunked, chunked\r\n", errc::unsupported_transfer_encoding},
      {"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
       errc::unsupported_transfer_encoding},
      {"Transfer-Encoding:\r\n", errc::unsupported_transfer_encoding},
      {"Transfer-Encoding: \"chunked\"\r\n", errc::unsupported_transfer_encoding},
      {length + length, errc::malformed_http},
      {length + "Content-Length: 15\r\n", errc::malformed_http},
      {"Content-Length: 14, 14\r\n", errc::malformed_http},
      {"Content-Length: +14\r\n", errc::malformed_http},
      {"Content-Length: -1\r\n", errc::malformed_http},
      {"Content-Length: 0x0e\r\n", errc::malformed_http},
      {"Content-Length: 1 4\r\n", errc::malformed_http},
      {"Content-Length:\r\n", errc::malformed_http},
      {"Content-Length: 99999999999999999999999\r\n", errc::malformed_http},
      {"Content-Length : 14\r\n", errc::malformed_http},
      {"Transfer-Encoding : chunked\r\n", errc::malformed_http},
      {"X: a\rb\r\n", errc::malformed_http},
      {std::string("X: a\0b\r\n", 8), errc::malformed_http},
      {"X: a\x7f\r\n", errc::malformed_http},
      {"X: a\r\n b\r\n", errc::malformed_http},
      {"X: a\r\n\tb\r\n", errc::malformed_http},
      {"no colon\r\n", errc::malformed_http},
      {": empty name\r\n", errc::malformed_http},
      {"Expect: 200-ok\r\n", errc::expectation_failed},
  };
  for (const auto& [fields, code] : table) {
    INFO(fields);
    CHECK(refusal(head_of(host + fields)) == code);
    CHECK(refusal(head_of(fields + host)) == code);
  }
}

TEST_CASE("Host is exactly one host") {
  CHECK(refusal(head_of("")) == errc::malformed_http);
  CHECK(refusal(head_of("Host: a\r\nHost: a\r\n")) == errc::malformed_http);
  CHECK(refusal(head_of("Host:\r\n")) == errc::malformed_http);
  CHECK(refusal(head_of("Host: a, b\r\n")) == errc::malformed_http);
  CHECK(refusal(head_of("Host: u@a\r\n")) == errc::malformed_http);
  CHECK(refusal(head_of("Host: a/b\r\n")) == errc::malformed_http);
  CHECK(parse(head_of("Host: [::1]:8080\r\n")).has_value());
}

TEST_CASE("request lines that are not HTTP/1 are refused") {
  const std::string host = "Host: a\r\n";
  for (const std::string line :
       {"GET / HTTP/2.0", "GET / HTTP/1.2", "GET / http/1.1", "GET /", "GET  / HTTP/1.1",
        "GET / HTTP/1.1 ", " GET / HTTP/1.1", "GET /a b HTTP/1.1", "G\tET / HTTP/1.1",
        "GET example.org HTTP/1.1", "GET /\xc3\xa9 HTTP/1.1", "GET /a#b HTTP/1.1",
        "CONNECT a:80 HTTP/1.1", "GET ftp://a/ HTTP/1.1",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJ / HTTP/1.1"}) {
    INFO(line);
    CHECK(refusal(head_of(host, line)) == errc::malformed_http);
  }
}

TEST_CASE("HTTP/1.0 has no chunks, needs a length, and closes unless asked") {
  const std::string line = "POST / HTTP/1.0";
  CHECK(refusal(head_of("Transfer-Encoding: chunked\r\n", line)) == errc::malformed_http);
  CHECK(refusal(head_of("", line)) == errc::length_required);
  const auto closing = parse(head_of("Content-Length: 2\r\n", line));
  REQUIRE(closing.has_value());
  CHECK(!closing->body().keep_alive);
  const auto kept = parse(head_of("Content-Length: 2\r\nConnection: Keep-Alive\r\n", line));
  REQUIRE(kept.has_value());
  CHECK(kept->body().keep_alive);
}

TEST_CASE("Connection is a list") {
  const auto read = parse(head_of("Host: a\r\nConnection: x, Close\r\nConnection: keep-alive\r\n"));
  REQUIRE(read.has_value());
  CHECK(!read->body().keep_alive);
}

TEST_CASE("the number and the size of fields are bounded") {
  std::string fields = "Host: a\r\n";
  for (int i = 1; i < 100; ++i) fields += "X: y\r\n";
  CHECK(parse(head_of(fields)).has_value());
  CHECK(refusal(head_of(fields + "X: y\r\n")) == errc::headers_too_large);
  CHECK(refusal(head_of("Host: a\r\nX: " + std::string(9000, 'y') + "\r\n")) ==
        errc::headers_too_large);
}

TEST_CASE("close wins over keep-alive in HTTP/1.0 too") {
  const auto read =
      parse(head_of("Connection: keep-alive\r\nConnection: close\r\n", "GET / HTTP/1.0"));
  REQUIRE(read.has_value());
  CHECK(!read->body().keep_alive);
}
