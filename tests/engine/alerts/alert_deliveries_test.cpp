// Places for alerts while a webhook does not answer.
#include <catch2/catch.hpp>
#include <engine/alerts/alert_deliveries.hpp>
#include <string>

namespace freshet::detail {

TEST_CASE("while a webhook is silent no account takes the places of the others' alerts") {
  alert_deliveries all;
  std::size_t of_one = 0;
  while (all.enter("acc_flood")) ++of_one;
  CHECK(of_one == max_alert_deliveries_of_account);
  // Several of them, two alerts each, until a second one is refused.
  std::size_t taken = of_one, accounts = 0;
  for (bool goes_on = true; goes_on;) {
    const std::string account = "acc_" + std::to_string(accounts++);
    REQUIRE(all.enter(account));
    goes_on = all.enter(account);
    taken += goes_on ? 2 : 1;
  }
  CHECK(taken == max_alert_deliveries - alert_deliveries_for_others + 1);
  for (; taken < max_alert_deliveries; ++taken) {
    REQUIRE(all.enter("acc_" + std::to_string(accounts++)));
  }
  CHECK(!all.enter("acc_late"));
  all.leave("acc_flood");
  CHECK(!all.enter("acc_flood"));
  CHECK(all.enter("acc_late"));
}

}  // namespace freshet::detail
