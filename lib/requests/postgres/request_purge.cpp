// Removing, which one server does at a time: what is too old by whole parts, what is too much by
// the row, the oldest first.
#include <requests/call_numbers.hpp>

#include "requests/postgres/postgres_request_store.hpp"

namespace freshet::requests {

using postgres::pg_outcome;
using postgres::pg_statement;

namespace {

/// Rows that one transaction removes.
constexpr std::int64_t max_removed_rows = 512;
/// Who looks at the log waits no longer for what is removed; nor that for them.
constexpr const char* begin_removing = "BEGIN; SET LOCAL lock_timeout='1s'";
constexpr const char* take_place =
    "SELECT pg_try_advisory_xact_lock(hashtext('freshet requests purge'), "
    "hashtext(current_schema()))";
constexpr const char* wait_for_writers = "SELECT last FROM request_state FOR UPDATE";

std::string cut_sql(const std::string& table) {
  return "SELECT coalesce(min(number) FILTER (WHERE till>=$2), max(number)) FROM (SELECT number, "
         "sum(bytes) OVER (ORDER BY number) AS till FROM (SELECT number, bytes FROM " +
         table + " WHERE account=$1 ORDER BY number LIMIT $3) AS oldest) AS summed";
}

std::string drop_sql(const std::string& table, const std::string& kept) {
  return "WITH gone AS (DELETE FROM " + table +
         " WHERE account=$1 AND number<=$2 RETURNING bytes) UPDATE request_sizes SET " + kept +
         "=" + kept + "-(SELECT coalesce(sum(bytes), 0)::bigint FROM gone) WHERE account=$1";
}

}  // namespace

result<bool> postgres_request_store::remove(std::string_view doing,
                                            const std::function<outcome(bool& removed)>& steps) {
  bool removed = false;
  auto became = writer_.execute("purge", begin_removing);
  if (became == pg_outcome::done) became = writer_.execute("purge", wait_for_writers);
  if (became == pg_outcome::done) became = steps(removed);
  if (became == pg_outcome::done) became = writer_.execute("purge", "COMMIT");
  if (became == pg_outcome::done) return removed;
  auto failed = writer_.last_error(doing);
  roll_back();
  return failed;
}

pg_outcome postgres_request_store::drop_oldest(const doomed_rows& which, bool& removed) {
  const bool is_calls = which.kind == part_kind::calls;
  const std::string table = is_calls ? "request_chunks" : "request_bodies";
  pg_statement cut(writer_, "purge", cut_sql(table));
  auto became = cut.bind(which.account, which.bytes, max_removed_rows).run();
  if (became != pg_outcome::done || !cut.next() || cut.is_null(0)) return became;
  const auto last = cut.integer(0);
  removed = true;
  pg_statement drop(writer_, "purge", drop_sql(table, is_calls ? "calls" : "bodies"));
  became = drop.bind(which.account, last).run();
  if (became != pg_outcome::done || !is_calls) return became;
  pg_statement unname(writer_, "purge",
                      "DELETE FROM request_names WHERE account=$1 AND number<=$2");
  return unname.bind(which.account, last).run();
}

/// As much as SQLite's log lets go of at a time, of the same.
pg_outcome postgres_request_store::drop_excess(bool& removed) {
  pg_statement full(writer_, "purge",
                    "SELECT account, bodies-$1::bigint FROM request_sizes WHERE bodies>$1::bigint "
                    "ORDER BY account LIMIT 16");
  auto became = full.bind(limits_.body_bytes_of_account).run();
  while (became == pg_outcome::done && full.next()) {
    const std::string account(full.text(0));
    became = drop_oldest({part_kind::bodies, account, full.integer(1)}, removed);
  }
  if (became != pg_outcome::done) return became;
  pg_statement longest(writer_, "purge",
                       "SELECT account, calls-$1::bigint FROM request_sizes "
                       "WHERE calls>$1::bigint ORDER BY calls DESC, account LIMIT 1");
  became = longest.bind(limits_.bytes_of_account).run();
  if (became != pg_outcome::done) return became;
  if (longest.next()) {
    const std::string account(longest.text(0));
    return drop_oldest({part_kind::calls, account, longest.integer(1)}, removed);
  }
  pg_statement most(writer_, "purge",
                    "SELECT account, calls, bodies, sum(calls+bodies) OVER ()::bigint "
                    "FROM request_sizes ORDER BY calls+bodies DESC, account LIMIT 1");
  became = most.run();
  if (became != pg_outcome::done || !most.next()) return became;
  const std::string account(most.text(0));
  const auto calls = most.integer(1), bodies = most.integer(2);
  const auto excess = most.integer(3) - limits_.bytes_of_all;
  if (excess <= 0) return became;
  // Some goes at a time, of what there is more of: then another may have the most.
  const auto kind = bodies > calls ? part_kind::bodies : part_kind::calls;
  const auto spare = std::min(excess, std::max(calls, bodies) / 8 + 1);
  return drop_oldest({kind, account, spare}, removed);
}

/// What another server wrote of an account that was gone.
pg_outcome postgres_request_store::drop_forgotten(bool& removed) {
  auto became =
      writer_.execute("purge", "DELETE FROM request_forgotten WHERE at<now()-interval '1 day'");
  pg_statement late(writer_, "purge",
                    "SELECT account FROM request_forgotten JOIN request_sizes USING (account) "
                    "LIMIT 1");
  if (became == pg_outcome::done) became = late.run();
  if (became != pg_outcome::done || !late.next()) return became;
  const std::string account(late.text(0));
  return drop_all_of(account, removed);
}

/// Some of it at a time, and then that there is such an account.
pg_outcome postgres_request_store::drop_all_of(std::string_view account, bool& removed) {
  auto became = pg_outcome::done;
  for (const auto kind : {part_kind::calls, part_kind::bodies}) {
    if (became == pg_outcome::done) became = drop_oldest({kind, account}, removed);
  }
  if (became != pg_outcome::done || removed) return became;
  pg_statement unlist(writer_, "purge", "DELETE FROM request_sizes WHERE account=$1");
  return unlist.bind(account).run();
}

result<bool> postgres_request_store::purge(time_point now) {
  calls_from_ = first_number(now - limits_.keep);
  bodies_from_ = first_number(now - limits_.keep_bodies);
  return remove("removing what is old from the request log", [&](bool& removed) {
    const auto place = writer_.integer(take_place);
    if (!place) return pg_outcome::failed;
    // Another server does it.
    if (*place == 0) return pg_outcome::done;
    auto became = drop_part(writer_, part_kind::calls, calls_from_, removed);
    if (became == pg_outcome::done && !removed)
      became = drop_part(writer_, part_kind::bodies, bodies_from_, removed);
    if (became == pg_outcome::done && !removed) became = drop_forgotten(removed);
    if (became == pg_outcome::done && !removed) became = drop_excess(removed);
    return became;
  });
}

result<bool> postgres_request_store::forget(std::string_view account) {
  return remove("forgetting an account's requests", [&](bool& removed) {
    pg_statement put(writer_, "purge",
                     "INSERT INTO request_forgotten (account) VALUES ($1) ON CONFLICT (account) DO "
                     "UPDATE SET at=now()");
    const auto became = put.bind(account).run();
    return became == pg_outcome::done ? drop_all_of(account, removed) : became;
  });
}

}  // namespace freshet::requests
