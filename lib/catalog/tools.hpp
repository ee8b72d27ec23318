// The endpoints as tools of an MCP server, made from the catalogue.
#pragma once

#include <catalog/openapi.hpp>
#include <string>

namespace freshet::catalog {

/// A budget of tokens for a tool's answer that asks for none: what floods a model's context is what
/// users of tools complain of most.
inline constexpr std::int64_t tool_max_tokens = 8'000;
/// A text that is longer comes from a search tool as its passages, of no more than so many tokens.
inline constexpr std::int64_t tool_highlight_tokens = 200;

/// A JSON array of tools as `tools/list` has them, one an endpoint, in the catalogue's order: name,
/// title, description with the price, both schemas written in place, annotations, and in `_meta`
/// the endpoint's path ("freshet/endpoint") and price ("freshet/credits").
[[nodiscard]] std::string tools_json(const openapi_options& options);

/// "microblog_users_lookup": the name of an endpoint's operation and of its tool.
[[nodiscard]] std::string operation_id(const endpoint& of);

}  // namespace freshet::catalog
