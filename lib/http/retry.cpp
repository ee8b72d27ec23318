// Only what is safe to repeat, only failures that may pass, only within budget and deadline.
#include <algorithm>
#include <http/rate_headers.hpp>
#include <http/retry.hpp>

namespace freshet::http {
namespace {

/// Accounts whose retries are counted; beyond them nothing is asked again.
constexpr std::size_t max_budgets = 65'536;

bool may_repeat(const request& what) {
  return what.repeatable || what.method == "GET" || what.method == "HEAD" ||
         what.method == "OPTIONS" || what.method == "PUT" || what.method == "DELETE";
}

bool may_pass(int status) noexcept {
  return status == 502 || status == 503 || status == 504 || status == 429;
}

}  // namespace

void retry_policy::count_request(base::owner_id owner) noexcept {
  const auto found = budgets_.find(owner);
  if (found == budgets_.end()) return;
  found->second += limits_.budget_share;
  if (found->second >= limits_.budget_cap) budgets_.erase(found);
}

std::optional<std::chrono::milliseconds> retry_policy::next(const request& request,
                                                            const result<response>& got,
                                                            int attempts, time now,
                                                            transport::deadline deadline,
                                                            time_point wall) {
  using std::chrono::milliseconds;
  if (attempts >= limits_.max_attempts || !may_repeat(request)) return std::nullopt;
  milliseconds asked_for{0};
  if (got) {
    if (!may_pass(got->status)) return std::nullopt;
    const std::optional<milliseconds> said = retry_after(got->headers, wall);
    // A 429 that does not say when is not asked again: it would only count against us.
    if (got->status == 429 && !said) return std::nullopt;
    asked_for = said.value_or(milliseconds(0));
    if (asked_for > limits_.longest_retry_after) return std::nullopt;
  } else if (got.error().code() != errc::source_unavailable) {
    return std::nullopt;
  }
  const milliseconds most = std::min(limits_.cap, limits_.base * (1 << std::min(attempts - 1, 10)));
  const milliseconds delay =
      asked_for +
      milliseconds(static_cast<std::int64_t>(random_() * static_cast<double>(most.count())));
  if (now + delay + limits_.least_time > deadline) return std::nullopt;
  auto own = budgets_.find(request.owner);
  if (own == budgets_.end()) {
    if (budgets_.size() >= max_budgets) return std::nullopt;
    own = budgets_.emplace(request.owner, limits_.budget_cap).first;
  }
  if (own->second < 1) return std::nullopt;
  own->second -= 1;
  return delay;
}

}  // namespace freshet::http
