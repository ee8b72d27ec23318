// Replays a ledger and says what is wrong in it: balances, sums of zero, the hash chain, the sealed
// head, and whether it continues a head that was kept of it. It changes nothing.
#pragma once

#include <account/store/book_file.hpp>
#include <optional>
#include <vector>

namespace freshet::account {

struct verify_report {
  bool ok = false;
  std::int64_t rows = 0;
  std::vector<std::string> findings;  ///< one line each: what is wrong in which row
  chain_head head;  ///< the last row; kept elsewhere, it proves that nothing was put back
};

struct replay_options {
  std::optional<chain_head> known = {};  ///< the book has to continue it
  progress watch = {};                   ///< may be null
};

/// Errors: storage_unavailable, cancelled (by `watch`).
[[nodiscard]] result<verify_report> replay(ledger_snapshot& rows, std::string_view pepper,
                                           const replay_options& options);
/// The same of one moment of `from`.
[[nodiscard]] result<verify_report> replay(ledger_source& from, const replay_options& options);

}  // namespace freshet::account
