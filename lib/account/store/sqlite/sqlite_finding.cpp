// Looking something up while the store is in use, by an index, on a connection for that: reports do
// not hold it up, and it holds up no settlement. Signing in has another one than calls, so that
// these wait for nobody who shows no key. Nothing here writes.
#include <account/store/sqlite/sqlite_rows.hpp>
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
result<Found> look_up(database& database, std::string_view sql, Read read,
                      const Values&... values) {
  const std::lock_guard guard(database.mutex);
  statement query(database, "query", sql);
  const sqlite_code code = query.bind(values...).step();
  if (code != sqlite_row && code != sqlite_done) return storage_failure();
  Found found{};
  if (code == sqlite_row) read(query, found);
  return found;
}

template <class... Values>
result<std::optional<stored_account>> look_account_up(database& database, const char* where,
                                                      const Values&... values) {
  return look_up<std::optional<stored_account>>(
      database, std::string("SELECT ") + account_columns + account_tables + where,
      [](const statement& row, std::optional<stored_account>& found) { found = read_account(row); },
      values...);
}

template <class Value>
result<std::optional<stored_key>> look_key_up(database& database, const char* where,
                                              const Value& value) {
  return look_up<std::optional<stored_key>>(
      database, std::string(key_rows) + where,
      [](const statement& row, std::optional<stored_key>& found) { found = read_key(row); }, value);
}

}  // namespace

result<std::optional<stored_account>> sqlite_store::find_account(std::int64_t id) {
  return look_account_up(lookups(), "WHERE accounts.id=?", id);
}

result<std::optional<stored_account>> sqlite_store::find_account_by_email(std::string_view email) {
  return look_account_up(people(), "WHERE email=? AND deleted_at IS NULL", email);
}

result<std::optional<stored_account>> sqlite_store::find_account_by_mailbox(
    std::string_view mailbox, std::string_view email) {
  return look_account_up(
      people(), "WHERE mailbox=? AND deleted_at IS NULL ORDER BY email<>?, accounts.id LIMIT 1",
      mailbox, email);
}

result<std::optional<stored_account>> sqlite_store::find_account_by_public_id(
    std::string_view public_id) {
  return look_account_up(lookups(), "WHERE public_id=?", public_id);
}

result<std::optional<stored_key>> sqlite_store::find_key(std::int64_t id) {
  return look_key_up(lookups(), "WHERE keys.id=?", id);
}

result<std::optional<stored_key>> sqlite_store::find_key_by_public_id(std::string_view public_id) {
  return look_key_up(lookups(), "WHERE public_id=?", public_id);
}

result<std::int64_t> sqlite_store::count_keys(std::int64_t account_id) {
  return look_up<std::int64_t>(
      lookups(), "SELECT count(*) FROM keys WHERE account_id=?",
      [](const statement& row, std::int64_t& found) { found = row.integer(0); }, account_id);
}

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
      people(), "SELECT password FROM accounts WHERE id=?",
      [](const statement& row, std::string& found) { found = row.text(0); }, account_id);
}

result<std::optional<stored_factor>> sqlite_store::find_factor(std::int64_t account_id) {
  const auto read = [](const statement& row, std::optional<stored_factor>& found) {
    stored_factor& factor = found.emplace();
    row.read(factor.sealed_secret, factor.is_on, factor.last_step);
  };
  return look_up<std::optional<stored_factor>>(
      people(), "SELECT secret, is_on, last_step FROM second_factors WHERE account_id=?", read,
      account_id);
}

result<std::vector<passkey_record>> sqlite_store::find_passkeys(std::int64_t account_id) {
  database& on = people();
  const std::lock_guard guard(on.mutex);
  statement query(on, "query",
                  "SELECT public_id, credential, algorithm, key, uses, name, created_at, "
                  "last_used_at FROM passkeys WHERE account_id=? ORDER BY id");
  query.bind(account_id);
  std::vector<passkey_record> found;
  sqlite_code code;
  while ((code = query.step()) == sqlite_row) {
    passkey_record& one = found.emplace_back();
    query.read(one.id, one.credential, one.key.algorithm, one.key.bytes, one.uses, one.name,
               one.created_at, one.last_used_at);
  }
  if (code != sqlite_done) return storage_failure();
  return found;
}

result<std::int64_t> sqlite_store::count_recovery_codes(std::int64_t account_id) {
  return look_up<std::int64_t>(
      people(), "SELECT count(*) FROM recovery_codes WHERE account_id=?",
      [](const statement& row, std::int64_t& found) { row.read(found); }, account_id);
}

result<bool> sqlite_store::has_free_mails() {
  return look_up<bool>(lookups(), "SELECT 1 FROM mails WHERE is_held=0 LIMIT 1",
                       [](const statement&, bool& found) { found = true; });
}

result<std::optional<alert_settings>> sqlite_store::find_alerts(std::int64_t account_id) {
  return look_up<std::optional<alert_settings>>(
      lookups(), std::string(alert_rows) + "WHERE account_id=?",
      [](const statement& row, std::optional<alert_settings>& found) { found = read_alerts(row); },
      account_id);
}

result<std::optional<std::string>> sqlite_store::find_link(std::string_view purpose,
                                                           const base::sha256_digest& hash,
                                                           time_point now) {
  return look_up<std::optional<std::string>>(
      people(), "SELECT email FROM tokens WHERE hash=? AND purpose=? AND expires_at>?",
      [](const statement& row, std::optional<std::string>& found) { found = row.text(0); }, hash,
      purpose, now);
}

}  // namespace freshet::account
