// API keys: how they are made, recognised and stored. Only a keyed hash is ever stored.
#pragma once

#include <base/digest.hpp>
#include <freshet/result.hpp>
#include <string>
#include <string_view>

namespace freshet::account {

enum class key_mode : std::uint8_t { live, test };

/// "frs_live_" or "frs_test_": what a key begins with, for people to recognise.
[[nodiscard]] std::string_view key_prefix(key_mode mode) noexcept;
/// A fresh key: "frs_live_" or "frs_test_", 32 base62 characters, a 6-character base62 CRC-32.
[[nodiscard]] std::string generate_key(key_mode mode);
/// Whether prefix, length, alphabet and checksum are right: costs no look-up. Error:
/// invalid_api_key.
[[nodiscard]] result<key_mode> check_key_format(std::string_view key);
/// HMAC-SHA-256 under the store's secret.
[[nodiscard]] base::sha256_digest hash_key(std::string_view key, std::string_view pepper);

}  // namespace freshet::account
