// How many messages an account may send to /mcp: a bucket for each, beside the rate of the calls
// that tools are. What is not spent does not heap up beyond the burst.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>

namespace freshet::server::mcp {

struct message_allowance {
  double a_second = 20;
  double burst = 100;
};

/// Used on the io thread only.
class message_rate {
 public:
  using clock = std::chrono::steady_clock;

  explicit message_rate(const message_allowance& rule) : rule_(rule) {}

  /// Takes a token for each message; more than a burst of them count as a burst. Null: they pass;
  /// otherwise when they would, and nothing is taken.
  [[nodiscard]] std::optional<std::chrono::seconds> take(const std::string& owner,
                                                         std::size_t messages,
                                                         clock::time_point now);
  /// Forgets who has as much as he can have.
  void forget_full(clock::time_point now);
  [[nodiscard]] std::size_t size() const noexcept { return buckets_.size(); }

 private:
  struct bucket {
    double tokens = 0;
    clock::time_point at;
  };
  void refill(bucket& bucket, clock::time_point now) const;

  const message_allowance rule_;
  std::unordered_map<std::string, bucket> buckets_;
};

}  // namespace freshet::server::mcp
