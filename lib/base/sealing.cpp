// Deflate by zlib, AES-256-GCM by OpenSSL. A sealed text is its nonce, its tag, then as many bytes
// as it had.
#include <openssl/evp.h>
#include <zlib.h>

#include <algorithm>
#include <base/sealing.hpp>
#include <limits>
#include <memory>
#include <stdexcept>

namespace freshet::base {
namespace {

constexpr std::size_t nonce_bytes = 12;
constexpr std::size_t tag_bytes = 16;
constexpr int raw_window_bits = -15;
constexpr std::size_t max_bytes = std::numeric_limits<int>::max();

struct cipher_deleter {
  void operator()(EVP_CIPHER_CTX* of) const noexcept { EVP_CIPHER_CTX_free(of); }
};
using cipher = std::unique_ptr<EVP_CIPHER_CTX, cipher_deleter>;

unsigned char* room_in(std::string& text, std::size_t position = 0) noexcept {
  return reinterpret_cast<unsigned char*>(text.data() + position);
}

/// zlib takes what it only reads as not const.
Bytef* input_of(std::string_view text) noexcept {
  return const_cast<Bytef*>(reinterpret_cast<const Bytef*>(text.data()));
}

const unsigned char* start_of(std::string_view text) noexcept {
  return reinterpret_cast<const unsigned char*>(text.data() != nullptr ? text.data() : "");
}

/// Both directions are one: what is put in, and the context that goes before it.
bool run(EVP_CIPHER_CTX* cipher, std::string_view context, std::string_view text,
         unsigned char* out) {
  int size = 0;
  return EVP_CipherUpdate(cipher, nullptr, &size, start_of(context),
                          static_cast<int>(context.size())) == 1 &&
         EVP_CipherUpdate(cipher, out, &size, start_of(text), static_cast<int>(text.size())) == 1;
}

cipher begin(const sha256_digest& key, const unsigned char* nonce, bool seals) {
  cipher made(EVP_CIPHER_CTX_new());
  if (!made) throw std::bad_alloc();
  if (EVP_CipherInit_ex(made.get(), EVP_aes_256_gcm(), nullptr, key.data(), nonce, seals ? 1 : 0) !=
      1) {
    throw std::runtime_error("OpenSSL has no AES-256-GCM");
  }
  return made;
}

}  // namespace

std::optional<std::string> deflate_within(std::string_view text, std::size_t max_size) {
  if (text.size() > max_bytes || max_size > max_bytes) return std::nullopt;
  z_stream stream{};
  if (::deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, raw_window_bits, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
  const std::unique_ptr<z_stream, int (*)(z_stream*)> ended(&stream, ::deflateEnd);
  std::string out(std::min<std::size_t>(max_size, ::deflateBound(&stream, text.size())), '\0');
  stream.next_in = input_of(text);
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = room_in(out);
  stream.avail_out = static_cast<uInt>(out.size());
  if (::deflate(&stream, Z_FINISH) != Z_STREAM_END) return std::nullopt;
  out.erase(out.size() - stream.avail_out);
  return out;
}

std::optional<std::string> inflate_to(std::string_view deflated, std::size_t size) {
  if (size > max_bytes || deflated.size() > max_bytes) return std::nullopt;
  z_stream stream{};
  if (::inflateInit2(&stream, raw_window_bits) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> ended(&stream, ::inflateEnd);
  std::string out(size + 1, '\0');  // room to see that there is more
  stream.next_in = input_of(deflated);
  stream.avail_in = static_cast<uInt>(deflated.size());
  stream.next_out = room_in(out);
  stream.avail_out = static_cast<uInt>(out.size());
  if (::inflate(&stream, Z_FINISH) != Z_STREAM_END || stream.avail_in != 0 ||
      stream.avail_out != 1) {
    return std::nullopt;
  }
  out.resize(size);
  return out;
}

std::string seal(const sha256_digest& key, std::string_view context, std::string_view text) {
  if (text.size() > max_bytes) throw std::length_error("too much to seal");
  std::string out = random_bytes(nonce_bytes);
  out.resize(nonce_bytes + tag_bytes + text.size());
  const cipher with = begin(key, room_in(out), true);
  int size = 0;
  unsigned char rest[tag_bytes];
  if (!run(with.get(), context, text, room_in(out, nonce_bytes + tag_bytes)) ||
      EVP_CipherFinal_ex(with.get(), rest, &size) != 1 ||
      EVP_CIPHER_CTX_ctrl(with.get(), EVP_CTRL_AEAD_GET_TAG, tag_bytes,
                          room_in(out, nonce_bytes)) != 1) {
    throw std::runtime_error("OpenSSL could not seal");
  }
  return out;
}

std::optional<std::string> unseal(const sha256_digest& key, std::string_view context,
                                  std::string_view sealed) {
  if (sealed.size() < nonce_bytes + tag_bytes || sealed.size() > max_bytes) return std::nullopt;
  const cipher with = begin(key, start_of(sealed), false);
  std::string tag(sealed.substr(nonce_bytes, tag_bytes));
  const std::string_view text = sealed.substr(nonce_bytes + tag_bytes);
  std::string out(text.size(), '\0');
  int size = 0;
  unsigned char rest[tag_bytes];
  if (EVP_CIPHER_CTX_ctrl(with.get(), EVP_CTRL_AEAD_SET_TAG, tag_bytes, tag.data()) != 1 ||
      !run(with.get(), context, text, room_in(out)) ||
      EVP_CipherFinal_ex(with.get(), rest, &size) != 1) {
    return std::nullopt;
  }
  return out;
}

std::string seal_text(const sha256_digest& key, std::string_view context, std::string_view text) {
  return base64url(seal(key, context, text));
}

std::optional<std::string> unseal_text(const sha256_digest& key, std::string_view context,
                                       std::string_view sealed) {
  const auto bytes = base64url_decode(sealed);
  return bytes ? unseal(key, context, *bytes) : std::nullopt;
}

}  // namespace freshet::base
