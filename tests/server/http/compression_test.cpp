// gzip members in one piece, and with a beginning that many of them share.
#include <catch2/catch.hpp>
#include <random>
#include <server/http/compression.hpp>

#include "gunzip.hpp"

using namespace freshet::server;

namespace {

std::string some_text(std::size_t bytes, unsigned seed, bool is_noise = false) {
  std::mt19937 random(seed);
  std::string out;
  out.reserve(bytes);
  while (out.size() < bytes) {
    out += static_cast<char>(is_noise ? random() % 256 : 'a' + random() % 5);
  }
  return out;
}

std::string pack(gzip_encoder& encoder, const std::string& lead) {
  encoder.begin(lead, true);
  while (encoder.advance()) continue;
  return encoder.take();
}

}  // namespace

TEST_CASE("a lead is compressed once, and every answer that begins with it is a whole member") {
  gzip_encoder with;
  for (const bool is_noise : {false, true}) {
    for (const std::size_t size : {1u, 4096u, 32'768u, 32'769u, 400'000u}) {
      const auto lead = some_text(size, static_cast<unsigned>(size), is_noise);
      const auto packed = pack(with, lead);
      REQUIRE_FALSE(packed.empty());
      for (const std::size_t more : {0u, 1u, 300u, 65'535u, 65'536u, 200'000u}) {
        INFO(size << " and " << more << (is_noise ? " of noise" : ""));
        const auto tail = some_text(more, 7, is_noise);
        const auto member = std::string(gzip_part(packed)) + end_gzip(packed, size, tail);
        CHECK(gunzip(member) == lead + tail);
      }
      // What was begun so leaves nothing behind for the next text.
      CHECK(gunzip(with.encode(lead)) == lead);
    }
  }
}
