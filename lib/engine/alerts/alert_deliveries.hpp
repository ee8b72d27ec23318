// What is on its way to webhooks, the operator's or those of owners: so many at once, and so many
// about one account, which takes no place that is left for who has none.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <unordered_map>

namespace freshet::detail {

inline constexpr std::size_t max_alert_deliveries = 256;
inline constexpr std::size_t max_alert_deliveries_of_account = 8;
/// Of all, for accounts about which nothing is on its way.
inline constexpr std::size_t alert_deliveries_for_others = max_alert_deliveries / 4;

/// Thread-safe.
class alert_deliveries {
 public:
  /// False: there is no room for one more about this account.
  [[nodiscard]] bool enter(const std::string& account) {
    const std::lock_guard lock(mutex_);
    const auto found = of_account_.find(account);
    const std::size_t own = found == of_account_.end() ? 0 : found->second;
    const std::size_t most = max_alert_deliveries - (own > 0 ? alert_deliveries_for_others : 0);
    if (under_way_ >= most || own >= max_alert_deliveries_of_account) return false;
    ++of_account_[account];
    ++under_way_;
    return true;
  }
  /// One of those that entered is over.
  void leave(const std::string& account) noexcept {
    const std::lock_guard lock(mutex_);
    const auto found = of_account_.find(account);
    if (--found->second == 0) of_account_.erase(found);
    --under_way_;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::size_t> of_account_;  ///< guarded, like the next; none is 0
  std::size_t under_way_ = 0;
};

}  // namespace freshet::detail
