// The monthly budget of a key, which it shares with the keys that it was rotated from and to.
#pragma once

#include <account/rules/month.hpp>
#include <cstdint>

namespace freshet::account {

/// What a family of keys has used of its budget. It changes with charges alone, so that what is
/// stored with them is all there is to know.
struct budget_use {
  month_index month = no_month;  ///< in which it was charged last
  std::int64_t used = 0;
  std::int64_t reserved = 0;

  /// A new month begins with nothing used. A clock that goes back gives no second budget: what is
  /// charged counts with the later month then.
  constexpr void charge(std::int64_t price, month_index now) noexcept {
    if (now > month) used = 0;
    month = now > month ? now : month;
    used += price;
  }
  /// What counts as used in `now`: after a clock went back the later month's.
  [[nodiscard]] constexpr std::int64_t used_in(month_index now) const noexcept {
    return month >= now ? used : 0;
  }
  /// What running calls leave of `limit`; below zero where the limit was lowered.
  [[nodiscard]] constexpr std::int64_t left_of(std::int64_t limit, month_index now) const noexcept {
    return limit - used_in(now) - reserved;
  }
};

}  // namespace freshet::account
