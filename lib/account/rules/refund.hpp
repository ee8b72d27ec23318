// What a call takes from a book, and how much of that may be given back: never more than it took,
// however many refunds there are. Whether a call may take it was decided when it was reserved.
#pragma once

#include <account/rules/book.hpp>
#include <algorithm>
#include <optional>

namespace freshet::account {

/// The monthly grant goes first: it is what would expire.
[[nodiscard]] constexpr book_change charge(const account_book& book, std::int64_t price) noexcept {
  return {-price, std::max<std::int64_t>(0, book.monthly_left - price)};
}

struct refund_share {
  std::int64_t given = 0;  ///< 0 if it is refused
  std::int64_t left = 0;   ///< of the charge, before this refund
  bool too_large = false;  ///< the balance would be
};

/// A refund of `wanted`, or of all that is left, where `refunded` were given back before. Credits
/// that come back do not expire.
[[nodiscard]] constexpr refund_share refund_share_of(std::int64_t charged, std::int64_t refunded,
                                                     std::optional<std::int64_t> wanted,
                                                     const account_book& book) noexcept {
  const std::int64_t left = charged - refunded;
  const std::int64_t amount = wanted.value_or(left);
  const bool too_large = is_too_large(book, amount);
  return {too_large || amount > left ? 0 : amount, left, too_large};
}

}  // namespace freshet::account
