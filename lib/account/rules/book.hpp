// An account's book as the rules see it: where it stands, and what moves it. Plain values; the
// names of books are part of the stored ledger and never change.
#pragma once

#include <account/rules/chain.hpp>
#include <base/number.hpp>
#include <cstdint>
#include <string>
#include <string_view>

namespace freshet::account {

/// The other side of grants and expiries, and that of usage and refunds, in the ledger's first era.
inline constexpr std::string_view grants_book = "system:grants";
inline constexpr std::string_view revenue_book = "system:revenue";

/// "account:<id>".
[[nodiscard]] inline std::string account_book_name(std::int64_t account_id) {
  return "account:" + std::to_string(account_id);
}

/// The account of such a name; 0 for a system book.
[[nodiscard]] inline std::int64_t account_of_book(std::string_view name) {
  constexpr std::string_view before = "account:";
  if (!name.starts_with(before)) return 0;
  return base::parse_number<std::int64_t>(name.substr(before.size())).value_or(0);
}

/// The most that one grant may be; balances stay far from the end of 64 bits.
inline constexpr std::int64_t max_grant = 1'000'000'000'000;
inline constexpr std::int64_t max_balance = 1'000'000'000'000'000;

/// Where an account's book stands.
struct account_book {
  std::int64_t balance = 0;
  std::int64_t monthly_left = 0;  ///< how much of the balance the month's grant still is
  chain_position chain = {};
};

/// A movement of a book.
struct book_change {
  std::int64_t amount = 0;        ///< into the book; out of it, if negative; 0 for no movement
  std::int64_t monthly_left = 0;  ///< of the book afterwards
};

/// Whether `amount` more would be more than a book may hold.
[[nodiscard]] constexpr bool is_too_large(const account_book& book, std::int64_t amount) noexcept {
  return book.balance > max_balance - amount;
}

}  // namespace freshet::account
