// What is read while the store is in use: look-ups and reports on connections of their own, so that
// no report holds up a settlement. Nothing here writes.
#include <account/store/sqlite/sqlite_snapshot.hpp>
#include <account/store/sqlite/sqlite_store.hpp>

namespace freshet::account {
namespace {

using sqlite::database;
using sqlite::sqlite_code;
using sqlite::sqlite_done;
using sqlite::sqlite_row;
using sqlite::statement;

/// The one row that a query finds, told to `read`; empty without one.
template <class Found, class Read, class... Values>
result<Found> look_up(database& on, const char* sql, Read read, const Values&... values) {
  const std::lock_guard guard(on.mutex);
  statement query(on, "query", sql);
  const sqlite_code code = query.bind(values...).step();
  if (code != sqlite_row && code != sqlite_done) return storage_failure();
  Found found;
  if (code == sqlite_row) read(query, found);
  return found;
}

/// The rows that a query finds, each filled by `read`.
template <class Row, class Read>
result<std::vector<Row>> list(statement& query, std::string_view doing, Read read) {
  std::vector<Row> rows;
  auto done = query.each_row(doing, [&] { read(rows.emplace_back()); });
  if (!done) return done.error();
  return rows;
}

}  // namespace

result<std::optional<sealed_answer>> sqlite_store::find_answer(std::int64_t account_id,
                                                               std::string_view key,
                                                               running_time since) {
  const auto read = [](const statement& row, std::optional<sealed_answer>& found) {
    stored_answer& answer = found.emplace().answer;
    std::int64_t form = 0;
    row.read(answer.fingerprint, answer.status, answer.content_type, answer.body,
             answer.credits_used, answer.data_offset, answer.data_size, form);
    found->form = static_cast<answer_form>(form);
  };
  return look_up<std::optional<sealed_answer>>(
      lookups(),
      "SELECT fingerprint, status, content_type, body, credits_used, data_offset, data_size, form "
      "FROM answers WHERE account_id=? AND key=? AND at>?",
      read, account_id, key, since.count());
}

result<std::string> sqlite_store::find_password(std::int64_t account_id) {
  return look_up<std::string>(
      lookups(), "SELECT password FROM accounts WHERE id=?",
      [](const statement& row, std::string& found) { found = row.text(0); }, account_id);
}

result<std::optional<std::string>> sqlite_store::find_link(std::string_view purpose,
                                                           const base::sha256_digest& hash,
                                                           time_point now) {
  return look_up<std::optional<std::string>>(
      lookups(), "SELECT email FROM tokens WHERE hash=? AND purpose=? AND expires_at>?",
      [](const statement& row, std::optional<std::string>& found) { found = row.text(0); }, hash,
      purpose, now);
}

result<std::vector<ledger_row>> sqlite_store::read_ledger(const ledger_page& page) {
  database& on = reports();
  const std::lock_guard guard(on.mutex);
  statement query(on, "query",
                  "SELECT seq, movement, book, amount, balance, kind, reason, endpoint, "
                  "request_id, key_id, at, hash, refund_of FROM ledger WHERE book=? AND seq<? "
                  "AND at>=? AND (?='' OR kind=?) ORDER BY seq DESC LIMIT ?");
  query.bind(page.book, page.before_seq, page.since, page.kind, page.kind, page.limit);
  return list<ledger_row>(query, "reading the ledger", [&](ledger_row& row) {
    std::string_view hash;
    query.read(row.seq, row.movement, row.book, row.amount, row.balance, row.kind, row.reason,
               row.endpoint, row.request_id, row.key_id, row.at, hash, row.refund_of);
    row.hash = base::hex(hash);
  });
}

result<std::vector<std::int64_t>> sqlite_store::find_accounts(std::string_view part,
                                                              std::int64_t before_id, int limit) {
  database& on = reports();
  const std::lock_guard guard(on.mutex);
  statement query(on, "query",
                  "SELECT id FROM accounts WHERE id<? AND "
                  "(?='' OR (deleted_at IS NULL AND instr(email, ?)>0)) "
                  "ORDER BY id DESC LIMIT ?");
  query.bind(before_id, part, part, limit);
  return list<std::int64_t>(query, "reading the accounts",
                            [&](std::int64_t& id) { query.read(id); });
}

result<void> sqlite_store::read_usage(std::string_view book, time_point since,
                                      const reader<usage_charge>& to) {
  database& on = reports();
  const std::lock_guard guard(on.mutex);
  statement rows(on, "query",
                 "SELECT at, -amount, endpoint, sources, ifnull(keys.public_id, ?) FROM ledger "
                 "LEFT JOIN keys ON keys.id=key_id "
                 "WHERE book=? AND kind='usage' AND amount<0 AND at>=? ORDER BY at");
  return rows.bind(session_key_id, book, since).each_row("reading the ledger", [&] {
    usage_charge one;
    rows.read(one.at, one.price, one.endpoint, one.sources, one.key);
    to(one);
  });
}

result<std::vector<audit_entry>> sqlite_store::read_audit(std::int64_t before_id, int limit) {
  database& on = reports();
  const std::lock_guard guard(on.mutex);
  statement query(on, "query",
                  "SELECT id, at, actor, action, subject, detail, address FROM audit WHERE id<? "
                  "ORDER BY id DESC LIMIT ?");
  query.bind(before_id, limit);
  return list<audit_entry>(query, "reading the audit log", [&](audit_entry& one) {
    query.read(one.id, one.at, one.actor, one.action, one.subject, one.detail, one.address);
  });
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
  result<std::vector<call_charge>> found = std::vector<call_charge>();
  // No index leads to a request id.
  auto done = read_alone([&](database& on) -> result<void> {
    const std::string sql =
        std::string(
            "SELECT seq, CAST(substr(book, 9) AS INTEGER), -amount, key_id, endpoint, "
            "request_id FROM ledger WHERE kind='usage' AND amount<0 AND ") +
        (seq ? "seq=?" : "request_id=?") + " ORDER BY seq LIMIT ?";
    statement query(on, "query", sql);
    (seq ? query.bind(*seq) : query.bind(request_id)).bind(limit);
    found = list<call_charge>(query, "reading the ledger", [&](call_charge& one) {
      query.read(one.seq, one.account_id, one.credits, one.key_id, one.endpoint, one.request_id);
    });
    return {};
  });
  if (!done) return done.error();
  return found;
}

result<void> sqlite_store::read_snapshot(const std::function<void(ledger_snapshot&)>& read) {
  return read_alone([&](database& on) { return account::read_snapshot(on, read); });
}

}  // namespace freshet::account
