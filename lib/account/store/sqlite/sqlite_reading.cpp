// Reports, which are read while the store is in use on connections of their own, so that none holds
// up a settlement. Nothing here writes.
#include <account/store/sqlite/sqlite_rows.hpp>
#include <account/store/sqlite/sqlite_snapshot.hpp>
#include <account/store/sqlite/sqlite_store.hpp>

namespace freshet::account {
namespace {

using sqlite::database;
using sqlite::sqlite_code;
using sqlite::sqlite_done;
using sqlite::sqlite_row;
using sqlite::statement;

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

result<void> sqlite_store::report(const std::function<result<void>(database&)>& read) {
  if (!in_memory_) return reports_.read(read);
  const std::lock_guard guard(writer_.mutex);
  return read(writer_);
}

result<std::vector<ledger_row>> sqlite_store::read_ledger(const ledger_page& page) {
  std::string sql =
      "SELECT seq, number, movement, book, amount, balance, kind, reason, endpoint, request_id, "
      "key_id, "
      "at, hash, refund_of FROM ledger WHERE book=?1 AND seq<?2 AND at>=?3 AND "
      "seq>=ifnull((SELECT max(seq) FROM ledger_tops WHERE top<?3), 0)";
  // Each in the words of the index that leads to it: usage is most of a book.
  if (page.kind == "usage")
    sql += " AND kind=?4";
  else if (!page.kind.empty())
    sql += " AND kind=?4 AND kind<>'usage'";
  return report_list<ledger_row>([&](const auto& read) { return report(read); },
                                 "reading the ledger", sql + " ORDER BY seq DESC LIMIT ?5",
                                 [](const statement& query, ledger_row& row) {
                                   std::string_view hash;
                                   query.read(row.seq, row.number, row.movement, row.book,
                                              row.amount, row.balance, row.kind, row.reason,
                                              row.endpoint, row.request_id, row.key_id, row.at,
                                              hash, row.refund_of);
                                   row.hash = base::hex(hash);
                                 },
                                 page.book, page.before_seq, page.since, page.kind, page.limit);
}

result<void> sqlite_store::read_book(
    std::string_view book, std::int64_t from_seq,
    const std::function<bool(const chain_row&, std::string_view hash)>& to) {
  return report([&](database& on) -> result<void> {
    statement rows(on, "query",
                   std::string("SELECT ") + chain_columns +
                       " FROM ledger WHERE book=? AND seq>=? ORDER BY seq");
    rows.bind(book, from_seq);
    sqlite_code code = rows.step();
    for (; code == sqlite_row; code = rows.step()) {
      chain_row row;
      const auto hash = read_chain_row(rows, row);
      if (!to(row, hash)) return {};
    }
    if (code != sqlite_done) return on.last_error("reading the ledger");
    return {};
  });
}

result<std::vector<listed_account>> sqlite_store::list_accounts(std::string_view part,
                                                                std::int64_t before_id, int limit) {
  return report_list<listed_account>(
      [&](const auto& read) { return report(read); }, "reading the accounts",
      std::string("SELECT ") + account_columns +
          ", (SELECT count(*) FROM keys WHERE account_id=accounts.id)" + account_tables +
          "WHERE accounts.id<? AND (?='' OR (deleted_at IS NULL AND instr(email, ?)>0)) "
          "ORDER BY accounts.id DESC LIMIT ?",
      [](const statement& query, listed_account& one) {
        one.stored = read_account(query);
        one.keys = query.integer(account_column_count);
      },
      before_id, part, part, limit);
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
