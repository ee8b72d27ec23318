// The rows of the ledger and its head. Memory follows the disk: positions move on only after the
// commit.
#include <account/ledger_writer.hpp>
#include <algorithm>

namespace freshet::account {
namespace {

/// The balance after the last row of a book, 0 for an empty one.
result<std::int64_t> balance_of_book(database& on, std::string_view book) {
  statement query(on, "query", "SELECT balance FROM ledger WHERE book=? ORDER BY seq DESC LIMIT 1");
  const sqlite_code code = query.bind(book).step();
  if (code == sqlite_done) return 0;
  if (code != sqlite_row) return on.last_error("reading the ledger");
  return query.integer(0);
}

}  // namespace

ledger_writer::ledger_writer(database& on, std::string_view pepper)
    : on_(&on),
      pepper_(pepper),
      insert_row_(on, "row",
                  "INSERT INTO ledger (seq, movement, book, amount, balance, monthly_left, kind, "
                  "reason, endpoint, request_id, sources, period, key_id, at, hash) "
                  "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"),
      update_head_(on, "head",
                   "INSERT INTO ledger_head (only, seq, movement, hash, mac) VALUES (1,?,?,?,?) "
                   "ON CONFLICT (only) DO UPDATE SET seq=excluded.seq, "
                   "movement=excluded.movement, hash=excluded.hash, mac=excluded.mac"),
      read_head_(on, "read head", "SELECT seq, movement, hash FROM ledger_head") {}

result<void> ledger_writer::load() {
  const sqlite_code code = read_head_.step();
  if (code == sqlite_row) {
    committed_.head = {read_head_.integer(0), read_head_.integer(1),
                       base::as_digest(read_head_.text(2))};
  } else if (code != sqlite_done) {
    return on_->last_error("reading the ledger's head");
  }
  read_head_.reset();
  // More rows than the head knows: somebody added some. Going on behind them keeps the service
  // alive and the evidence in place, for verify() to find.
  const auto last = on_->integer("SELECT ifnull(max(seq), 0) FROM ledger");
  const auto grants = balance_of_book(*on_, grants_book);
  const auto revenue = balance_of_book(*on_, revenue_book);
  if (!last) return last.error();
  if (!grants) return grants.error();
  if (!revenue) return revenue.error();
  committed_.head.seq = std::max(committed_.head.seq, *last);
  committed_.grants = *grants;
  committed_.revenue = *revenue;
  working_ = committed_;
  if (code == sqlite_row) return {};
  // The head of an empty ledger is written at once: a missing one is then always a finding.
  if (begin() != sqlite_ok) return on_->last_error("starting the ledger");
  const base::sha256_digest mac = seal(working_.head, pepper_);
  if (update_head_.bind(working_.head.seq)
              .bind(working_.head.movement)
              .bind_blob(base::as_text(working_.head.hash))
              .bind_blob(base::as_text(mac))
              .run() != sqlite_ok ||
      on_->execute("commit", "COMMIT") != sqlite_ok)
    return on_->last_error("starting the ledger");
  return {};
}

sqlite_code ledger_writer::begin() { return on_->execute("begin", "BEGIN IMMEDIATE"); }

sqlite_code ledger_writer::append_row(const chain_row& row) {
  working_.head.hash = link(working_.head.hash, row);
  return insert_row_.bind(row.seq)
      .bind(row.movement)
      .bind(row.book)
      .bind(row.amount)
      .bind(row.balance)
      .bind(row.monthly_left)
      .bind(row.kind)
      .bind(row.reason)
      .bind(row.endpoint)
      .bind(row.request_id)
      .bind(row.sources)
      .bind(row.period)
      .bind(row.key_id)
      .bind(row.at_ms)
      .bind_blob(base::as_text(working_.head.hash))
      .run();
}

sqlite_code ledger_writer::append(std::int64_t account_id, const book_change& change,
                                  const movement_note& note, account_book& book) {
  const bool is_usage = note.kind == "usage" || note.kind == "refund";
  std::int64_t& counter_balance = is_usage ? working_.revenue : working_.grants;
  const std::string name = account_book_name(account_id);
  ++working_.head.movement;
  chain_row row;
  row.seq = ++working_.head.seq;
  row.movement = working_.head.movement;
  row.book = name;
  row.amount = change.amount;
  row.balance = book.balance + change.amount;
  row.monthly_left = change.monthly_left;
  row.kind = note.kind;
  row.reason = note.reason;
  row.endpoint = note.endpoint;
  row.request_id = note.request_id;
  row.sources = note.sources;
  row.period = note.period;
  row.key_id = note.key_id;
  row.at_ms = note.at.time_since_epoch().count();
  const sqlite_code code = append_row(row);
  if (code != sqlite_ok) return code;
  book = {row.balance, row.monthly_left};
  // The other side says only what the first does not.
  chain_row counter;
  counter.seq = ++working_.head.seq;
  counter.movement = row.movement;
  counter.book = is_usage ? revenue_book : grants_book;
  counter.amount = -change.amount;
  counter.balance = counter_balance -= change.amount;
  counter.kind = note.kind;
  counter.at_ms = row.at_ms;
  return append_row(counter);
}

sqlite_code ledger_writer::commit() {
  if (working_.head.seq != committed_.head.seq) {
    const base::sha256_digest mac = seal(working_.head, pepper_);
    const sqlite_code code = update_head_.bind(working_.head.seq)
                                 .bind(working_.head.movement)
                                 .bind_blob(base::as_text(working_.head.hash))
                                 .bind_blob(base::as_text(mac))
                                 .run();
    if (code != sqlite_ok) return code;
  }
  if (on_->fails("sync")) return sqlite_failed_sync;
  const sqlite_code code = on_->execute("commit", "COMMIT");
  if (code == sqlite_ok) committed_ = working_;
  return code;
}

bool ledger_writer::rollback() {
  working_ = committed_;
  // After some errors SQLite has rolled back by itself.
  if (on_->in_transaction() && on_->execute("ROLLBACK") != sqlite_ok) return false;
  const auto last = on_->integer("SELECT ifnull(max(seq), 0) FROM ledger");
  return last && *last <= committed_.head.seq;
}

}  // namespace freshet::account
