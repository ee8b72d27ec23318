// Calendar months in UTC: what monthly grants and budgets count by.
#pragma once

#include <cstdint>
#include <freshet/item.hpp>
#include <string>

namespace freshet::account {

/// Months since year 0; no_month stands for none.
using month_index = std::int32_t;
inline constexpr month_index no_month = -1;

[[nodiscard]] month_index month_of(time_point at) noexcept;
/// The first millisecond of the month.
[[nodiscard]] time_point start_of(month_index month) noexcept;
[[nodiscard]] std::int64_t days_in(month_index month) noexcept;
/// The days of its month from that of `at` on, that one included.
[[nodiscard]] std::int64_t days_left(time_point at) noexcept;
/// "2026-11".
[[nodiscard]] std::string month_text(month_index month);

}  // namespace freshet::account
