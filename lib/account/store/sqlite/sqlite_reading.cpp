// What is read while the store is in use: look-ups and reports on connections of their own, so that
// no report holds up a settlement. Nothing here writes.
#include <account/store/sqlite/sqlite_store.hpp>

namespace freshet::account {
namespace {

using sqlite::database;
using sqlite::sqlite_code;
using sqlite::sqlite_done;
using sqlite::sqlite_row;
using sqlite::statement;

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
  row.refund_of = from.text(12);
  return row;
}

error unreadable() {
  return error(errc::storage_unavailable, "the accounts cannot be written just now");
}

chain_row read_chain_row(const statement& from) {
  chain_row row;
  row.seq = from.integer(0);
  row.movement = from.integer(1);
  row.book = from.text(2);
  row.amount = from.integer(3);
  row.balance = from.integer(4);
  row.monthly_left = from.integer(5);
  row.kind = from.text(6);
  row.reason = from.text(7);
  row.endpoint = from.text(8);
  row.request_id = from.text(9);
  row.sources = from.text(10);
  row.period = from.text(11);
  row.key_id = from.integer(12);
  row.at_ms = from.integer(13);
  row.refund_of = from.text(15);
  return row;
}

/// A read transaction: every query of it sees the same moment.
class sqlite_snapshot final : public ledger_snapshot {
 public:
  explicit sqlite_snapshot(database& on) : on_(on) {}

  result<void> check_storage(const reader<std::string>& to) override {
    statement check(on_, "query", "PRAGMA integrity_check(20)");
    sqlite_code code = check.step();
    for (; code == sqlite_row; code = check.step())
      if (check.text(0) != "ok") to(std::string(check.text(0)));
    if (code != sqlite_done) return on_.last_error("integrity check");
    return {};
  }

  result<void> read_chain(const reader<stored_chain_row>& to) override {
    statement rows(on_, "query",
                   "SELECT seq, movement, book, amount, balance, monthly_left, kind, reason, "
                   "endpoint, request_id, sources, period, key_id, at, hash, refund_of FROM "
                   "ledger ORDER BY seq");
    sqlite_code code = rows.step();
    for (; code == sqlite_row; code = rows.step()) to({read_chain_row(rows), rows.text(14)});
    if (code != sqlite_done) return on_.last_error("reading the ledger");
    return {};
  }

  result<void> read_head(const reader<stored_head>& to) override {
    statement stored(on_, "query", "SELECT seq, movement, hash, mac FROM ledger_head");
    const sqlite_code code = stored.step();
    if (code == sqlite_done) return {};
    if (code != sqlite_row) return on_.last_error("reading the ledger's head");
    stored_head said;
    said.head.seq = stored.integer(0);
    said.head.movement = stored.integer(1);
    said.head.hash = base::as_digest(stored.text(2));
    said.mac = stored.text(3);
    to(said);
    return {};
  }

  result<void> read_books(const reader<chain_row>& to) override {
    statement rows(on_, "query",
                   "SELECT seq, book, amount, balance, monthly_left FROM ledger "
                   "ORDER BY book, seq");
    sqlite_code code = rows.step();
    for (; code == sqlite_row; code = rows.step()) {
      chain_row row;
      row.seq = rows.integer(0);
      row.book = rows.text(1);
      row.amount = rows.integer(2);
      row.balance = rows.integer(3);
      row.monthly_left = rows.integer(4);
      to(row);
    }
    if (code != sqlite_done) return on_.last_error("reading the ledger");
    return {};
  }

 private:
  database& on_;
};

}  // namespace

result<std::optional<stored_answer>> sqlite_store::find_answer(std::int64_t account_id,
                                                               std::string_view key,
                                                               time_point since) {
  database& on = lookups();
  const std::lock_guard guard(on.mutex);
  statement query(on, "query",
                  "SELECT fingerprint, status, content_type, body, credits_used, data_offset, "
                  "data_size FROM answers WHERE account_id=? AND key=? AND at>?");
  const sqlite_code code = query.bind(account_id).bind(key).bind(to_ms(since)).step();
  if (code == sqlite_done) return std::optional<stored_answer>();
  if (code != sqlite_row) return unreadable();
  stored_answer answer;
  answer.fingerprint = query.text(0);
  answer.status = static_cast<int>(query.integer(1));
  answer.content_type = query.text(2);
  answer.body = query.text(3);
  answer.credits_used = query.integer(4);
  answer.data_offset = static_cast<std::size_t>(query.integer(5));
  answer.data_size = static_cast<std::size_t>(query.integer(6));
  return std::optional(std::move(answer));
}

result<std::string> sqlite_store::find_password(std::int64_t account_id) {
  database& on = lookups();
  const std::lock_guard guard(on.mutex);
  statement query(on, "query", "SELECT password FROM accounts WHERE id=?");
  const sqlite_code code = query.bind(account_id).step();
  if (code == sqlite_done) return std::string();
  if (code != sqlite_row) return unreadable();
  return std::string(query.text(0));
}

result<std::optional<stored_link>> sqlite_store::find_link(std::string_view purpose,
                                                           const base::sha256_digest& hash,
                                                           time_point now) {
  database& on = lookups();
  const std::lock_guard guard(on.mutex);
  statement query(on, "query",
                  "SELECT email, password FROM tokens WHERE hash=? AND purpose=? AND expires_at>?");
  query.bind_blob(base::as_text(hash)).bind(purpose).bind(to_ms(now));
  const sqlite_code code = query.step();
  if (code == sqlite_done) return std::optional<stored_link>();
  if (code != sqlite_row) return unreadable();
  return std::optional(stored_link{std::string(query.text(0)), std::string(query.text(1))});
}

result<std::vector<ledger_row>> sqlite_store::read_ledger(const ledger_page& page) {
  database& on = reports();
  const std::lock_guard guard(on.mutex);
  statement query(on, "query",
                  "SELECT seq, movement, book, amount, balance, kind, reason, endpoint, "
                  "request_id, key_id, at, hash, refund_of FROM ledger WHERE book=? AND seq<? "
                  "AND at>=? AND (?='' OR kind=?) ORDER BY seq DESC LIMIT ?");
  query.bind(page.book).bind(page.before_seq).bind(to_ms(page.since));
  query.bind(page.kind).bind(page.kind).bind(page.limit);
  std::vector<ledger_row> rows;
  sqlite_code code = query.step();
  for (; code == sqlite_row; code = query.step()) rows.push_back(read_row(query));
  if (code != sqlite_done) return on.last_error("reading the ledger");
  return rows;
}

result<std::vector<std::int64_t>> sqlite_store::find_accounts(std::string_view part,
                                                              std::int64_t before_id, int limit) {
  database& on = reports();
  const std::lock_guard guard(on.mutex);
  statement query(on, "query",
                  "SELECT id FROM accounts WHERE id<? AND "
                  "(?='' OR (deleted_at IS NULL AND instr(email, ?)>0)) "
                  "ORDER BY id DESC LIMIT ?");
  query.bind(before_id).bind(part).bind(part).bind(limit);
  std::vector<std::int64_t> ids;
  sqlite_code code = query.step();
  for (; code == sqlite_row; code = query.step()) ids.push_back(query.integer(0));
  if (code != sqlite_done) return on.last_error("reading the accounts");
  return ids;
}

result<void> sqlite_store::read_usage(std::string_view book, time_point since,
                                      const reader<usage_charge>& to) {
  database& on = reports();
  const std::lock_guard guard(on.mutex);
  statement rows(on, "query",
                 "SELECT at, -amount, endpoint, sources, ifnull(keys.public_id, ?) FROM ledger "
                 "LEFT JOIN keys ON keys.id=key_id "
                 "WHERE book=? AND kind='usage' AND amount<0 AND at>=? ORDER BY at");
  rows.bind(session_key_id).bind(book).bind(to_ms(since));
  sqlite_code code = rows.step();
  for (; code == sqlite_row; code = rows.step())
    to({from_ms(rows.integer(0)), rows.integer(1), rows.text(2), rows.text(3), rows.text(4)});
  if (code != sqlite_done) return on.last_error("reading the ledger");
  return {};
}

result<std::vector<audit_entry>> sqlite_store::read_audit(std::int64_t before_id, int limit) {
  database& on = reports();
  const std::lock_guard guard(on.mutex);
  statement query(on, "query",
                  "SELECT id, at, actor, action, subject, detail, address FROM audit WHERE id<? "
                  "ORDER BY id DESC LIMIT ?");
  query.bind(before_id).bind(limit);
  std::vector<audit_entry> entries;
  sqlite_code code = query.step();
  for (; code == sqlite_row; code = query.step())
    entries.push_back({query.integer(0), from_ms(query.integer(1)), std::string(query.text(2)),
                       std::string(query.text(3)), std::string(query.text(4)),
                       std::string(query.text(5)), std::string(query.text(6))});
  if (code != sqlite_done) return on.last_error("reading the audit log");
  return entries;
}

result<void> sqlite_store::read_alone(const std::function<result<void>(database&)>& read) {
  if (in_memory_) {
    const std::lock_guard guard(writer_.mutex);
    return read(writer_);
  }
  database alone;
  if (auto done = alone.open(path_, sqlite::database_use::read); !done) return done;
  return read(alone);
}

result<std::vector<call_charge>> sqlite_store::find_charges(std::optional<std::int64_t> seq,
                                                            std::string_view request_id,
                                                            int limit) {
  std::vector<call_charge> found;
  // No index leads to a request id.
  auto done = read_alone([&](database& on) -> result<void> {
    const std::string sql =
        std::string(
            "SELECT seq, CAST(substr(book, 9) AS INTEGER), -amount, key_id, endpoint, "
            "request_id FROM ledger WHERE kind='usage' AND amount<0 AND ") +
        (seq ? "seq=?" : "request_id=?") + " ORDER BY seq LIMIT ?";
    statement query(on, "query", sql);
    (seq ? query.bind(*seq) : query.bind(request_id)).bind(limit);
    sqlite_code code = query.step();
    for (; code == sqlite_row; code = query.step())
      found.push_back({query.integer(0), query.integer(1), query.integer(2), query.integer(3),
                       std::string(query.text(4)), std::string(query.text(5))});
    if (code != sqlite_done) return on.last_error("reading the ledger");
    return {};
  });
  if (!done) return done.error();
  return found;
}

result<void> sqlite_store::read_snapshot(const std::function<void(ledger_snapshot&)>& read) {
  return read_alone([&](database& on) -> result<void> {
    if (on.execute("BEGIN") != sqlite::sqlite_ok) return on.last_error("verifying");
    sqlite_snapshot snapshot(on);
    read(snapshot);
    if (on.execute("ROLLBACK") != sqlite::sqlite_ok) return on.last_error("verifying");
    return {};
  });
}

}  // namespace freshet::account
