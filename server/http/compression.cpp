// zlib behind the encoder.
#include <zlib.h>

#include <cstdint>
#include <server/http/compression.hpp>
#include <utility>

namespace freshet::server {
namespace {

/// Level 4 is the knee: 6 costs twice the time for 3 % fewer bytes of JSON.
constexpr int compression_level = 4;
constexpr int gzip_window_bits = 15 + 16;
constexpr int memory_level = 8;
/// An empty block, by which a lead ends between bytes.
constexpr std::size_t sync_bytes = 16;
/// Of a CRC-32, and of a size, as gzip writes them.
constexpr std::size_t word_bytes = 4;
/// What a block that is not compressed holds at most.
constexpr std::size_t max_stored_bytes = 65'535;

void append_little_endian(std::string& out, std::uint32_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
}

std::uint32_t read_little_endian(std::string_view from) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < word_bytes; ++i) {
    value |= std::uint32_t{static_cast<unsigned char>(from[i])} << (8 * i);
  }
  return value;
}

}  // namespace

std::string_view gzip_part(std::string_view packed_lead) noexcept {
  return packed_lead.substr(0, packed_lead.size() - word_bytes);
}

// RFC 1951, 3.2.4, and RFC 1952, 2.3.1: compressing a few hundred bytes anew each time would cost
// more than the whole answer.
std::string end_gzip(std::string_view packed_lead, std::size_t lead_bytes, std::string_view tail) {
  const auto sum =
      ::crc32(read_little_endian(packed_lead.substr(packed_lead.size() - word_bytes)),
              reinterpret_cast<const Bytef*>(tail.data()), static_cast<uInt>(tail.size()));
  const auto size = static_cast<std::uint32_t>(lead_bytes + tail.size());
  std::string out;
  out.reserve(tail.size() + 5 * (tail.size() / max_stored_bytes + 1) + 2 * word_bytes);
  do {
    const std::string_view block = tail.substr(0, max_stored_bytes);
    tail.remove_prefix(block.size());
    const auto length = static_cast<std::uint32_t>(block.size());
    out += tail.empty() ? '\1' : '\0';
    append_little_endian(out, length, 2);
    append_little_endian(out, ~length, 2);
    out += block;
  } while (!tail.empty());
  append_little_endian(out, static_cast<std::uint32_t>(sum), word_bytes);
  append_little_endian(out, size, word_bytes);
  return out;
}

struct gzip_encoder::stream {
  z_stream z{};
  bool usable = false;
  bool running = false;
};

gzip_encoder::gzip_encoder() : stream_(std::make_unique<stream>()) {
  stream_->usable = ::deflateInit2(&stream_->z, compression_level, Z_DEFLATED, gzip_window_bits,
                                   memory_level, Z_DEFAULT_STRATEGY) == Z_OK;
}

gzip_encoder::~gzip_encoder() {
  if (stream_->usable) ::deflateEnd(&stream_->z);
}

void gzip_encoder::begin(std::string_view text, bool goes_on) {
  left_ = text;
  goes_on_ = goes_on;
  out_.clear();
  stream_->running = stream_->usable && ::deflateReset(&stream_->z) == Z_OK;
  if (stream_->running) out_.resize(::deflateBound(&stream_->z, text.size()) + sync_bytes);
}

bool gzip_encoder::advance() {
  if (!stream_->running) return false;
  z_stream& z = stream_->z;
  const std::string_view slice = left_.substr(0, gzip_slice_bytes);
  left_.remove_prefix(slice.size());
  // zlib does not write to next_in; its type says otherwise for old callers.
  z.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(slice.data()));
  z.avail_in = static_cast<uInt>(slice.size());
  z.next_out = reinterpret_cast<Bytef*>(out_.data() + z.total_out);
  z.avail_out = static_cast<uInt>(out_.size() - z.total_out);
  const int last = goes_on_ ? Z_SYNC_FLUSH : Z_FINISH;
  const int made = ::deflate(&z, left_.empty() ? last : Z_NO_FLUSH);
  if (made == Z_OK && !left_.empty()) return true;
  stream_->running = false;
  const bool fine = goes_on_ ? made == Z_OK && z.avail_in == 0 : made == Z_STREAM_END;
  out_.resize(fine ? z.total_out : 0);
  // Of what was compressed so far, zlib's own sum.
  if (fine && goes_on_) append_little_endian(out_, static_cast<std::uint32_t>(z.adler), word_bytes);
  return false;
}

std::string gzip_encoder::take() { return std::exchange(out_, {}); }

std::string gzip_encoder::encode(std::string_view text) {
  begin(text);
  while (advance()) continue;
  return take();
}

}  // namespace freshet::server
