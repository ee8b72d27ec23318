// What verifying one account's own entries is asked and answers.
#pragma once

#include <account/rules/chain.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace freshet::account {

struct entry_range {
  /// An entry that was the newest once, by its row and its hash: only those behind it are read, and
  /// the book has to continue it. Null: from the first on.
  std::optional<chain_head> after = {};
  std::int64_t most = 0;                 ///< entries that are read at once
  std::function<bool()> is_wanted = {};  ///< asked now and then; false ends it. May be null
};

struct entry_report {
  std::int64_t entries = 0;  ///< that were read
  bool is_complete = false;  ///< whether the last of them is the newest
  std::int64_t seq = 0;      ///< of the last; with its hash it is the `after` of who goes on
  base::sha256_digest hash{};
  std::int64_t balance = 0;                ///< after it
  std::vector<std::string> findings = {};  ///< one line each; some of them, where there are many
};

}  // namespace freshet::account
