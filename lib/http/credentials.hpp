// Which parts of a message are secrets: they are neither sent on to another origin, nor shared by a
// cache, nor written into a recording.
#pragma once

#include <http/message.hpp>
#include <string>
#include <string_view>

namespace freshet::http {

/// What stands in a recording where a secret stood.
inline constexpr std::string_view redacted = "REDACTED";

/// Authorization, cookies, and names such as X-Api-Key or X-Subscription-Token.
[[nodiscard]] bool is_credential_header(std::string_view name);
/// A parameter of a URL or form: api_key, client_secret, ...
[[nodiscard]] bool is_credential_name(std::string_view name);

/// `url` with the values of credential parameters, and the password, replaced.
[[nodiscard]] std::string redact_url(std::string_view url);
/// What of an address anybody may see: scheme, host and path. Tokens stand behind the question mark
/// under any name.
[[nodiscard]] std::string public_url(std::string_view url);
/// A form with the values of credential names replaced, or a JSON text with those of the names that
/// are never anything else; other texts as they are.
[[nodiscard]] std::string redact_body(std::string_view body);

}  // namespace freshet::http
