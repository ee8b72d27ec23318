// Codes by time, as authenticators show them (RFC 6238: HMAC-SHA-1, 30 seconds, 6 digits, which all
// of them take). Pure: time and secret come in, and nothing is remembered here.
#pragma once

#include <cstdint>
#include <freshet/item.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace freshet::account {

/// As many as the digest has (RFC 4226, 4).
inline constexpr std::size_t code_secret_bytes = 20;

/// Half minutes since 1970: each has a code.
using code_step = std::int64_t;
[[nodiscard]] code_step code_step_at(time_point at) noexcept;
[[nodiscard]] std::string code_of_step(std::string_view secret, code_step step);
/// The step that `code` belongs to, of those around now and later than `last`: a clock may be half
/// a minute off, and a code is good once. Null for none.
[[nodiscard]] std::optional<code_step> match_code(std::string_view secret, std::string_view code,
                                                  time_point now, code_step last);

/// RFC 4648, without padding: how people type a secret.
[[nodiscard]] std::string base32(std::string_view bytes);
/// What an authenticator reads from a QR code.
[[nodiscard]] std::string authenticator_uri(std::string_view service, std::string_view email,
                                            std::string_view secret);

}  // namespace freshet::account
