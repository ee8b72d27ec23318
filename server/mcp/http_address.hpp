// Where the server is, as it tells clients that look for a way in (RFC 9728).
#pragma once

#include <server/http/request_reader.hpp>
#include <string>
#include <string_view>

namespace freshet::server::mcp {

inline constexpr std::string_view metadata_path = "/.well-known/oauth-protected-resource";

/// The document there. Keys come from the dashboard or an operator, so that no authorization server
/// is named.
[[nodiscard]] std::string resource_metadata(std::string_view base_url);
/// `base_url` without a slash at its end; where it is "", what the Host field says.
[[nodiscard]] std::string address_of(std::string_view base_url, bool is_https,
                                     const request_head& head);

}  // namespace freshet::server::mcp
