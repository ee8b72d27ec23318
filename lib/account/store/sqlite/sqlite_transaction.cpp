// The statements of the ledger, of accounts and of keys. Those that every charge runs are prepared
// once, the others where they are used.
#include <account/store/sqlite/sqlite_transaction.hpp>

namespace freshet::account {
namespace {

using sqlite::sqlite_done;
using sqlite::sqlite_ok;
using sqlite::sqlite_row;
using sqlite::statement;

/// Binds what may be missing.
statement& bind_optional(statement& to, const std::optional<std::int64_t>& value) {
  return value ? to.bind(*value) : to.bind_null();
}

std::optional<std::int64_t> ms_of(const std::optional<time_point>& at) {
  return at ? std::optional(to_ms(*at)) : std::nullopt;
}

}  // namespace

sqlite_transaction::sqlite_transaction(sqlite::database& on)
    : on_(&on),
      insert_row_(on, "row",
                  "INSERT INTO ledger (seq, movement, book, amount, balance, monthly_left, kind, "
                  "reason, endpoint, request_id, sources, refund_of, period, key_id, at, hash) "
                  "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"),
      put_head_(on, "head",
                "INSERT INTO ledger_head (only, seq, movement, hash, mac) VALUES (1,?,?,?,?) "
                "ON CONFLICT (only) DO UPDATE SET seq=excluded.seq, "
                "movement=excluded.movement, hash=excluded.hash, mac=excluded.mac"),
      insert_answer_(on, "answer",
                     "INSERT OR REPLACE INTO answers (account_id, key, fingerprint, status, "
                     "content_type, body, credits_used, data_offset, data_size, at) "
                     "SELECT ?,?,?,?,?,?,?,?,?,? WHERE EXISTS "
                     "(SELECT 1 FROM accounts WHERE id=?1 AND deleted_at IS NULL)") {}

store_status sqlite_transaction::status() const noexcept {
  if (code_ == sqlite_ok) return store_status::done;
  if (sqlite::is_fault_of_row(code_)) return store_status::refused;
  return sqlite::is_uncertain(code_) ? store_status::uncertain : store_status::failed;
}

void sqlite_transaction::run(statement& one) {
  if (code_ == sqlite_ok)
    code_ = one.run();
  else
    one.reset();  // those that are kept are bound anew by the next transaction
}

bool sqlite_transaction::find(statement& one) {
  if (code_ != sqlite_ok) return false;
  const sqlite::sqlite_code code = one.step();
  if (code != sqlite_row && code != sqlite_done) code_ = code;
  return code == sqlite_row;
}

void sqlite_transaction::execute(const char* sql) {
  if (code_ == sqlite_ok) code_ = on_->execute(sql);
}

void sqlite_transaction::append(const chain_row& row, const base::sha256_digest& hash) {
  insert_row_.bind(row.seq).bind(row.movement).bind(row.book).bind(row.amount).bind(row.balance);
  insert_row_.bind(row.monthly_left).bind(row.kind).bind(row.reason).bind(row.endpoint);
  insert_row_.bind(row.request_id)
      .bind(row.sources)
      .bind(row.refund_of)
      .bind(row.period)
      .bind(row.key_id);
  run(insert_row_.bind(row.at_ms).bind_blob(base::as_text(hash)));
  last_seq_ = row.seq;
}

void sqlite_transaction::put_head(const chain_head& head, const base::sha256_digest& mac) {
  put_head_.bind(head.seq).bind(head.movement).bind_blob(base::as_text(head.hash));
  run(put_head_.bind_blob(base::as_text(mac)));
}

std::int64_t sqlite_transaction::refunded(std::string_view book, std::string_view entry) {
  statement query(*on_, "refund",
                  "SELECT ifnull(sum(amount), 0) FROM ledger "
                  "WHERE book=? AND refund_of=? AND kind='refund' AND amount>0");
  return find(query.bind(book).bind(entry)) ? query.integer(0) : 0;
}

std::optional<allowance> sqlite_transaction::find_allowance(std::int64_t account_id,
                                                            month_index month) {
  statement query(*on_, "month",
                  "SELECT day_credits, given, monthly, days_left FROM allowances "
                  "WHERE account_id=? AND month=?");
  if (!find(query.bind(account_id).bind(month))) return std::nullopt;
  return allowance{query.integer(0), query.integer(1), query.integer(2), query.integer(3)};
}

void sqlite_transaction::put_allowance(std::int64_t account_id, month_index month,
                                       const allowance& given) {
  statement insert(*on_, "month",
                   "INSERT INTO allowances (account_id, month, day_credits, given, monthly, "
                   "days_left) VALUES (?,?,?,?,?,?) ON CONFLICT (account_id, month) DO UPDATE SET "
                   "day_credits=excluded.day_credits, given=excluded.given, "
                   "monthly=excluded.monthly, days_left=excluded.days_left");
  insert.bind(account_id).bind(month).bind(given.day_credits).bind(given.given);
  run(insert.bind(given.monthly).bind(given.days_left));
}

void sqlite_transaction::keep_answer(std::int64_t account_id, std::string_view key,
                                     const stored_answer& answer, time_point stored_at) {
  insert_answer_.bind(account_id).bind(key).bind(answer.fingerprint).bind(answer.status);
  insert_answer_.bind(answer.content_type).bind_blob(answer.body).bind(answer.credits_used);
  insert_answer_.bind(static_cast<std::int64_t>(answer.data_offset));
  run(insert_answer_.bind(static_cast<std::int64_t>(answer.data_size)).bind(to_ms(stored_at)));
}

void sqlite_transaction::purge_answers(time_point before, std::int64_t limit) {
  statement purge(*on_, "upkeep",
                  "DELETE FROM answers WHERE id IN "
                  "(SELECT id FROM answers WHERE at<? ORDER BY at LIMIT ?)");
  run(purge.bind(to_ms(before)).bind(limit));
}

std::int64_t sqlite_transaction::add_account(const account_record& record,
                                             std::string_view password) {
  statement insert(*on_, "account",
                   "INSERT INTO accounts (public_id, email, plan, created_at, password, "
                   "verified_at) VALUES (?,?,?,?,?,?)");
  insert.bind(record.public_id).bind(record.email).bind(record.plan).bind(to_ms(record.created_at));
  run(bind_optional(insert.bind(password), ms_of(record.verified_at)));
  return on_->last_insert_id();
}

void sqlite_transaction::put_plan(std::int64_t account_id, std::string_view plan) {
  statement update(*on_, "plan", "UPDATE accounts SET plan=? WHERE id=?");
  run(update.bind(plan).bind(account_id));
}

void sqlite_transaction::put_operator(std::int64_t account_id, bool is_operator) {
  statement update(*on_, "account",
                   "UPDATE accounts SET is_operator=? WHERE id=? AND deleted_at IS NULL");
  run(update.bind(is_operator ? 1 : 0).bind(account_id));
}

void sqlite_transaction::put_secret(std::string_view name, std::string_view value) {
  statement insert(*on_, "secret", "INSERT INTO secrets (name, value) VALUES (?, ?)");
  run(insert.bind(name).bind_blob(value));
}

std::int64_t sqlite_transaction::add_key(const stored_key& key) {
  const key_record& record = key.record;
  statement insert(*on_, "key",
                   "INSERT INTO keys (public_id, account_id, family, hash, is_test, last_four, "
                   "scope_read, scope_account, monthly_budget, expires_at, created_at, name) "
                   "VALUES (?,?,?,?,?,?,?,?,?,?,?,?)");
  insert.bind(record.public_id).bind(record.account_id).bind(key.family);
  insert.bind_blob(base::as_text(key.hash)).bind(record.mode == key_mode::test ? 1 : 0);
  insert.bind(record.last_four).bind(record.scope_read ? 1 : 0).bind(record.scope_account ? 1 : 0);
  bind_optional(insert,
                record.monthly_budget ? std::optional(record.monthly_budget->value) : std::nullopt);
  bind_optional(insert, ms_of(record.expires_at)).bind(to_ms(record.created_at));
  run(insert.bind(record.name));
  const std::int64_t id = on_->last_insert_id();
  if (key.family != 0) return id;
  statement first(*on_, "key", "UPDATE keys SET family=id WHERE id=?");
  run(first.bind(id));
  return id;
}

bool sqlite_transaction::rotate_key(std::int64_t key_id, time_point expires_at,
                                    time_point rotated_at) {
  statement still(*on_, "key", "SELECT 1 FROM keys WHERE id=? AND rotated_at IS NULL");
  if (!find(still.bind(key_id))) return false;
  still.reset();
  statement end(*on_, "key", "UPDATE keys SET expires_at=?, rotated_at=? WHERE id=?");
  run(end.bind(to_ms(expires_at)).bind(to_ms(rotated_at)).bind(key_id));
  return true;
}

void sqlite_transaction::revoke_key(std::int64_t key_id, time_point revoked_at) {
  statement update(*on_, "key", "UPDATE keys SET revoked_at=? WHERE id=? AND revoked_at IS NULL");
  run(update.bind(to_ms(revoked_at)).bind(key_id));
}

void sqlite_transaction::put_last_use(std::int64_t key_id, time_point used_at) {
  statement update(*on_, "upkeep", "UPDATE keys SET last_used_at=? WHERE id=?");
  run(update.bind(to_ms(used_at)).bind(key_id));
}

}  // namespace freshet::account
