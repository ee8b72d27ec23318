// Digests, random bytes and the texts they are written in. All from OpenSSL.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace freshet::base {

using sha1_digest = std::array<std::uint8_t, 20>;
using sha256_digest = std::array<std::uint8_t, 32>;

/// Broken; only for protocols that ask for it and nothing that must be safe.
[[nodiscard]] sha1_digest sha1(std::string_view data);
[[nodiscard]] sha256_digest sha256(std::string_view data);
/// For what others prescribe it. `key`: at most 64 bytes.
[[nodiscard]] sha1_digest hmac_sha1(std::string_view key, std::string_view data);
[[nodiscard]] sha256_digest hmac_sha256(std::string_view key, std::string_view data);
/// Compares without a data-dependent time.
[[nodiscard]] bool equal_in_constant_time(std::string_view a, std::string_view b) noexcept;
/// Bytes from the CSPRNG. Throws std::runtime_error if the system has none to give.
[[nodiscard]] std::string random_bytes(std::size_t size);
[[nodiscard]] std::uint32_t crc32(std::string_view data) noexcept;

[[nodiscard]] std::string hex(std::string_view bytes);
/// URL-safe, without padding.
[[nodiscard]] std::string base64url(std::string_view bytes);
[[nodiscard]] std::optional<std::string> base64url_decode(std::string_view text);
/// The standard alphabet, with padding.
[[nodiscard]] std::string base64(std::string_view bytes);
[[nodiscard]] std::optional<std::string> base64_decode(std::string_view text);

/// The digest that was kept as text; zeros where bytes are missing.
[[nodiscard]] sha256_digest as_digest(std::string_view bytes) noexcept;

template <std::size_t N>
[[nodiscard]] std::string_view as_text(const std::array<std::uint8_t, N>& bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), N};
}

}  // namespace freshet::base
