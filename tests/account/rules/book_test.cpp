#include <account/rules/budget.hpp>
#include <account/rules/refund.hpp>
#include <catch2/catch.hpp>

using namespace freshet::account;

TEST_CASE("a charge takes the monthly credits first") {
  const struct {
    account_book book;
    std::int64_t price, monthly_left;
  } cases[] = {{{10, 10}, 4, 6}, {{10, 4}, 4, 0}, {{10, 4}, 7, 0}, {{10, 0}, 3, 0}, {{5, 5}, 0, 5}};
  for (const auto& one : cases) {
    const book_change change = charge(one.book, one.price);
    CHECK(change.amount == -one.price);
    CHECK(change.monthly_left == one.monthly_left);
  }
}

TEST_CASE("a book is too large from one above the limit") {
  CHECK_FALSE(is_too_large({max_balance - 5, 0}, 5));
  CHECK(is_too_large({max_balance - 5, 0}, 6));
  CHECK_FALSE(is_too_large({max_balance, 0}, -1));
}

TEST_CASE("refunds of a charge never exceed it") {
  const account_book book{10, 0};
  CHECK(refund_share_of(5, 0, 2, book).given == 2);
  CHECK(refund_share_of(5, 2, std::nullopt, book).given == 3);
  CHECK(refund_share_of(5, 2, 3, book).given == 3);
  CHECK(refund_share_of(5, 2, 4, book).given == 0);
  CHECK(refund_share_of(5, 2, 4, book).left == 3);
  CHECK(refund_share_of(5, 5, std::nullopt, book).given == 0);
  const refund_share full = refund_share_of(5, 0, 5, {max_balance - 4, 0});
  CHECK(full.too_large);
  CHECK(full.given == 0);
  CHECK_FALSE(refund_share_of(5, 0, 4, {max_balance - 4, 0}).too_large);
}

TEST_CASE("a budget begins anew with a later month, never with an earlier one") {
  budget_use use;
  use.charge(4, 24'322);
  use.reserved = 3;
  CHECK(use.left_of(10, 24'322) == 3);
  CHECK(use.left_of(5, 24'322) == -2);
  CHECK(use.left_of(10, 24'321) == 3);
  CHECK(use.left_of(10, 24'323) == 7);
  CHECK(use.used_in(24'321) == 4);
  CHECK(use.used_in(24'322) == 4);
  CHECK(use.used_in(24'323) == 0);
  use.charge(2, 24'321);
  CHECK(use.used_in(24'322) == 6);
  use.charge(1, 24'323);
  CHECK(use.used_in(24'323) == 1);
  CHECK(use.left_of(10, 24'322) == 6);
}
