// A request says either all that its revision wants, or is refused with what is missing.
#include <algorithm>
#include <server/mcp/request_meta.hpp>

namespace freshet::server::mcp {
namespace {

namespace json = boost::json;

constexpr std::string_view capabilities_key = "io.modelcontextprotocol/clientCapabilities";
constexpr std::string_view log_level_key = "io.modelcontextprotocol/logLevel";
constexpr std::array<std::string_view, 8> log_levels{"debug", "info",     "notice", "warning",
                                                     "error", "critical", "alert",  "emergency"};

protocol_refusal missing(std::string_view what) {
  return {rpc_error::invalid_params,
          "_meta: revision " + std::string(stateless_revision) + " needs " + std::string(what),
          json::object{{"missing", json::array{json::string(what)}}}};
}

}  // namespace

bool client_abilities::has(std::string_view name) const noexcept {
  return (name == "elicitation" && elicitation) || (name == "roots" && roots) ||
         (name == "sampling" && sampling);
}

client_abilities abilities_of(const json::object& capabilities) noexcept {
  return {capabilities.contains("elicitation"), capabilities.contains("roots"),
          capabilities.contains("sampling")};
}

std::string text_at(const json::object& object, std::string_view name) {
  const json::value* found = object.if_contains(name);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
}

const json::object* object_at(const json::object& object, std::string_view name) {
  const json::value* found = object.if_contains(name);
  return found == nullptr ? nullptr : found->if_object();
}

bool is_handshake_revision(std::string_view name) noexcept {
  return std::ranges::find(handshake_revisions, name) != handshake_revisions.end();
}

protocol_refusal unsupported_version(std::string_view requested) {
  json::object data{{"requested", clipped(requested)}};
  data["supported"] = json::array{json::string(stateless_revision)};
  return {rpc_error::unsupported_version, "Unsupported protocol version: " + clipped(requested),
          std::move(data)};
}

bool is_log_level(std::string_view name) noexcept {
  return std::ranges::find(log_levels, name) != log_levels.end();
}

bool is_logged(std::string_view level, std::string_view least) noexcept {
  const auto rank = [](std::string_view name) {
    return std::ranges::find(log_levels, name) - log_levels.begin();
  };
  return !least.empty() && rank(least) <= rank(level);
}

std::optional<protocol_refusal> read_request_meta(const message& asked, bool stateless,
                                                  request_meta& out) {
  const json::object* meta = object_at(asked.params, "_meta");
  if (meta == nullptr) {
    return stateless ? std::optional(missing("_meta")) : std::nullopt;
  }
  if (const json::value* token = meta->if_contains("progressToken")) {
    const bool is_long = token->is_string() && token->get_string().size() > max_id_bytes;
    if (is_long) {
      return protocol_refusal{
          rpc_error::invalid_params, "progressToken: give at most 128 bytes", {}};
    }
    if (token->is_string() || token->is_int64() || token->is_uint64()) out.progress_token = *token;
  }
  const std::string wanted = text_at(*meta, version_key);
  if (wanted.empty()) return stateless ? std::optional(missing(version_key)) : std::nullopt;
  if (wanted != stateless_revision) return unsupported_version(wanted);
  const json::object* able = object_at(*meta, capabilities_key);
  if (able == nullptr) return missing(capabilities_key);
  out.stateless = true;
  out.able = abilities_of(*able);
  const std::string level = text_at(*meta, log_level_key);
  out.log_level = is_log_level(level) ? level : "";
  return std::nullopt;
}

}  // namespace freshet::server::mcp
