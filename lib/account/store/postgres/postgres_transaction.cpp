// The statements of the ledger, of accounts and of keys. A text that PostgreSQL does not take, for
// it is no UTF-8, is mended where it is only shown, and refused in the ledger.
#include <account/rules/origins.hpp>
#include <account/store/postgres/postgres_transaction.hpp>
#include <account/store/sql/stored_rows.hpp>
#include <tuple>

namespace freshet::account::on_postgres {

using postgres::pg_bytes;
using postgres::pg_outcome;
using postgres::pg_statement;

namespace {

constexpr const char* put_top =
    "INSERT INTO ledger_tops (seq, top) SELECT $1::bigint, greatest("
    "coalesce((SELECT top FROM ledger_tops ORDER BY seq DESC LIMIT 1), 0), "
    "coalesce((SELECT max(at) FROM ledger WHERE "
    "seq>=coalesce((SELECT max(seq) FROM ledger_tops), 0) AND seq<$1), 0)) "
    "ON CONFLICT (seq) DO UPDATE SET top=excluded.top";

constexpr const char* insert_rows =
    "INSERT INTO ledger (seq, number, movement, book, amount, balance, monthly_left, kind, reason, "
    "endpoint, request_id, sources, refund_of, period, key_id, at, hash) SELECT * FROM unnest("
    "$1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[], "
    "$7::bigint[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], "
    "$14::text[], $15::bigint[], $16::bigint[], $17::bytea[])";

/// In the order of the families, in which all servers lock them.
constexpr const char* charge_budgets =
    "INSERT INTO budgets AS old (family, month, used) SELECT * FROM "
    "unnest($1::bigint[], $2::bigint[], $3::bigint[]) ON CONFLICT (family) DO UPDATE SET "
    "month=greatest(old.month, excluded.month), "
    "used=CASE WHEN old.month<excluded.month THEN 0 ELSE old.used END + excluded.used "
    "RETURNING family, month, used";

/// Puts an answer and counts it, for its account and for all; gives both sums.
constexpr const char* put_answer =
    "WITH old AS (SELECT size FROM answers WHERE account_id=$1 AND key=$2), "
    "put AS (INSERT INTO answers AS a (account_id, key, fingerprint, status, content_type, body, "
    "credits_used, data_offset, data_size, at, form, size) "
    "SELECT $1::bigint, $2::text, $3::text, $4::bigint, $5::text, $6::bytea, $7::bigint, "
    "$8::bigint, $9::bigint, $10::bigint, $11::bigint, $12::bigint WHERE EXISTS "
    "(SELECT 1 FROM accounts WHERE id=$1 AND deleted_at IS NULL) "
    "ON CONFLICT (account_id, key) DO UPDATE SET fingerprint=excluded.fingerprint, "
    "status=excluded.status, content_type=excluded.content_type, body=excluded.body, "
    "credits_used=excluded.credits_used, data_offset=excluded.data_offset, "
    "data_size=excluded.data_size, at=excluded.at, form=excluded.form, size=excluded.size "
    "RETURNING size), "
    "more AS (SELECT put.size-coalesce((SELECT size FROM old), 0) AS bytes FROM put) "
    "INSERT INTO answer_sizes AS s (account_id, bytes) "
    "SELECT of, bytes FROM more, (VALUES (0::bigint), ($1::bigint)) AS owners (of) "
    "ON CONFLICT (account_id) DO UPDATE SET bytes=s.bytes+excluded.bytes "
    "RETURNING account_id, bytes";

/// Removes what `chosen` says and counts it; gives the account's sum and that of all, as they were.
constexpr const char* remove_oldest =
    "WITH gone AS (DELETE FROM answers WHERE id=(SELECT id FROM answers WHERE account_id=$1 "
    "ORDER BY at, id LIMIT 1) RETURNING size) "
    "UPDATE answer_sizes SET bytes=bytes-(SELECT coalesce(sum(size), 0)::bigint FROM gone) "
    "WHERE account_id IN (0, $1) RETURNING account_id, bytes";

constexpr const char* remove_all_of =
    "WITH gone AS (DELETE FROM answers WHERE account_id=$1 RETURNING size) "
    "UPDATE answer_sizes SET bytes=bytes-(SELECT coalesce(sum(size), 0)::bigint FROM gone) "
    "WHERE account_id IN (0, $1)";

constexpr const char* purge_oldest =
    "WITH gone AS (DELETE FROM answers WHERE id IN (SELECT id FROM (SELECT id, size, "
    "sum(size) OVER (ORDER BY at, id ROWS UNBOUNDED PRECEDING) AS total FROM "
    "(SELECT id, at, size FROM answers WHERE at<$1 ORDER BY at, id LIMIT $2) AS old) AS summed "
    "WHERE total-size<$3) RETURNING account_id, size), "
    "less AS (SELECT account_id, sum(size)::bigint AS bytes FROM gone GROUP BY account_id "
    "UNION ALL SELECT 0, coalesce(sum(size), 0)::bigint FROM gone) "
    "UPDATE answer_sizes SET bytes=answer_sizes.bytes-less.bytes FROM less "
    "WHERE answer_sizes.account_id=less.account_id";

/// Of an account and of all, out of the rows that a statement gives.
void read_sizes(pg_statement& statement, std::int64_t& own, std::int64_t& all) {
  do {
    (statement.integer(0) == 0 ? all : own) = statement.integer(1);
  } while (statement.next());
}

}  // namespace

void postgres_transaction::begin(pg_outcome code) {
  code_ = code;
  for (postgres::pg_array& column : rows_) column.clear();
  tops_.clear();
  charged_.clear();
  leases_.clear();
  told_.clear();
}

store_status postgres_transaction::status() const noexcept {
  if (code_ == pg_outcome::done) return store_status::done;
  if (code_ == pg_outcome::held) return store_status::held;
  return code_ == pg_outcome::refused ? store_status::refused : store_status::failed;
}

void postgres_transaction::run(pg_statement& one) {
  if (code_ == pg_outcome::done) code_ = one.run();
}

bool postgres_transaction::find(pg_statement& one) {
  run(one);
  return code_ == pg_outcome::done && one.next();
}

void postgres_transaction::flush() {
  flush_rows();
  static_cast<void>(write_budgets());
  flush_leases();
  flush_news();
}

void postgres_transaction::flush_rows() {
  if (rows_[0].empty()) return;
  pg_statement insert(*on_, "rows", insert_rows);
  std::apply([&](const auto&... columns) { insert.bind(columns...); }, rows_);
  run(insert);
  for (postgres::pg_array& column : rows_) column.clear();
  for (const std::int64_t seq : std::exchange(tops_, {})) run("row", put_top, seq);
}

std::vector<stored_use> postgres_transaction::write_budgets() {
  std::vector<stored_use> all;
  // Of one family in two months, one after the other: the earlier one first.
  while (!charged_.empty()) {
    postgres::pg_array families, months, used;
    std::optional<std::int64_t> last;
    for (auto next = charged_.begin(); next != charged_.end();) {
      const auto [family, month] = next->first;
      if (last == family) {
        ++next;
        continue;
      }
      last = family;
      families.add(family);
      months.add(static_cast<std::int64_t>(month));
      used.add(next->second);
      next = charged_.erase(next);
    }
    pg_statement charge(*on_, "budget", charge_budgets);
    run(charge.bind(families, months, used));
    while (charge.next()) {
      stored_use one;
      charge.read(one.family, one.month, one.used);
      told_.push_back({peer_news::kind::budget, one.family, one.month, one.used});
      all.push_back(one);
    }
  }
  return all;
}

void postgres_transaction::append(const chain_row& row, const base::sha256_digest& hash) {
  // Asked for each row, so that faults strike where they do in the other store.
  if (code_ == pg_outcome::done && on_->fails("row")) code_ = pg_outcome::failed;
  if (code_ != pg_outcome::done) return;
  std::size_t column = 0;
  const auto put = [&](const auto&... values) { (rows_[column++].add(values), ...); };
  put(row.seq, row.number, row.movement, row.book, row.amount, row.balance, row.monthly_left,
      row.kind, row.reason, row.endpoint, row.request_id, row.sources, row.refund_of, row.period,
      row.key_id, row.at, hash);
  if (row.seq % rows_below_top == 0) tops_.push_back(row.seq);
}

void postgres_transaction::put_head(const chain_head& head, const base::sha256_digest& mac) {
  flush_rows();
  run("head",
      "INSERT INTO ledger_head (only_one, seq, movement, hash, mac) VALUES (1,$1,$2,$3,$4) "
      "ON CONFLICT (only_one) DO UPDATE SET seq=excluded.seq, movement=excluded.movement, "
      "hash=excluded.hash, mac=excluded.mac",
      head.seq, head.movement, head.hash, mac);
}

std::int64_t postgres_transaction::refunded(std::string_view book, std::string_view entry) {
  flush_rows();
  return add("refund",
             "SELECT coalesce(sum(amount), 0)::bigint FROM ledger "
             "WHERE book=$1 AND refund_of=$2 AND kind='refund' AND amount>0",
             book, entry);
}

std::optional<allowance> postgres_transaction::find_allowance(std::int64_t account_id,
                                                              month_index month) {
  pg_statement query(*on_, "month",
                     "SELECT day_credits, given, monthly, days_left FROM allowances "
                     "WHERE account_id=$1 AND month=$2");
  if (!find(query.bind(account_id, month))) return std::nullopt;
  return allowance{query.integer(0), query.integer(1), query.integer(2), query.integer(3)};
}

void postgres_transaction::put_allowance(std::int64_t account_id, month_index month,
                                         const allowance& given) {
  run("month",
      "INSERT INTO allowances (account_id, month, day_credits, given, monthly, days_left) "
      "VALUES ($1,$2,$3,$4,$5,$6) ON CONFLICT (account_id, month) DO UPDATE SET "
      "day_credits=excluded.day_credits, given=excluded.given, "
      "monthly=excluded.monthly, days_left=excluded.days_left",
      account_id, month, given.day_credits, given.given, given.monthly, given.days_left);
}

void postgres_transaction::charge_budget(std::int64_t family, month_index month,
                                         std::int64_t price) {
  charged_[{family, month}] += price;
}

void postgres_transaction::keep_answer(std::int64_t account_id, std::string_view key,
                                       const stored_answer& answer, running_time stored_at,
                                       const answer_limits& limits) {
  const auto form = answer.is_kept ? answer_form::sealed : answer_form::not_kept;
  const std::size_t size = bytes_of(key, answer);
  pg_statement put(*on_, "answer", put_answer);
  put.bind(account_id, key, answer.fingerprint, answer.status, answer.content_type,
           pg_bytes{answer.body}, answer.credits_used,
           static_cast<std::int64_t>(answer.data_offset),
           static_cast<std::int64_t>(answer.data_size), stored_at.count(),
           static_cast<std::int64_t>(form), static_cast<std::int64_t>(size));
  if (!find(put)) return;
  std::int64_t own = 0, all = 0;
  read_sizes(put, own, all);
  bound_answers(account_id, own, all, limits);
}

void postgres_transaction::bound_answers(std::int64_t account_id, std::int64_t own,
                                         std::int64_t all, const answer_limits& limits) {
  while (own > limits.of_account || all > limits.of_all) {
    std::int64_t whose = account_id;
    if (own <= limits.of_account)
      whose = add("answer",
                  "SELECT account_id FROM answer_sizes WHERE account_id<>0 "
                  "ORDER BY bytes DESC LIMIT 1");
    pg_statement gone(*on_, "answer", remove_oldest);
    if (!find(gone.bind(whose))) return;
    const std::int64_t before = all;
    std::int64_t of_whose = 0;
    read_sizes(gone, of_whose, all);
    if (all == before) return;  // the sums are wrong: nothing is left to remove
    if (whose == account_id) own = of_whose;
  }
}

bool postgres_transaction::purge_answers(running_time before) {
  run("upkeep", purge_oldest, before.count(), max_purged, max_purged_bytes);
  return finds("upkeep", "SELECT 1 FROM answers WHERE at<$1 LIMIT 1", before.count());
}

void postgres_transaction::remove_answers_of(std::int64_t account_id) {
  run("answer", remove_all_of, account_id);
}

void postgres_transaction::put_running_time(running_time now) {
  run("upkeep", "UPDATE state SET running_ms=greatest(running_ms, $1)", now.count());
}

bool postgres_transaction::has_email(std::string_view email) {
  return finds("query", "SELECT 1 FROM accounts WHERE email=$1", email);
}

bool postgres_transaction::has_mailbox(std::string_view mailbox) {
  return finds("query", "SELECT 1 FROM accounts WHERE mailbox=$1", mailbox);
}

std::int64_t postgres_transaction::add_account(const account_record& record,
                                               std::string_view mailbox,
                                               std::string_view password) {
  const std::int64_t id = add(
      "account",
      "INSERT INTO accounts (public_id, email, plan, created_at, password, verified_at, mailbox) "
      "VALUES ($1,$2,$3,$4,$5,$6,$7) RETURNING id",
      record.public_id, record.email, record.plan, record.created_at, password, record.verified_at,
      mailbox);
  tell({peer_news::kind::account, id});
  return id;
}

void postgres_transaction::put_plan(std::int64_t account_id, std::string_view plan) {
  run("plan", "UPDATE accounts SET plan=$1 WHERE id=$2", plan, account_id);
  tell({peer_news::kind::account, account_id});
}

void postgres_transaction::put_operator(std::int64_t account_id, bool is_operator) {
  run("account", "UPDATE accounts SET is_operator=$1 WHERE id=$2 AND deleted_at IS NULL",
      is_operator, account_id);
  tell({peer_news::kind::account, account_id});
}

void postgres_transaction::put_secret(std::string_view name, std::string_view value) {
  run("secret", "INSERT INTO secrets (name, value) VALUES ($1, $2)", name, pg_bytes{value});
}

std::int64_t postgres_transaction::add_key(const stored_key& key) {
  const key_record& record = key.record;
  const std::int64_t budget = record.monthly_budget.value_or(credits{-1}).value;
  const std::int64_t id =
      add("key",
          "INSERT INTO keys (public_id, account_id, family, hash, is_test, last_four, scope_read, "
          "scope_account, monthly_budget, expires_at, created_at, name, origins) "
          "SELECT $1::text, $2::bigint, $3::bigint, $4::bytea, $5::boolean, $6::text, $7::boolean, "
          "$8::boolean, nullif($9::bigint, -1), $10::bigint, $11::bigint, $12::text, $13::text "
          "WHERE EXISTS (SELECT 1 FROM accounts WHERE id=$2 AND deleted_at IS NULL) RETURNING id",
          record.public_id, record.account_id, key.family, key.hash, record.mode == key_mode::test,
          record.last_four, record.scope_read, record.scope_account, budget, record.expires_at,
          record.created_at, record.name, join_origins(record.origins));
  if (id != 0 && key.family == 0) run("key", "UPDATE keys SET family=id WHERE id=$1", id);
  tell({peer_news::kind::key, id});
  return id;
}

bool postgres_transaction::rotate_key(std::int64_t key_id, time_point expires_at,
                                      time_point rotated_at) {
  tell({peer_news::kind::key, key_id});
  return finds("key",
               "UPDATE keys SET expires_at=$1, rotated_at=$2 WHERE id=$3 AND rotated_at IS NULL "
               "RETURNING id",
               expires_at, rotated_at, key_id);
}

void postgres_transaction::revoke_key(std::int64_t key_id, time_point revoked_at) {
  run("key", "UPDATE keys SET revoked_at=$1 WHERE id=$2 AND revoked_at IS NULL", revoked_at,
      key_id);
  tell({peer_news::kind::key, key_id});
}

std::vector<base::sha256_digest> postgres_transaction::key_hashes(std::int64_t account_id) {
  pg_statement query(*on_, "query", "SELECT hash FROM keys WHERE account_id=$1");
  run(query.bind(account_id));
  std::vector<base::sha256_digest> hashes;
  while (query.next()) hashes.push_back(base::as_digest(query.text(0)));
  return hashes;
}

void postgres_transaction::put_last_use(std::int64_t key_id, time_point used_at) {
  run("upkeep", "UPDATE keys SET last_used_at=greatest(last_used_at, $1) WHERE id=$2", used_at,
      key_id);
}

}  // namespace freshet::account::on_postgres
