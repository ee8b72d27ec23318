// The pieces of work of the balances that end somebody's waiting. Part of balances.hpp, for the two
// files that make them; nobody else includes it.
#pragma once

#include <account/ledger/balances.hpp>

namespace freshet::account {

/// Those who waited for what a piece of work has ended: taken when it concludes, resumed when all
/// of its batch have, told without a lock.
class balances::resumed_waiters {
 public:
  /// The account's grant or change of plan has ended; its month is `month` now, if that is one.
  void take(balances& owner, std::int64_t account_id, bool committed);
  void resume(balances& owner);
  void tell();

 private:
  std::int64_t account_id_ = 0;
  bool committed_ = false;
  std::vector<waiting_one> waiting_;
  std::vector<std::unique_ptr<month_waiter>> told_;
};

}  // namespace freshet::account
