// The host of a URL (WHATWG URL, section 3.5): domains through IDNA, IPv4 in all its spellings, and
// IPv6. It looks nothing up.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace freshet::base {

/// The host as it is written in a parsed URL: "example.org", "127.0.0.1", "[::1]"; null if `text`
/// is no host. `special` is true for http, https, ftp, ws, wss and file; other schemes have opaque
/// hosts, which are only percent-encoded.
[[nodiscard]] std::optional<std::string> parse_host(std::string_view text, bool special);

/// Whether a host, written as parse_host() writes it, is a domain or below it: "a.example.org" is
/// of "example.org".
[[nodiscard]] bool is_of_domain(std::string_view host, std::string_view domain) noexcept;

}  // namespace freshet::base
