// Parts of a month's credits, in percent, to which a balance falls. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::account {

/// The smallest of `shares` that a balance reaches as it falls from `before` to `after`; null where
/// it reaches none. `shares` are percents of `monthly`, the smallest first.
[[nodiscard]] constexpr std::optional<int> share_reached(std::int64_t before, std::int64_t after,
                                                         std::int64_t monthly,
                                                         std::span<const int> shares) noexcept {
  constexpr std::int64_t whole = 100;
  for (const int share : shares) {
    // Rounded down: 20 % of 7 credits are reached where 1 is left.
    const std::int64_t mark = monthly / whole * share + monthly % whole * share / whole;
    if (after <= mark && before > mark) return share;
  }
  return std::nullopt;
}

/// As a store keeps them: "20,0".
[[nodiscard]] std::string join_shares(const std::vector<int>& shares);
/// What is no percent is left out.
[[nodiscard]] std::vector<int> split_shares(std::string_view joined);

}  // namespace freshet::account
