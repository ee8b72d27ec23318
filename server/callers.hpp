// Who is at the other end: addresses, the networks they are in, and whom a proxy names. Nothing a
// stranger writes counts: a name is believed only of a proxy that the operator trusts.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <freshet/result.hpp>
#include <optional>
#include <server/http/message_parser.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::server {

using ip_address = boost::asio::ip::address;

/// An IPv4 address that came over IPv6 as what it is; without a zone.
[[nodiscard]] ip_address plain_address(const ip_address& of);
/// "192.0.2.1", "192.0.2.1:80", "[2001:db8::1]:80", "2001:db8::1", "::ffff:192.0.2.1", quoted or
/// not, as proxies write them. Null: it names no address.
[[nodiscard]] std::optional<ip_address> parse_address(std::string_view text);

/// What one host has: an IPv4 address, or an IPv6 /64.
[[nodiscard]] std::string host_part(const ip_address& of);
/// What one operator of hosts has: an IPv4 /24, or an IPv6 /56.
[[nodiscard]] std::string network_part(const ip_address& of);

/// The proxies in front of the server. A value.
class trusted_proxies {
 public:
  trusted_proxies() = default;
  /// Networks in CIDR, or single addresses. Error: invalid_configuration (server.trusted_proxies).
  [[nodiscard]] static result<trusted_proxies> of(std::vector<std::string> networks);

  [[nodiscard]] bool hold(const ip_address& address) const;
  /// The peer, or whom the proxies name, from the right, by X-Forwarded-For or Forwarded (RFC
  /// 7239). Where both are sent and differ, one of them is the caller's own and nobody knows which:
  /// the peer, then. What is no address ends the chain at the last that was named.
  [[nodiscard]] ip_address caller_of(const request_head& head, const ip_address& peer) const;

 private:
  struct network {
    ip_address base;
    unsigned short bits = 0;
  };
  template <class Named>
  [[nodiscard]] ip_address follow(std::vector<std::string_view> chain, const ip_address& peer,
                                  Named named) const;

  std::vector<network> networks_;
};

}  // namespace freshet::server
