// What is read from the ledger: balances from memory, rows from the file by a connection of their
// own, so that no report holds up a settlement. Nothing here writes, except the month's
// grant that asking for a balance may make.
#include <account/state.hpp>
#include <account/verify.hpp>
#include <algorithm>
#include <base/unicode.hpp>
#include <map>

namespace freshet::account {
namespace {

constexpr int max_rows_at_once = 1'000;

ledger_row read_row(const statement& from) {
  ledger_row row;
  row.seq = from.integer(0);
  row.movement = from.integer(1);
  row.book = from.text(2);
  row.amount = from.integer(3);
  row.balance = from.integer(4);
  row.kind = from.text(5);
  row.reason = from.text(6);
  row.endpoint = from.text(7);
  row.request_id = from.text(8);
  row.key_id = from.integer(9);
  row.at = from_ms(from.integer(10));
  row.hash = base::hex(from.text(11));
  if (row.kind == "refund") row.refund_of = from.text(12);
  return row;
}

}  // namespace

result<balance> accounts::balance_of(const principal& who) {
  std::unique_lock guard(state_->mutex);
  account_entry* const account = state_->find_account(who.account.id);
  if (account == nullptr) return error(errc::internal, "no such account");
  if (who.key.mode == key_mode::live)
    if (auto made = state_->ensure_month(guard, *account); !made) return made.error();
  return state_->balance_of(*account);
}

result<std::vector<ledger_row>> accounts::ledger(std::int64_t account_id, std::int64_t before_seq,
                                                 int limit, const ledger_filter& only) const {
  const std::string book = account_book_name(account_id);
  const std::int64_t before =
      before_seq > 0 ? before_seq : std::numeric_limits<std::int64_t>::max();
  database& reader = state_->reports();
  const std::lock_guard guard(reader.mutex);
  statement query(reader, "query",
                  "SELECT seq, movement, book, amount, balance, kind, reason, endpoint, "
                  "request_id, key_id, at, hash, sources FROM ledger WHERE book=? AND seq<? "
                  "AND at>=? AND (?='' OR kind=?) ORDER BY seq DESC LIMIT ?");
  query.bind(book).bind(before).bind(to_ms(only.since)).bind(only.kind).bind(only.kind);
  query.bind(std::clamp(limit, 1, max_rows_at_once));
  std::vector<ledger_row> rows;
  sqlite_code code = query.step();
  for (; code == sqlite_row; code = query.step()) rows.push_back(read_row(query));
  if (code != sqlite_done) return reader.last_error("reading the ledger");
  return rows;
}

result<std::vector<account_summary>> accounts::list_accounts(std::string_view part,
                                                             std::int64_t before_id,
                                                             int limit) const {
  const std::int64_t before = before_id > 0 ? before_id : std::numeric_limits<std::int64_t>::max();
  const std::string lower = base::to_lower_ascii(part);
  std::vector<std::int64_t> ids;
  {
    database& reader = state_->reports();
    const std::lock_guard guard(reader.mutex);
    statement query(reader, "query",
                    "SELECT id FROM accounts WHERE id<? AND "
                    "(?='' OR (deleted_at IS NULL AND instr(email, ?)>0)) "
                    "ORDER BY id DESC LIMIT ?");
    query.bind(before).bind(lower).bind(lower).bind(std::clamp(limit, 1, max_rows_at_once));
    sqlite_code code = query.step();
    for (; code == sqlite_row; code = query.step()) ids.push_back(query.integer(0));
    if (code != sqlite_done) return reader.last_error("reading the accounts");
  }
  std::vector<account_summary> found;
  const std::lock_guard guard(state_->mutex);
  for (const std::int64_t id : ids) {
    // One that has just been committed may not be in memory yet.
    const account_entry* const entry = state_->find_account(id);
    if (entry == nullptr) continue;
    found.push_back(
        {entry->record, state_->balance_of(*entry), static_cast<std::int64_t>(entry->keys.size())});
  }
  return found;
}

result<verify_report> accounts::verify() const {
  if (state_->in_memory) {
    const std::lock_guard guard(state_->writer.mutex);
    return verify_ledger(state_->writer, state_->pepper);
  }
  // A connection of its own: it may take minutes, and nobody waits behind it.
  database reader;
  if (auto done = reader.open(state_->options.database_path, database_use::read); !done)
    return done.error();
  return verify_ledger(reader, state_->pepper);
}

}  // namespace freshet::account
