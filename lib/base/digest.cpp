// SHA-256, SHA-1, HMAC, random bytes and base64, on OpenSSL; CRC-32 on zlib. Decoding is strict: a
// text that our own encoder would not have written (other alphabet, stray bits, white space) is
// refused.
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <zlib.h>

#include <algorithm>
#include <base/digest.hpp>
#include <limits>
#include <stdexcept>

namespace freshet::base {
namespace {

constexpr std::string_view standard_alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view url_alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::uint8_t no_digit = 0xFF;

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

void compute(const EVP_MD* kind, std::string_view data, unsigned char* digest) {
  unsigned int size = 0;
  if (EVP_Digest(bytes_of(data), data.size(), digest, &size, kind, nullptr) != 1) {
    throw std::runtime_error("OpenSSL could not compute a digest");
  }
}

/// `key` is at most a block of the digest: longer ones are the caller's to hash.
void compute_hmac(const EVP_MD* kind, std::string_view key, std::string_view data,
                  unsigned char* digest) {
  unsigned int size = 0;
  if (HMAC(kind, bytes_of(key), static_cast<int>(key.size()), bytes_of(data), data.size(), digest,
           &size) == nullptr) {
    throw std::runtime_error("OpenSSL could not compute an HMAC");
  }
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
  compute(EVP_sha1(), data, digest.data());
  return digest;
}

sha256_digest sha256(std::string_view data) {
  sha256_digest digest{};
  compute(EVP_sha256(), data, digest.data());
  return digest;
}

sha1_digest hmac_sha1(std::string_view key, std::string_view data) {
  sha1_digest digest{};
  compute_hmac(EVP_sha1(), key, data, digest.data());
  return digest;
}

sha256_digest hmac_sha256(std::string_view key, std::string_view data) {
  sha256_digest digest{};
  const sha256_digest short_key = key.size() > 64 ? sha256(key) : sha256_digest{};
  compute_hmac(EVP_sha256(), key.size() > 64 ? as_text(short_key) : key, data, digest.data());
  return digest;
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
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<std::uint8_t>(c);
    out += digits[byte >> 4];
    out += digits[byte & 15U];
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
