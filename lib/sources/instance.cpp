// Reading server names that callers and answers give. Whether a name leads to a private address is
// the transport's to refuse.
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <sources/instance.hpp>

namespace freshet::sources {
namespace {

std::optional<base::url> origin_of_host(std::string_view host) {
  if (host.empty() || host.find_first_of("/?#@\\ \t\r\n") != std::string_view::npos)
    return std::nullopt;
  auto url = base::parse_url("https://" + std::string(host));
  if (!url || url->host.find('.') == std::string::npos) return std::nullopt;
  const bool empty_label = url->host.starts_with('.') || url->host.ends_with('.') ||
                           url->host.find("..") != std::string::npos;
  if (empty_label) return std::nullopt;
  return url;
}

}  // namespace

instance instance_at(std::string_view base_url) {
  instance at;
  at.base_url = base_url;
  at.configured = true;
  if (const auto url = base::parse_url(base_url)) at.host = host_with_port(*url);
  return at;
}

std::optional<instance> instance_named(std::string_view host, const instance& configured) {
  if (base::equals_ignoring_ascii_case(host, configured.host)) return configured;
  const auto origin = origin_of_host(host);
  if (!origin) return std::nullopt;
  auto name = host_with_port(*origin);
  if (name == configured.host) return configured;
  return instance{"https://" + name, name, false};
}

std::string pace_of(const instance& asked, std::string_view source) {
  return asked.configured ? std::string(source) : asked.host;
}

std::string host_with_port(const base::url& url) {
  return url.port.empty() ? url.host : url.host + ":" + url.port;
}

std::vector<std::string_view> path_segments(std::string_view path) {
  std::vector<std::string_view> found;
  while (!path.empty()) {
    const auto slash = path.find('/');
    if (slash != 0) found.push_back(path.substr(0, slash));
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
  }
  return found;
}

}  // namespace freshet::sources
