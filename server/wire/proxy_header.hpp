// What a proxy says before anything else of whose connection it passes on: the PROXY protocol, in
// its versions 1 (a line of text) and 2 (binary). Bytes to an address, without I/O; who may say it
// is decided elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <freshet/config.hpp>
#include <optional>
#include <server/callers.hpp>
#include <string_view>

namespace freshet::server {

/// More than a proxy has to say, with a certificate's names.
inline constexpr std::size_t max_proxy_header_bytes = 2048;

/// How far a header has come.
struct proxy_header {
  enum class progress : std::uint8_t { incomplete, complete, malformed };
  progress reached = progress::malformed;
  std::size_t size = 0;  ///< of a complete one; what follows is the client's
  /// Whose connection it is; null: the proxy's own, or none that has an address.
  std::optional<ip_address> source;
};

/// Whether the trusted proxies say it. Error: invalid_configuration (there are none).
[[nodiscard]] result<bool> proxy_protocol_of(const config& from);

/// Of the bytes that have come so far. What is not the beginning of a header is malformed at once.
[[nodiscard]] proxy_header read_proxy_header(std::string_view bytes);

}  // namespace freshet::server
