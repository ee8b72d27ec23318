// Writing the request and reading the head of its answer, strictly: what is not HTTP/1.1 line by
// line is refused, for a server that frames its answer loosely would do so with its messages.
#include <algorithm>
#include <base/digest.hpp>
#include <base/number.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <http/header_syntax.hpp>
#include <http/websocket_upgrade.hpp>
#include <optional>

namespace freshet::http {
namespace {

constexpr std::string_view end_of_line = "\r\n";
constexpr std::size_t key_bytes = 16;
/// Proves that the answer is one to this handshake (RFC 6455, 1.3).
constexpr std::string_view accept_suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
constexpr int switching_protocols = 101;

/// The fields of the handshake itself.
bool is_upgrade_header(std::string_view name) {
  return is_framing_header(name) || base::equals_ignoring_ascii_case(name, "upgrade") ||
         base::to_lower_ascii(name).starts_with("sec-websocket-");
}

error no_upgrade(const char* why) {
  return error(errc::source_error, std::string("opening the stream: ") + why);
}

error declined(int status) {
  const auto said = "the stream answers HTTP " + std::to_string(status);
  if (status == 401) return error(errc::source_auth_required, said);
  if (status == 403) return error(errc::source_blocked, said);
  if (status == 429 || status >= 500) return error(errc::source_unavailable, said);
  return error(errc::source_error, said);
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find(end_of_line), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + end_of_line.size(), text.size()));
  return line;
}

/// Of "HTTP/1.1 101 Switching Protocols".
std::optional<int> status_of(std::string_view line) {
  constexpr std::string_view version = "HTTP/1.1 ";
  if (!line.starts_with(version)) return std::nullopt;
  line.remove_prefix(version.size());
  const std::string_view digits = line.substr(0, line.find(' '));
  return digits.size() == 3 ? base::parse_number<int>(digits, 100, 999) : std::nullopt;
}

std::optional<headers> fields_of(std::string_view lines) {
  headers out;
  while (!lines.empty()) {
    const std::string_view line = take_line(lines);
    if (line.empty()) break;
    const std::size_t colon = std::min(line.find(':'), line.size());
    const std::string_view value = line.substr(std::min(colon + 1, line.size()));
    if (colon == line.size() || !is_header_name(line.substr(0, colon)) || !is_header_value(value)) {
      return std::nullopt;
    }
    out.push_back({std::string(line.substr(0, colon)), std::string(base::trim(value))});
  }
  return out;
}

/// Whether a field that is a list of tokens has this one.
bool has_token(const headers& fields, std::string_view name, std::string_view token) {
  for (const header& each : fields) {
    if (!base::equals_ignoring_ascii_case(each.name, name)) continue;
    std::string_view left = each.value;
    while (!left.empty()) {
      const std::size_t end = std::min(left.find(','), left.size());
      if (base::equals_ignoring_ascii_case(base::trim(left.substr(0, end)), token)) return true;
      left.remove_prefix(std::min(end + 1, left.size()));
    }
  }
  return false;
}

std::ptrdiff_t count_of(const headers& fields, std::string_view name) {
  return std::ranges::count_if(fields, [&](const header& each) {
    return base::equals_ignoring_ascii_case(each.name, name);
  });
}

/// ws:// and wss:// as what they are carried by.
std::string as_http(std::string url) {
  if (url.starts_with("ws://") || url.starts_with("wss://")) url.replace(0, 2, "http");
  return url;
}

}  // namespace

result<websocket_address> parse_websocket_address(std::string url) {
  const auto parsed = base::parse_url(as_http(std::move(url)));
  if (!parsed || !parsed->is_http() || parsed->host.empty()) {
    return error(errc::invalid_request, "a stream's address begins with wss:// or ws://");
  }
  websocket_address out;
  out.secure = parsed->scheme == "https";
  out.authority = parsed->port.empty() ? parsed->host : parsed->host + ":" + parsed->port;
  out.target = parsed->path.empty() ? "/" : parsed->path;
  if (!parsed->query.empty()) out.target += "?" + parsed->query;
  return out;
}

std::string make_websocket_key() { return base::base64(base::random_bytes(key_bytes)); }

result<std::string> write_upgrade(const websocket_address& address, std::string_view key,
                                  std::string_view user_agent, const headers& more) {
  std::string out;
  out.append("GET ").append(address.target).append(" HTTP/1.1\r\nHost: ").append(address.authority);
  out.append("\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ").append(key);
  out.append("\r\nSec-WebSocket-Version: 13\r\n");
  if (!user_agent.empty() && find_header(more, "User-Agent").empty()) {
    out.append("User-Agent: ").append(user_agent).append(end_of_line);
  }
  for (const header& each : more) {
    if (!is_header_name(each.name) || !is_header_value(each.value)) {
      return error(errc::source_error,
                   "a request header is malformed: " + base::repair_utf8(each.name).substr(0, 64));
    }
    if (is_upgrade_header(each.name)) continue;
    out.append(each.name).append(": ").append(each.value).append(end_of_line);
  }
  return out.append(end_of_line);
}

std::string redirect_of(std::string_view head, const std::string& url) {
  constexpr int statuses[] = {301, 302, 303, 307, 308};
  const auto status = status_of(take_line(head));
  const auto fields = fields_of(head);
  if (!status || !fields || std::ranges::find(statuses, *status) == std::end(statuses)) return {};
  auto location = as_http(std::string(find_header(*fields, "Location")));
  if (location.empty()) return {};
  auto target = base::resolve_url(as_http(url), location);
  return parse_websocket_address(target) ? target : std::string();
}

result<void> check_upgrade(std::string_view head, std::string_view key) {
  const std::optional<int> status = status_of(take_line(head));
  const std::optional<headers> fields = fields_of(head);
  if (!status || !fields) return no_upgrade("the answer is no HTTP");
  if (*status != switching_protocols) return declined(*status);
  if (!has_token(*fields, "Connection", "upgrade") || !has_token(*fields, "Upgrade", "websocket")) {
    return no_upgrade("the answer upgrades to something else");
  }
  const std::string expected =
      base::base64(base::as_text(base::sha1(std::string(key).append(accept_suffix))));
  if (count_of(*fields, "Sec-WebSocket-Accept") != 1 ||
      find_header(*fields, "Sec-WebSocket-Accept") != expected) {
    return no_upgrade("the answer is not one to this request");
  }
  if (count_of(*fields, "Sec-WebSocket-Extensions") != 0) {
    return no_upgrade("the answer chooses an extension that was not offered");
  }
  return {};
}

}  // namespace freshet::http
