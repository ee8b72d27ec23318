// Reading all that is held in memory, once, on the connection that writes. Rows that belong to
// nobody (a damaged file) are given as they are; who keeps them decides.
#include <account/keys/origins.hpp>
#include <account/store/sqlite/sqlite_store.hpp>

namespace freshet::account {
namespace {

using sqlite::sqlite_code;
using sqlite::sqlite_done;
using sqlite::sqlite_row;
using sqlite::statement;

stored_key read_key(const statement& row) {
  stored_key key;
  key_record& record = key.record;
  bool is_test = false;
  std::optional<std::int64_t> budget;
  std::string_view origins;
  row.read(record.id, record.public_id, record.account_id, key.family, key.hash, is_test,
           record.last_four, record.scope_read, record.scope_account, budget, record.expires_at,
           record.revoked_at, record.last_used_at, record.created_at, record.name,
           record.rotated_at, origins);
  record.origins = split_origins(origins);
  record.mode = is_test ? key_mode::test : key_mode::live;
  if (budget) record.monthly_budget = credits{*budget};
  return key;
}

account_record read_account(const statement& row) {
  account_record record;
  row.read(record.id, record.public_id, record.email, record.plan, record.created_at,
           record.is_operator, record.verified_at, record.deleted_at);
  // The column only holds what makes it unique.
  if (record.deleted_at) record.email.clear();
  return record;
}

/// The balance after the last row of a book, 0 for an empty one.
result<std::int64_t> balance_of(sqlite::database& on, std::string_view book) {
  statement query(on, "query", "SELECT balance FROM ledger WHERE book=? ORDER BY seq DESC LIMIT 1");
  const sqlite_code code = query.bind(book).step();
  if (code == sqlite_done) return 0;
  if (code != sqlite_row) return on.last_error("reading the ledger");
  return query.integer(0);
}

}  // namespace

result<ledger_end> sqlite_store::read_ledger_end() {
  ledger_end end;
  statement head(writer_, "read head", "SELECT seq, movement, hash FROM ledger_head");
  const sqlite_code code = head.step();
  end.has_head = code == sqlite_row;
  if (end.has_head)
    end.head = {head.integer(0), head.integer(1), base::as_digest(head.text(2))};
  else if (code != sqlite_done)
    return writer_.last_error("reading the ledger's head");
  const auto grants = balance_of(writer_, grants_book);
  const auto revenue = balance_of(writer_, revenue_book);
  if (!grants) return grants.error();
  if (!revenue) return revenue.error();
  end.last_seq = committed_seq_;
  end.grants = *grants;
  end.revenue = *revenue;
  return end;
}

result<running_time> sqlite_store::read_running_time() {
  const auto found = writer_.integer(
      "SELECT max(running_ms, ifnull((SELECT max(at) FROM answers), 0)) FROM state");
  if (!found) return found.error();
  return running_time(*found);
}

result<void> sqlite_store::read_secrets(const reader<std::string, std::string>& to) {
  statement all(writer_, "query", "SELECT name, value FROM secrets");
  return all.each_row("reading the secrets",
                      [&] { to(std::string(all.text(0)), std::string(all.text(1))); });
}

result<void> sqlite_store::read_accounts(const reader<account_record>& to) {
  statement all(writer_, "query",
                "SELECT id, public_id, email, plan, created_at, is_operator, verified_at, "
                "deleted_at FROM accounts ORDER BY id");
  return all.each_row("reading the accounts", [&] { to(read_account(all)); });
}

result<void> sqlite_store::read_books(std::span<const std::int64_t> accounts,
                                      const reader<std::int64_t, stored_book>& to) {
  statement last(writer_, "query",
                 "SELECT balance, monthly_left FROM ledger WHERE book=? "
                 "ORDER BY seq DESC LIMIT 1");
  statement newest(writer_, "query", "SELECT max(month) FROM allowances WHERE account_id=?");
  for (const std::int64_t id : accounts) {
    stored_book found;
    const std::string book = account_book_name(id);
    const sqlite_code code = last.bind(book).step();
    if (code == sqlite_row) found.book = {last.integer(0), last.integer(1)};
    if (code != sqlite_row && code != sqlite_done) return writer_.last_error("reading the ledger");
    last.reset();
    if (newest.bind(id).step() != sqlite_row) return writer_.last_error("reading the allowances");
    if (!newest.is_null(0)) found.month = static_cast<month_index>(newest.integer(0));
    newest.reset();
    to(id, found);
  }
  return {};
}

result<void> sqlite_store::read_past_grants(month_index since,
                                            const reader<base::sha256_digest, month_index>& to) {
  statement all(writer_, "query", "SELECT address, month FROM past_grants WHERE month>=?");
  return all.bind(since).each_row("reading the past grants", [&] {
    to(base::as_digest(all.text(0)), static_cast<month_index>(all.integer(1)));
  });
}

result<void> sqlite_store::read_keys(const reader<stored_key>& to) {
  statement all(writer_, "query",
                "SELECT id, public_id, account_id, family, hash, is_test, last_four, scope_read, "
                "scope_account, monthly_budget, expires_at, revoked_at, last_used_at, created_at, "
                "name, rotated_at, origins FROM keys ORDER BY id");
  return all.each_row("reading the keys", [&] { to(read_key(all)); });
}

result<void> sqlite_store::read_origins(const reader<std::string>& to) {
  statement all(writer_, "query",
                "SELECT DISTINCT origins FROM keys WHERE origins<>'' AND revoked_at IS NULL");
  return all.each_row("reading the keys", [&] { to(std::string(all.text(0))); });
}

result<void> sqlite_store::read_budgets(std::span<const std::int64_t> accounts, time_point since,
                                        const reader<std::int64_t, std::int64_t>& to) {
  statement used(writer_, "query",
                 "SELECT keys.family, sum(-amount) FROM ledger JOIN keys ON keys.id=key_id "
                 "WHERE book=? AND kind='usage' AND amount<0 AND at>=? GROUP BY keys.family");
  for (const std::int64_t id : accounts) {
    const std::string book = account_book_name(id);
    auto read = used.bind(book, since).each_row("reading the ledger", [&] {
      to(used.integer(0), used.integer(1));
    });
    if (!read) return read;
    used.reset();
  }
  return {};
}

result<void> sqlite_store::read_sessions(const reader<base::sha256_digest, session_record>& to) {
  const std::lock_guard guard(writer_.mutex);
  statement all(writer_, "query",
                "SELECT public_id, account_id, hash, created_at, last_used_at, address, user_agent "
                "FROM sessions");
  return all.each_row("reading the sessions", [&] {
    base::sha256_digest hash{};
    session_record session;
    all.read(session.id, session.account_id, hash, session.created_at, session.last_used_at,
             session.address, session.user_agent);
    to(hash, session);
  });
}

}  // namespace freshet::account
