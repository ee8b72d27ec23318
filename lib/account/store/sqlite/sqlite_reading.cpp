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

/// The rows that a query finds on a connection for reports, each filled by `read`.
template <class Row, class Report, class Read, class... Values>
result<std::vector<Row>> report_list(const Report& report, std::string_view doing,
                                     std::string_view sql, Read read, const Values&... values) {
  std::vector<Row> rows;
  auto done = report([&](database& on) -> result<void> {
    statement query(on, "query", sql);
    query.bind(values...);
    return query.each_row(doing, [&] { read(query, rows.emplace_back()); });
  });
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

result<std::optional<stored_factor>> sqlite_store::find_factor(std::int64_t account_id) {
  const auto read = [](const statement& row, std::optional<stored_factor>& found) {
    stored_factor& factor = found.emplace();
    row.read(factor.sealed_secret, factor.is_on, factor.last_step, factor.recovery_codes);
  };
  return look_up<std::optional<stored_factor>>(
      lookups(),
      "SELECT secret, is_on, last_step, (SELECT count(*) FROM recovery_codes WHERE account_id=?1) "
      "FROM second_factors WHERE account_id=?1",
      read, account_id);
}

result<std::optional<std::string>> sqlite_store::find_link(std::string_view purpose,
                                                           const base::sha256_digest& hash,
                                                           time_point now) {
  return look_up<std::optional<std::string>>(
      lookups(), "SELECT email FROM tokens WHERE hash=? AND purpose=? AND expires_at>?",
      [](const statement& row, std::optional<std::string>& found) { found = row.text(0); }, hash,
      purpose, now);
}

result<void> sqlite_store::report(const std::function<result<void>(database&)>& read) {
  if (!in_memory_) return reports_.read(read);
  const std::lock_guard guard(writer_.mutex);
  return read(writer_);
}

result<std::vector<ledger_row>> sqlite_store::read_ledger(const ledger_page& page) {
  std::string sql =
      "SELECT seq, movement, book, amount, balance, kind, reason, endpoint, request_id, key_id, "
      "at, hash, refund_of FROM ledger WHERE book=?1 AND seq<?2 AND at>=?3 AND "
      "seq>=ifnull((SELECT max(seq) FROM ledger_tops WHERE top<?3), 0)";
  // Each in the words of the index that leads to it: usage is most of a book.
  if (page.kind == "usage")
    sql += " AND kind=?4";
  else if (!page.kind.empty())
    sql += " AND kind=?4 AND kind<>'usage'";
  return report_list<ledger_row>(
      [&](const auto& read) { return report(read); }, "reading the ledger",
      sql + " ORDER BY seq DESC LIMIT ?5",
      [](const statement& query, ledger_row& row) {
        std::string_view hash;
        query.read(row.seq, row.movement, row.book, row.amount, row.balance, row.kind, row.reason,
                   row.endpoint, row.request_id, row.key_id, row.at, hash, row.refund_of);
        row.hash = base::hex(hash);
      },
      page.book, page.before_seq, page.since, page.kind, page.limit);
}

result<std::vector<std::int64_t>> sqlite_store::find_accounts(std::string_view part,
                                                              std::int64_t before_id, int limit) {
  return report_list<std::int64_t>(
      [&](const auto& read) { return report(read); }, "reading the accounts",
      "SELECT id FROM accounts WHERE id<? AND "
      "(?='' OR (deleted_at IS NULL AND instr(email, ?)>0)) ORDER BY id DESC LIMIT ?",
      [](const statement& query, std::int64_t& id) { query.read(id); }, before_id, part, part,
      limit);
}

result<void> sqlite_store::read_usage(std::string_view book, time_point since,
                                      const std::function<bool(const usage_charge&)>& to) {
  return report([&](database& on) -> result<void> {
    statement rows(on, "query",
                   "SELECT at, -amount, endpoint, sources, ifnull(keys.public_id, ?) FROM ledger "
                   "LEFT JOIN keys ON keys.id=key_id "
                   "WHERE book=? AND kind='usage' AND amount<0 AND at>=? ORDER BY at");
    rows.bind(session_key_id, book, since);
    sqlite_code code = rows.step();
    for (; code == sqlite_row; code = rows.step()) {
      usage_charge one;
      rows.read(one.at, one.price, one.endpoint, one.sources, one.key);
      if (!to(one)) return error(errc::cancelled, "the report was ended");
    }
    if (code != sqlite_done) return on.last_error("reading the ledger");
    return {};
  });
}

result<std::vector<audit_entry>> sqlite_store::read_audit(std::int64_t before_id, int limit) {
  return report_list<audit_entry>(
      [&](const auto& read) { return report(read); }, "reading the audit log",
      "SELECT id, at, actor, action, subject, detail, address FROM audit WHERE id<? "
      "ORDER BY id DESC LIMIT ?",
      [](const statement& query, audit_entry& one) {
        query.read(one.id, one.at, one.actor, one.action, one.subject, one.detail, one.address);
      },
      before_id, limit);
}

result<std::vector<call_charge>> sqlite_store::find_charges(std::optional<std::int64_t> seq,
                                                            std::string_view request_id,
                                                            int limit) {
  const std::string sql =
      std::string(
          "SELECT seq, CAST(substr(book, 9) AS INTEGER), -amount, key_id, endpoint, request_id "
          "FROM ledger WHERE kind='usage' AND amount<0 AND ") +
      (seq ? "seq=?1" : "request_id=?2") + " ORDER BY seq LIMIT ?3";
  return report_list<call_charge>(
      [&](const auto& read) { return report(read); }, "reading the ledger", sql,
      [](const statement& query, call_charge& one) {
        query.read(one.seq, one.account_id, one.credits, one.key_id, one.endpoint, one.request_id);
      },
      seq.value_or(0), request_id, limit);
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

result<void> sqlite_store::read_snapshot(const std::function<void(ledger_snapshot&)>& read) {
  return read_alone([&](database& on) { return account::read_snapshot(on, read); });
}

}  // namespace freshet::account
