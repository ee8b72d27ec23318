// Reports, which are read while the store is in use on connections of their own, so that none holds
// up a settlement. Nothing here writes.
#include <account/store/sqlite/sqlite_rows.hpp>
#include <account/store/sqlite/sqlite_snapshot.hpp>
#include <account/store/sqlite/sqlite_store.hpp>
#include <algorithm>
#include <base/ids.hpp>
#include <iterator>
#include <unordered_map>

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

/// The public ids of keys, each read once.
class key_names {
 public:
  explicit key_names(database& on) : query_(on, "query", "SELECT public_id FROM keys WHERE id=?") {}
  /// Lives as long as this; that of a session where there is no such key.
  std::string_view name_of(std::int64_t id) {
    const auto [name, is_new] = names_.try_emplace(id, session_key_id);
    if (!is_new) return name->second;
    if (query_.bind(id).step() == sqlite_row) name->second = query_.text(0);
    query_.reset();
    return name->second;
  }

 private:
  statement query_;
  std::unordered_map<std::int64_t, std::string> names_;
};

ledger_row shown(const chain_row& row, std::string_view hash) {
  ledger_row made;
  made.seq = row.seq;
  made.number = row.number;
  made.movement = row.movement;
  made.book = row.book;
  made.amount = row.amount;
  made.balance = row.balance;
  made.kind = row.kind;
  made.reason = row.reason;
  made.endpoint = row.endpoint;
  made.request_id = row.request_id;
  made.key_id = row.key_id;
  made.at = row.at;
  made.hash = base::hex(hash);
  made.refund_of = row.refund_of;
  return made;
}

call_charge charge_of(const chain_row& row) {
  const auto account = account_of_book(row.book);
  return {row.seq,
          account,
          -row.amount,
          row.key_id,
          std::string(row.endpoint),
          std::string(row.request_id)};
}

}  // namespace

result<void> sqlite_store::report(const std::function<result<void>(database&)>& read) {
  if (!in_memory_) return reports_.read(read);
  const std::lock_guard guard(writer_.mutex);
  return read(writer_);
}

result<std::vector<stored_key>> sqlite_store::read_keys(std::int64_t account_id) {
  return report_list<stored_key>(
      [&](const auto& read) { return report(read); }, "reading the keys",
      std::string(key_rows) + "WHERE account_id=? ORDER BY keys.id",
      [](const statement& query, stored_key& one) { one = read_key(query); }, account_id);
}

result<std::vector<ledger_row>> sqlite_store::read_ledger(const ledger_page& page) {
  // A row goes by its last movement and its newest: of the one that reaches beyond the page some
  // may be on it.
  std::string sql = movements_where(
      "book=?1 AND seq<=ifnull((SELECT min(seq) FROM ledger WHERE book=?1 AND seq>=?2), ?2) AND "
      "at>=?3 AND seq>=ifnull((SELECT max(seq) FROM ledger_tops WHERE top<?3), 0)");
  // Each in the words of the index that leads to it: usage is most of a book.
  if (page.kind == "usage")
    sql += " AND kind=?4";
  else if (!page.kind.empty())
    sql += " AND kind=?4 AND kind<>'usage'";
  std::vector<ledger_row> rows;
  auto done = report([&](database& on) -> result<void> {
    statement query(on, "query", sql + " ORDER BY seq DESC LIMIT ?5");
    query.bind(page.book, page.before_seq, page.since, page.kind, page.limit + 1);
    sqlite_code code = query.step();
    for (; code == sqlite_row && std::ssize(rows) < page.limit; code = query.step()) {
      std::vector<ledger_row> oldest_first;
      static_cast<void>(each_movement(query, [&](const chain_row& row, std::string_view hash) {
        if (row.seq < page.before_seq && row.at >= page.since)
          oldest_first.push_back(shown(row, hash));
        return true;
      }));
      std::move(oldest_first.rbegin(), oldest_first.rend(), std::back_inserter(rows));
    }
    if (code != sqlite_row && code != sqlite_done) return on.last_error("reading the ledger");
    return {};
  });
  if (!done) return done.error();
  rows.resize(std::min(rows.size(), static_cast<std::size_t>(std::max(page.limit, 0))));
  return rows;
}

result<void> sqlite_store::read_book(
    std::string_view book, std::int64_t from_seq,
    const std::function<bool(const chain_row&, std::string_view hash)>& function) {
  return report([&](database& on) -> result<void> {
    statement rows(on, "query", movements_where("book=? AND seq>=? ORDER BY seq"));
    rows.bind(book, from_seq);
    const bool is_read = each_movement_of(rows, [&](const chain_row& row, std::string_view hash) {
      return row.seq < from_seq || function(row, hash);
    });
    if (!is_read) return on.last_error("reading the ledger");
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
                                      const std::function<bool(const usage_charge&)>& function) {
  return report([&](database& on) -> result<void> {
    key_names keys(on);
    statement rows(
        on, "query",
        movements_where("book=?1 AND kind='usage' AND amount<0 AND at>=?2 AND "
                        "seq>=ifnull((SELECT max(seq) FROM ledger_tops WHERE top<?2), 0) "
                        "ORDER BY seq"));
    bool is_ended = false;
    const auto tell = [&](const chain_row& row, std::string_view) {
      if (row.at < since) return true;
      is_ended =
          !function({row.at, -row.amount, row.endpoint, row.sources, keys.name_of(row.key_id)});
      return !is_ended;
    };
    const bool is_read = each_movement_of(rows.bind(book, since), tell);
    if (is_ended) return error(errc::cancelled, "the report was ended");
    if (!is_read) return on.last_error("reading the ledger");
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

result<std::vector<call_charge>> sqlite_store::find_charges(const charge_search& wanted) {
  std::vector<call_charge> found;
  const auto take = [&](const chain_row& row, std::string_view) {
    const bool is_it = wanted.seq ? row.seq == *wanted.seq : row.request_id == wanted.request_id;
    if (is_it && row.kind == "usage" && row.amount < 0) found.push_back(charge_of(row));
    return true;
  };
  const bool is_anybodys = wanted.book.empty();
  auto done = report([&](database& on) -> result<void> {
    // The plus keeps it to the index of request ids: that of books would read all of one.
    statement rows(on, "query",
                   wanted.seq ? movements_where("seq>=?1 ORDER BY seq LIMIT 1")
                   : is_anybodys
                       ? movements_where("kind='usage' AND amount<0 AND charges=1 AND "
                                         "request_id=?1 ORDER BY seq LIMIT ?2")
                       : movements_where("kind='usage' AND amount<0 AND charges=1 AND "
                                         "request_id=?1 AND +book=?3 ORDER BY seq DESC LIMIT ?2"));
    if (wanted.seq)
      rows.bind(*wanted.seq);
    else if (is_anybodys)
      rows.bind(wanted.request_id, wanted.limit);
    else
      rows.bind(wanted.request_id, wanted.limit, wanted.book);
    if (!each_movement_of(rows, take)) return on.last_error("reading the ledger");
    const auto began = base::time_of_id("req_", wanted.request_id);
    if (wanted.seq || !began) return {};
    // What lies before the first of these has ended before the call began; what lies behind the
    // second had seen a later moment than its charge can have.
    constexpr const char* of_the_time =
        "charges>1 AND seq>=ifnull((SELECT max(seq) FROM ledger_tops WHERE top<?1), 0) AND "
        "seq<ifnull((SELECT min(seq) FROM ledger_tops WHERE top>?2), 1<<62)";
    statement packed(
        on, "query",
        movements_where(((is_anybodys ? std::string() : "book=?3 AND ") + of_the_time).c_str()));
    const auto latest = *began + longest_packed_way + packed_drift;
    is_anybodys ? packed.bind(*began, latest) : packed.bind(*began, latest, wanted.book);
    if (!each_movement_of(packed, take)) return on.last_error("reading the ledger");
    return {};
  });
  if (!done) return done.error();
  std::sort(found.begin(), found.end(), [&](const call_charge& a, const call_charge& b) {
    return is_anybodys ? a.seq < b.seq : b.seq < a.seq;
  });
  found.resize(std::min(found.size(), static_cast<std::size_t>(std::max(wanted.limit, 0))));
  return found;
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
