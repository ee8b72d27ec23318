// SHA-256, SHA-1, HMAC, random bytes and base64, on OpenSSL; CRC-32 on zlib. Decoding is strict: a
// text that our own encoder would not have written (other alphabet, stray bits, white space) is
// refused.
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <zlib.h>

#include <algorithm>
#include <base/digest.hpp>
#include <initializer_list>
#include <limits>
#include <stdexcept>

namespace freshet::base {
namespace {

constexpr std::string_view standard_alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view url_alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::uint8_t no_digit = 0xFF;
constexpr std::size_t max_hmac_key = 64;  // bytes: a block of both digests

constexpr std::array<std::uint8_t, 256> digits_of(std::string_view alphabet) {
  std::array<std::uint8_t, 256> digits{};
  digits.fill(no_digit);
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    digits[static_cast<std::uint8_t>(alphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return digits;
}

const unsigned char* bytes_of(std::string_view data) noexcept {
  // OpenSSL takes a null pointer for "keep the last one", so an empty view must not give null.
  return reinterpret_cast<const unsigned char*>(data.data() != nullptr ? data.data() : "");
}

/// A kind of digest, looked up once, and a state of it for each thread: to find and make them costs
/// OpenSSL ten times what a short text does.
class digester {
 public:
  explicit digester(const EVP_MD* kind) : kind_(kind), state_(EVP_MD_CTX_new()) {
    if (kind_ == nullptr || state_ == nullptr) fail();
  }
  digester(const digester&) = delete;
  digester& operator=(const digester&) = delete;
  ~digester() { EVP_MD_CTX_free(state_); }

  /// Of the texts, one behind the other.
  void compute(std::initializer_list<std::string_view> texts, unsigned char* digest) {
    bool fine = EVP_DigestInit_ex2(state_, kind_, nullptr) == 1;
    for (const auto text : texts) {
      fine = fine && EVP_DigestUpdate(state_, text.data(), text.size()) == 1;
    }
    if (!fine || EVP_DigestFinal_ex(state_, digest, nullptr) != 1) fail();
  }

 private:
  [[noreturn]] static void fail() {
    throw std::runtime_error("OpenSSL could not compute a digest");
  }

  const EVP_MD* kind_;
  EVP_MD_CTX* state_;
};

digester& sha1_digester() {
  static const EVP_MD* const kind = EVP_MD_fetch(nullptr, "SHA1", nullptr);
  thread_local digester one(kind);
  return one;
}

digester& sha256_digester() {
  static const EVP_MD* const kind = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  thread_local digester one(kind);
  return one;
}

/// RFC 2104. `key` is at most a block of the digest: longer ones are the caller's to hash.
template <class Digest>
Digest compute_hmac(digester& digester, std::string_view key, std::string_view data) {
  constexpr char inner = 0x36, outer = 0x5c;
  std::array<char, max_hmac_key> pad;
  const auto fill = [&](char with_what) {
    pad.fill(with_what);
    for (std::size_t i = 0; i < key.size(); ++i) pad[i] = static_cast<char>(pad[i] ^ key[i]);
    return std::string_view(pad.data(), pad.size());
  };
  Digest digest{};
  digester.compute({fill(inner), data}, digest.data());
  const Digest within = digest;
  digester.compute({fill(outer), as_text(within)}, digest.data());
  OPENSSL_cleanse(pad.data(), pad.size());
  return digest;
}

std::string encode(std::string_view bytes, std::string_view alphabet, bool padding) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t given = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      group = group << 8 | (i < given ? static_cast<std::uint8_t>(bytes[at + i]) : 0U);
    }
    for (std::size_t i = 0; i <= given; ++i) out += alphabet[group >> (18 - 6 * i) & 63U];
    if (padding) out.append(3 - given, '=');
  }
  return out;
}

std::optional<std::string> decode(std::string_view text,
                                  const std::array<std::uint8_t, 256>& digits) {
  if (text.size() % 4 == 1) return std::nullopt;
  std::string out;
  out.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t pending = 0;
  int pending_bits = 0;
  for (const char c : text) {
    const std::uint8_t digit = digits[static_cast<std::uint8_t>(c)];
    if (digit == no_digit) return std::nullopt;
    pending = (pending << 6 | digit) & 0xFFFFU;
    pending_bits += 6;
    if (pending_bits >= 8) {
      pending_bits -= 8;
      out += static_cast<char>(pending >> pending_bits & 0xFFU);
    }
  }
  // Bits that belong to no byte must be zero, or two texts would say the same bytes.
  if ((pending & ((1U << pending_bits) - 1)) != 0) return std::nullopt;
  return out;
}

}  // namespace

sha1_digest sha1(std::string_view data) {
  sha1_digest digest{};
  sha1_digester().compute({data}, digest.data());
  return digest;
}

sha256_digest sha256(std::string_view data) {
  sha256_digest digest{};
  sha256_digester().compute({data}, digest.data());
  return digest;
}

sha1_digest hmac_sha1(std::string_view key, std::string_view data) {
  if (key.size() > max_hmac_key) throw std::runtime_error("the key of an HMAC is too long");
  return compute_hmac<sha1_digest>(sha1_digester(), key, data);
}

sha256_digest hmac_sha256(std::string_view key, std::string_view data) {
  if (key.size() <= max_hmac_key) return compute_hmac<sha256_digest>(sha256_digester(), key, data);
  const sha256_digest short_key = sha256(key);
  return compute_hmac<sha256_digest>(sha256_digester(), as_text(short_key), data);
}

bool equal_in_constant_time(std::string_view a, std::string_view b) noexcept {
  return a.size() == b.size() && CRYPTO_memcmp(bytes_of(a), bytes_of(b), a.size()) == 0;
}

std::string random_bytes(std::size_t size) {
  constexpr std::size_t most_at_once = std::numeric_limits<int>::max();
  std::string bytes(size, '\0');
  for (std::size_t at = 0; at < size;) {
    const std::size_t now = std::min(size - at, most_at_once);
    if (RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data() + at), static_cast<int>(now)) !=
        1) {
      throw std::runtime_error("the system has no random bytes to give");
    }
    at += now;
  }
  return bytes;
}

sha256_digest as_digest(std::string_view bytes) noexcept {
  sha256_digest digest{};
  std::copy_n(bytes.data(), std::min(bytes.size(), digest.size()), digest.begin());
  return digest;
}

std::uint32_t crc32(std::string_view data) noexcept {
  return static_cast<std::uint32_t>(::crc32_z(0, bytes_of(data), data.size()));
}

std::string hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out(bytes.size() * 2, '\0');
  auto to = out.begin();
  for (const char c : bytes) {
    const auto byte = static_cast<std::uint8_t>(c);
    *to++ = digits[byte >> 4];
    *to++ = digits[byte & 15U];
  }
  return out;
}

std::string base64url(std::string_view bytes) { return encode(bytes, url_alphabet, false); }

std::optional<std::string> base64url_decode(std::string_view text) {
  static constexpr auto digits = digits_of(url_alphabet);
  return decode(text, digits);
}

std::string base64(std::string_view bytes) { return encode(bytes, standard_alphabet, true); }

std::optional<std::string> base64_decode(std::string_view text) {
  static constexpr auto digits = digits_of(standard_alphabet);
  if (text.size() % 4 != 0) return std::nullopt;
  if (text.ends_with("==")) {
    text.remove_suffix(2);
  } else if (text.ends_with('=')) {
    text.remove_suffix(1);
  }
  return decode(text, digits);
}

}  // namespace freshet::base
