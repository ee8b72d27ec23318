// What a gzip member holds, for tests of answers that are compressed.
#pragma once

#include <zlib.h>

#include <catch2/catch.hpp>
#include <string>

namespace freshet::server {

/// Of at most two million bytes.
inline std::string gunzip(const std::string& member) {
  std::string out(2'000'000, '\0');
  z_stream z{};
  REQUIRE(inflateInit2(&z, 15 + 16) == Z_OK);
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(member.data()));
  z.avail_in = static_cast<uInt>(member.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  CHECK(inflate(&z, Z_FINISH) == Z_STREAM_END);
  out.resize(z.total_out);
  inflateEnd(&z);
  return out;
}

}  // namespace freshet::server
