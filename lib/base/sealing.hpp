// Bytes as they are put away: deflated within a bound, and sealed, so that whoever has only the
// file reads nothing and changes nothing unnoticed. It keeps no key and chooses none.
#pragma once

#include <base/digest.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace freshet::base {

/// Raw deflate (RFC 1951), at most `max_size` bytes of it; null for a text that takes more. Stops
/// as soon as that is known.
[[nodiscard]] std::optional<std::string> deflate_within(std::string_view text,
                                                        std::size_t max_size);
/// What was deflated, which must be of exactly that size; null for anything else.
[[nodiscard]] std::optional<std::string> inflate_to(std::string_view deflated, std::size_t size);

/// AES-256-GCM under a nonce of its own. `context` is not kept, but must be the same to open it.
/// Throws std::runtime_error if the system has no random bytes to give.
[[nodiscard]] std::string seal(const sha256_digest& key, std::string_view context,
                               std::string_view text);
/// Null for what was not sealed so, or was changed since.
[[nodiscard]] std::optional<std::string> unseal(const sha256_digest& key, std::string_view context,
                                                std::string_view sealed);

/// The same as text, in base64url.
[[nodiscard]] std::string seal_text(const sha256_digest& key, std::string_view context,
                                    std::string_view text);
[[nodiscard]] std::optional<std::string> unseal_text(const sha256_digest& key,
                                                     std::string_view context,
                                                     std::string_view sealed);

}  // namespace freshet::base
