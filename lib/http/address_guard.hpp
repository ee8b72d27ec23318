// Which addresses may be connected to, judged on the bytes that go into connect(), after every
// spelling, name and redirect has been resolved. Deny by default: what is not known to be public is
// not reached. It does not resolve names.
#pragma once

#include <array>
#include <cstdint>
#include <freshet/result.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::http {

/// Thread-safe: it never changes after make().
class address_guard {
 public:
  /// `allow_private`: CIDRs ("10.0.0.0/8", "::1/128", "127.0.0.1"), any port of which may be
  /// reached, or one port of one host ("127.0.0.1:8888", "[::1]:8888", "wiki.internal:80").
  /// `any_port` lifts the restriction to 80 and 443 for public addresses too. Error:
  /// invalid_configuration, naming the entry and the setting `key`.
  [[nodiscard]] static result<address_guard> make(const std::vector<std::string>& allow_private,
                                                  bool any_port,
                                                  std::string_view key = "network.allow_private");

  /// Judges 4 bytes (IPv4) or 16 (IPv6) in network order; any other size is denied. `host`: the one
  /// of the URL, for the entries that name a host; "" matches none.
  [[nodiscard]] bool allows(std::span<const std::uint8_t> address, std::uint16_t port,
                            std::string_view host = {}) const noexcept;
  /// The same for "192.0.2.1" or "2001:db8::1"; anything else is denied.
  [[nodiscard]] bool allows(std::string_view address, std::uint16_t port,
                            std::string_view host = {}) const noexcept;
  /// Whether an entry with a port says so, not only a network around the address.
  [[nodiscard]] bool names(std::string_view address, std::uint16_t port,
                           std::string_view host) const noexcept;
  /// Whether it is the machine itself that is connected to, from `local`.
  [[nodiscard]] static bool is_own(std::string_view address, std::string_view local) noexcept;

 private:
  /// IPv4 is kept as ::ffff:a.b.c.d, so that there is one kind of address.
  using bytes = std::array<std::uint8_t, 16>;
  struct network {
    bytes prefix{};
    unsigned bits = 0;
    std::uint16_t port = 0;  ///< 0: any
    [[nodiscard]] bool contains(const bytes& address, std::uint16_t wanted_port) const noexcept;
  };
  /// One port of a host by its name, wherever that leads.
  struct named_host {
    std::string name;
    std::uint16_t port = 0;
  };

  static bool parse_address(std::string_view text, bytes& out) noexcept;
  static std::optional<network> parse_network(std::string_view text);
  [[nodiscard]] bool add_host(std::string_view text);
  [[nodiscard]] bool is_allowed_network(const bytes& address, std::uint16_t port) const noexcept;
  [[nodiscard]] bool is_named_host(std::string_view host, std::uint16_t port) const noexcept;

  std::vector<network> allowed_;
  std::vector<named_host> hosts_;
  bool any_port_ = false;
};

/// The guards of a stack: of every request, and of those whose target the operator chose.
struct address_guards {
  address_guard all, chosen;
  /// Where this very program listens: on its own machine, `all` must name such a port to reach it.
  std::vector<std::uint16_t> own_ports{};
};

}  // namespace freshet::http
