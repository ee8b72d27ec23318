// How often something may be tried, by name: GCRA, one number a name. Held in memory, bounded; time
// comes in from outside. A try is taken before it is made and given back when it was a good one, so
// that tries in parallel do not slip through together.
#pragma once

#include <chrono>
#include <freshet/result.hpp>
#include <mutex>
#include <string>
#include <unordered_map>

namespace freshet::account {

/// `burst` tries at once, one more after each `interval`.
struct throttle_rule {
  std::int64_t burst;
  std::chrono::seconds interval;
};

/// Thread-safe.
class throttle {
 public:
  using time = std::chrono::steady_clock::time_point;

  /// Error: rate_limited, with the time after which the next try passes.
  [[nodiscard]] result<void> take(const std::string& name, const throttle_rule& rule, time now);
  /// Gives one try back.
  void give_back(const std::string& name, const throttle_rule& rule);
  /// Begins anew for this name.
  void forget(const std::string& name);

 private:
  void make_room(time now);

  std::mutex mutex_;
  std::unordered_map<std::string, time> full_at_;  ///< GCRA's theoretical arrival time
};

}  // namespace freshet::account
