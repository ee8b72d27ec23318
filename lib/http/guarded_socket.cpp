// From the address as connect() will see it to the bytes that the guard judges.
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstring>
#include <http/guarded_socket.hpp>

namespace freshet::http {
namespace {

bool is_allowed(const address_guard& guard, const curl_sockaddr& address, std::string_view host) {
  if (address.family == AF_INET) {
    sockaddr_in in{};
    std::memcpy(&in, &address.addr, sizeof in);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&in.sin_addr);
    return guard.allows(std::span(bytes, 4), ntohs(in.sin_port), host);
  }
  if (address.family == AF_INET6) {
    sockaddr_in6 in{};
    std::memcpy(&in, &address.addr, sizeof in);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&in.sin6_addr);
    return guard.allows(std::span(bytes, 16), ntohs(in.sin6_port), host);
  }
  return false;
}

}  // namespace

curl_socket_t open_guarded_socket(const address_guard& guard, const curl_sockaddr& address,
                                  std::string_view host, bool& allowed) {
  allowed = is_allowed(guard, address, host);
  if (!allowed) return CURL_SOCKET_BAD;
  return socket(address.family, address.socktype | SOCK_CLOEXEC, address.protocol);
}

}  // namespace freshet::http
