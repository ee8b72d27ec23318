// The statements of what is kept of people: passwords, sessions, links, the audit log, and how all
// of it goes when somebody has their account deleted.
#include <account/rules/shares.hpp>
#include <account/store/postgres/postgres_rows.hpp>
#include <account/store/postgres/postgres_transaction.hpp>
#include <account/store/sql/stored_rows.hpp>
#include <base/unicode.hpp>

namespace freshet::account::on_postgres {

using postgres::pg_statement;

namespace {

/// A text that is only shown, as PostgreSQL takes it: UTF-8 without a zero byte.
std::string shown(std::string_view text) { return base::repair_utf8(text); }

}  // namespace

bool postgres_transaction::has_password(std::int64_t account_id, std::string_view hash) {
  return finds("query", "SELECT 1 FROM accounts WHERE id=$1 AND password=$2", account_id, hash);
}

void postgres_transaction::put_password(std::int64_t account_id, std::string_view hash) {
  run("account", "UPDATE accounts SET password=$1 WHERE id=$2", hash, account_id);
}

bool postgres_transaction::reset_password(std::int64_t account_id, std::string_view hash,
                                          time_point verified_at) {
  tell({peer_news::kind::account, account_id});
  return finds("account",
               "UPDATE accounts SET password=$1, verified_at=$2 WHERE id=$3 AND deleted_at IS NULL "
               "RETURNING id",
               hash, verified_at, account_id);
}

void postgres_transaction::forget_person(const account_record& account,
                                         const base::sha256_digest& mark, month_index month,
                                         time_point deleted_at) {
  tell({peer_news::kind::account, account.id});
  tell({peer_news::kind::past_grants});
  pg_statement keys(*on_, "query", "SELECT id FROM keys WHERE account_id=$1");
  run(keys.bind(account.id));
  while (keys.next()) tell({peer_news::kind::key, keys.integer(0)});
  // What is forgotten stays in the server's files until it vacuums: the guide says so.
  run("account",
      "UPDATE accounts SET email='deleted:' || public_id, mailbox='', password='', "
      "verified_at=NULL, is_operator=false, deleted_at=$1 WHERE id=$2",
      deleted_at, account.id);
  run("key", "UPDATE keys SET name='', revoked_at=coalesce(revoked_at, $1) WHERE account_id=$2",
      deleted_at, account.id);
  remove_answers_of(account.id);
  remove_sessions(account.id, {});
  remove_links(account.email);
  remove_factors(account.id);
  run("account", "DELETE FROM alert_settings WHERE account_id=$1", account.id);
  run("account", "DELETE FROM alert_marks WHERE account_id=$1", account.id);
  run("account",
      "INSERT INTO past_grants (address, month) VALUES ($1,$2) ON CONFLICT (address) DO UPDATE SET "
      "month=greatest(past_grants.month, excluded.month)",
      mark, month);
}

void postgres_transaction::put_factor(std::int64_t account_id, const stored_factor& factor) {
  run("account",
      "INSERT INTO second_factors (account_id, secret, is_on, last_step) VALUES ($1,$2,$3,$4) "
      "ON CONFLICT (account_id) DO UPDATE SET secret=excluded.secret, is_on=excluded.is_on, "
      "last_step=excluded.last_step",
      account_id, factor.sealed_secret, factor.is_on, factor.last_step);
}

void postgres_transaction::add_recovery_code(std::int64_t account_id,
                                             const base::sha256_digest& hash) {
  run("account", "INSERT INTO recovery_codes (account_id, hash) VALUES ($1,$2)", account_id, hash);
}

bool postgres_transaction::has_codes(std::int64_t account_id) {
  return finds("query", "SELECT 1 FROM second_factors WHERE account_id=$1 AND is_on", account_id);
}

void postgres_transaction::remove_factor(std::int64_t account_id) {
  run("account", "DELETE FROM second_factors WHERE account_id=$1", account_id);
  remove_codes_of_none(account_id);
}

bool postgres_transaction::add_passkey(std::int64_t account_id, const passkey_record& passkey,
                                       std::size_t most) {
  return finds("account",
               "INSERT INTO passkeys (public_id, account_id, credential, algorithm, key, uses, "
               "name, created_at) SELECT $2::text, $1::bigint, $3::text, $4::bigint, $5::text, "
               "$6::bigint, $7::text, $8::bigint WHERE "
               "(SELECT count(*) FROM passkeys WHERE account_id=$1)<$9 "
               "ON CONFLICT (credential) DO NOTHING RETURNING id",
               account_id, passkey.id, passkey.credential, passkey.key.algorithm, passkey.key.bytes,
               passkey.uses, passkey.name, passkey.created_at, static_cast<std::int64_t>(most));
}

bool postgres_transaction::remove_passkey(std::int64_t account_id, std::string_view public_id) {
  const bool was_there =
      finds("account", "DELETE FROM passkeys WHERE account_id=$1 AND public_id=$2 RETURNING id",
            account_id, public_id);
  remove_codes_of_none(account_id);
  return was_there;
}

void postgres_transaction::remove_factors(std::int64_t account_id) {
  run("account", "DELETE FROM passkeys WHERE account_id=$1", account_id);
  remove_factor(account_id);
}

void postgres_transaction::remove_codes_of_none(std::int64_t account_id) {
  run("account",
      "DELETE FROM recovery_codes WHERE account_id=$1 AND NOT EXISTS "
      "(SELECT 1 FROM passkeys WHERE account_id=$1) AND NOT EXISTS "
      "(SELECT 1 FROM second_factors WHERE account_id=$1 AND is_on)",
      account_id);
}

bool postgres_transaction::take_factor(std::int64_t account_id, const factor_use& shown) {
  if (shown.step)
    return finds("account",
                 "UPDATE second_factors SET last_step=$1::bigint WHERE account_id=$2 AND "
                 "last_step<$1::bigint "
                 "RETURNING account_id",
                 *shown.step, account_id);
  if (shown.recovery_code)
    return finds("account",
                 "DELETE FROM recovery_codes WHERE account_id=$1 AND hash=$2 RETURNING account_id",
                 account_id, *shown.recovery_code);
  if (shown.passkey)
    return finds("account",
                 "UPDATE passkeys SET uses=$1::bigint, last_used_at=$2 WHERE account_id=$3 AND "
                 "public_id=$4 AND (uses<$1::bigint OR (uses=0 AND $1::bigint=0)) RETURNING id",
                 shown.passkey->uses, shown.passkey->at, account_id, shown.passkey->public_id);
  return !has_codes(account_id) &&
         !finds("query", "SELECT 1 FROM passkeys WHERE account_id=$1", account_id);
}

std::optional<alert_settings> postgres_transaction::find_alerts(std::int64_t account_id) {
  postgres::pg_statement one(*on_, "query", std::string(alert_rows) + "WHERE account_id=$1");
  if (!find(one.bind(account_id))) return std::nullopt;
  return read_alerts(one);
}

void postgres_transaction::put_alerts(std::int64_t account_id, const alert_settings& chosen) {
  run("account",
      "INSERT INTO alert_settings (account_id, credits_left, key_budgets, failing_sources, mail, "
      "webhook, webhook_since) SELECT id, $1::text, $2::boolean, $3::boolean, $4::boolean, "
      "$5::text, $6::bigint FROM accounts WHERE id=$7 AND deleted_at IS NULL "
      "ON CONFLICT (account_id) DO UPDATE SET credits_left=excluded.credits_left, "
      "key_budgets=excluded.key_budgets, failing_sources=excluded.failing_sources, "
      "mail=excluded.mail, webhook=excluded.webhook, webhook_since=excluded.webhook_since",
      join_shares(chosen.credits_left), chosen.key_budgets, chosen.failing_sources, chosen.mail,
      chosen.webhook, chosen.webhook_since, account_id);
}

bool postgres_transaction::add_alert_mark(std::int64_t account_id, const alert_mark& mark,
                                          time_point now) {
  run("account", "DELETE FROM alert_marks WHERE account_id=$1 AND quiet_until<=$2", account_id,
      now);
  return finds("account",
               "INSERT INTO alert_marks (account_id, kind, about, quiet_until) SELECT $1::bigint, "
               "$2::text, $3::text, $4::bigint WHERE (SELECT count(*) FROM alert_marks WHERE "
               "account_id=$1 AND kind=$2)<$5 ON CONFLICT DO NOTHING RETURNING account_id",
               account_id, mark.kind, mark.about, mark.quiet_until, max_alert_marks);
}

void postgres_transaction::keep_mail(const stored_mail& mail) {
  run("mail", "INSERT INTO mails (id, sealed, node, takes, written_at) VALUES ($1,$2,$3,$4,$5)",
      mail.id, mail.sealed, node_, mail.takes, mail.written_at);
}

void postgres_transaction::remove_mail(std::string_view id) {
  run("mail", "DELETE FROM mails WHERE id=$1", id);
}

std::vector<stored_mail> postgres_transaction::take_mails(std::size_t most) {
  postgres::pg_statement taken(
      *on_, "mail",
      std::string("UPDATE mails SET node=$1, takes=takes+1 FROM (SELECT mails.id FROM mails ") +
          free_mails +
          " ORDER BY written_at LIMIT $2 FOR UPDATE OF mails SKIP LOCKED) AS free "
          "WHERE mails.id=free.id RETURNING mails.id, sealed, takes, written_at");
  std::vector<stored_mail> all;
  run(taken.bind(node_, static_cast<std::int64_t>(most)));
  while (is_good() && taken.next()) {
    stored_mail& one = all.emplace_back();
    taken.read(one.id, one.sealed, one.takes, one.written_at);
  }
  return all;
}

void postgres_transaction::add_session(const session_record& session,
                                       const base::sha256_digest& hash, std::size_t kept) {
  tell({peer_news::kind::sessions, session.account_id});
  run("session",
      "DELETE FROM sessions WHERE account_id=$1 AND id NOT IN (SELECT id FROM sessions "
      "WHERE account_id=$1 ORDER BY last_used_at DESC LIMIT $2)",
      session.account_id, static_cast<std::int64_t>(kept));
  run("session",
      "INSERT INTO sessions (public_id, account_id, hash, created_at, last_used_at, address, "
      "user_agent) VALUES ($1,$2,$3,$4,$5,$6,$7)",
      session.id, session.account_id, hash, session.created_at, session.last_used_at,
      shown(session.address), shown(session.user_agent));
}

void postgres_transaction::touch_session(std::string_view public_id, time_point used_at) {
  run("session", "UPDATE sessions SET last_used_at=greatest(last_used_at, $1) WHERE public_id=$2",
      used_at, public_id);
}

void postgres_transaction::remove_session(const base::sha256_digest& hash) {
  pg_statement gone(*on_, "session", "DELETE FROM sessions WHERE hash=$1 RETURNING account_id");
  if (find(gone.bind(hash))) tell({peer_news::kind::sessions, gone.integer(0)});
}

void postgres_transaction::remove_sessions(std::int64_t account_id, std::string_view kept) {
  run("session", "DELETE FROM sessions WHERE account_id=$1 AND public_id<>$2", account_id, kept);
  tell({peer_news::kind::sessions, account_id});
}

void postgres_transaction::remove_expired_sessions(time_point used_until,
                                                   time_point created_until) {
  run("session", "DELETE FROM sessions WHERE last_used_at<=$1 OR created_at<=$2", used_until,
      created_until);
}

void postgres_transaction::add_link(const new_link& link, time_point now) {
  run("token", "DELETE FROM tokens WHERE expires_at<=$1", now);
  run("token", "INSERT INTO tokens (hash, purpose, email, expires_at) VALUES ($1,$2,$3,$4)",
      link.hash, link.purpose, link.email, link.expires_at);
}

bool postgres_transaction::take_link(const base::sha256_digest& hash) {
  return finds("token", "DELETE FROM tokens WHERE hash=$1 RETURNING id", hash);
}

void postgres_transaction::remove_links(std::string_view email) {
  run("token", "DELETE FROM tokens WHERE email=$1", email);
}

void postgres_transaction::note(const audit_note& line, time_point written_at) {
  run("audit",
      "INSERT INTO audit (at, actor, action, subject, detail, address) VALUES ($1,$2,$3,$4,$5,$6)",
      written_at, shown(line.actor), shown(line.action), shown(line.subject), shown(line.detail),
      shown(line.address));
}

}  // namespace freshet::account::on_postgres
