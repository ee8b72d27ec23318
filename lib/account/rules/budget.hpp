// The monthly budget of a key, which it shares with the keys that it was rotated from and to.
#pragma once

#include <account/rules/month.hpp>
#include <cstdint>

namespace freshet::account {

/// What a family of keys has used of its budget.
struct budget_use {
  month_index month = no_month;
  std::int64_t used = 0;
  std::int64_t reserved = 0;

  /// A new month begins with nothing used. A clock that goes back gives no second budget.
  constexpr void reach(month_index now) noexcept {
    if (now <= month) return;
    month = now;
    used = 0;
  }
  /// What running calls leave of `limit`; below zero where the limit was lowered.
  [[nodiscard]] constexpr std::int64_t left_of(std::int64_t limit) const noexcept {
    return limit - used - reserved;
  }
  /// What is shown as used in `now`: a clock that went back shows what counts, the later month's.
  [[nodiscard]] constexpr std::int64_t shown(month_index now) const noexcept {
    return month >= now ? used : 0;
  }
};

}  // namespace freshet::account
