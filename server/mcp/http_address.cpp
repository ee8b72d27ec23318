// A Host field is repeated only if nothing in it could end a quoted string.
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <server/mcp/http_address.hpp>

namespace freshet::server::mcp {

namespace json = boost::json;

std::string address_of(std::string_view base_url, bool is_https, const request_head& head) {
  while (base_url.ends_with('/')) base_url.remove_suffix(1);
  if (!base_url.empty()) return std::string(base_url);
  const std::string_view host = head.field("host").value_or("");
  const bool plain = std::ranges::all_of(host, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == ':' || c == '[' || c == ']';
  });
  return plain ? (is_https ? "https://" : "http://") + std::string(host) : std::string();
}

std::string resource_metadata(std::string_view base_url) {
  json::object out{{"resource", std::string(base_url) + "/mcp"}, {"resource_name", "Freshet"}};
  out["bearer_methods_supported"] = json::array{"header"};
  out["scopes_supported"] = json::array{"read", "account"};
  out["resource_documentation"] = std::string(base_url) + "/docs";
  return json::serialize(out);
}

}  // namespace freshet::server::mcp
