// What a transaction reads and writes because other servers write, too: where the ledger ends, the
// books as they are now, what is leased to whom, and news for the others.
#include <account/store/postgres/peer_listener.hpp>
#include <account/store/postgres/postgres_transaction.hpp>

namespace freshet::account::on_postgres {

using postgres::pg_outcome;
using postgres::pg_statement;

namespace {

/// A notification has 8,000 bytes at most.
constexpr std::size_t news_at_once = 100;

/// More rows than the head knows: postgres_store::read_ledger_end() says so, too.
constexpr const char* count_batch =
    "WITH me AS (UPDATE nodes SET batches=$1 WHERE id=$2 AND retired_at IS NULL RETURNING id) "
    "SELECT (SELECT count(*) FROM me), greatest(head.seq, last.seq), head.movement, head.hash FROM "
    "(SELECT coalesce(max(seq), 0) AS seq FROM ledger) AS last "
    "LEFT JOIN ledger_head AS head ON true";

constexpr const char* find_leased =
    "SELECT wanted.id, last.balance, last.monthly_left, last.number, last.hash, "
    "coalesce(leased.own, 0), coalesce(leased.others, 0) "
    "FROM unnest($1::bigint[]) WITH ORDINALITY AS wanted (id, place) "
    "LEFT JOIN LATERAL (SELECT balance, monthly_left, number, hash FROM ledger "
    "WHERE book='account:'||wanted.id ORDER BY seq DESC LIMIT 1) AS last ON true "
    "LEFT JOIN LATERAL (SELECT sum(credits) FILTER (WHERE node=$2)::bigint AS own, "
    "sum(credits) FILTER (WHERE node<>$2)::bigint AS others FROM leases "
    "WHERE account_id=wanted.id) AS leased ON true ORDER BY wanted.place";

/// What is leased is above zero: the rows that end are removed.
constexpr const char* put_leases =
    "INSERT INTO leases AS old (account_id, node, credits) "
    "SELECT account, $2, credits FROM unnest($1::bigint[], $3::bigint[]) AS one (account, credits) "
    "ON CONFLICT (account_id, node) DO UPDATE SET credits=excluded.credits";
constexpr const char* remove_leases =
    "DELETE FROM leases WHERE node=$2 AND account_id=ANY($1::bigint[])";

/// A node's own is from before: it runs no call of that name any more.
constexpr const char* put_call =
    "INSERT INTO running_calls AS old (account_id, name, fingerprint, node) VALUES ($1,$2,$3,$4) "
    "ON CONFLICT (account_id, name) DO UPDATE SET fingerprint=excluded.fingerprint "
    "WHERE old.node=excluded.node RETURNING node";

constexpr const char* notify = "SELECT pg_notify(left('freshet '||current_schema(), 63), $1)";

}  // namespace

pg_outcome postgres_transaction::find_end(std::int64_t batch, bool& serves) {
  pg_statement count(*on_, "open", count_batch);
  const pg_outcome became = count.bind(batch, node_).run();
  if (became != pg_outcome::done || !count.next()) return became;
  serves = count.integer(0) != 0;
  end_ = {};
  end_.seq = count.integer(1);
  if (count.is_null(2)) return became;
  std::int64_t of_service = 0;
  count.read(of_service, end_.seq, end_.movement, end_.hash);
  return became;
}

std::vector<leased_book> postgres_transaction::find_books(std::span<const std::int64_t> accounts) {
  flush_rows();
  postgres::pg_array ids;
  for (const std::int64_t id : accounts) ids.add(id);
  pg_statement query(*on_, "query", find_leased);
  run(query.bind(ids, node_));
  std::vector<leased_book> found(accounts.size());
  for (std::size_t i = 0; i < found.size() && query.next(); ++i) {
    leased_book& one = found[i];
    std::int64_t id = 0;
    query.read(id, one.book.balance, one.book.monthly_left, one.book.chain.number,
               one.book.chain.hash, one.own, one.others);
  }
  return found;
}

void postgres_transaction::put_lease(std::int64_t account_id, std::int64_t credits) {
  leases_[account_id] = credits;
}

void postgres_transaction::flush_leases() {
  postgres::pg_array kept, ended, credits;
  for (const auto& [account, leased] : std::exchange(leases_, {})) {
    if (leased == 0) {
      ended.add(account);
      continue;
    }
    kept.add(account);
    credits.add(leased);
  }
  if (!kept.empty()) run("lease", put_leases, kept, node_, credits);
  if (!ended.empty()) run("lease", remove_leases, ended, node_);
}

void postgres_transaction::flush_news() {
  const auto told = std::exchange(told_, {});
  for (std::size_t i = 0; i < told.size(); i += news_at_once) {
    const auto end =
        told.begin() + static_cast<std::ptrdiff_t>(std::min(i + news_at_once, told.size()));
    const std::vector<peer_news> some(told.begin() + static_cast<std::ptrdiff_t>(i), end);
    run("news", notify, std::string_view(news_text(node_, some)));
  }
}

std::optional<std::string> postgres_transaction::find_plan(std::int64_t account_id) {
  pg_statement query(*on_, "query", "SELECT plan FROM accounts WHERE id=$1");
  if (!find(query.bind(account_id))) return std::nullopt;
  return std::string(query.text(0));
}

std::optional<std::string> postgres_transaction::find_secret(std::string_view name) {
  pg_statement query(*on_, "query", "SELECT value FROM secrets WHERE name=$1");
  if (!find(query.bind(name))) return std::nullopt;
  return std::string(query.text(0));
}

std::optional<std::string> postgres_transaction::begin_call(std::int64_t account_id,
                                                            std::string_view name,
                                                            std::string_view fingerprint) {
  if (finds("call", put_call, account_id, name, fingerprint, node_) || !is_good())
    return std::nullopt;
  pg_statement other(*on_, "call",
                     "SELECT fingerprint FROM running_calls WHERE account_id=$1 AND name=$2");
  return find(other.bind(account_id, name)) ? std::string(other.text(0)) : std::string();
}

void postgres_transaction::end_call(std::int64_t account_id, std::string_view name) {
  run("call", "DELETE FROM running_calls WHERE account_id=$1 AND name=$2 AND node=$3", account_id,
      name, node_);
}

}  // namespace freshet::account::on_postgres
