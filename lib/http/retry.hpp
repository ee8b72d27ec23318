// Whether, and after how long, a failed attempt is made again; a source that gets a new token asks
// again by itself (sources/token_use.hpp). It keeps the budget and does no waiting.
#pragma once

#include <base/fair_queue.hpp>
#include <chrono>
#include <functional>
#include <http/transport.hpp>
#include <optional>
#include <unordered_map>

namespace freshet::http {

struct retry_limits {
  int max_attempts = 3;
  std::chrono::milliseconds base{100};  ///< full jitter: rand(0, min(cap, base * 2^n))
  std::chrono::milliseconds cap{2'000};
  /// A Retry-After beyond this is not waited for.
  std::chrono::milliseconds longest_retry_after{5'000};
  /// What an attempt needs before the deadline to make sense.
  std::chrono::milliseconds least_time{50};
  double budget_share = 0.1;  ///< retries, as a share of an account's requests
  double budget_cap = 10;     ///< retries that it can save up
};

class retry_policy {
 public:
  using time = std::chrono::steady_clock::time_point;

  /// `random` gives numbers in [0, 1).
  retry_policy(retry_limits limits, std::function<double()> random)
      : limits_(limits), random_(std::move(random)) {}

  /// A request of this account has been accepted: earns it a share of a retry.
  void count_request(base::owner_id owner) noexcept;

  /// How long to wait before the next attempt; null if there is to be none. Takes one retry out of
  /// the budget of the request's account. `attempts`: made so far, at least 1. `wall`: for a
  /// Retry-After that is a date.
  [[nodiscard]] std::optional<std::chrono::milliseconds> next(const request& request,
                                                              const result<response>& got,
                                                              int attempts, time now,
                                                              transport::deadline deadline,
                                                              time_point wall);

 private:
  retry_limits limits_;
  std::function<double()> random_;
  std::unordered_map<base::owner_id, double> budgets_;  ///< of those who have not all that can be
};

}  // namespace freshet::http
