// A port of loopback at which nobody listens.
#pragma once

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <random>

namespace freshet::test {

/// Below those that the system gives out by itself, for outgoing connections too: one of these
/// would be somebody else's before it is used.
inline std::uint16_t free_port() {
  constexpr int first = 10000;
  int given_out = 0;
  std::ifstream("/proc/sys/net/ipv4/ip_local_port_range") >> given_out;
  std::uniform_int_distribution<int> ports(first, std::max(given_out, first + 1000) - 1);
  for (std::random_device chance;;) {
    const int port = ports(chance);
    const int file = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool is_free =
        ::bind(file, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    ::close(file);
    if (is_free) return static_cast<std::uint16_t>(port);
  }
}

}  // namespace freshet::test
