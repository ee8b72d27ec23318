// Packs texts as gzip, for tests of those who unpack.
#pragma once

#include <zlib.h>

#include <string>
#include <string_view>

namespace freshet::test {

inline std::string gzipped(std::string_view text) {
  constexpr int gzip_window_bits = 15 + 16;
  z_stream stream{};
  ::deflateInit2(&stream, 6, Z_DEFLATED, gzip_window_bits, 8, Z_DEFAULT_STRATEGY);
  std::string out(::deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  ::deflate(&stream, Z_FINISH);
  out.resize(out.size() - stream.avail_out);
  ::deflateEnd(&stream);
  return out;
}

}  // namespace freshet::test
