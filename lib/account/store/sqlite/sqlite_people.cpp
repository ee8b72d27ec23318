// The statements of what is kept of people: passwords, sessions, links, the audit log, and how all
// of it goes when somebody has their account deleted.
#include <account/store/sqlite/sqlite_transaction.hpp>

namespace freshet::account {

using sqlite::statement;

bool sqlite_transaction::has_password(std::int64_t account_id, std::string_view hash) {
  statement same(*on_, "query", "SELECT 1 FROM accounts WHERE id=? AND password=?");
  return find(same.bind(account_id).bind(hash));
}

void sqlite_transaction::put_password(std::int64_t account_id, std::string_view hash) {
  statement update(*on_, "account", "UPDATE accounts SET password=? WHERE id=?");
  run(update.bind(hash).bind(account_id));
}

bool sqlite_transaction::reset_password(std::int64_t account_id, std::string_view hash,
                                        time_point verified_at) {
  statement update(*on_, "account",
                   "UPDATE accounts SET password=?, verified_at=? WHERE id=? AND deleted_at IS "
                   "NULL RETURNING id");
  return find(update.bind(hash).bind(to_ms(verified_at)).bind(account_id));
}

void sqlite_transaction::forget_person(const account_record& account,
                                       const base::sha256_digest& mark, month_index month,
                                       time_point deleted_at) {
  // Freed pages are overwritten, so that the file does not keep what the tables have forgotten.
  execute("PRAGMA secure_delete=ON");
  statement person(*on_, "account",
                   "UPDATE accounts SET email='deleted:' || public_id, password='', "
                   "verified_at=NULL, is_operator=0, deleted_at=? WHERE id=?");
  run(person.bind(to_ms(deleted_at)).bind(account.id));
  statement keys(*on_, "key",
                 "UPDATE keys SET name='', revoked_at=ifnull(revoked_at, ?) WHERE account_id=?");
  run(keys.bind(to_ms(deleted_at)).bind(account.id));
  statement answers(*on_, "answer", "DELETE FROM answers WHERE account_id=?");
  run(answers.bind(account.id));
  remove_sessions(account.id);
  remove_links(account.email);
  statement past(*on_, "account",
                 "INSERT OR REPLACE INTO past_grants (address, month) VALUES (?,?)");
  run(past.bind_blob(base::as_text(mark)).bind(month));
  execute("PRAGMA secure_delete=OFF");
}

void sqlite_transaction::add_session(const session_record& session, const base::sha256_digest& hash,
                                     std::size_t kept) {
  statement crowd(*on_, "session",
                  "DELETE FROM sessions WHERE account_id=?1 AND id NOT IN (SELECT id FROM sessions "
                  "WHERE account_id=?1 ORDER BY last_used_at DESC LIMIT ?2)");
  run(crowd.bind(session.account_id).bind(static_cast<std::int64_t>(kept)));
  statement insert(*on_, "session",
                   "INSERT INTO sessions (public_id, account_id, hash, created_at, last_used_at, "
                   "address, user_agent) VALUES (?,?,?,?,?,?,?)");
  insert.bind(session.id).bind(session.account_id).bind_blob(base::as_text(hash));
  insert.bind(to_ms(session.created_at)).bind(to_ms(session.last_used_at));
  run(insert.bind(session.address).bind(session.user_agent));
}

void sqlite_transaction::touch_session(std::string_view public_id, time_point used_at) {
  statement update(*on_, "session", "UPDATE sessions SET last_used_at=? WHERE public_id=?");
  run(update.bind(to_ms(used_at)).bind(public_id));
}

void sqlite_transaction::remove_session(const base::sha256_digest& hash) {
  statement erase(*on_, "session", "DELETE FROM sessions WHERE hash=?");
  run(erase.bind_blob(base::as_text(hash)));
}

void sqlite_transaction::remove_sessions(std::int64_t account_id) {
  statement erase(*on_, "session", "DELETE FROM sessions WHERE account_id=?");
  run(erase.bind(account_id));
}

void sqlite_transaction::remove_expired_sessions(time_point used_until, time_point created_until) {
  statement expired(*on_, "session", "DELETE FROM sessions WHERE last_used_at<=? OR created_at<=?");
  run(expired.bind(to_ms(used_until)).bind(to_ms(created_until)));
}

void sqlite_transaction::add_link(const new_link& link, time_point now) {
  statement expired(*on_, "token", "DELETE FROM tokens WHERE expires_at<=?");
  run(expired.bind(to_ms(now)));
  statement insert(*on_, "token",
                   "INSERT INTO tokens (hash, purpose, email, password, expires_at) "
                   "VALUES (?,?,?,?,?)");
  insert.bind_blob(base::as_text(link.hash)).bind(link.purpose).bind(link.email);
  run(insert.bind(link.password).bind(to_ms(link.expires_at)));
}

bool sqlite_transaction::take_link(const base::sha256_digest& hash) {
  statement take(*on_, "token", "DELETE FROM tokens WHERE hash=? RETURNING id");
  return find(take.bind_blob(base::as_text(hash)));
}

void sqlite_transaction::remove_links(std::string_view email) {
  statement erase(*on_, "token", "DELETE FROM tokens WHERE email=?");
  run(erase.bind(email));
}

void sqlite_transaction::note(const audit_note& line, time_point written_at) {
  statement insert(*on_, "audit",
                   "INSERT INTO audit (at, actor, action, subject, detail, address) "
                   "VALUES (?,?,?,?,?,?)");
  insert.bind(to_ms(written_at))
      .bind(line.actor)
      .bind(line.action)
      .bind(line.subject)
      .bind(line.detail);
  run(insert.bind(line.address));
}

}  // namespace freshet::account
