// What a call takes from a book. Whether it may was decided when it was reserved.
#pragma once

#include <account/rules/book.hpp>
#include <algorithm>

namespace freshet::account {

/// The monthly grant goes first: it is what would expire.
[[nodiscard]] constexpr book_change charge(const account_book& book, std::int64_t price) noexcept {
  return {-price, std::max<std::int64_t>(0, book.monthly_left - price)};
}

}  // namespace freshet::account
