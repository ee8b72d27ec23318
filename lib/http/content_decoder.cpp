// zlib and brotli behind one face.
#include <brotli/decode.h>
#include <zlib.h>

#include <algorithm>
#include <base/unicode.hpp>
#include <cstdint>
#include <http/content_decoder.hpp>
#include <new>

namespace freshet::http {
namespace {

constexpr int gzip_or_zlib = 15 + 32, raw = -15;  // zlib's ways to say so, of any window
constexpr std::size_t zlib_head_bytes = 2;
/// What some send behind a deflate without a head: the sum that belongs to one with it.
constexpr std::size_t most_trailer_bytes = 4;
/// Codings that nobody here undoes. Any other name is no coding: servers say "UTF-8", "none" or
/// "binary" of what is not packed at all, which browsers show.
constexpr std::string_view unknown_codings[] = {"zstd", "compress",  "x-compress", "dcb",
                                                "dcz",  "aes128gcm", "exi",        "pack200-gzip"};

}  // namespace

struct content_decoder::state {
  z_stream zlib{};
  bool has_zlib = false;
  BrotliDecoderState* brotli = nullptr;

  state() = default;
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  ~state() {
    if (has_zlib) ::inflateEnd(&zlib);
    if (brotli != nullptr) BrotliDecoderDestroyInstance(brotli);
  }
};

content_decoder::content_decoder() noexcept = default;
content_decoder::~content_decoder() = default;

void content_decoder::clear() noexcept {
  kind_ = kind::none;
  is_begun_ = is_ended_ = is_raw_ = false;
  trailer_bytes_ = 0;
  head_.clear();
  packed_ = {};
  state_.reset();
}

void content_decoder::begin(std::string_view coding) {
  const auto is = [coding](std::string_view name) {
    return base::equals_ignoring_ascii_case(coding, name);
  };
  const auto named = is("gzip") || is("x-gzip")                 ? kind::gzip
                     : is("deflate")                            ? kind::deflate
                     : is("br")                                 ? kind::brotli
                     : std::ranges::any_of(unknown_codings, is) ? kind::unknown
                                                                : kind::none;
  if (named == kind::none) return;
  clear();
  kind_ = named;
}

std::optional<std::string_view> content_decoder::next(std::span<char> room) {
  if (packed_.empty() && !is_begun_) return std::string_view();
  is_begun_ = true;
  if (kind_ == kind::unknown) return std::nullopt;
  std::optional<std::string_view> made = std::string_view();
  if (!is_ended_) made = kind_ == kind::brotli ? decode_brotli(room) : inflate(room);
  const bool is_last = made && made->empty() && is_ended_;
  return is_last && !skip_trailer() ? std::nullopt : made;
}

/// "deflate" is zlib's format; not a few send what is in it alone.
bool content_decoder::is_raw_deflate() const noexcept {
  constexpr unsigned method = 8, method_bits = 0x0F, byte = 256, check = 31;
  const auto first = static_cast<unsigned char>(head_[0]);
  const auto second = static_cast<unsigned char>(head_[1]);
  return (first & method_bits) != method || (first * byte + second) % check != 0;
}

std::optional<std::string_view> content_decoder::inflate(std::span<char> room) {
  if (state_ == nullptr) {
    if (kind_ == kind::deflate) {
      const auto more = packed_.substr(0, zlib_head_bytes - head_.size());
      head_ += more;
      packed_.remove_prefix(more.size());
      if (head_.size() < zlib_head_bytes) return std::string_view();
      is_raw_ = is_raw_deflate();
    }
    state_ = std::make_unique<state>();
    if (::inflateInit2(&state_->zlib, is_raw_ ? raw : gzip_or_zlib) != Z_OK) throw std::bad_alloc();
    state_->has_zlib = true;
    std::string_view head = head_;
    const auto made = head.empty() ? std::optional(std::string_view()) : inflate_some(head, room);
    if (!made || !made->empty() || is_ended_) return made;
  }
  return inflate_some(packed_, room);
}

/// Takes off `given` what was read of it.
std::optional<std::string_view> content_decoder::inflate_some(std::string_view& given,
                                                              std::span<char> room) {
  z_stream& stream = state_->zlib;
  // zlib does not write to next_in; its type says otherwise for old callers.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(given.data()));
  stream.avail_in = static_cast<uInt>(given.size());
  stream.next_out = reinterpret_cast<Bytef*>(room.data());
  stream.avail_out = static_cast<uInt>(room.size());
  const int said = ::inflate(&stream, Z_NO_FLUSH);
  if (said == Z_MEM_ERROR) throw std::bad_alloc();
  // Z_BUF_ERROR: there was nothing to go on with.
  if (said != Z_OK && said != Z_STREAM_END && said != Z_BUF_ERROR) return std::nullopt;
  given.remove_prefix(given.size() - stream.avail_in);
  is_ended_ = said == Z_STREAM_END;
  return std::string_view(room.data(), room.size() - stream.avail_out);
}

std::optional<std::string_view> content_decoder::decode_brotli(std::span<char> room) {
  if (state_ == nullptr) {
    state_ = std::make_unique<state>();
    state_->brotli = BrotliDecoderCreateInstance(nullptr, nullptr, nullptr);
    if (state_->brotli == nullptr) throw std::bad_alloc();
  }
  const auto* from = reinterpret_cast<const std::uint8_t*>(packed_.data());
  auto* to = reinterpret_cast<std::uint8_t*>(room.data());
  std::size_t left = packed_.size(), free = room.size();
  const auto said =
      BrotliDecoderDecompressStream(state_->brotli, &left, &from, &free, &to, nullptr);
  packed_.remove_prefix(packed_.size() - left);
  if (said == BROTLI_DECODER_RESULT_ERROR) {
    const auto why = BrotliDecoderGetErrorCode(state_->brotli);
    if (why <= BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES &&
        why >= BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES) {
      throw std::bad_alloc();
    }
    return std::nullopt;
  }
  is_ended_ = said == BROTLI_DECODER_RESULT_SUCCESS;
  return std::string_view(room.data(), room.size() - free);
}

/// Whether nothing stands behind the end that has no business there.
bool content_decoder::skip_trailer() noexcept {
  trailer_bytes_ += packed_.size();
  packed_ = {};
  return trailer_bytes_ <= (is_raw_ ? most_trailer_bytes : 0);
}

}  // namespace freshet::http
