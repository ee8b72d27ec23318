// The statements of what is kept of people: passwords, sessions, links, the audit log, and how all
// of it goes when somebody has their account deleted.
#include <account/rules/shares.hpp>
#include <account/store/sql/stored_rows.hpp>
#include <account/store/sqlite/sqlite_transaction.hpp>

namespace freshet::account {

bool sqlite_transaction::has_password(std::int64_t account_id, std::string_view hash) {
  return finds("query", "SELECT 1 FROM accounts WHERE id=? AND password=?", account_id, hash);
}

void sqlite_transaction::put_password(std::int64_t account_id, std::string_view hash) {
  run("account", "UPDATE accounts SET password=? WHERE id=?", hash, account_id);
}

bool sqlite_transaction::reset_password(std::int64_t account_id, std::string_view hash,
                                        time_point verified_at) {
  return finds("account",
               "UPDATE accounts SET password=?, verified_at=? WHERE id=? AND deleted_at IS NULL "
               "RETURNING id",
               hash, verified_at, account_id);
}

void sqlite_transaction::forget_person(const account_record& account,
                                       const base::sha256_digest& mark, month_index month,
                                       time_point deleted_at) {
  // Freed pages are overwritten, so that the file does not keep what the tables have forgotten.
  execute("PRAGMA secure_delete=ON");
  run("account",
      "UPDATE accounts SET email='deleted:' || public_id, mailbox='', password='', "
      "verified_at=NULL, is_operator=0, deleted_at=? WHERE id=?",
      deleted_at, account.id);
  run("key", "UPDATE keys SET name='', revoked_at=ifnull(revoked_at, ?) WHERE account_id=?",
      deleted_at, account.id);
  run("answer", "DELETE FROM answers WHERE account_id=?", account.id);
  remove_sessions(account.id, {});
  remove_links(account.email);
  remove_factors(account.id);
  run("account", "DELETE FROM alert_settings WHERE account_id=?", account.id);
  run("account", "DELETE FROM alert_marks WHERE account_id=?", account.id);
  run("account",
      "INSERT INTO past_grants (address, month) VALUES (?,?) ON CONFLICT (address) DO UPDATE SET "
      "month=max(month, excluded.month)",
      mark, month);
  execute("PRAGMA secure_delete=OFF");
}

void sqlite_transaction::put_factor(std::int64_t account_id, const stored_factor& factor) {
  run("account",
      "INSERT OR REPLACE INTO second_factors (account_id, secret, is_on, last_step) VALUES "
      "(?,?,?,?)",
      account_id, factor.sealed_secret, factor.is_on, factor.last_step);
}

void sqlite_transaction::add_recovery_code(std::int64_t account_id,
                                           const base::sha256_digest& hash) {
  run("account", "INSERT INTO recovery_codes (account_id, hash) VALUES (?,?)", account_id, hash);
}

bool sqlite_transaction::has_codes(std::int64_t account_id) {
  return finds("query", "SELECT 1 FROM second_factors WHERE account_id=? AND is_on=1", account_id);
}

void sqlite_transaction::remove_factor(std::int64_t account_id) {
  run("account", "DELETE FROM second_factors WHERE account_id=?", account_id);
  remove_codes_of_none(account_id);
}

bool sqlite_transaction::add_passkey(std::int64_t account_id, const passkey_record& passkey,
                                     std::size_t most) {
  return finds("account",
               "INSERT INTO passkeys (public_id, account_id, credential, algorithm, key, uses, "
               "name, created_at) SELECT ?2,?1,?3,?4,?5,?6,?7,?8 WHERE "
               "(SELECT count(*) FROM passkeys WHERE account_id=?1)<?9 "
               "ON CONFLICT (credential) DO NOTHING RETURNING id",
               account_id, passkey.id, passkey.credential, passkey.key.algorithm, passkey.key.bytes,
               passkey.uses, passkey.name, passkey.created_at, static_cast<std::int64_t>(most));
}

bool sqlite_transaction::remove_passkey(std::int64_t account_id, std::string_view public_id) {
  const bool was_there =
      finds("account", "DELETE FROM passkeys WHERE account_id=? AND public_id=? RETURNING id",
            account_id, public_id);
  remove_codes_of_none(account_id);
  return was_there;
}

void sqlite_transaction::remove_factors(std::int64_t account_id) {
  run("account", "DELETE FROM passkeys WHERE account_id=?", account_id);
  remove_factor(account_id);
}

void sqlite_transaction::remove_codes_of_none(std::int64_t account_id) {
  run("account",
      "DELETE FROM recovery_codes WHERE account_id=?1 AND NOT EXISTS "
      "(SELECT 1 FROM passkeys WHERE account_id=?1) AND NOT EXISTS "
      "(SELECT 1 FROM second_factors WHERE account_id=?1 AND is_on=1)",
      account_id);
}

bool sqlite_transaction::take_factor(std::int64_t account_id, const factor_use& shown) {
  if (shown.step)
    return finds("account",
                 "UPDATE second_factors SET last_step=?1 WHERE account_id=?2 AND last_step<?1 "
                 "RETURNING account_id",
                 *shown.step, account_id);
  if (shown.recovery_code)
    return finds("account",
                 "DELETE FROM recovery_codes WHERE account_id=? AND hash=? RETURNING account_id",
                 account_id, *shown.recovery_code);
  if (shown.passkey)
    return finds("account",
                 "UPDATE passkeys SET uses=?1, last_used_at=?2 WHERE account_id=?3 AND "
                 "public_id=?4 AND (uses<?1 OR (uses=0 AND ?1=0)) RETURNING id",
                 shown.passkey->uses, shown.passkey->at, account_id, shown.passkey->public_id);
  return !has_codes(account_id) &&
         !finds("query", "SELECT 1 FROM passkeys WHERE account_id=?", account_id);
}

std::optional<alert_settings> sqlite_transaction::find_alerts(std::int64_t account_id) {
  sqlite::statement one(*on_, "query", std::string(alert_rows) + "WHERE account_id=?");
  if (!find(one.bind(account_id))) return std::nullopt;
  return read_alerts(one);
}

void sqlite_transaction::put_alerts(std::int64_t account_id, const alert_settings& chosen) {
  run("account",
      "INSERT OR REPLACE INTO alert_settings (account_id, credits_left, key_budgets, "
      "failing_sources, mail, webhook, webhook_since) SELECT id,?,?,?,?,?,? FROM accounts WHERE "
      "id=? AND deleted_at IS NULL",
      join_shares(chosen.credits_left), chosen.key_budgets, chosen.failing_sources, chosen.mail,
      chosen.webhook, chosen.webhook_since, account_id);
}

bool sqlite_transaction::add_alert_mark(std::int64_t account_id, const alert_mark& mark,
                                        time_point now) {
  run("account", "DELETE FROM alert_marks WHERE account_id=? AND quiet_until<=?", account_id, now);
  return finds("account",
               "INSERT INTO alert_marks (account_id, kind, about, quiet_until) SELECT ?1,?2,?3,?4 "
               "WHERE (SELECT count(*) FROM alert_marks WHERE account_id=?1 AND kind=?2)<?5 "
               "ON CONFLICT DO NOTHING RETURNING account_id",
               account_id, mark.kind, mark.about, mark.quiet_until, max_alert_marks);
}

void sqlite_transaction::keep_mail(const stored_mail& mail) {
  run("mail", "INSERT INTO mails (id, sealed, is_held, takes, written_at) VALUES (?,?,1,?,?)",
      mail.id, mail.sealed, mail.takes, mail.written_at);
}

void sqlite_transaction::remove_mail(std::string_view id) {
  run("mail", "DELETE FROM mails WHERE id=?", id);
}

std::vector<stored_mail> sqlite_transaction::take_mails(std::size_t most) {
  sqlite::statement taken(
      *on_, "mail",
      "UPDATE mails SET is_held=1, takes=takes+1 WHERE id IN (SELECT id FROM mails "
      "WHERE is_held=0 ORDER BY written_at LIMIT ?) RETURNING id, sealed, takes, written_at");
  std::vector<stored_mail> all;
  taken.bind(most);
  while (find(taken)) {
    stored_mail& one = all.emplace_back();
    taken.read(one.id, one.sealed, one.takes, one.written_at);
  }
  return all;
}

void sqlite_transaction::add_session(const session_record& session, const base::sha256_digest& hash,
                                     std::size_t kept) {
  run("session",
      "DELETE FROM sessions WHERE account_id=?1 AND id NOT IN (SELECT id FROM sessions "
      "WHERE account_id=?1 ORDER BY last_used_at DESC LIMIT ?2)",
      session.account_id, kept);
  run("session",
      "INSERT INTO sessions (public_id, account_id, hash, created_at, last_used_at, address, "
      "user_agent) VALUES (?,?,?,?,?,?,?)",
      session.id, session.account_id, hash, session.created_at, session.last_used_at,
      session.address, session.user_agent);
}

void sqlite_transaction::touch_session(std::string_view public_id, time_point used_at) {
  run("session", "UPDATE sessions SET last_used_at=? WHERE public_id=?", used_at, public_id);
}

void sqlite_transaction::remove_session(const base::sha256_digest& hash) {
  run("session", "DELETE FROM sessions WHERE hash=?", hash);
}

void sqlite_transaction::remove_sessions(std::int64_t account_id, std::string_view kept) {
  run("session", "DELETE FROM sessions WHERE account_id=? AND public_id<>?", account_id, kept);
}

void sqlite_transaction::remove_expired_sessions(time_point used_until, time_point created_until) {
  run("session", "DELETE FROM sessions WHERE last_used_at<=? OR created_at<=?", used_until,
      created_until);
}

void sqlite_transaction::add_link(const new_link& link, time_point now) {
  run("token", "DELETE FROM tokens WHERE expires_at<=?", now);
  run("token", "INSERT INTO tokens (hash, purpose, email, expires_at) VALUES (?,?,?,?)", link.hash,
      link.purpose, link.email, link.expires_at);
}

bool sqlite_transaction::take_link(const base::sha256_digest& hash) {
  return finds("token", "DELETE FROM tokens WHERE hash=? RETURNING id", hash);
}

void sqlite_transaction::remove_links(std::string_view email) {
  run("token", "DELETE FROM tokens WHERE email=?", email);
}

void sqlite_transaction::note(const audit_note& line, time_point written_at) {
  run("audit",
      "INSERT INTO audit (at, actor, action, subject, detail, address) VALUES (?,?,?,?,?,?)",
      written_at, line.actor, line.action, line.subject, line.detail, line.address);
}

}  // namespace freshet::account
