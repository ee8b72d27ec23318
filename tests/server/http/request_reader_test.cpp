// Bodies and pipelines, whole and byte by byte: how the bytes arrive must not matter.
#include <catch2/catch.hpp>
#include <cstring>
#include <server/http/request_reader.hpp>
#include <string>
#include <vector>

using namespace freshet;
using namespace freshet::server;
using progress = request_reader::progress;

namespace {

constexpr std::string_view head = "POST /v1/a/b HTTP/1.1\r\nHost: a\r\n";

/// What came out of a stream: the bodies, and the error that ended it, if any.
struct read_outcome {
  std::vector<std::string> bodies;
  std::optional<errc> failed;
  bool operator==(const read_outcome&) const = default;
};

read_outcome read_all(std::string_view stream, std::size_t step, std::size_t body_bytes = 65536) {
  reader_limits limits;
  limits.body_bytes = body_bytes;
  request_reader reader(limits);
  read_outcome out;
  while (!stream.empty()) {
    const std::span<char> room = reader.prepare();
    const std::size_t size = std::min({room.size(), stream.size(), step});
    std::memcpy(room.data(), stream.data(), size);
    reader.commit(size);
    stream.remove_prefix(size);
    progress reached = reader.advance();
    for (; reached == progress::complete; reached = reader.advance()) {
      out.bodies.push_back(reader.take().body);
    }
    if (reached == progress::failed) {
      out.failed = reader.failure().code();
      return out;
    }
  }
  return out;
}

read_outcome read_both_ways(const std::string& stream, std::size_t body_bytes = 65536) {
  const read_outcome whole = read_all(stream, stream.size(), body_bytes);
  CHECK(read_all(stream, 1, body_bytes) == whole);
  CHECK(read_all(stream, 7, body_bytes) == whole);
  return whole;
}

std::string with_length(const std::string& body) {
  return std::string(head) + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}
std::string with_chunks(const std::string& chunks) {
  return std::string(head) + "Transfer-Encoding: chunked\r\n\r\n" + chunks;
}

}  // namespace

TEST_CASE("pipelined requests come out in order, however they arrive") {
  const std::string chunks = "3;x=\"y\"\r\nabc\r\n0a\r\n0123456789\r\n0\r\nX-Trailer: t\r\n\r\n";
  const std::string stream = with_length("{\"a\":1}") + with_chunks(chunks) + with_length("") +
                             std::string(head) + "\r\n" + "\r\n" + with_length("last");
  const read_outcome read = read_both_ways(stream);
  CHECK(!read.failed);
  CHECK(read.bodies == std::vector<std::string>{"{\"a\":1}", "abc0123456789", "", "", "last"});
}

TEST_CASE("a hundred requests in one write are a hundred requests") {
  std::string stream;
  for (int i = 0; i < 100; ++i) stream += with_length(std::to_string(i));
  const read_outcome read = read_both_ways(stream);
  REQUIRE(read.bodies.size() == 100);
  CHECK(read.bodies[99] == "99");
}

TEST_CASE("a head that comes again is what it was, whatever came in between") {
  const std::string first = with_length("ab"), other = with_length("abc");
  const std::string chunked = with_chunks("1\r\na\r\n0\r\n\r\n");
  const auto all = read_both_ways(first + with_length("cd") + other + first + first + chunked +
                                  chunked + first + with_length("") + with_length("") + first);
  CHECK(all.bodies ==
        std::vector<std::string>{"ab", "cd", "abc", "ab", "ab", "a", "a", "ab", "", "", "ab"});
  CHECK_FALSE(all.failed);

  reader_limits limits;
  message_parser parser(limits);
  const std::string raw = std::string(head) + "Content-Length: 3\r\nX-One: 1\r\n\r\n";
  for (int i = 0; i < 3; ++i) {
    REQUIRE(parser.read_head(raw).has_value());
    CHECK_FALSE(parser.done());
    CHECK_FALSE(parser.body_begun());
    CHECK(parser.head().path() == "/v1/a/b");
    CHECK(parser.head().field("x-one") == "1");
    CHECK(parser.limit_body(3).has_value());
    CHECK(parser.read_body("a").value() == 1);
    CHECK(parser.body_begun());
    CHECK(parser.body_bytes() == 1);
    CHECK_FALSE(parser.done());
    CHECK(parser.read_body("bcPOST").value() == 2);
    CHECK(parser.done());
    const http_request taken = parser.take();
    CHECK(taken.body == "abc");
    CHECK(taken.head.field("X-One") == "1");
    CHECK_FALSE(parser.done());
  }
  REQUIRE(parser.read_head(raw).has_value());
  CHECK(parser.limit_body(2).error().code() == errc::payload_too_large);
}

TEST_CASE("malformed chunks are refused") {
  for (const std::string chunks :
       {"3\nabc\r\n0\r\n\r\n", "3\r\nabcd\r\n0\r\n\r\n", "3\r\nabc0\r\n\r\n", "g\r\n", "-1\r\n",
        "+3\r\nabc\r\n0\r\n\r\n", "0x3\r\nabc\r\n0\r\n\r\n", "3 \r\nabc\r\n0\r\n\r\n", "\r\n",
        ";x\r\n", "3;a\nb\r\nabc\r\n0\r\n\r\n", "123456789\r\n", "0\r\n X: folded\r\n\r\n",
        "0\r\nX: a\n\r\n", "3\r\nabc\r0\r\n\r\n"}) {
    INFO(chunks);
    const read_outcome read = read_both_ways(with_chunks(chunks));
    CHECK(read.bodies.empty());
    CHECK(read.failed == errc::malformed_http);
  }
}

TEST_CASE("chunk framing that Beast reads over is refused") {
  for (const std::string chunks :
       {"3;x=\"\n\"\r\nabc\r\n0\r\n\r\n", "3 ;x\r\nabc\r\n0\r\n\r\n",
        "000000003\r\nabc\r\n0\r\n\r\n", "0\r\nX: a\r\n b\r\n\r\n",
        "0\r\nTransfer-Encoding: chunked\r\n\r\n", "0\r\nContent-Length: 3\r\n\r\n",
        "3;x=\"\x01\"\r\nabc\r\n0\r\n\r\n", "0;x=\"\r\n\r\n\"\r\n\r\n"}) {
    INFO(chunks);
    const read_outcome read = read_both_ways(with_chunks(chunks));
    CHECK(read.bodies.empty());
    CHECK(read.failed == errc::malformed_http);
  }
}

TEST_CASE("a trailer adds nothing to the head") {
  request_reader reader{reader_limits{}};
  const std::string stream =
      with_chunks("1\r\nx\r\n0\r\nAuthorization: Bearer t\r\nHost: b\r\n\r\n");
  const std::span<char> room = reader.prepare();
  std::memcpy(room.data(), stream.data(), stream.size());
  reader.commit(stream.size());
  REQUIRE(reader.advance() == progress::complete);
  const http_request request = reader.take();
  CHECK(!request.head.field("authorization"));
  CHECK(request.head.count("host") == 1);
  CHECK(request.head.field("host") == "a");
}

TEST_CASE("a head of the largest size is read") {
  const std::string start = std::string(head) + "X: ";
  const std::string full = start + std::string(8192 - start.size() - 4, 'a') + "\r\n\r\n";
  CHECK(read_both_ways(full).bodies.size() == 1);
  CHECK(read_both_ways(start + "a" + full.substr(start.size())).failed == errc::headers_too_large);
}

TEST_CASE("a body that is too large is refused as soon as its size is known") {
  CHECK(read_both_ways(std::string(head) + "Content-Length: 65537\r\n\r\n").failed ==
        errc::payload_too_large);
  CHECK(read_both_ways(with_length(std::string(65536, 'x'))).bodies.size() == 1);
  CHECK(read_both_ways(with_chunks("10001\r\n")).failed == errc::payload_too_large);
  CHECK(read_both_ways(with_chunks("ffffffff\r\n")).failed == errc::payload_too_large);
  CHECK(read_both_ways(with_chunks("5\r\nabcde\r\n6\r\n"), 10).failed == errc::payload_too_large);
}

TEST_CASE("one-byte chunks pass, endless framing does not") {
  std::string chunks;
  for (int i = 0; i < 60'000; ++i) chunks += "1\r\nx\r\n";
  const read_outcome read = read_all(with_chunks(chunks + "0\r\n\r\n"), 4096);
  REQUIRE(read.bodies.size() == 1);
  CHECK(read.bodies[0].size() == 60'000);

  std::string padded;
  for (int i = 0; i < 5; ++i) padded += "1;" + std::string(900, 'e') + "\r\nx\r\n";
  CHECK(read_all(with_chunks(padded), 4096).failed == errc::payload_too_large);
  CHECK(read_all(with_chunks("1;" + std::string(2000, 'e')), 4096).failed == errc::malformed_http);
  CHECK(read_all(with_chunks("0\r\n" + std::string(2000, 'e')), 4096).failed ==
        errc::malformed_http);
}

TEST_CASE("long heads are told apart by what is too long") {
  CHECK(read_both_ways("GET /" + std::string(9000, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n").failed ==
        errc::uri_too_long);
  CHECK(read_both_ways(std::string(head) + "X: " + std::string(9000, 'a') + "\r\n\r\n").failed ==
        errc::headers_too_large);
}

TEST_CASE("blank lines before a request are few") {
  CHECK(read_both_ways("\r\n" + with_length("x")).bodies.size() == 1);
  CHECK(read_both_ways("\r\n\r\n\r\n" + with_length("x")).failed == errc::malformed_http);
  CHECK(read_both_ways("\n" + with_length("x")).failed == errc::malformed_http);
}

TEST_CASE("100 Continue is wanted only while nothing of the body has come") {
  request_reader reader{reader_limits{}};
  const auto feed = [&](std::string_view bytes) {
    const std::span<char> room = reader.prepare();
    std::memcpy(room.data(), bytes.data(), bytes.size());
    reader.commit(bytes.size());
    return reader.advance();
  };
  CHECK(feed(std::string(head) + "Content-Length: 3\r\nExpect: 100-continue\r\n\r\n") ==
        progress::body);
  CHECK(reader.wants_continue());
  CHECK(feed("a") == progress::body);
  CHECK(!reader.wants_continue());
  CHECK(feed("bc") == progress::complete);
  CHECK(reader.take().body == "abc");
}
