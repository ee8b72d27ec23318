// What is read while the store is in use, on connections of which there are a few: lookups by an
// index, which calls wait for, and reports, which hold those up no more than one another.
#include <account/store/postgres/durability.hpp>
#include <account/store/postgres/postgres_rows.hpp>
#include <account/store/postgres/postgres_snapshot.hpp>
#include <account/store/postgres/postgres_store.hpp>

namespace freshet::account::on_postgres {

using postgres::pg_connection;
using postgres::pg_outcome;
using postgres::pg_statement;

namespace {

/// What of many rows is read at once.
constexpr std::int64_t rows_at_once = 2'000;
constexpr std::int64_t keys_at_once = 20'000;

}  // namespace

result<void> postgres_store::read_all(postgres::connection_pool& pool,
                                      const std::function<pg_outcome(pg_connection&)>& reading) {
  const auto became = pool.read(reading);
  if (!became || *became != pg_outcome::done) return storage_failure();
  return {};
}

template <class Found, class Read, class... Values>
result<Found> postgres_store::look_up(const std::string& sql, Read read, const Values&... values) {
  Found found{};
  auto done = read_all(lookups_, [&](pg_connection& on) {
    pg_statement query(on, "query", sql);
    const pg_outcome became = query.bind(values...).run();
    if (query.next()) read(query, found);
    return became;
  });
  if (!done) return done.error();
  return found;
}

result<void> postgres_store::read_report(const std::function<pg_outcome(pg_connection&)>& reading) {
  if (replica_ == nullptr) return read_all(reports_, reading);
  const auto became = replica_->read(reports_, reading);
  if (!became || *became != pg_outcome::done) return storage_failure();
  return {};
}

template <class Row, class Read, class... Values>
pg_outcome postgres_store::list(pg_connection& connection, std::vector<Row>& rows,
                                const std::string& sql, Read read, const Values&... values) {
  pg_statement query(connection, "query", sql);
  return each_row(query.bind(values...), [&] { read(query, rows.emplace_back()); });
}

template <class Row, class Read, class... Values>
result<std::vector<Row>> postgres_store::report_list(const std::string& sql, Read read,
                                                     const Values&... values) {
  std::vector<Row> rows;
  auto done = read_report([&](pg_connection& on) { return list(on, rows, sql, read, values...); });
  if (!done) return done.error();
  return rows;
}

// What is held in memory of everybody.

result<ledger_end> postgres_store::read_ledger_end() {
  ledger_end end;
  auto done = read_all(reports_, [&](pg_connection& on) {
    pg_statement head(on, "read head",
                      "SELECT head.seq, head.movement, head.hash, last.seq FROM "
                      "(SELECT coalesce(max(seq), 0) AS seq FROM ledger) AS last LEFT JOIN "
                      "ledger_head AS head ON true");
    const pg_outcome became = head.run();
    if (!head.next()) return became;
    end.has_head = !head.is_null(0);
    head.read(end.head.seq, end.head.movement, end.head.hash, end.last_seq);
    return became;
  });
  if (!done) return done.error();
  return end;
}

result<running_time> postgres_store::read_running_time() {
  const auto found =
      look_up<std::int64_t>("SELECT greatest(running_ms, (SELECT max(at) FROM answers)) FROM state",
                            [](const pg_statement& row, std::int64_t& ms) { ms = row.integer(0); });
  if (!found) return found.error();
  return running_time(*found);
}

result<void> postgres_store::read_secrets(const reader<std::string, std::string>& to) {
  return read_all(reports_, [&](pg_connection& on) {
    pg_statement all(on, "query", "SELECT name, value FROM secrets");
    return each_row(all, [&] { to(std::string(all.text(0)), std::string(all.text(1))); });
  });
}

result<std::int64_t> postgres_store::count_accounts(std::int64_t most) {
  return look_up<std::int64_t>(
      "SELECT count(*) FROM (SELECT 1 FROM accounts LIMIT $1) AS few",
      [](const pg_statement& row, std::int64_t& count) { count = row.integer(0); }, most);
}

result<void> postgres_store::read_past_grants(
    month_index since, const reader<base::sha256_digest, month_index>& rows) {
  return read_all(reports_, [&](pg_connection& on) {
    pg_statement all(on, "query", "SELECT address, month FROM past_grants WHERE month>=$1");
    return each_row(all.bind(since), [&] {
      rows(base::as_digest(all.text(0)), static_cast<month_index>(all.integer(1)));
    });
  });
}

result<void> postgres_store::read_origins(const reader<std::string>& to) {
  return read_all(reports_, [&](pg_connection& on) {
    pg_statement all(on, "query",
                     "SELECT DISTINCT origins FROM keys WHERE origins<>'' AND revoked_at IS NULL");
    return each_row(all, [&] { to(std::string(all.text(0))); });
  });
}

result<void> postgres_store::read_key_index(const reader<base::sha256_digest, indexed_key>& to) {
  std::string last;
  for (bool more = true; more;) {
    auto done = read_all(reports_, [&](pg_connection& on) {
      pg_statement some(
          on, "query",
          "SELECT hash, id, account_id, expires_at, revoked_at IS NOT NULL, scope_read, "
          "scope_account FROM keys WHERE hash>$1 ORDER BY hash LIMIT $2");
      const pg_outcome became = some.bind(std::string_view(last), keys_at_once).run();
      more = static_cast<std::int64_t>(some.rows()) == keys_at_once;
      while (some.next()) {
        base::sha256_digest hash{};
        indexed_key key;
        some.read(hash, key.id, key.account_id, key.expires_at, key.is_revoked, key.scope_read,
                  key.scope_account);
        to(hash, key);
        last = some.text(0);
      }
      return became;
    });
    if (!done) return done;
  }
  return {};
}

result<void> postgres_store::read_sessions(
    std::int64_t account_id, const reader<base::sha256_digest, session_record>& rows) {
  return read_all(reports_, [&](pg_connection& on) {
    pg_statement all(on, "query",
                     "SELECT public_id, account_id, hash, created_at, last_used_at, address, "
                     "user_agent FROM sessions WHERE $1::bigint IN (0, account_id)");
    return each_row(all.bind(account_id), [&] {
      base::sha256_digest hash{};
      session_record session;
      all.read(session.id, session.account_id, hash, session.created_at, session.last_used_at,
               session.address, session.user_agent);
      rows(hash, session);
    });
  });
}

// Lookups.

namespace {

std::string account_where(const char* where) {
  return std::string("SELECT ") + account_columns + account_tables + where;
}
void take_account(const pg_statement& row, std::optional<stored_account>& found) {
  found = read_account(row);
}
std::string key_where(const char* where) { return std::string(key_rows) + where; }
void take_key(const pg_statement& row, std::optional<stored_key>& found) { found = read_key(row); }

}  // namespace

result<std::optional<stored_account>> postgres_store::find_account(std::int64_t id) {
  return look_up<std::optional<stored_account>>(account_where("WHERE accounts.id=$1"), take_account,
                                                id);
}

result<std::optional<stored_account>> postgres_store::find_account_by_email(
    std::string_view email) {
  return look_up<std::optional<stored_account>>(
      account_where("WHERE email=$1 AND deleted_at IS NULL"), take_account, email);
}

result<std::optional<stored_account>> postgres_store::find_account_by_mailbox(
    std::string_view mailbox, std::string_view email) {
  return look_up<std::optional<stored_account>>(
      account_where("WHERE mailbox=$1 AND deleted_at IS NULL ORDER BY email<>$2, accounts.id "
                    "LIMIT 1"),
      take_account, mailbox, email);
}

result<std::optional<stored_account>> postgres_store::find_account_by_public_id(
    std::string_view public_id) {
  return look_up<std::optional<stored_account>>(account_where("WHERE public_id=$1"), take_account,
                                                public_id);
}

result<std::optional<stored_key>> postgres_store::find_key(std::int64_t id) {
  return look_up<std::optional<stored_key>>(key_where("WHERE keys.id=$1"), take_key, id);
}

result<std::optional<stored_key>> postgres_store::find_key_by_public_id(
    std::string_view public_id) {
  return look_up<std::optional<stored_key>>(key_where("WHERE public_id=$1"), take_key, public_id);
}

result<std::vector<stored_key>> postgres_store::read_keys(std::int64_t account_id) {
  std::vector<stored_key> keys;
  auto done = read_all(lookups_, [&](pg_connection& on) {
    pg_statement query(on, "query", key_where("WHERE account_id=$1 ORDER BY keys.id"));
    return each_row(query.bind(account_id), [&] { keys.push_back(read_key(query)); });
  });
  if (!done) return done.error();
  return keys;
}

result<std::int64_t> postgres_store::count_keys(std::int64_t account_id) {
  return look_up<std::int64_t>(
      "SELECT count(*) FROM keys WHERE account_id=$1",
      [](const pg_statement& row, std::int64_t& found) { found = row.integer(0); }, account_id);
}

result<std::optional<sealed_answer>> postgres_store::find_answer(std::int64_t account_id,
                                                                 std::string_view key,
                                                                 running_time since) {
  const auto read = [](const pg_statement& row, std::optional<sealed_answer>& found) {
    stored_answer& answer = found.emplace().answer;
    std::int64_t form = 0;
    row.read(answer.fingerprint, answer.status, answer.content_type, answer.body,
             answer.credits_used, answer.data_offset, answer.data_size, form);
    found->form = static_cast<answer_form>(form);
  };
  return look_up<std::optional<sealed_answer>>(
      "SELECT fingerprint, status, content_type, body, credits_used, data_offset, data_size, form "
      "FROM answers WHERE account_id=$1 AND key=$2 AND at>$3",
      read, account_id, key, std::int64_t{since.count()});
}

result<std::string> postgres_store::find_password(std::int64_t account_id) {
  return look_up<std::string>(
      "SELECT password FROM accounts WHERE id=$1",
      [](const pg_statement& row, std::string& found) { found = row.text(0); }, account_id);
}

result<std::optional<stored_factor>> postgres_store::find_factor(std::int64_t account_id) {
  const auto read = [](const pg_statement& row, std::optional<stored_factor>& found) {
    stored_factor& factor = found.emplace();
    row.read(factor.sealed_secret, factor.is_on, factor.last_step);
  };
  return look_up<std::optional<stored_factor>>(
      "SELECT secret, is_on, last_step FROM second_factors WHERE account_id=$1", read, account_id);
}

result<std::vector<passkey_record>> postgres_store::find_passkeys(std::int64_t account_id) {
  std::vector<passkey_record> found;
  auto done = read_all(lookups_, [&](pg_connection& on) {
    pg_statement query(on, "query",
                       "SELECT public_id, credential, algorithm, key, uses, name, created_at, "
                       "last_used_at FROM passkeys WHERE account_id=$1 ORDER BY id");
    return each_row(query.bind(account_id), [&] {
      passkey_record& one = found.emplace_back();
      query.read(one.id, one.credential, one.key.algorithm, one.key.bytes, one.uses, one.name,
                 one.created_at, one.last_used_at);
    });
  });
  if (!done) return done.error();
  return found;
}

result<std::int64_t> postgres_store::count_recovery_codes(std::int64_t account_id) {
  return look_up<std::int64_t>(
      "SELECT count(*) FROM recovery_codes WHERE account_id=$1",
      [](const pg_statement& row, std::int64_t& found) { found = row.integer(0); }, account_id);
}

result<bool> postgres_store::has_free_mails() {
  return look_up<bool>(std::string("SELECT 1 FROM mails ") + free_mails + " LIMIT 1",
                       [](const pg_statement&, bool& found) { found = true; });
}

result<std::optional<alert_settings>> postgres_store::find_alerts(std::int64_t account_id) {
  return look_up<std::optional<alert_settings>>(
      std::string(alert_rows) + "WHERE account_id=$1",
      [](const pg_statement& row, std::optional<alert_settings>& found) {
        found = read_alerts(row);
      },
      account_id);
}

result<std::optional<std::string>> postgres_store::find_link(std::string_view purpose,
                                                             const base::sha256_digest& hash,
                                                             time_point now) {
  return look_up<std::optional<std::string>>(
      "SELECT email FROM tokens WHERE hash=$1 AND purpose=$2 AND expires_at>$3",
      [](const pg_statement& row, std::optional<std::string>& found) { found = row.text(0); }, hash,
      purpose, now);
}

// Reports.

result<std::vector<ledger_row>> postgres_store::read_ledger(const ledger_page& page) {
  std::string sql =
      "SELECT seq, number, movement, book, amount, balance, kind, reason, endpoint, request_id, "
      "key_id, at, hash, refund_of FROM ledger WHERE book=$1 AND seq<$2 AND at>=$3 AND "
      "seq>=coalesce((SELECT max(seq) FROM ledger_tops WHERE top<$3), 0)";
  // Each in the words of the index that leads to it: usage is most of a book.
  const auto read = [](const pg_statement& query, ledger_row& row) {
    std::string_view hash;
    query.read(row.seq, row.number, row.movement, row.book, row.amount, row.balance, row.kind,
               row.reason, row.endpoint, row.request_id, row.key_id, row.at, hash, row.refund_of);
    row.hash = base::hex(hash);
  };
  if (page.kind.empty())
    return report_list<ledger_row>(sql + " ORDER BY seq DESC LIMIT $4", read, page.book,
                                   page.before_seq, page.since, page.limit);
  sql += page.kind == "usage" ? " AND kind=$4" : " AND kind=$4 AND kind<>'usage'";
  return report_list<ledger_row>(sql + " ORDER BY seq DESC LIMIT $5", read, page.book,
                                 page.before_seq, page.since, page.kind, page.limit);
}

result<void> postgres_store::read_book(
    std::string_view book, std::int64_t from_seq,
    const std::function<bool(const chain_row&, std::string_view hash)>& function) {
  for (bool more = true; more;) {
    auto done = read_all(reports_, [&](pg_connection& on) {
      pg_statement rows(on, "query",
                        std::string("SELECT ") + chain_columns +
                            " FROM ledger WHERE book=$1 AND seq>=$2 ORDER BY seq LIMIT $3");
      const pg_outcome became = rows.bind(book, from_seq, rows_at_once).run();
      more = static_cast<std::int64_t>(rows.rows()) == rows_at_once;
      while (rows.next()) {
        chain_row row;
        const auto hash = read_chain_row(rows, row);
        if (!function(row, hash)) return more = false, became;
        from_seq = row.seq + 1;
      }
      return became;
    });
    if (!done) return done;
  }
  return read_all(reports_, [](pg_connection& on) { return settle_reading(on); });
}

result<std::vector<listed_account>> postgres_store::list_accounts(std::string_view part,
                                                                  std::int64_t before_id,
                                                                  int limit) {
  return report_list<listed_account>(
      std::string("SELECT ") + account_columns +
          ", (SELECT count(*) FROM keys WHERE account_id=accounts.id)" + account_tables +
          "WHERE accounts.id<$1 AND ($2::text='' OR (deleted_at IS NULL AND "
          "strpos(email, $2::text)>0)) ORDER BY accounts.id DESC LIMIT $3",
      [](const pg_statement& query, listed_account& one) {
        one.stored = read_account(query);
        one.keys = query.integer(account_column_count);
      },
      before_id, part, limit);
}

result<void> postgres_store::read_usage(std::string_view book, time_point since,
                                        const std::function<bool(const usage_charge&)>& function) {
  bool is_ended = false;
  std::int64_t after = 0;
  for (bool more = true; more && !is_ended;) {
    auto done = read_report([&](pg_connection& on) {
      pg_statement rows(
          on, "query",
          "SELECT at, -amount, endpoint, sources, coalesce(keys.public_id, $1::text), "
          "seq FROM ledger LEFT JOIN keys ON keys.id=key_id WHERE book=$2 AND "
          "kind='usage' AND amount<0 AND (at, seq)>($3::bigint, $4::bigint) "
          "ORDER BY at, seq LIMIT $5");
      const pg_outcome became = rows.bind(session_key_id, book, since, after, rows_at_once).run();
      more = static_cast<std::int64_t>(rows.rows()) == rows_at_once;
      while (!is_ended && rows.next()) {
        usage_charge one;
        rows.read(one.at, one.price, one.endpoint, one.sources, one.key, after);
        since = one.at;
        is_ended = !function(one);
      }
      return became;
    });
    if (!done) return done;
  }
  if (is_ended) return error(errc::cancelled, "the report was ended");
  return {};
}

result<std::vector<audit_entry>> postgres_store::read_audit(std::int64_t before_id, int limit) {
  return report_list<audit_entry>(
      "SELECT id, at, actor, action, subject, detail, address FROM audit WHERE id<$1 "
      "ORDER BY id DESC LIMIT $2",
      [](const pg_statement& query, audit_entry& one) {
        query.read(one.id, one.at, one.actor, one.action, one.subject, one.detail, one.address);
      },
      before_id, limit);
}

result<std::vector<call_charge>> postgres_store::find_charges(const charge_search& wanted) {
  const std::string of =
      "SELECT seq, substr(book, 9)::bigint, -amount, key_id, endpoint, request_id "
      "FROM ledger WHERE kind='usage' AND amount<0 AND ";
  const auto read = [](const pg_statement& query, call_charge& one) {
    query.read(one.seq, one.account_id, one.credits, one.key_id, one.endpoint, one.request_id);
  };
  std::vector<call_charge> found;
  const auto done = read_all(reports_, [&](pg_connection& on) {
    if (wanted.seq)
      return list(on, found, of + "seq=$1 ORDER BY seq LIMIT $2", read, *wanted.seq, wanted.limit);
    if (wanted.book.empty())
      return list(on, found, of + "request_id=$1 ORDER BY seq LIMIT $2", read, wanted.request_id,
                  wanted.limit);
    return list(on, found, of + "request_id=$1 AND book=$2 ORDER BY seq DESC LIMIT $3", read,
                wanted.request_id, wanted.book, wanted.limit);
  });
  if (!done) return done.error();
  return found;
}

result<void> postgres_store::read_snapshot(const std::function<void(ledger_snapshot&)>& read) {
  pg_connection alone;
  if (auto opened = open_for_snapshot(alone, where_.url, where_.is_gone); !opened) return opened;
  return on_postgres::read_snapshot(alone, read);
}

}  // namespace freshet::account::on_postgres
