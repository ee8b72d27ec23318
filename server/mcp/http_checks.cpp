// Names are compared without ports: whoever reaches another port of this machine has its name.
#include <openssl/evp.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <server/http/framing.hpp>
#include <server/mcp/http_checks.hpp>

namespace freshet::server::mcp {
namespace {

namespace json = boost::json;

constexpr std::string_view base64_begins = "=?base64?";
constexpr std::string_view base64_ends = "?=";
constexpr std::string_view parameter_key = "x-mcp-header";

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

/// "example.org" of "Example.org:80", "[::1]" of "[::1]:8080".
std::string name_of(std::string_view authority) {
  const std::size_t bracket = authority.find(']');
  const std::size_t colon = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  return lower(authority.substr(0, colon));
}

/// The authority of "https://example.org/path"; "" if there is no scheme.
std::string_view authority_of(std::string_view url) {
  const std::size_t slashes = url.find("://");
  if (slashes == std::string_view::npos) return {};
  url.remove_prefix(slashes + 3);
  return url.substr(0, url.find('/'));
}

protocol_refusal disagreement(std::string detail) {
  return {rpc_error::header_mismatch, "The header fields and the message disagree: " + detail, {}};
}

/// The bytes of strict base64, with padding; nothing if it is not.
std::optional<std::string> decode(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  const std::size_t data = text.find('=') == std::string_view::npos ? text.size() : text.find('=');
  if (text.size() - data > 2 || text.find_first_not_of('=', data) != std::string_view::npos) {
    return std::nullopt;
  }
  const bool letters =
      std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(data), [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
               c == '+' || c == '/';
      });
  if (!letters) return std::nullopt;
  std::string out(text.size() / 4 * 3, '\0');
  if (EVP_DecodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                      reinterpret_cast<const unsigned char*>(text.data()),
                      static_cast<int>(text.size())) < 0) {
    return std::nullopt;
  }
  out.resize(out.size() - (text.size() - data));
  return out;
}

/// What a field's value stands for: itself, or what it wraps in base64.
std::optional<std::string> meant_by(std::string_view value) {
  const bool wrapped = value.size() >= base64_begins.size() + base64_ends.size() &&
                       value.starts_with(base64_begins) && value.ends_with(base64_ends);
  if (!wrapped) return std::string(value);
  value.remove_prefix(base64_begins.size());
  value.remove_suffix(base64_ends.size());
  return decode(value);
}

/// `said`: what the message has; null if it has nothing.
std::optional<protocol_refusal> compare(const request_head& head, std::string_view field,
                                        const std::optional<std::string>& said) {
  const auto value = head.field(field);
  if (!value && !said) return std::nullopt;
  const std::string name(field);
  if (!value) return disagreement(name + " is missing");
  if (head.count(field) > 1) return disagreement(name + " comes more than once");
  const std::optional<std::string> meant = meant_by(*value);
  if (!meant) return disagreement(name + " is not valid base64");
  if (!said) return disagreement(name + " is given, but the message has no such value");
  if (*meant == *said) return std::nullopt;
  return disagreement(name + " is '" + clipped(*meant) + "', and the message says '" +
                      clipped(*said) + "'");
}

std::optional<std::string> text_of(const json::value& value) {
  if (value.is_null() || value.is_object() || value.is_array()) return std::nullopt;
  return value.is_string() ? std::string(value.get_string()) : json::serialize(value);
}

std::optional<protocol_refusal> check_version(const request_head& head, const message& said) {
  const json::object* meta = object_at(said.params, "_meta");
  const std::string in_message = meta == nullptr ? std::string() : text_at(*meta, version_key);
  const auto in_head = head.field("mcp-protocol-version");
  if (!in_head) return disagreement("MCP-Protocol-Version is missing");
  // What the message leaves out is the message's fault, and said as such.
  if (in_message.empty() || in_message == *in_head) return std::nullopt;
  return disagreement("MCP-Protocol-Version is '" + clipped(*in_head) +
                      "', and the message says '" + clipped(in_message) + "'");
}

/// The fields in which a tool wants some of its arguments repeated.
std::optional<protocol_refusal> check_parameters(const request_head& head, const message& said,
                                                 const json::object& tool) {
  const json::object* schema = object_at(tool, "inputSchema");
  const json::object* properties = schema == nullptr ? nullptr : object_at(*schema, "properties");
  if (properties == nullptr) return std::nullopt;
  const json::object* arguments = object_at(said.params, "arguments");
  for (const auto& [name, property] : *properties) {
    const json::object* row = property.if_object();
    const std::string suffix = row == nullptr ? std::string() : text_at(*row, parameter_key);
    if (suffix.empty()) continue;
    const json::value* given = arguments == nullptr ? nullptr : arguments->if_contains(name);
    const auto value = given == nullptr ? std::nullopt : text_of(*given);
    if (auto why = compare(head, "Mcp-Param-" + suffix, value)) return why;
  }
  return std::nullopt;
}

}  // namespace

known_hosts make_known_hosts(std::string_view base_url, std::string_view listen,
                             const std::vector<std::string>& more) {
  known_hosts out;
  out.names = {"localhost", "127.0.0.1", "[::1]"};
  const std::string address = name_of(listen);
  const bool everywhere = address == "0.0.0.0" || address == "[::]" || address == "::";
  if (!everywhere) out.names.push_back(address);
  if (!base_url.empty()) out.names.push_back(name_of(authority_of(base_url)));
  for (const std::string& one : more) out.names.push_back(name_of(one));
  out.any = everywhere && base_url.empty() && more.empty();
  return out;
}

std::optional<std::string> check_hosts(const known_hosts& known, const request_head& head) {
  const auto knows = [&](std::string_view authority) {
    return std::ranges::find(known.names, name_of(authority)) != known.names.end();
  };
  const std::string_view host = head.field("host").value_or("");
  if (!known.any && !knows(host)) {
    return "Forbidden host: the server does not go by this name; its operator sets "
           "server.base_url, or server.mcp_allowed_hosts";
  }
  const auto origin = head.field("origin");
  if (!origin) return std::nullopt;
  const std::string_view from = authority_of(*origin);
  if (!from.empty() && (knows(from) || (known.any && name_of(from) == name_of(host)))) {
    return std::nullopt;
  }
  return "Forbidden origin: a page of another site has sent this";
}

bool accepts_type(std::string_view accept, std::string_view type) {
  bool accepted = false;
  for_each_element(accept, [&](std::string_view element) {
    const std::string_view one = trim_blank(element.substr(0, element.find(';')));
    accepted = accepted || equal_ascii_nocase(one, type);
  });
  return accepted;
}

std::optional<protocol_refusal> check_agreement(const request_head& head, const message& said,
                                                const offers& offered) {
  if (auto why = check_version(head, said)) return why;
  if (auto why = compare(head, "Mcp-Method", said.method)) return why;
  const bool reads = said.method == "resources/read";
  if (!reads && said.method != "tools/call" && said.method != "prompts/get") return std::nullopt;
  const json::value* named = said.params.if_contains(reads ? "uri" : "name");
  const auto name = named == nullptr ? std::nullopt : text_of(*named);
  if (auto why = compare(head, "Mcp-Name", name)) return why;
  const json::object* tool =
      said.method == "tools/call" && name ? find_tool(offered, *name) : nullptr;
  return tool == nullptr ? std::nullopt : check_parameters(head, said, *tool);
}

}  // namespace freshet::server::mcp
