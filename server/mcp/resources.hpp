// What can be read beside the tools: documents that never change while the server runs, and pages
// of the web by their address.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <string_view>

namespace freshet::server::mcp {

inline constexpr std::string_view sources_uri = "freshet://sources";
inline constexpr std::string_view description_uri = "freshet://openapi.json";
/// What stands before a page's address.
inline constexpr std::string_view document_prefix = "freshet://document/";

/// The array of `resources/list`.
[[nodiscard]] boost::json::array resources();
/// The array of `resources/templates/list`.
[[nodiscard]] boost::json::array resource_templates();
/// The result of `resources/read` for a resource that is one text.
[[nodiscard]] boost::json::object one_text(std::string_view uri, std::string_view type,
                                           std::string_view text);

}  // namespace freshet::server::mcp
