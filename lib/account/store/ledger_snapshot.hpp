// The whole ledger at one moment, as whoever verifies it reads it, be it of a store, of a book's
// file or of a backup. It gives what is stored, true or not, and judges nothing.
#pragma once

#include <account/rules/book.hpp>
#include <freshet/result.hpp>
#include <functional>
#include <optional>
#include <string>

namespace freshet::account {

/// Told of each row in turn; the row lives until it returns.
template <class... Row>
using reader = std::function<void(const Row&...)>;

/// One moment of the whole ledger, for verifying it. Used by one thread. What `to` or `watch` ends
/// is cancelled.
class ledger_snapshot {
 public:
  virtual ~ledger_snapshot() = default;
  /// What the database itself finds wrong in its storage, one line each.
  [[nodiscard]] virtual result<void> check_storage(const reader<std::string>& rows,
                                                   const std::function<bool()>& watch) = 0;
  /// The number of the last row, 0 for none.
  [[nodiscard]] virtual result<std::int64_t> last_seq() = 0;
  /// Behind the row `after`, in the order of writing, each with the hash that stands beside it;
  /// false ends it.
  [[nodiscard]] virtual result<void> read_chain(
      std::int64_t after,
      const std::function<bool(const chain_row&, std::string_view)>& function) = 0;
  /// What stands as the number and the hash of a row; null without such a row.
  [[nodiscard]] virtual result<std::optional<chain_position>> position_at(std::int64_t seq) = 0;
  /// What its last row up to a row of the ledger says of a book; empty before its first.
  [[nodiscard]] virtual result<account_book> book_at(std::string_view book, std::int64_t seq) = 0;
  /// The head as it is stored, true or not, with its seal. Not called where there is none.
  [[nodiscard]] virtual result<void> read_head(const reader<chain_head, std::string_view>& to) = 0;
};

}  // namespace freshet::account
