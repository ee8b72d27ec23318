// Unpacking by zlib, a piece at a time, so that memory is taken for what comes out and not for what
// the file says of itself.
#include <zlib.h>

#include <algorithm>
#include <base/gzip.hpp>
#include <limits>
#include <memory>
#include <new>

namespace freshet::base {
namespace {

constexpr int gzip_window_bits = 15 + 16;  // zlib's way to say: gzip, of any window
constexpr std::size_t piece_bytes = 64u << 10;

using inflater = std::unique_ptr<z_stream, int (*)(z_stream*)>;

/// Adds the next piece; what zlib says of it.
int inflate_piece(z_stream& stream, std::string& out, std::size_t room) {
  const auto before = out.size();
  out.resize(before + std::min(piece_bytes, room));
  stream.next_out = reinterpret_cast<Bytef*>(out.data() + before);
  stream.avail_out = static_cast<uInt>(out.size() - before);
  const int said = ::inflate(&stream, Z_NO_FLUSH);
  out.erase(out.size() - stream.avail_out);  // it never grows here, which g++ does not see
  return said;
}

}  // namespace

bool is_gzip(std::string_view bytes) noexcept {
  return bytes.starts_with(std::string_view("\x1f\x8b\x08", 3));
}

unpacked_text gunzip(std::string_view packed, std::size_t max_size) {
  unpacked_text out;
  packed = packed.substr(0, std::numeric_limits<uInt>::max());
  z_stream stream{};
  // zlib does not write to next_in; its type says otherwise for old callers.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  if (::inflateInit2(&stream, gzip_window_bits) != Z_OK) throw std::bad_alloc();
  const inflater ended(&stream, ::inflateEnd);
  while (true) {
    // A byte more than may come out, to see that there is more.
    const int said = inflate_piece(stream, out.text, max_size + 1 - out.text.size());
    out.is_cut = out.text.size() > max_size;
    if (said == Z_STREAM_END && stream.avail_in > 0 && !out.is_cut) {
      ::inflateReset(&stream);  // another member; what is none is padding
      const auto* next = reinterpret_cast<const char*>(stream.next_in);
      if (is_gzip({next, stream.avail_in})) continue;
    }
    if (said == Z_MEM_ERROR) throw std::bad_alloc();
    if (said == Z_OK && !out.is_cut && (stream.avail_in > 0 || stream.avail_out == 0)) continue;
    out.is_broken = said != Z_STREAM_END && !out.is_cut;
    break;
  }
  if (out.is_cut) out.text.resize(max_size);
  return out;
}

}  // namespace freshet::base
