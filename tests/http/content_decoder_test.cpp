// Bodies that are packed, whole and broken off: alone, and as answers of a host.
#include <zlib.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <http/content_decoder.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <support/loopback_server.hpp>
#include <support/print_result.hpp>
#include <utility>
#include <vector>

#include "loopback_stack.hpp"
#include "waiting.hpp"

using namespace freshet;
using namespace freshet::http;
using namespace freshet::test;

namespace {

const std::string plain_text = "hello hello hello";

std::string deflated(int window_bits) {
  z_stream stream{};
  ::deflateInit2(&stream, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
  std::string out(::deflateBound(&stream, plain_text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain_text.data()));
  stream.avail_in = static_cast<uInt>(plain_text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  ::deflate(&stream, Z_FINISH);
  out.resize(out.size() - stream.avail_out);
  ::deflateEnd(&stream);
  return out;
}

/// The text in every coding.
std::vector<std::pair<std::string, std::string>> packed_texts() {
  constexpr int gzip = 15 + 16, zlib = 15, raw = -15;
  // By Node.js.
  const std::string by_brotli(
      "\x1b\x10\x00\xf8\x8d\x94\x6e\xde\x44\x55\x86\x96\x6c\x20\x6f\x01\x4f\x1c\x60\x1c", 20);
  return {{"gzip", deflated(gzip)},
          {"X-GZIP", deflated(gzip)},
          {"deflate", deflated(zlib)},
          {"deflate", deflated(raw)},
          {"br", by_brotli}};
}

/// What comes out of pieces of so many bytes, a few at a time; null where they are broken.
std::optional<std::string> unpack(content_decoder& decoder, std::string_view packed,
                                  std::size_t piece) {
  std::string out;
  std::array<char, 4> room{};
  do {
    decoder.feed(packed.substr(0, piece));
    while (true) {
      const auto made = decoder.next(room);
      if (!made) return std::nullopt;
      if (made->empty()) break;
      out += *made;
    }
    packed.remove_prefix(std::min(piece, packed.size()));
  } while (!packed.empty());
  return out;
}

}  // namespace

TEST_CASE("a body is whole or broken, wherever it breaks off and in whatever pieces it comes") {
  for (const auto& [coding, packed] : packed_texts()) {
    for (std::size_t size = 0; size <= packed.size(); ++size) {
      for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, packed.size()}) {
        INFO(coding << ", " << size << " of " << packed.size() << " by " << piece);
        content_decoder decoder;
        decoder.begin(coding);
        const auto unpacked = unpack(decoder, packed.substr(0, size), piece);
        REQUIRE(unpacked);
        CHECK(decoder.is_whole() == (size == 0 || size == packed.size()));
        if (size == packed.size()) CHECK(*unpacked == plain_text);
      }
    }
    content_decoder decoder;
    decoder.begin(coding);
    CHECK_FALSE(unpack(decoder, packed + " and more", 3));
    decoder.begin(coding);
    CHECK_FALSE(unpack(decoder, "\xff\xff\xff\xff hello", 3));
  }
  content_decoder decoder;
  decoder.begin("zstd");
  CHECK(unpack(decoder, "", 1) == "");
  CHECK(decoder.is_whole());
  CHECK_FALSE(unpack(decoder, "hello", 1));
  decoder.clear();
  for (const auto* none : {"Identity", "none", "UTF-8", ""}) {
    decoder.begin(none);
    CHECK_FALSE(decoder.is_coded());
  }
}

TEST_CASE("an answer whose packing has no end is none") {
  loopback_server server;
  const auto stack = stack_over_loopback();
  std::size_t which = 0;
  for (const auto& [coding, packed] : packed_texts()) {
    INFO(coding);
    const std::string path = "/" + std::to_string(which++);
    server.reply(path, 200, packed, {{"Content-Encoding", coding}});
    const auto whole = fetch(*stack, get(server.url(path)));
    REQUIRE(whole);
    CHECK(whole->body == plain_text);
    server.reply(path + "/empty", 200, "", {{"Content-Encoding", coding}});
    CHECK(code_of(fetch(*stack, get(server.url(path + "/empty")))) == "ok");
    server.on(path + "/trailer", [packed = packed](const auto&, loopback_server::connection& to) {
      to.send(
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n"
          "Content-Encoding: gzip\r\n\r\n");
    });
    CHECK(fetch(*stack, get(server.url(path + "/trailer")))->body == "hello");
  }
  server.reply("/odd", 200, "hello", {{"Content-Encoding", "UTF-8"}});
  CHECK(fetch(*stack, get(server.url("/odd")))->body == "hello");
  server.reply("/both", 200, "hello", {{"Content-Encoding", "gzip, compress"}});
  CHECK(code_of(fetch(*stack, get(server.url("/both")))) == "source_error");
  const auto packed = packed_texts().front().second;
  server.reply("/cut", 200, packed.substr(0, packed.size() - 1), {{"Content-Encoding", "gzip"}});
  const auto cut = fetch(*stack, get(server.url("/cut")));
  REQUIRE_FALSE(cut);
  CHECK(code_of(cut) == "source_unavailable");
  CHECK(cut.error().detail() ==
        "the answer of 127.0.0.1 breaks off: what it is packed in has no end");
}
