// The handshake of a WebSocket (RFC 6455, 4) as text: where a stream is, the request that asks for
// the upgrade, and what its answer says. It does not touch the network, and offers no extension
// and no subprotocol.
#pragma once

#include <freshet/result.hpp>
#include <http/message.hpp>
#include <string>
#include <string_view>

namespace freshet::http {

/// What ends the head of an answer.
inline constexpr std::string_view end_of_head = "\r\n\r\n";
/// An answer whose head is longer is none.
inline constexpr std::size_t max_upgrade_bytes = 8u << 10;

struct websocket_address {
  std::string authority;  ///< host[:port]
  std::string target;     ///< path and query
  bool secure = false;
};

/// Reads ws://, wss://, http:// and https://. Error: invalid_request.
[[nodiscard]] result<websocket_address> parse_websocket_address(std::string url);

/// A key that no other handshake has.
[[nodiscard]] std::string make_websocket_key();

/// The request, to its empty line. `more` are set in place of our own of the same name; those that
/// frame the handshake are left out. Error: source_error, if one of them is malformed.
[[nodiscard]] result<std::string> write_upgrade(const websocket_address& address,
                                                std::string_view key, std::string_view user_agent,
                                                const headers& more);

/// Where the answer to a request for `url` sends us instead, as http:// or https://; "" if it does
/// not.
[[nodiscard]] std::string redirect_of(std::string_view head, const std::string& url);

/// Judges the head of the answer, with its empty line. Errors: source_auth_required (401),
/// source_blocked (403), source_unavailable (429, 5xx), source_error (any other status, and an
/// upgrade to something else than what was asked for).
[[nodiscard]] result<void> check_upgrade(std::string_view head, std::string_view key);

}  // namespace freshet::http
