// How often something may be tried, by name: GCRA, one number a name. Held in memory, bounded; time
// comes in from outside. A try is taken before it is made and given back when it was a good one, so
// that tries in parallel do not slip through together.
#pragma once

#include <chrono>
#include <freshet/result.hpp>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>

namespace freshet::account {

/// `burst` tries at once, one more after each `interval`.
struct throttle_rule {
  std::int64_t burst;
  std::chrono::seconds interval;
};

/// A name under which a try counts.
struct throttle_count {
  std::string name;
  throttle_rule rule;
};

/// Thread-safe.
class throttle {
 public:
  using time = std::chrono::steady_clock::time_point;

  /// Error: rate_limited, with the time after which the next try passes.
  [[nodiscard]] result<void> take(const std::string& name, const throttle_rule& rule, time now);
  /// Takes one try of each, or of none.
  [[nodiscard]] result<void> take(std::span<const throttle_count> counts, time now);
  /// Gives one try of each back.
  void give_back(std::span<const throttle_count> counts);
  /// Begins anew for this name.
  void forget(const std::string& name);

 private:
  void make_room(time now);

  std::mutex mutex_;
  std::unordered_map<std::string, time> full_at_;  ///< GCRA's theoretical arrival time
};

}  // namespace freshet::account
