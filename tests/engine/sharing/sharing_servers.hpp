// Servers that share what they know of sources over a real Redis on loopback.
#pragma once

#include <array>
#include <engine/sharing/source_sharing.hpp>
#include <support/eventually.hpp>
#include <support/redis_server.hpp>
#include <support/skips.hpp>

namespace freshet::test {

constexpr std::size_t server_count = 3;

inline bool has_no_redis() {
  if (redis_server::is_installed()) return false;
  skip("redis-server is not installed");
  return true;
}

/// One of them: what it knows, and the connection.
struct sharing_server {
  sharing_server(const redis_server& redis, std::chrono::milliseconds timeout)
      : sharing({redis::read_address(redis.url()).value(), timeout, "test:", "secret", 65'536,
                 [] { return static_cast<int>(server_count); }, nullptr},
                suspended, base::system_clock()) {
    sharing.start();
  }

  detail::suspensions suspended;
  detail::source_sharing sharing;
};

struct sharing_servers {
  explicit sharing_servers(std::chrono::milliseconds timeout = patience) {
    for (auto& one : all) one = std::make_unique<sharing_server>(redis, timeout);
  }
  [[nodiscard]] bool are_all(bool here) const {
    return eventually([&] {
      return std::ranges::all_of(
          all, [here](const auto& one) { return one->sharing.count().link.is_here == here; });
    });
  }

  redis_server redis;
  std::array<std::unique_ptr<sharing_server>, server_count> all;
};

}  // namespace freshet::test
