// The statements of the ledger, of accounts and of keys. Those that every charge runs are prepared
// once, the others where they are used.
#include <account/rules/origins.hpp>
#include <account/store/sql/stored_rows.hpp>
#include <account/store/sqlite/sqlite_transaction.hpp>
#include <algorithm>
#include <base/disk_room.hpp>
#include <utility>

namespace freshet::account {

using base::as_text;
using sqlite::blob;
using sqlite::sqlite_done;
using sqlite::sqlite_ok;
using sqlite::sqlite_row;
using sqlite::statement;

namespace {

/// So many are left for what comes next, in place of shrinking the file to grow it again.
constexpr std::int64_t kept_free_pages = 1024;

constexpr const char* put_top =
    "INSERT OR REPLACE INTO ledger_tops (seq, top) SELECT ?1, max("
    "ifnull((SELECT top FROM ledger_tops ORDER BY seq DESC LIMIT 1), 0), "
    "ifnull((SELECT max(at) FROM ledger WHERE "
    "seq>=ifnull((SELECT max(seq) FROM ledger_tops), 0) AND seq<?1), 0))";

/// Of answers, on a disk that has no room for more: what is needed to repeat calls that were lost.
constexpr std::int64_t kept_when_short = 4 << 20;
constexpr const char* remove_oldest =
    "DELETE FROM answers WHERE id=(SELECT id FROM answers WHERE account_id=? ORDER BY at, id "
    "LIMIT 1)";

}  // namespace

sqlite_transaction::sqlite_transaction(sqlite::database& database, std::string path,
                                       time_point newest)
    : on_(&database),
      path_(std::move(path)),
      newest_(newest),
      insert_row_(
          database, "row",
          "INSERT INTO ledger (seq, number, movement, book, amount, balance, monthly_left, kind, "
          "reason, endpoint, request_id, sources, refund_of, period, key_id, at, hash, charges, "
          "packed) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"),
      put_head_(database, "head",
                "INSERT INTO ledger_head (only, seq, movement, hash, mac) VALUES (1,?,?,?,?) "
                "ON CONFLICT (only) DO UPDATE SET seq=excluded.seq, "
                "movement=excluded.movement, hash=excluded.hash, mac=excluded.mac"),
      charge_budget_(database, "budget",
                     "INSERT INTO budgets (family, month, used) VALUES (?,?,?) "
                     "ON CONFLICT (family) DO UPDATE SET month=max(month, excluded.month), "
                     "used=iif(month<excluded.month, 0, used)+excluded.used"),
      // A row that is replaced runs no trigger, and would stay in the sum.
      remove_answer_(database, "answer", "DELETE FROM answers WHERE account_id=? AND key=?"),
      insert_answer_(database, "answer",
                     "INSERT INTO answers (account_id, key, fingerprint, status, content_type, "
                     "body, credits_used, data_offset, data_size, at, form, size) "
                     "SELECT ?,?,?,?,?,?,?,?,?,?,?,? WHERE EXISTS "
                     "(SELECT 1 FROM accounts WHERE id=?1 AND deleted_at IS NULL)"),
      answer_sizes_(database, "answer",
                    "SELECT ifnull((SELECT bytes FROM answer_sizes WHERE account_id=?), 0), "
                    "ifnull((SELECT bytes FROM answer_sizes WHERE account_id=0), 0)") {}

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
  const bool has_top = row.seq % rows_below_top == 0;
  const bool can_pack = charge_packer::can_take(row, newest_);
  newest_ = std::max(newest_, row.at);
  last_seq_ = row.seq;
  // No row reaches beyond a top, which says something of all that lies before it.
  if (has_top || !can_pack || !charges_.continues(row)) write_charges();
  if (can_pack)
    charges_.add(row, hash);
  else
    insert(row, as_text(hash), 1, {});
  if (has_top) run("row", put_top, row.seq);
}

void sqlite_transaction::insert(const chain_row& row, std::string_view hash, std::int64_t charges,
                                std::string_view packed) {
  run(insert_row_.bind(row.seq, row.number, row.movement, row.book, row.amount, row.balance,
                       row.monthly_left, row.kind, row.reason, row.endpoint, row.request_id,
                       row.sources, row.refund_of, row.period, row.key_id, row.at, blob{hash},
                       charges, blob{packed}));
}

void sqlite_transaction::write_charges() {
  const std::int64_t count = charges_.count();
  const std::string_view hash = as_text(charges_.hash());
  if (count > 1) insert(charges_.columns(), hash, count, charges_.bytes());
  if (count == 1) {
    charge_unpacker one(charges_.columns(), hash, count, charges_.bytes());
    chain_row row;
    std::string_view same_hash;
    if (one.next(row, same_hash)) insert(row, same_hash, 1, {});
  }
  charges_.clear();
}

void sqlite_transaction::finish() {
  write_charges();
  for (const auto& [of, used] : budgets_) run(charge_budget_.bind(of.first, of.second, used));
  budgets_.clear();
}

void sqlite_transaction::put_head(const chain_head& head, const base::sha256_digest& mac) {
  run(put_head_.bind(head.seq, head.movement, head.hash, mac));
  head_ = sealed_text(head, mac);
}

std::int64_t sqlite_transaction::refunded(std::string_view book, std::string_view entry) {
  statement query(*on_, "refund",
                  "SELECT ifnull(sum(amount), 0) FROM ledger "
                  "WHERE book=? AND refund_of=? AND kind='refund' AND amount>0");
  return find(query.bind(book, entry)) ? query.integer(0) : 0;
}

std::optional<allowance> sqlite_transaction::find_allowance(std::int64_t account_id,
                                                            month_index month) {
  statement query(*on_, "month",
                  "SELECT day_credits, given, monthly, days_left FROM allowances "
                  "WHERE account_id=? AND month=?");
  if (!find(query.bind(account_id, month))) return std::nullopt;
  return allowance{query.integer(0), query.integer(1), query.integer(2), query.integer(3)};
}

void sqlite_transaction::put_allowance(std::int64_t account_id, month_index month,
                                       const allowance& given) {
  run("month",
      "INSERT INTO allowances (account_id, month, day_credits, given, monthly, days_left) "
      "VALUES (?,?,?,?,?,?) ON CONFLICT (account_id, month) DO UPDATE SET "
      "day_credits=excluded.day_credits, given=excluded.given, "
      "monthly=excluded.monthly, days_left=excluded.days_left",
      account_id, month, given.day_credits, given.given, given.monthly, given.days_left);
}

void sqlite_transaction::charge_budget(std::int64_t family, month_index month, std::int64_t price) {
  budgets_[{family, month}] += price;
}

void sqlite_transaction::keep_answer(std::int64_t account_id, std::string_view key,
                                     const stored_answer& answer, running_time stored_at,
                                     const answer_limits& limits) {
  run(remove_answer_.bind(account_id, key));
  const auto form = answer.is_kept ? answer_form::sealed : answer_form::not_kept;
  const std::size_t size = bytes_of(key, answer);
  run(insert_answer_.bind(account_id, key, answer.fingerprint, answer.status, answer.content_type,
                          blob{answer.body}, answer.credits_used, answer.data_offset,
                          answer.data_size, stored_at.count(), static_cast<std::int64_t>(form),
                          size));
  bound_answers(account_id, static_cast<std::int64_t>(size), limits);
}

void sqlite_transaction::bound_answers(std::int64_t account_id, std::int64_t newest,
                                       const answer_limits& limits) {
  std::int64_t own = 0, all = 0;
  read_sizes(account_id, own, all);
  std::int64_t bound = limits.of_all;
  // The pages of those that go are used again: the file grows no more.
  if (base::free_bytes_beside(path_) < limits.left_bytes)
    bound = std::min(bound, std::max(all - newest, kept_when_short));
  while (own > limits.of_account || all > bound) {
    std::int64_t whose = account_id;
    if (own <= limits.of_account) {
      statement most(*on_, "answer",
                     "SELECT account_id FROM answer_sizes WHERE account_id<>0 "
                     "ORDER BY bytes DESC LIMIT 1");
      whose = find(most) ? most.integer(0) : 0;
      most.reset();
    }
    run("answer", remove_oldest, whose);
    if (!is_good()) return;
    const std::int64_t before = all;
    read_sizes(account_id, own, all);
    if (all == before) return;  // the sums are wrong: nothing is left to remove
  }
}

void sqlite_transaction::read_sizes(std::int64_t account_id, std::int64_t& own, std::int64_t& all) {
  const bool known = find(answer_sizes_.bind(account_id));
  own = known ? answer_sizes_.integer(0) : 0;
  all = known ? answer_sizes_.integer(1) : 0;
  answer_sizes_.reset();
}

bool sqlite_transaction::purge_answers(running_time before) {
  run("upkeep",
      "DELETE FROM answers WHERE id IN (SELECT id FROM (SELECT id, size, "
      "sum(size) OVER (ORDER BY at, id ROWS UNBOUNDED PRECEDING) AS total FROM "
      "(SELECT id, at, size FROM answers WHERE at<? ORDER BY at, id LIMIT ?)) "
      "WHERE total-size<?)",
      before.count(), max_purged, max_purged_bytes);
  statement free_pages(*on_, "upkeep", "PRAGMA freelist_count");
  const bool many = find(free_pages) && free_pages.integer(0) > kept_free_pages;
  free_pages.reset();
  // Without effect in a file that was made before: there the free pages are used again.
  if (many) execute("PRAGMA incremental_vacuum(1024)");
  return finds("upkeep", "SELECT 1 FROM answers WHERE at<? LIMIT 1", before.count());
}

void sqlite_transaction::put_running_time(running_time now) {
  run("upkeep", "UPDATE state SET running_ms=max(running_ms, ?)", now.count());
}

bool sqlite_transaction::has_email(std::string_view email) {
  return finds("query", "SELECT 1 FROM accounts WHERE email=?", email);
}

bool sqlite_transaction::has_mailbox(std::string_view mailbox) {
  return finds("query", "SELECT 1 FROM accounts WHERE mailbox=?", mailbox);
}

std::int64_t sqlite_transaction::add_account(const account_record& record, std::string_view mailbox,
                                             std::string_view password) {
  run("account",
      "INSERT INTO accounts (public_id, email, plan, created_at, password, verified_at, mailbox) "
      "VALUES (?,?,?,?,?,?,?)",
      record.public_id, record.email, record.plan, record.created_at, password, record.verified_at,
      mailbox);
  return on_->last_insert_id();
}

void sqlite_transaction::put_plan(std::int64_t account_id, std::string_view plan) {
  run("plan", "UPDATE accounts SET plan=? WHERE id=?", plan, account_id);
}

void sqlite_transaction::put_operator(std::int64_t account_id, bool is_operator) {
  run("account", "UPDATE accounts SET is_operator=? WHERE id=? AND deleted_at IS NULL", is_operator,
      account_id);
}

void sqlite_transaction::put_secret(std::string_view name, std::string_view value) {
  run("secret", "INSERT INTO secrets (name, value) VALUES (?, ?)", name, blob{value});
}

std::int64_t sqlite_transaction::add_key(const stored_key& key) {
  const key_record& record = key.record;
  // -1 for none, not an optional: g++ 12 takes that for a value that was never set.
  const std::int64_t budget = record.monthly_budget.value_or(credits{-1}).value;
  const std::string origins = join_origins(record.origins);
  statement insert(
      *on_, "key",
      "INSERT INTO keys (public_id, account_id, family, hash, is_test, last_four, scope_read, "
      "scope_account, monthly_budget, expires_at, created_at, name, origins) "
      "SELECT ?,?2,?,?,?,?,?,?,NULLIF(?,-1),?,?,?,? WHERE EXISTS "
      "(SELECT 1 FROM accounts WHERE id=?2 AND deleted_at IS NULL) RETURNING id");
  insert.bind(record.public_id, record.account_id, key.family, key.hash,
              record.mode == key_mode::test, record.last_four, record.scope_read,
              record.scope_account, budget, record.expires_at, record.created_at, record.name,
              origins);
  if (!find(insert)) return 0;
  const std::int64_t id = insert.integer(0);
  insert.reset();
  if (key.family == 0) run("key", "UPDATE keys SET family=id WHERE id=?", id);
  return id;
}

bool sqlite_transaction::rotate_key(std::int64_t key_id, time_point expires_at,
                                    time_point rotated_at) {
  if (!finds("key", "SELECT 1 FROM keys WHERE id=? AND rotated_at IS NULL", key_id)) return false;
  run("key", "UPDATE keys SET expires_at=?, rotated_at=? WHERE id=?", expires_at, rotated_at,
      key_id);
  return true;
}

void sqlite_transaction::revoke_key(std::int64_t key_id, time_point revoked_at) {
  run("key", "UPDATE keys SET revoked_at=? WHERE id=? AND revoked_at IS NULL", revoked_at, key_id);
}

std::vector<base::sha256_digest> sqlite_transaction::key_hashes(std::int64_t account_id) {
  statement query(*on_, "query", "SELECT hash FROM keys WHERE account_id=?");
  query.bind(account_id);
  std::vector<base::sha256_digest> hashes;
  while (find(query)) hashes.push_back(base::as_digest(query.text(0)));
  return hashes;
}

void sqlite_transaction::put_last_use(std::int64_t key_id, time_point used_at) {
  run("upkeep", "UPDATE keys SET last_used_at=? WHERE id=?", used_at, key_id);
}

}  // namespace freshet::account
