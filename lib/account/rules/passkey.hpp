// Passkeys (W3C Web Authentication, level 2): what a browser answers when it was asked to make one
// or to show one, judged by libfido2. Pure: challenges, keys and counters come in, and nothing is
// remembered here. Who made the authenticator is not asked (attestation "none").
#pragma once

#include <array>
#include <cstdint>
#include <freshet/result.hpp>
#include <string>
#include <string_view>

namespace freshet::account {

/// Where passkeys are for.
struct passkey_site {
  std::string host;    ///< the id of the relying party; "": browsers make none for this server
  std::string origin;  ///< as browsers write it: "https://api.example.org:8443"
};

/// Of the server's public address. Browsers make none for an address by number, nor for one
/// without TLS but that of localhost.
[[nodiscard]] passkey_site passkey_site_of(std::string_view base_url);

/// The kinds of keys that a browser is asked for, the best first, by their numbers in COSE: ES256,
/// Ed25519 and RS256, which is what authenticators know.
inline constexpr std::array<int, 3> passkey_algorithms{-7, -8, -257};

/// What a browser was asked for.
enum class passkey_act : std::uint8_t { make, show };

/// What a browser answered. Nothing of it is proven, but that it says to come from the site's own
/// pages.
struct passkey_answer {
  std::string credential;  ///< its id, in base64url
  std::string challenge;   ///< to which it is an answer, in base64url
  std::string client_data, authenticator_data, signature;
};

/// `text`: RegistrationResponseJSON or AuthenticationResponseJSON. Error: invalid_second_factor.
[[nodiscard]] result<passkey_answer> read_passkey_answer(std::string_view text, passkey_act act,
                                                         const passkey_site& site);

/// What has to be known to judge what a passkey signs.
struct passkey_key {
  std::int64_t algorithm = 0;  ///< of passkey_algorithms
  std::string bytes;           ///< as libfido2 gives it, in base64url
};

/// A passkey as it begins.
struct made_passkey {
  passkey_key key;
  std::int64_t uses = 0;  ///< its own counter; 0 where it does not count
};

/// Of the answer to `make`. Error: invalid_second_factor (of another site, nobody was there, or a
/// kind of key that was not asked for).
[[nodiscard]] result<made_passkey> read_made_passkey(const passkey_answer& answer,
                                                     const passkey_site& site);
/// Whether the answer to `show` was signed with this key for this site while somebody was there;
/// its counter then. Error: invalid_second_factor.
[[nodiscard]] result<std::int64_t> check_shown_passkey(const passkey_answer& shown,
                                                       const passkey_key& key,
                                                       const passkey_site& site);
/// Whether a counter goes on from `before`: one that does not belongs to a copy of the passkey.
/// Those that do not count stay at 0.
[[nodiscard]] constexpr bool goes_on(std::int64_t before, std::int64_t now) noexcept {
  return now > before || (now == 0 && before == 0);
}

}  // namespace freshet::account
