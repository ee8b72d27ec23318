// A table for each platform, partitioned by position, which is a time. A part is made apart and
// then attached, for which nobody who reads has to wait.
#include "archive/postgres/archive_tables.hpp"

#include <algorithm>
#include <archive/pending.hpp>
#include <iterator>
#include <map>

namespace freshet::archive {
namespace {

using postgres::pg_connection;
using postgres::pg_outcome;
using postgres::pg_statement;
using std::chrono::hours;

/// Words are looked up in the index of their array; phrases are then found in the text.
constexpr postgres::pg_migration steps_to_now[] = {
    {1, R"sql(
CREATE TABLE archive_items (
  platform TEXT NOT NULL,
  position BIGINT NOT NULL,
  key BIGINT NOT NULL,
  author BIGINT NOT NULL,
  item TEXT COLLATE "C" NOT NULL,
  words TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (platform, position)
) PARTITION BY LIST (platform);
CREATE INDEX archive_items_keys ON archive_items (key);
CREATE INDEX archive_items_authors ON archive_items (author);
CREATE INDEX archive_items_words ON archive_items USING GIN (string_to_array(words, ' '))
  WITH (gin_pending_list_limit = 256);  -- kB: each search looks through what waits there
-- The parts of a platform: positions from `first` on, below `last`.
CREATE TABLE archive_parts (
  platform TEXT NOT NULL,
  first BIGINT NOT NULL,
  last BIGINT NOT NULL,
  PRIMARY KEY (platform, first)
);
CREATE TABLE archive_shut (
  platform TEXT NOT NULL,
  author BIGINT NOT NULL,
  PRIMARY KEY (platform, author)
);
CREATE TABLE archive_cursors (
  platform TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (platform, name)
);
-- Who may write: whose number is the highest, until then.
CREATE TABLE archive_tenures (
  platform TEXT PRIMARY KEY,
  number BIGINT NOT NULL,
  holder TEXT NOT NULL,
  until TIMESTAMPTZ NOT NULL
);
)sql"},
};

constexpr postgres::pg_schema schema_of_archives{"the archive", "freshet_archive_schema",
                                                 "freshet archive schema", steps_to_now};

/// Parts that there are of what is kept, about.
constexpr int usual_parts = 28;
/// Parts that one batch makes.
constexpr int most_added = 8;
constexpr std::int64_t positions_of_hour = std::chrono::milliseconds(hours(1)).count() << tie_bits;

}  // namespace

const postgres::pg_schema& archive_schema() noexcept { return schema_of_archives; }

hours part_width(std::chrono::seconds age) noexcept {
  return hours(std::max<std::int64_t>(1, age / hours(1) / usual_parts));
}

archive_parts::archive_parts(std::string_view platform, std::chrono::seconds age)
    : platform_(platform),
      table_("archive_items_" + platform_),
      size_(part_width(age).count() * positions_of_hour) {}

std::string archive_parts::name_of(std::int64_t first) const {
  const auto within = (first % positions_of_hour) >> tie_bits;
  return table_ + "_" + std::to_string(first / positions_of_hour) +
         (within == 0 ? "" : "_" + std::to_string(within));
}

pg_outcome archive_parts::prepare(pg_connection& connection) const {
  const std::string sql =
      "BEGIN; SELECT pg_advisory_xact_lock(hashtext('freshet archive tables'), "
      "hashtext(current_schema())); SET LOCAL client_min_messages=warning; "
      "CREATE TABLE IF NOT EXISTS " +
      table_ + " PARTITION OF archive_items FOR VALUES IN ('" + platform_ +
      "') PARTITION BY RANGE (position); CREATE TABLE IF NOT EXISTS " + rest() + " PARTITION OF " +
      table_ + " DEFAULT; COMMIT";
  return connection.execute(sql.c_str());
}

pg_outcome archive_parts::make(pg_connection& connection, std::int64_t first,
                               std::int64_t last) const {
  const auto part = name_of(first);
  const auto from = std::to_string(first), to = std::to_string(last);
  const std::string sql =
      "CREATE TABLE " + part + " (LIKE archive_items INCLUDING ALL); WITH moved AS (DELETE FROM " +
      rest() + " WHERE position>=" + from + " AND position<" + to + " RETURNING *) INSERT INTO " +
      part + " SELECT * FROM moved; ALTER TABLE " + table_ + " ATTACH PARTITION " + part +
      " FOR VALUES FROM (" + from + ") TO (" + to +
      "); INSERT INTO archive_parts (platform, first, last) VALUES ('" + platform_ + "', " + from +
      ", " + to + ")";
  return connection.execute("part", sql.c_str());
}

pg_outcome archive_parts::add(pg_connection& connection, const std::set<std::int64_t>& positions,
                              std::int64_t now) const {
  const auto next = first_of(now) + size_;
  pg_statement known(connection, "part", "SELECT first, last FROM archive_parts WHERE platform=$1");
  auto became = known.bind(std::string_view(platform_)).run();
  std::map<std::int64_t, std::int64_t> parts;  // their ends by their beginnings
  while (became == pg_outcome::done && known.next()) parts[known.integer(0)] = known.integer(1);
  std::set<std::int64_t> wanted{now, next};
  wanted.insert(positions.begin(), positions.lower_bound(next + size_));
  int added = 0;
  for (auto one = wanted.rbegin();
       became == pg_outcome::done && one != wanted.rend() && added < most_added; ++one) {
    auto first = first_of(*one), last = first + size_;
    const auto after = parts.upper_bound(*one);
    if (after != parts.end()) last = std::min(last, after->first);
    if (after != parts.begin()) first = std::max(first, std::prev(after)->second);
    if (first > *one) continue;  // it has its part
    became = make(connection, first, last);
    parts[first] = last;
    ++added;
  }
  return became;
}

pg_outcome archive_parts::cut(pg_connection& connection, std::int64_t end,
                              std::int64_t bytes) const {
  pg_statement found(connection, "part",
                     "SELECT first, last FROM archive_parts WHERE platform=$1 AND first<$2 AND "
                     "last>$2");
  auto became = found.bind(std::string_view(platform_), end).run();
  if (became != pg_outcome::done || !found.next()) return became;
  const auto first = found.integer(0), last = found.integer(1);
  const auto part = name_of(first);
  pg_statement size(connection, "part", "SELECT pg_total_relation_size($1::text::regclass)");
  became = size.bind(std::string_view(part)).run();
  if (became != pg_outcome::done || !size.next() || size.integer(0) <= bytes) return became;
  const auto from = std::to_string(first), to = std::to_string(end);
  const std::string sql =
      "ALTER TABLE " + table_ + " DETACH PARTITION " + part + "; WITH later AS (DELETE FROM " +
      part + " WHERE position>=" + to + " RETURNING *) INSERT INTO " + rest() +
      " SELECT * FROM later; ALTER TABLE " + table_ + " ATTACH PARTITION " + part +
      " FOR VALUES FROM (" + from + ") TO (" + to + "); UPDATE archive_parts SET last=" + to +
      " WHERE platform='" + platform_ + "' AND first=" + from;
  became = connection.execute("part", sql.c_str());
  return became == pg_outcome::done ? make(connection, end, last) : became;
}

pg_outcome archive_parts::sort_in(pg_connection& connection) const {
  pg_statement all(connection, "expire",
                   "SELECT gin_clean_pending_list(indexrelid) FROM pg_inherits JOIN pg_index ON "
                   "indrelid=inhrelid JOIN pg_class ON pg_class.oid=indexrelid JOIN pg_am ON "
                   "pg_am.oid=relam AND amname='gin' WHERE inhparent=$1::text::regclass");
  return all.bind(std::string_view(table_)).run();
}

pg_outcome archive_parts::drop(pg_connection& connection, std::int64_t below, bool& is_gone) const {
  pg_statement oldest(connection, "expire",
                      "DELETE FROM archive_parts WHERE platform=$1 AND first=(SELECT min(first) "
                      "FROM archive_parts WHERE platform=$1) AND last<=$2 RETURNING first");
  const auto became = oldest.bind(std::string_view(platform_), below).run();
  is_gone = became == pg_outcome::done && oldest.next();
  if (!is_gone) return became;
  return connection.execute("expire", ("DROP TABLE " + name_of(oldest.integer(0))).c_str());
}

}  // namespace freshet::archive
