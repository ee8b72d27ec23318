// The part of a month's credits to which a balance falls.
#include "account/rules/shares.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <support/print_result.hpp>

using namespace freshet::account;

TEST_CASE("a fall reaches the smallest share that it passes, and none twice") {
  struct row {
    std::int64_t before, after, monthly;
    std::optional<int> reached;
  };
  constexpr std::array shares{0, 20, 50};
  const auto table = std::to_array<row>({
      {1000, 999, 1000, {}},
      {501, 500, 1000, 50},
      {500, 499, 1000, {}},
      {501, 200, 1000, 20},
      {201, 0, 1000, 0},
      {1, 0, 1000, 0},
      {0, 0, 1000, {}},
      // Beside the month's grant there may be others.
      {5001, 5000, 1000, {}},
      {600, 450, 1000, 50},
      // 20 % of 7 are 1.4, 50 % are 3.5.
      {2, 1, 7, 20},
      {4, 3, 7, 50},
      // A plan that grants nothing: only the end is told.
      {2, 1, 0, {}},
      {1, 0, 0, 0},
      {1'000'000'000'000'000, 200'000'000'000'000, 1'000'000'000'000'000, 20},
  });
  for (const auto& one : table) {
    INFO(one.before << " to " << one.after << " of " << one.monthly);
    CHECK(share_reached(one.before, one.after, one.monthly, shares) == one.reached);
  }
  CHECK_FALSE(share_reached(1, 0, 10, {}));
}

TEST_CASE("shares are kept as a text") {
  CHECK(join_shares({}).empty());
  CHECK(join_shares({20, 0}) == "20,0");
  CHECK(split_shares("").empty());
  CHECK(split_shares("20,0") == std::vector<int>{20, 0});
  CHECK(split_shares("20,,x,101,-1,100") == std::vector<int>{20, 100});
}
