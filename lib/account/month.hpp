// Calendar months in UTC: what monthly grants and budgets count by.
#pragma once

#include <cstdint>
#include <freshet/item.hpp>
#include <string>
#include <string_view>

namespace freshet::account {

/// Months since year 0; no_month stands for none.
using month_index = std::int32_t;
inline constexpr month_index no_month = -1;

[[nodiscard]] month_index month_of(time_point at) noexcept;
/// The first millisecond of the month.
[[nodiscard]] time_point start_of(month_index month) noexcept;
/// "2026-11".
[[nodiscard]] std::string month_text(month_index month);
/// no_month for anything that month_text() does not write.
[[nodiscard]] month_index parse_month(std::string_view text) noexcept;

}  // namespace freshet::account
