// What the book ought to be by what everybody was told: written from the guide, in the plainest
// way. It shares with what it judges only the hash of a row.
#pragma once

#include <simulation/cluster.hpp>

namespace freshet::simulation {

struct evidence {
  const std::map<std::string, wish>& wishes;
  const std::vector<ledger_row>& ledger;
  const std::vector<std::int64_t>& accounts;
  std::int64_t monthly = 0;
  const std::vector<bool>& is_spent;  ///< of each account: in the end more was refused
};

/// What is wrong; "" if nothing is.
[[nodiscard]] std::string judge(const evidence& of);

}  // namespace freshet::simulation
