// Reading what is held in memory of everybody, once, on the connection that writes. It must not
// take longer because there are many accounts or a long ledger.
#include <account/store/sqlite/sqlite_store.hpp>
#include <future>

namespace freshet::account {
namespace {

using sqlite::sqlite_code;
using sqlite::sqlite_done;
using sqlite::sqlite_row;
using sqlite::statement;

/// In the words of the indexes, which then have all that is read.
result<void> read_keys_where(sqlite::database& database, const std::string& condition,
                             const reader<base::sha256_digest, indexed_key>& rows) {
  base::sha256_digest hash{};
  indexed_key key;
  statement all(database, "query",
                "SELECT hash, id, account_id FROM keys WHERE " + condition + " ORDER BY hash");
  auto done = all.each_row("reading the keys", [&] {
    all.read(hash, key.id, key.account_id);
    rows(hash, key);
  });
  if (!done) return done;
  statement limited(database, "query",
                    "SELECT hash, id, account_id, expires_at, revoked_at IS NOT NULL, scope_read, "
                    "scope_account FROM keys WHERE (revoked_at IS NOT NULL OR expires_at IS NOT "
                    "NULL OR scope_read=0 OR scope_account=0) AND " +
                        condition);
  return limited.each_row("reading the keys", [&] {
    key = {};
    limited.read(hash, key.id, key.account_id, key.expires_at, key.is_revoked, key.scope_read,
                 key.scope_account);
    rows(hash, key);
  });
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
  end.last_seq = committed_seq_;
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

result<std::int64_t> sqlite_store::count_accounts(std::int64_t most) {
  statement query(writer_, "query", "SELECT count(*) FROM (SELECT 1 FROM accounts LIMIT ?)");
  if (query.bind(most).step() != sqlite_row) return writer_.last_error("counting the accounts");
  return query.integer(0);
}

result<void> sqlite_store::read_past_grants(month_index since,
                                            const reader<base::sha256_digest, month_index>& rows) {
  statement all(writer_, "query", "SELECT address, month FROM past_grants WHERE month>=?");
  return all.bind(since).each_row("reading the past grants", [&] {
    rows(base::as_digest(all.text(0)), static_cast<month_index>(all.integer(1)));
  });
}

result<void> sqlite_store::read_origins(const reader<std::string>& to) {
  statement all(writer_, "query",
                "SELECT DISTINCT origins FROM keys WHERE origins<>'' AND revoked_at IS NULL");
  return all.each_row("reading the keys", [&] { to(std::string(all.text(0))); });
}

result<void> sqlite_store::read_key_index(const reader<base::sha256_digest, indexed_key>& to) {
  if (in_memory_) return read_keys_where(writer_, "true", to);
  // A million keys are some tenths of a second for one.
  auto upper = std::async(std::launch::async,
                          [&] { return read_keys_where(lookup_reader_, "hash>=x'80'", to); });
  auto done = read_keys_where(writer_, "hash<x'80'", to);
  auto other = upper.get();
  return done ? other : done;
}

result<void> sqlite_store::read_sessions(std::int64_t account_id,
                                         const reader<base::sha256_digest, session_record>& rows) {
  const std::lock_guard guard(writer_.mutex);
  statement all(writer_, "query",
                "SELECT public_id, account_id, hash, created_at, last_used_at, address, user_agent "
                "FROM sessions WHERE ?1 IN (0, account_id)");
  return all.bind(account_id).each_row("reading the sessions", [&] {
    base::sha256_digest hash{};
    session_record session;
    all.read(session.id, session.account_id, hash, session.created_at, session.last_used_at,
             session.address, session.user_agent);
    rows(hash, session);
  });
}

}  // namespace freshet::account
