// Whole numbers throughout: what the days do not divide evenly is rounded down, once.
#include <account/rules/monthly_credits.hpp>
#include <algorithm>

namespace freshet::account {
namespace {

/// How much of the month's credits running calls hold, where `others` cover them first.
std::int64_t held_of_month(const account_book& book, std::int64_t held,
                           std::int64_t others) noexcept {
  return std::clamp<std::int64_t>(held - others, 0, book.monthly_left);
}

}  // namespace

month_start start_month(const account_book& book, std::int64_t held,
                        std::int64_t monthly) noexcept {
  const std::int64_t others = book.balance - book.monthly_left + monthly;
  const std::int64_t kept = held_of_month(book, held, others);
  return {{kept - book.monthly_left, kept}, {monthly, kept + monthly}};
}

proration prorate(const allowance& before, std::int64_t monthly, std::int64_t days,
                  std::int64_t days_left, const account_book& book, std::int64_t held) noexcept {
  proration made;
  // A clock that goes back within the month changes no day that another change has left behind.
  made.days_left = std::min(days_left, before.days_left);
  made.after = before;
  made.after.day_credits += (monthly - before.monthly) * made.days_left;
  made.after.monthly = monthly;
  made.after.days_left = made.days_left;
  const std::int64_t others = book.balance - book.monthly_left;
  const std::int64_t spare = book.monthly_left - held_of_month(book, held, others);
  const std::int64_t amount = std::max(made.after.day_credits / days - before.given, -spare);
  made.after.given += amount;
  made.change = {amount, book.monthly_left + amount};
  return made;
}

}  // namespace freshet::account
