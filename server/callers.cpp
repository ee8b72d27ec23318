// Addresses as proxies write them, and the walk from the peer to the caller.
#include <algorithm>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <server/callers.hpp>
#include <server/http/framing.hpp>
#include <utility>

namespace freshet::server {
namespace {

namespace ip = boost::asio::ip;

/// Names in a chain that are looked at, from the right.
constexpr std::size_t max_proxies = 16;
/// "[ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255]:65535", with quotes.
constexpr std::size_t max_name_size = 64;
constexpr unsigned short host_bits = 64, network_bits_4 = 24, network_bits_6 = 56;

std::string_view unquoted(std::string_view text) {
  const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return quoted ? trim_blank(text.substr(1, text.size() - 2)) : text;
}

/// Without its brackets and its port.
std::string_view host_of_name(std::string_view text) {
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    return end == std::string_view::npos ? std::string_view() : text.substr(1, end - 1);
  }
  // One colon alone parts an IPv4 address from its port; an IPv6 address has more.
  const std::size_t colon = text.find(':');
  const bool is_port = colon != std::string_view::npos && colon == text.rfind(':');
  return is_port ? text.substr(0, colon) : text;
}

/// The value of `for` in an element of Forwarded; "" if it has none.
std::string_view for_of(std::string_view element) {
  while (!element.empty()) {
    const std::size_t semicolon = element.find(';');
    const std::string_view pair = trim_blank(element.substr(0, semicolon));
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos && equal_ascii_nocase(pair.substr(0, equals), "for")) {
      return pair.substr(equals + 1);
    }
    if (semicolon == std::string_view::npos) break;
    element.remove_prefix(semicolon + 1);
  }
  return {};
}

/// The elements of all lines of a field, the last first; at most max_proxies of them.
std::vector<std::string_view> last_elements(const std::vector<std::string_view>& lines) {
  std::vector<std::string_view> out;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    std::string_view rest = *line;
    while (!rest.empty() && out.size() < max_proxies) {
      const std::size_t comma = rest.rfind(',');
      const bool first = comma == std::string_view::npos;
      const std::string_view one = trim_blank(first ? rest : rest.substr(comma + 1));
      if (!one.empty()) out.push_back(one);
      rest = first ? std::string_view() : rest.substr(0, comma);
    }
  }
  return out;
}

bool is_in(const ip_address& address, const ip_address& base, unsigned short bits) {
  if (address.is_v4() != base.is_v4()) return false;
  return base.is_v4() ? ip::network_v4(address.to_v4(), bits).network() == base.to_v4()
                      : ip::network_v6(address.to_v6(), bits).network() == base.to_v6();
}

}  // namespace

ip_address plain_address(const ip_address& of) {
  if (of.is_v4()) return of;
  if (of.to_v6().is_v4_mapped()) return ip::make_address_v4(ip::v4_mapped, of.to_v6());
  return ip::address_v6(of.to_v6().to_bytes());
}

std::optional<ip_address> parse_address(std::string_view text) {
  const std::string_view name = unquoted(trim_blank(text));
  if (name.size() > max_name_size) return std::nullopt;
  boost::system::error_code failed;
  const auto address = ip::make_address(std::string(host_of_name(name)), failed);
  if (failed) return std::nullopt;
  return plain_address(address);
}

std::string host_part(const ip_address& of) {
  const ip_address plain = plain_address(of);
  return plain.is_v4() ? plain.to_string()
                       : ip::network_v6(plain.to_v6(), host_bits).canonical().to_string();
}

std::string network_part(const ip_address& of) {
  const ip_address plain = plain_address(of);
  return plain.is_v4() ? ip::network_v4(plain.to_v4(), network_bits_4).canonical().to_string()
                       : ip::network_v6(plain.to_v6(), network_bits_6).canonical().to_string();
}

result<trusted_proxies> trusted_proxies::of(std::vector<std::string> networks) {
  trusted_proxies made;
  for (const std::string& text : networks) {
    boost::system::error_code failed;
    if (const auto four = ip::make_network_v4(text, failed); !failed) {
      made.networks_.push_back({four.network(), four.prefix_length()});
      continue;
    }
    failed.clear();
    if (const auto six = ip::make_network_v6(text, failed); !failed) {
      made.networks_.push_back({six.network(), six.prefix_length()});
      continue;
    }
    failed.clear();
    if (const auto one = ip::make_address(text, failed); !failed) {
      const auto bits = static_cast<unsigned short>(one.is_v4() ? 32 : 128);
      made.networks_.push_back({one, bits});
      continue;
    }
    return error(errc::invalid_configuration,
                 "server.trusted_proxies: '" + text + "' is no network such as 10.0.0.0/8");
  }
  return made;
}

bool trusted_proxies::hold(const ip_address& address) const {
  return std::ranges::any_of(
      networks_, [&](const network& one) { return is_in(address, one.base, one.bits); });
}

template <class Named>
ip_address trusted_proxies::follow(std::vector<std::string_view> chain, const ip_address& peer,
                                   Named named) const {
  ip_address at = peer;
  for (const std::string_view element : chain) {
    if (!hold(at)) break;
    const auto before = parse_address(named(element));
    if (!before) break;
    at = *before;
  }
  return at;
}

ip_address trusted_proxies::caller_of(const request_head& head, const ip_address& peer) const {
  const ip_address from = plain_address(peer);
  if (!hold(from)) return from;
  const auto names = head.fields("x-forwarded-for");
  const auto elements = head.fields("forwarded");
  const ip_address by_names =
      follow(last_elements(names), from, [](std::string_view name) { return name; });
  if (elements.empty()) return by_names;
  const ip_address by_elements = follow(last_elements(elements), from, for_of);
  return names.empty() || by_names == by_elements ? by_elements : from;
}

}  // namespace freshet::server
