// Tables are partitioned by number, which is a time. A part is made apart and then attached, for
// which nobody who reads has to wait.
#include "requests/postgres/request_tables.hpp"

#include <algorithm>
#include <limits>
#include <requests/call_numbers.hpp>

namespace freshet::requests {
namespace {

using postgres::pg_connection;
using postgres::pg_outcome;
using postgres::pg_statement;
using std::chrono::hours;

constexpr postgres::pg_migration steps_to_now[] = {
    {1, R"sql(
CREATE TABLE request_chunks (
  number BIGINT NOT NULL,
  account TEXT NOT NULL,
  calls BIGINT NOT NULL,
  bytes BIGINT NOT NULL,
  kinds BIGINT NOT NULL,
  codes BIGINT NOT NULL,
  endpoints BIGINT NOT NULL,
  keys BIGINT NOT NULL,
  packed BYTEA NOT NULL,
  PRIMARY KEY (account, number)
) PARTITION BY RANGE (number);
CREATE TABLE request_names (
  number BIGINT NOT NULL,
  account TEXT NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (account, name, number)
) PARTITION BY RANGE (number);
CREATE INDEX request_names_numbers ON request_names (account, number);
CREATE TABLE request_bodies (
  number BIGINT NOT NULL,
  account TEXT NOT NULL,
  bytes BIGINT NOT NULL,
  sent BYTEA NOT NULL,
  answered BYTEA NOT NULL,
  PRIMARY KEY (account, number)
) PARTITION BY RANGE (number);
-- The parts of calls, with their names, and of bodies: numbers from `first` on, below `last`.
CREATE TABLE request_parts (
  kind TEXT NOT NULL CHECK (kind IN ('calls', 'bodies')),
  first BIGINT NOT NULL,
  last BIGINT NOT NULL,
  PRIMARY KEY (kind, last)
);
-- The highest number given, and where the newest parts end. Whoever writes changes it first: so
-- transactions of several servers run one at a time.
CREATE TABLE request_state (
  only_one INTEGER PRIMARY KEY CHECK (only_one = 1),
  last BIGINT NOT NULL,
  calls_end BIGINT NOT NULL,
  bodies_end BIGINT NOT NULL
);
INSERT INTO request_state (only_one, last, calls_end, bodies_end) VALUES (1, 0, 0, 0);
-- How much there is of whom, in bytes, and the number of the account's last call.
CREATE TABLE request_sizes (
  account TEXT PRIMARY KEY,
  calls BIGINT NOT NULL,
  bodies BIGINT NOT NULL,
  last BIGINT NOT NULL
);
-- Accounts that are gone: another server may still write a call that waited there.
CREATE TABLE request_forgotten (
  account TEXT PRIMARY KEY,
  at TIMESTAMPTZ NOT NULL DEFAULT now()
);
)sql"},
};

constexpr postgres::pg_schema schema_of_log{"the request log", "freshet_requests_schema",
                                            "freshet requests schema", steps_to_now};

/// Parts that there are of what is kept, about.
constexpr int usual_parts = 32;
/// Parts that one batch may need: two, where it begins before midnight.
constexpr int most_added = 4;
constexpr std::int64_t numbers_of_hour = std::chrono::milliseconds(hours(1)).count() << count_bits;

const char* name_of(part_kind kind) noexcept {
  return kind == part_kind::calls ? "calls" : "bodies";
}

std::string suffix_of(std::int64_t first) { return "_" + std::to_string(first / numbers_of_hour); }

std::string attach_sql(const std::string& table, std::int64_t first, std::int64_t end) {
  const std::string part = table + suffix_of(first);
  return "CREATE TABLE " + part + " (LIKE " + table + " INCLUDING ALL); ALTER TABLE " + table +
         " ATTACH PARTITION " + part + " FOR VALUES FROM (" + std::to_string(first) + ") TO (" +
         std::to_string(end) + "); ";
}

pg_outcome add_part(pg_connection& connection, part_kind kind, std::int64_t first,
                    std::int64_t end) {
  const std::string kept = name_of(kind);
  std::string sql;
  if (kind == part_kind::bodies) {
    sql = attach_sql("request_bodies", first, end);
  } else {
    sql = attach_sql("request_chunks", first, end) + attach_sql("request_names", first, end);
  }
  sql += "INSERT INTO request_parts (kind, first, last) VALUES ('" + kept + "', " +
         std::to_string(first) + ", " + std::to_string(end) + "); UPDATE request_state SET " +
         kept + "_end=" + std::to_string(end);
  return connection.execute("insert", sql.c_str());
}

/// `keep` in so many parts, of whole units.
hours width_of(std::chrono::seconds keep, hours unit) noexcept {
  const auto units = keep / unit / usual_parts;
  return unit * std::max<std::int64_t>(1, units);
}

}  // namespace

const postgres::pg_schema& request_schema() noexcept { return schema_of_log; }

part_widths widths_for(std::chrono::seconds keep, std::chrono::seconds keep_bodies) noexcept {
  return {width_of(keep, hours(24)), width_of(keep_bodies, hours(1))};
}

pg_outcome add_parts(pg_connection& connection, part_kind kind, hours width, std::int64_t first,
                     std::int64_t last, std::int64_t& end) {
  const std::int64_t size = width.count() * numbers_of_hour;
  for (int added = 0; end <= last && added < most_added; ++added) {
    const std::int64_t begin = std::max(end, first - first % size);
    const std::int64_t next = begin - begin % size + size;
    if (const auto became = add_part(connection, kind, begin, next); became != pg_outcome::done)
      return became;
    end = next;
  }
  return pg_outcome::done;
}

pg_outcome drop_part(pg_connection& connection, part_kind kind, std::int64_t end, bool& is_gone) {
  const std::string kept = name_of(kind);
  pg_statement oldest(connection, "purge",
                      "DELETE FROM request_parts WHERE kind=$1 AND last=(SELECT min(last) FROM "
                      "request_parts WHERE kind=$1 AND last<=$2) RETURNING first");
  const auto became = oldest.bind(std::string_view(kept), end).run();
  is_gone = oldest.next();
  if (became != pg_outcome::done || !is_gone) return became;
  const std::string suffix = suffix_of(oldest.integer(0));
  const std::string part =
      (kind == part_kind::calls ? "request_chunks" : "request_bodies") + suffix;
  std::string sql = "UPDATE request_sizes AS held SET " + kept + "=held." + kept +
                    "-gone.bytes FROM (SELECT account, sum(bytes)::bigint AS bytes FROM " + part +
                    " GROUP BY account) AS gone WHERE held.account=gone.account; " +
                    "DELETE FROM request_sizes WHERE calls<=0 AND bodies<=0; DROP TABLE " + part;
  if (kind == part_kind::calls) sql += ", request_names" + suffix;
  return connection.execute("purge", sql.c_str());
}

}  // namespace freshet::requests
