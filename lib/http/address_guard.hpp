// Which addresses may be connected to, judged on the bytes that go into connect(), after every
// spelling, name and redirect has been resolved. Deny by default: what is not known to be public is
// not reached. It does not resolve names.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <freshet/result.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::http {

/// Thread-safe: it never changes after make().
class address_guard {
 public:
  /// `allow_private`: CIDRs ("10.0.0.0/8", "::1/128", "127.0.0.1"), any port of which may be
  /// reached. `any_port` lifts the restriction to 80 and 443 for public addresses too.
  /// Error: invalid_configuration, naming the CIDR.
  [[nodiscard]] static result<address_guard> make(const std::vector<std::string>& allow_private,
                                                  bool any_port);

  /// Judges 4 bytes (IPv4) or 16 (IPv6) in network order; any other size is denied.
  [[nodiscard]] bool allows(std::span<const std::uint8_t> address,
                            std::uint16_t port) const noexcept;
  /// The same for "192.0.2.1" or "2001:db8::1"; anything else is denied.
  [[nodiscard]] bool allows(std::string_view address, std::uint16_t port) const noexcept;

 private:
  /// IPv4 is kept as ::ffff:a.b.c.d, so that there is one kind of address.
  using bytes = std::array<std::uint8_t, 16>;
  struct network {
    bytes prefix{};
    unsigned bits = 0;
    [[nodiscard]] bool contains(const bytes& address) const noexcept;
  };

  static bool parse_address(std::string_view text, bytes& out) noexcept;
  static result<network> parse_network(std::string_view text);
  [[nodiscard]] bool is_allowed_network(const bytes& address) const noexcept;

  std::vector<network> allowed_;
  bool any_port_ = false;
};

}  // namespace freshet::http
