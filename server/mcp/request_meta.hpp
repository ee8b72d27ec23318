// What a request says of the protocol: the revisions, and the keys of `_meta` in which the one
// without a handshake (2026-07-28) carries what the others settle once.
#pragma once

#include <array>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <optional>
#include <server/mcp/message.hpp>
#include <string>
#include <string_view>

namespace freshet::server::mcp {

inline constexpr std::string_view stateless_revision = "2026-07-28";
inline constexpr std::array<std::string_view, 3> handshake_revisions{"2025-11-25", "2025-06-18",
                                                                     "2025-03-26"};
inline constexpr std::string_view version_key = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view server_info_key = "io.modelcontextprotocol/serverInfo";

/// What a client says that it can be asked for; nothing else of its capabilities is kept.
struct client_abilities {
  bool elicitation = false, roots = false, sampling = false;
  /// Whether the capability of this name was declared.
  [[nodiscard]] bool has(std::string_view name) const noexcept;
};
[[nodiscard]] client_abilities abilities_of(const boost::json::object& capabilities) noexcept;

/// How a request is answered.
struct request_meta {
  bool stateless = false;  ///< 2026-07-28: no handshake, and results say what they are
  boost::json::value progress_token;
  std::string log_level;  ///< "" for no log messages
  client_abilities able;  ///< of the client
};

/// Why a request cannot be taken.
struct protocol_refusal {
  rpc_error code = rpc_error::invalid_params;
  std::string detail;
  boost::json::value data;
};

/// Reads `_meta` into `out`, which comes with what the handshake has settled. `stateless`: the
/// transport has said that the revision is the one without a handshake.
[[nodiscard]] std::optional<protocol_refusal> read_request_meta(const message& asked,
                                                                bool stateless, request_meta& out);

[[nodiscard]] bool is_handshake_revision(std::string_view name) noexcept;
[[nodiscard]] protocol_refusal unsupported_version(std::string_view requested);

[[nodiscard]] bool is_log_level(std::string_view name) noexcept;
/// Whether messages of `level` are wanted where `least` was asked for.
[[nodiscard]] bool is_logged(std::string_view level, std::string_view least) noexcept;

/// The string under `name`, or "".
[[nodiscard]] std::string text_at(const boost::json::object& object, std::string_view name);
/// The object under `name`, or null.
[[nodiscard]] const boost::json::object* object_at(const boost::json::object& object,
                                                   std::string_view name);

}  // namespace freshet::server::mcp
