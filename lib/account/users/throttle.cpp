// The buckets of those who try.
#include <account/users/throttle.hpp>
#include <algorithm>
#include <vector>

namespace freshet::account {
namespace {

/// Names at once. With more, those that could try soonest are forgotten: whoever is deep in debt is
/// kept, so that a flood of names does not clear the one that it is meant to clear.
constexpr std::size_t max_names = 100'000;

}  // namespace

result<void> throttle::take(const std::string& name, const throttle_rule& rule, time now) {
  const std::lock_guard guard(mutex_);
  if (full_at_.size() >= max_names) make_room(now);
  time& full_at = full_at_.try_emplace(name, now).first->second;
  const auto window = rule.interval * rule.burst;
  full_at = std::clamp(full_at, now, now + window);
  const auto next = full_at + rule.interval;
  if (next <= now + window) {
    full_at = next;
    return {};
  }
  error refused(errc::rate_limited, "too many attempts: wait, then try again");
  refused.retry_after = std::max(std::chrono::seconds(1),
                                 std::chrono::ceil<std::chrono::seconds>(next - window - now));
  return refused;
}

result<void> throttle::take(std::span<const throttle_count> counts, time now) {
  for (std::size_t i = 0; i < counts.size(); ++i) {
    auto passed = take(counts[i].name, counts[i].rule, now);
    if (passed) continue;
    give_back(counts.first(i));
    return passed;
  }
  return {};
}

void throttle::give_back(std::span<const throttle_count> counts) {
  const std::lock_guard guard(mutex_);
  for (const auto& [name, rule] : counts) {
    const auto found = full_at_.find(name);
    if (found != full_at_.end()) found->second -= rule.interval;
  }
}

void throttle::forget(const std::string& name) {
  const std::lock_guard guard(mutex_);
  full_at_.erase(name);
}

void throttle::make_room(time now) {
  std::erase_if(full_at_, [now](const auto& one) { return one.second <= now; });
  if (full_at_.size() < max_names) return;
  std::vector<time> times;
  times.reserve(full_at_.size());
  for (const auto& one : full_at_) times.push_back(one.second);
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  std::erase_if(full_at_, [limit = *middle](const auto& one) { return one.second <= limit; });
}

}  // namespace freshet::account
