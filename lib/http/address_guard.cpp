// The tables of special-purpose addresses (IANA registries for IPv4 and IPv6, RFC 6890) and the
// judgement over them.
#include <arpa/inet.h>

#include <algorithm>
#include <base/number.hpp>
#include <base/url.hpp>
#include <cstring>
#include <http/address_guard.hpp>

namespace freshet::http {
namespace {

struct range4 {
  std::uint32_t prefix;
  unsigned bits;
};

constexpr range4 special4[] = {
    {0x00000000, 8},   // "this network"; Linux connects 0.0.0.0 to itself
    {0x0A000000, 8},   // private
    {0x64400000, 10},  // carrier-grade NAT; cloud metadata at 100.100.100.200
    {0x7F000000, 8},   // loopback
    {0xA83F8110, 32},  // 168.63.129.16: the platform service of a cloud, inside public space
    {0xA9FE0000, 16},  // link-local; cloud metadata
    {0xAC100000, 12},  // private
    {0xC0000000, 24},  // IETF protocol assignments
    {0xC0000200, 24},  // documentation
    {0xC0586300, 24},  // 6to4 relays, withdrawn
    {0xC0A80000, 16},  // private
    {0xC6120000, 15},  // benchmarking
    {0xC6336400, 24},  // documentation
    {0xCB007100, 24},  // documentation
    {0xE0000000, 4},   // multicast
    {0xF0000000, 4},   // reserved, and broadcast
};

struct range6 {
  std::array<std::uint8_t, 4> prefix;
  unsigned bits;
};

// Within 2000::/3; everything outside of it is denied anyway.
constexpr range6 special6[] = {
    {{0x20, 0x01, 0x00, 0x00}, 23},  // IETF assignments: Teredo (embeds IPv4), ORCHID, benchmarking
    {{0x20, 0x01, 0x0D, 0xB8}, 32},  // documentation
    {{0x3F, 0xFF, 0x00, 0x00}, 20},  // documentation
};

constexpr std::uint8_t mapped_prefix[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
constexpr std::uint8_t nat64_prefix[12] = {0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0};
constexpr std::uint8_t six_to_four_prefix[2] = {0x20, 0x02};
constexpr unsigned mapped_bits = 96;

bool same_bits(const std::uint8_t* a, const std::uint8_t* b, unsigned bits) noexcept {
  const unsigned whole = bits / 8;
  if (std::memcmp(a, b, whole) != 0) return false;
  const unsigned rest = bits % 8;
  if (rest == 0) return true;
  const auto mask = static_cast<std::uint8_t>(0xFFu << (8 - rest));
  return (a[whole] & mask) == (b[whole] & mask);
}

bool is_public4(const std::uint8_t* bytes) noexcept {
  const std::uint32_t address = std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 |
                                std::uint32_t{bytes[2]} << 8 | bytes[3];
  return std::ranges::none_of(special4, [&](const range4& range) {
    return (address ^ range.prefix) >> (32 - range.bits) == 0;
  });
}

bool is_public6(const std::uint8_t* bytes) noexcept {
  if (bytes[0] >> 5 != 1) return false;  // 2000::/3 is all that has been given out
  return std::ranges::none_of(special6, [&](const range6& range) {
    return same_bits(bytes, range.prefix.data(), range.bits);
  });
}

/// The IPv4 address inside an IPv6 one that a translator on the way would unwrap, or null.
const std::uint8_t* embedded4(const std::uint8_t* bytes) noexcept {
  if (std::memcmp(bytes, mapped_prefix, sizeof mapped_prefix) == 0) return bytes + 12;
  if (std::memcmp(bytes, nat64_prefix, sizeof nat64_prefix) == 0) return bytes + 12;
  if (std::memcmp(bytes, six_to_four_prefix, sizeof six_to_four_prefix) == 0) return bytes + 2;
  return nullptr;
}

}  // namespace

bool address_guard::network::contains(const bytes& address,
                                      std::uint16_t wanted_port) const noexcept {
  return (port == 0 || port == wanted_port) && same_bits(prefix.data(), address.data(), bits);
}

bool address_guard::parse_address(std::string_view text, bytes& out) noexcept {
  char buffer[INET6_ADDRSTRLEN + 1];
  if (text.size() >= sizeof buffer) return false;
  std::memcpy(buffer, text.data(), text.size());
  buffer[text.size()] = '\0';
  if (inet_pton(AF_INET6, buffer, out.data()) == 1) return true;
  if (inet_pton(AF_INET, buffer, out.data() + 12) != 1) return false;
  std::memcpy(out.data(), mapped_prefix, sizeof mapped_prefix);
  return true;
}

std::optional<address_guard::network> address_guard::parse_network(std::string_view text) {
  const auto slash = text.find('/');
  const std::string_view address = text.substr(0, slash);
  network out;
  if (!parse_address(address, out.prefix)) return std::nullopt;
  const bool is4 = address.find(':') == std::string_view::npos;
  const unsigned most = is4 ? 32 : 128;
  unsigned bits = most;
  if (slash != std::string_view::npos) {
    const std::string_view digits = text.substr(slash + 1);
    const auto given = base::parse_number<unsigned>(digits, 0, most);
    if (!given) return std::nullopt;
    bits = *given;
  }
  out.bits = is4 ? mapped_bits + bits : bits;
  return out;
}

/// Reads HOST:PORT. A host that is an address, however it is spelled, counts by its bytes.
bool address_guard::add_host(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos || text.find_first_of("/?#@\\ ") != text.npos) return false;
  const auto port = base::parse_number<unsigned>(text.substr(colon + 1), 1, 65535);
  const auto url = base::parse_url("http://" + std::string(text.substr(0, colon)) + "/");
  if (!port || !url || url->host.empty() || !url->port.empty()) return false;
  std::string_view literal = url->host;
  if (literal.starts_with('[')) literal = literal.substr(1, literal.size() - 2);
  if (auto one = parse_network(literal)) {
    one->port = static_cast<std::uint16_t>(*port);
    allowed_.push_back(*one);
  } else {
    hosts_.push_back({url->host, static_cast<std::uint16_t>(*port)});
  }
  return true;
}

result<address_guard> address_guard::make(const std::vector<std::string>& allow_private,
                                          bool any_port, std::string_view key) {
  address_guard out;
  out.any_port_ = any_port;
  for (const std::string& text : allow_private) {
    if (const auto each = parse_network(text)) {
      out.allowed_.push_back(*each);
    } else if (!out.add_host(text)) {
      return error(errc::invalid_configuration,
                   std::string(key) + ": '" + text +
                       "' is neither a CIDR, as 10.0.0.0/8, nor HOST:PORT, as 127.0.0.1:8888");
    }
  }
  return out;
}

bool address_guard::is_allowed_network(const bytes& address, std::uint16_t port) const noexcept {
  return std::ranges::any_of(allowed_,
                             [&](const network& each) { return each.contains(address, port); });
}

bool address_guard::is_named_host(std::string_view host, std::uint16_t port) const noexcept {
  return std::ranges::any_of(
      hosts_, [&](const named_host& each) { return each.port == port && each.name == host; });
}

bool address_guard::names(std::string_view address, std::uint16_t port,
                          std::string_view host) const noexcept {
  bytes at{};
  if (!parse_address(address, at)) return false;
  return is_named_host(host, port) || std::ranges::any_of(allowed_, [&](const network& each) {
           return each.port != 0 && each.contains(at, port);
         });
}

bool address_guard::is_own(std::string_view address, std::string_view local) noexcept {
  bytes at{};
  bytes from{};
  if (!parse_address(address, at) || !parse_address(local, from)) return true;  // who knows
  constexpr std::size_t first4 = sizeof mapped_prefix;
  return at == from || at == bytes{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1} ||
         (std::memcmp(at.data(), mapped_prefix, first4) == 0 && at[first4] == 127);
}

bool address_guard::allows(std::span<const std::uint8_t> address, std::uint16_t port,
                           std::string_view host) const noexcept {
  bytes whole{};
  if (address.size() == 4) {
    std::memcpy(whole.data(), mapped_prefix, sizeof mapped_prefix);
    std::memcpy(whole.data() + 12, address.data(), 4);
  } else if (address.size() == 16) {
    std::memcpy(whole.data(), address.data(), 16);
  } else {
    return false;
  }
  const std::uint8_t* inner = embedded4(whole.data());
  bytes unwrapped = whole;
  if (inner != nullptr) {
    std::memcpy(unwrapped.data() + 12, inner, 4);
    std::memcpy(unwrapped.data(), mapped_prefix, sizeof mapped_prefix);
  }
  if (is_allowed_network(whole, port) || is_allowed_network(unwrapped, port)) return true;
  if (is_named_host(host, port)) return true;
  if (!any_port_ && port != 80 && port != 443) return false;
  return inner != nullptr ? is_public4(unwrapped.data() + 12) : is_public6(whole.data());
}

bool address_guard::allows(std::string_view address, std::uint16_t port,
                           std::string_view host) const noexcept {
  bytes out{};
  return parse_address(address, out) && allows(out, port, host);
}

}  // namespace freshet::http
