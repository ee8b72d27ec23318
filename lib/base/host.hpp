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

}  // namespace freshet::base
