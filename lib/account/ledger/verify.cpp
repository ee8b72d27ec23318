// The verification of the accounts that are open, on a connection that nobody waits behind.
#include <account/owners.hpp>

namespace freshet::account {

result<verify_report> accounts::verify(const replay_options& options) const {
  account_store& books = *owners_->books;
  result<verify_report> report = verify_report();
  auto read = books.read_snapshot(
      [&](ledger_snapshot& rows) { report = replay(rows, books.pepper(), options); });
  if (!read) return read.error();
  return report;
}

}  // namespace freshet::account
