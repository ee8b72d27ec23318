// What must be true of an HTTP request before anybody looks at its message, and of its fields once
// the message is known. Pure.
#pragma once

#include <freshet/result.hpp>
#include <optional>
#include <server/http/request_reader.hpp>
#include <server/mcp/offers.hpp>
#include <server/mcp/request_meta.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::server::mcp {

/// Under which names the server may be addressed, so that a page which has its own name resolve to
/// this machine gets nothing (DNS rebinding).
struct known_hosts {
  bool any = false;                ///< the server listens everywhere and was told no name
  std::vector<std::string> names;  ///< lower case, without ports
};
/// Those of loopback, of `base_url` and of the address listened on, and `more`.
[[nodiscard]] known_hosts make_known_hosts(std::string_view base_url, std::string_view listen,
                                           const std::vector<std::string>& more);
/// What is wrong with Host and Origin; nothing if they are known.
[[nodiscard]] std::optional<std::string> check_hosts(const known_hosts& known,
                                                     const request_head& head);

/// Whether an Accept field names this media type. Ranges do not count: the protocol wants its two
/// types named.
[[nodiscard]] bool accepts_type(std::string_view accept, std::string_view type);

/// Whether the fields that repeat what the message says agree with it (revision 2026-07-28).
[[nodiscard]] std::optional<protocol_refusal> check_agreement(const request_head& head,
                                                              const message& said,
                                                              const offers& offered);

}  // namespace freshet::server::mcp
