// What an account is given in a month: the grant at its beginning, with what expires then, and what
// a change of plan within it gives or takes.
//
// Every day of the month counts the monthly credits of the plan that the account has at the day's
// end; the sum over the days, divided by their number and rounded down, is what the month gives. A
// change grants what is missing of that. What is too much expires, as far as it is there: it takes
// only what is left of the month's credits, never what an operator granted, and nothing that
// running calls hold. What it could not take stays counted as given, so that a change back gives
// nothing a second time: no series of changes within a month gives more than the dearest of its
// plans would have given for all of it.
#pragma once

#include <account/rules/book.hpp>

namespace freshet::account {

/// What an account is given in a month.
struct allowance {
  std::int64_t day_credits = 0;  ///< over the month's days: the monthly credits of the day's plan
  std::int64_t given = 0;        ///< granted, less what changes of plan took back
  std::int64_t monthly = 0;      ///< that which the days to come are counted by
  std::int64_t days_left = 0;    ///< how many those were when the plan last changed
  friend bool operator==(const allowance&, const allowance&) = default;
};

/// That of an account which has one plan for all of the month's days.
[[nodiscard]] constexpr allowance whole_month(std::int64_t monthly, std::int64_t days) noexcept {
  return {monthly * days, monthly, monthly, days};
}

/// How a month begins: first what expires, then what is granted.
struct month_start {
  book_change expiry, grant;
};

/// What is left of the month before expires, except what running calls hold (`held`) and neither
/// other credits nor the new grant cover: a call that began before midnight must find its credits
/// after it.
[[nodiscard]] month_start start_month(const account_book& book, std::int64_t held,
                                      std::int64_t monthly) noexcept;

/// A change of plan as the rules count it.
struct proration {
  allowance after;
  book_change change;
  std::int64_t days_left = 0;  ///< that count for the new plan
};

/// `days` of the month, of which `days_left` are to come, today included.
[[nodiscard]] proration prorate(const allowance& before, std::int64_t monthly, std::int64_t days,
                                std::int64_t days_left, const account_book& book,
                                std::int64_t held) noexcept;

}  // namespace freshet::account
