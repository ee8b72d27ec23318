// Replays a ledger and says what is wrong in it: balances, sums of zero, the hash chain, the sealed
// head, and whether it continues a head that was kept of it. It changes nothing.
#pragma once

#include <account/store/book_file.hpp>
#include <optional>
#include <vector>

namespace freshet::account {

struct verify_report {
  bool ok = false;
  std::int64_t rows = 0;         ///< that were replayed
  std::int64_t begun_after = 0;  ///< the row up to which it was sound before; 0: from the first
  std::vector<std::string> findings;  ///< one line each: what is wrong in which row
  chain_head head;  ///< the last row; kept elsewhere, it proves that nothing was put back
};

struct replay_options {
  std::optional<chain_head> known = {};  ///< the book has to continue it
  /// Goes on where an earlier replay of the same source has come to, be it that it was ended: only
  /// the rows behind that are read, and not the file as a whole.
  bool resumes = false;
  progress watch = {};  ///< may be null
};

/// Errors: storage_unavailable, cancelled (by `watch`).
[[nodiscard]] result<verify_report> replay(ledger_snapshot& rows, std::string_view pepper,
                                           const replay_options& options);
/// The same of one moment of `source`.
[[nodiscard]] result<verify_report> replay(ledger_source& source, const replay_options& options);

}  // namespace freshet::account
