// JSON-RPC 2.0 as the Model Context Protocol uses it: one message from and to text. No I/O.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::server::mcp {

/// The codes of errors, by JSON-RPC and by the protocol's revisions.
enum class rpc_error : std::int32_t {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
  resource_not_found = -32002,
  header_mismatch = -32020,
  missing_capability = -32021,
  unsupported_version = -32022,
};

/// A message that a client has sent.
struct message {
  enum class kind : std::uint8_t { request, notification, answer };
  kind what = kind::request;
  boost::json::value id;  ///< a string or an integer; null for a notification
  std::string method;     ///< "" for an answer
  boost::json::object params;
  boost::json::object result;  ///< of an answer; empty where it is an error
  bool failed = false;         ///< of an answer
  /// Whose trace it belongs to (W3C), where the transport has said it; "" where it has not.
  std::string traceparent, tracestate;
};

/// Why a text is no message, with the id if it could be read.
struct rejection {
  rpc_error code = rpc_error::parse_error;
  std::string detail;
  boost::json::value id;
};

/// The most messages in one batch.
inline constexpr std::size_t max_batch = 32;

/// The most bytes of an id or a progress token that is text: they are kept and sent again.
inline constexpr std::size_t max_id_bytes = 128;

/// Text of a client's as an answer repeats it: whole, or its beginning.
[[nodiscard]] std::string clipped(std::string_view text, std::size_t most = 256);

/// The messages of a text: one, or those of a batch, which only the revision 2025-03-26 has and
/// servers of later ones take, too. Nothing, and `why`, if any of it is no message.
[[nodiscard]] std::optional<std::vector<message>> read_messages(std::string_view text,
                                                                rejection& why);

/// Messages to the client, without a newline.
[[nodiscard]] std::string result_text(const boost::json::value& id, boost::json::object result);
/// With a result that is text already.
[[nodiscard]] std::string result_text(const boost::json::value& id, std::string_view result);
[[nodiscard]] std::string error_text(const boost::json::value& id, rpc_error code,
                                     std::string_view detail, boost::json::value data = nullptr);
[[nodiscard]] std::string notification_text(std::string_view method, boost::json::object params);
/// A request of ours to the client.
[[nodiscard]] std::string request_text(const boost::json::value& id, std::string_view method,
                                       boost::json::object params);

}  // namespace freshet::server::mcp
