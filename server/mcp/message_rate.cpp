// Tokens are refilled when somebody asks for them.
#include <algorithm>
#include <cmath>
#include <server/mcp/message_rate.hpp>

namespace freshet::server::mcp {
namespace {

constexpr double longest_wait_s = 600;

}  // namespace

std::optional<std::chrono::seconds> message_rate::take(const std::string& owner,
                                                       std::size_t messages,
                                                       clock::time_point now) {
  const auto [at, is_new] = buckets_.try_emplace(owner, bucket{rule_.burst, now});
  bucket& own = at->second;
  if (!is_new) refill(own, now);
  const double wanted = std::min(static_cast<double>(messages), rule_.burst);
  if (own.tokens >= wanted) {
    own.tokens -= wanted;
    return std::nullopt;
  }
  const double wait_s = std::ceil((wanted - own.tokens) / rule_.a_second);
  return std::chrono::seconds(static_cast<std::int64_t>(std::clamp(wait_s, 1.0, longest_wait_s)));
}

void message_rate::forget_full(clock::time_point now) {
  for (auto at = buckets_.begin(); at != buckets_.end();) {
    refill(at->second, now);
    at = at->second.tokens >= rule_.burst ? buckets_.erase(at) : std::next(at);
  }
}

void message_rate::refill(bucket& bucket, clock::time_point now) const {
  const double passed_s = std::chrono::duration<double>(now - bucket.at).count();
  bucket.tokens = std::min(rule_.burst, bucket.tokens + std::max(0.0, passed_s) * rule_.a_second);
  bucket.at = now;
}

}  // namespace freshet::server::mcp
