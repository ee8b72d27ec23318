// Cookies and origins.
#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <server/dashboard_http.hpp>
#include <server/http/framing.hpp>
#include <server/http/negotiation.hpp>
#include <server/routes.hpp>

namespace freshet::server {
namespace {

constexpr std::string_view api_prefix = "/dashboard/api/";
constexpr std::string_view call_prefix = "v1/", example_prefix = "examples/", watch_name = "events";
/// What follows the slash in a path below `command`, as an argument.
struct named_rest {
  std::string_view command, argument;
};
constexpr std::array<named_rest, 2> named_rests{{{"picture", "name"}, {"export", "before"}}};
constexpr std::string_view cookie_name = "freshet_session";
/// With this name browsers take it of this very host alone, by TLS, and for all of its paths.
constexpr std::string_view host_cookie_name = "__Host-freshet_session";
constexpr std::size_t max_token_size = 64;
constexpr std::size_t max_user_agent_size = 200;

/// "https://a.example:8443" of a URL; "" if it is none.
std::string origin_of(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return {};
  const std::size_t end = url.find('/', scheme + 3);
  return std::string(url.substr(0, end));
}

std::string_view host_of(std::string_view origin) {
  const std::size_t scheme = origin.find("://");
  return scheme == std::string_view::npos ? std::string_view() : origin.substr(scheme + 3);
}

/// The value of the session's cookie; "" if there is none, or if there are two: one of them was
/// then set by another host of the same domain, and nobody knows which.
std::string session_of(const request_head& head, std::string_view name) {
  if (head.count("cookie") != 1) return {};
  std::string_view rest = head.field("cookie").value_or("");
  std::optional<std::string_view> found;
  while (!rest.empty()) {
    const std::size_t semicolon = rest.find(';');
    const std::string_view pair = trim_blank(rest.substr(0, semicolon));
    rest = semicolon == std::string_view::npos ? std::string_view() : rest.substr(semicolon + 1);
    const std::size_t equals = pair.find('=');
    if (pair.substr(0, equals) != name || equals == std::string_view::npos) continue;
    const std::string_view value = pair.substr(equals + 1);
    if (found && *found != value) return {};
    found = value;
  }
  if (!found || found->size() > max_token_size) return {};
  return std::string(*found);
}

/// Of the alphabet of base64url, as the engine signs them; entries of a ledger are, too.
bool is_plain_name(std::string_view text) {
  const auto is_known = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_';
  };
  return !text.empty() && std::ranges::all_of(text, is_known);
}

bool is_loopback_name(std::string_view host) {
  if (host.starts_with("[::1]")) return true;
  const std::string_view name = host.substr(0, host.find(':'));
  if (equal_ascii_nocase(name, "localhost")) return true;
  const auto address = parse_address(name);
  return address && address->is_loopback();
}

/// A page of another name that resolves to the loopback is not at this machine, nor is whom a proxy
/// on it speaks for.
bool is_at_this_machine(const request_head& head, const ip_address& peer) {
  if (!peer.is_loopback() || !is_loopback_name(head.field("host").value_or(""))) return false;
  constexpr std::array<std::string_view, 5> of_proxies{"forwarded", "x-forwarded-for",
                                                       "x-forwarded-host", "x-real-ip", "via"};
  return std::ranges::none_of(of_proxies,
                              [&head](std::string_view name) { return head.count(name) > 0; });
}

}  // namespace

result<dashboard_settings> dashboard_settings_of(const config& from) {
  dashboard_settings made;
  made.base_url = from.text("server.base_url");
  made.is_https =
      made.base_url.starts_with("https://") || !from.text("server.tls.certificate").empty();
  result<trusted_proxies> proxies = trusted_proxies::of(from.list("server.trusted_proxies"));
  if (!proxies) return proxies.error();
  made.proxies = std::move(*proxies);
  made.session_lifetime =
      std::chrono::seconds(from.integer("dashboard.session_lifetime_s").value_or(0));
  return made;
}

bool is_dashboard_api(std::string_view path) noexcept { return path.starts_with(api_prefix); }

dashboard_http::dashboard_http(dashboard_settings with)
    : with_(std::move(with)),
      origin_(origin_of(with_.base_url)),
      cookie_name_(cookie_name),
      cookie_attributes_("; Path=/dashboard; HttpOnly; SameSite=Strict") {
  if (!with_.is_https) return;
  cookie_name_ = host_cookie_name;
  cookie_attributes_ = "; Path=/; HttpOnly; SameSite=Strict; Secure";
}

dashboard_http::arrival dashboard_http::read(const request_head& head,
                                             std::string_view peer) const {
  arrival made;
  made.session = session_of(head, cookie_name_);
  made.csrf_token = head.field("x-csrf-token").value_or("").substr(0, max_token_size);
  made.user_agent = head.field("user-agent").value_or("").substr(0, max_user_agent_size);
  if (const auto at = parse_address(peer)) {
    made.address = with_.proxies.caller_of(head, *at).to_string();
    made.at_this_machine = is_at_this_machine(head, *at);
  }
  return made;
}

request example_call(const std::string& endpoint, const std::string& request_id) {
  request call;
  call.endpoint = endpoint;
  call.request_id = request_id;
  call.in_process = false;
  call.example = call.takes_lead = true;
  return call;
}

dashboard_http::way dashboard_http::find(std::string_view path) {
  const std::string_view name = path.substr(api_prefix.size());
  way found;
  if (name.starts_with(call_prefix)) {
    found.endpoint = name.substr(call_prefix.size());
    found.allow = "POST, OPTIONS";
    return found;
  }
  if (name.starts_with(example_prefix)) {
    found.endpoint = name.substr(example_prefix.size());
    found.is_example = true;
    found.allow = "GET, HEAD, OPTIONS";
    return found;
  }
  if (name == watch_name) {
    found.is_watch = true;
    found.allow = "GET, OPTIONS";
    return found;
  }
  std::string_view wanted = name;
  const std::size_t slash = name.find('/');
  for (const named_rest& one : named_rests) {
    if (slash == std::string_view::npos || name.substr(0, slash) != one.command) continue;
    const std::string_view rest = name.substr(slash + 1);
    if (!is_plain_name(rest)) continue;
    wanted = one.command;
    found.arguments.append("{\"").append(one.argument).append("\":\"").append(rest) += "\"}";
  }
  for (const dashboard_action& one : dashboard_commands()) {
    if (one.name != wanted) continue;
    found.command = &one;
    found.allow = one.guarded ? "POST, OPTIONS" : "GET, HEAD, OPTIONS";
  }
  return found;
}

result<void> dashboard_http::check_origin(const request_head& head) const {
  // A form of another site can send none of these: not this type, and not without its origin.
  if (!is_json(head.field("content-type").value_or(""))) {
    return error(errc::unsupported_media_type, "send the body as Content-Type: application/json");
  }
  const auto site = head.field("sec-fetch-site");
  const error elsewhere(errc::csrf_failed, "the request comes from another site's page");
  if (site && *site != "same-origin") return elsewhere;
  const auto origin = head.field("origin");
  if (head.count("origin") > 1) return elsewhere;
  if (!origin || (!origin_.empty() && *origin == origin_)) return {};
  const auto host = head.field("host").value_or("");
  if (host.empty() || !equal_ascii_nocase(host_of(*origin), host)) return elsewhere;
  return {};
}

reply dashboard_http::reply_to(dashboard_response&& made) const {
  reply out = reply_of(std::move(made.answer));
  mark_dashboard_reply(out);
  if (out.content_type.starts_with("image/")) {
    out.cache_control = "private, max-age=86400";
    out.more_fields.emplace_back("Content-Security-Policy", "default-src 'none'; sandbox");
  }
  if (made.session) {
    const auto lifetime = made.session->empty() ? 0 : with_.session_lifetime.count();
    out.more_fields.emplace_back("Set-Cookie", cookie_name_ + "=" + *made.session +
                                                   cookie_attributes_ +
                                                   "; Max-Age=" + std::to_string(lifetime));
  }
  if (!made.file_name.empty()) {
    out.more_fields.emplace_back("Content-Disposition",
                                 "attachment; filename=\"" + made.file_name + "\"");
  }
  return out;
}

void mark_dashboard_reply(reply& what) {
  what.challenge = "Session";
  what.more_fields.emplace_back("Cross-Origin-Resource-Policy", "same-origin");
}

}  // namespace freshet::server
