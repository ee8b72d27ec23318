#include <account/rules/monthly_credits.hpp>
#include <catch2/catch.hpp>

using namespace freshet::account;

TEST_CASE("a month begins with its grant, and what is left of the last one expires") {
  const struct {
    const char* what;
    account_book book;
    std::int64_t held, monthly;
    std::int64_t expired, kept, granted;
  } cases[] = {
      {"the first month", {0, 0}, 0, 10, 0, 0, 10},
      {"some is left", {4, 4}, 0, 10, -4, 0, 10},
      {"an operator's credits stay", {9, 4}, 0, 10, -4, 0, 10},
      {"the new grant covers what is held", {10, 10}, 8, 10, -10, 0, 10},
      {"a grant that shrank does not", {100, 100}, 80, 10, -30, 70, 10},
      {"other credits come before it", {100, 60}, 80, 10, -30, 30, 10},
      {"a plan without credits", {6, 6}, 2, 0, -4, 2, 0},
      {"all of it is held", {5, 5}, 5, 0, 0, 5, 0},
  };
  for (const auto& one : cases) {
    CAPTURE(one.what);
    const month_start start = start_month(one.book, one.held, one.monthly);
    CHECK(start.expiry.amount == one.expired);
    CHECK(start.expiry.monthly_left == one.kept);
    CHECK(start.grant.amount == one.granted);
    CHECK(start.grant.monthly_left == one.kept + one.granted);
  }
}

TEST_CASE("a change of plan counts the days to come, today included") {
  const allowance before = whole_month(90, 30);
  const proration up = prorate(before, 900, 30, 10, {90, 90}, 0);
  CHECK(up.change.amount == (20 * 90 + 10 * 900) / 30 - 90);
  CHECK(up.change.monthly_left == 360);
  CHECK(up.days_left == 10);
  CHECK(up.after == allowance{20 * 90 + 10 * 900, 360, 900, 10});
  const proration back = prorate(up.after, 90, 30, 10, {360, 360}, 0);
  CHECK(back.change.amount == -270);
  CHECK(back.after == allowance{30 * 90, 90, 90, 10});
}

TEST_CASE("a change of plan takes only what is left of the month and not held") {
  const allowance before = whole_month(300, 30);
  CHECK(prorate(before, 0, 30, 30, {300, 300}, 0).change.amount == -300);
  CHECK(prorate(before, 0, 30, 30, {120, 120}, 0).change.amount == -120);
  CHECK(prorate(before, 0, 30, 30, {120, 120}, 50).change.amount == -70);
  // An operator's credits cover what is held first, and are never taken.
  CHECK(prorate(before, 0, 30, 30, {170, 120}, 50).change.amount == -120);
  CHECK(prorate(before, 0, 30, 30, {50, 0}, 0).change.amount == 0);
}

TEST_CASE("what a change could not take is not given a second time") {
  const allowance before = whole_month(300, 30);
  const proration down = prorate(before, 0, 30, 30, {100, 100}, 0);
  CHECK(down.after.given == 200);
  CHECK(prorate(down.after, 300, 30, 30, {0, 0}, 0).change.amount == 100);
}

TEST_CASE("a clock that goes back changes no day that another change has left behind") {
  const proration first = prorate(whole_month(0, 30), 300, 30, 5, {}, 0);
  CHECK(first.change.amount == 50);
  const proration second = prorate(first.after, 600, 30, 20, {50, 50}, 0);
  CHECK(second.days_left == 5);
  CHECK(second.change.amount == 50);
}
