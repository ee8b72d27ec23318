// Searching, in one snapshot, so that an item that moves meanwhile is seen once. The newest items
// are looked through, one after the other: what is common is among them. What is not is looked up
// in the index of words, first of the newest parts, and what is rare then in that of all.
#include <algorithm>
#include <optional>
#include <utility>

#include "archive/postgres/postgres_item_store.hpp"

namespace freshet::archive {

using postgres::pg_connection;
using postgres::pg_outcome;
using postgres::pg_statement;

namespace {

/// Parts that are asked about at once: from these, of which one is made ahead and one has just been
/// begun, doubled, to that.
constexpr std::size_t first_at_once = 3, most_at_once = 12;
/// No code is compiled for what takes a millisecond: that took a hundred, where statistics are old.
constexpr const char* begin_reading =
    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL plan_cache_mode=force_custom_plan; "
    "SET LOCAL jit=off";
/// To plan over all parts takes longer than to look a word up in each: it is done once.
constexpr const char* plan_once =
    "SET LOCAL plan_cache_mode=force_generic_plan; SET LOCAL enable_seqscan=off";

/// How a part is searched.
enum class search_way : std::uint8_t {
  look_through,  ///< its newest items alone, one after the other
  by_index,      ///< of words; the planner would else rather look through
  everywhere,    ///< likewise in all parts, also where they are not asked for: by one plan
  whole,         ///< without words there is nothing to look up
};

bool uses_index(search_way way) {
  return way == search_way::by_index || way == search_way::everywhere;
}

/// What is looked for in each text: what the index has found are words, so phrases are left.
const postgres::pg_array& runs_of(const word_wishes& wishes, search_way way) {
  return uses_index(way) ? wishes.phrases : wishes.runs;
}

/// $1 to $4: platform, positions from and below, limit; then what is wished for. Where the index of
/// words is meant the scan is given nothing that leads to another: of a part that nobody has
/// analyzed yet the planner would take that, and split all texts into words.
std::string search_sql(const std::string& table, const word_wishes& wishes, search_way way) {
  const bool everywhere = way == search_way::everywhere;
  const bool by_index = uses_index(way);
  std::string sql = by_index ? "WITH found AS MATERIALIZED" : "WITH found AS NOT MATERIALIZED";
  sql += " (SELECT platform, position, item, words FROM " + table + " WHERE ";
  if (!by_index) sql += "platform=$1 AND ";
  sql += everywhere ? "position+0>=$2 AND position+0<$3" : "position>=$2 AND position<$3";
  if (by_index) sql += " AND string_to_array(words, ' ') @> $5::text[]";
  if (way == search_way::look_through) sql += " ORDER BY position DESC LIMIT 1000";
  sql += ") SELECT position, item FROM found WHERE platform=$1 AND ";
  if (!runs_of(wishes, way).empty())
    sql +=
        "NOT EXISTS (SELECT FROM unnest($6::text[]) AS one(run) WHERE "
        "strpos(' '||words||' ', run)=0) AND ";
  if (!wishes.unwanted.empty())
    sql +=
        "NOT EXISTS (SELECT FROM unnest($7::text[]) AS one(run) WHERE "
        "strpos(' '||words||' ', run)>0) AND ";
  // Each that is bound must have a type, also where nothing is asked of it.
  return sql +
         "coalesce(cardinality($5::text[])+cardinality($6::text[])+"
         "cardinality($7::text[]), 0)>=0 ORDER BY position DESC LIMIT $4";
}

/// Runs `sql`, if anything, after which each statement ends when the search's time is up. Refused
/// where the search does not go on.
pg_outcome set_time(pg_connection& connection, const search_course& course, std::string sql = {}) {
  if (!course.goes_on()) return pg_outcome::refused;
  const auto most = std::max(std::min(course.left(), read_timeout), std::chrono::milliseconds(1));
  sql += "SET LOCAL statement_timeout=" + std::to_string(most.count());
  return connection.execute("read", sql.c_str());
}

}  // namespace

result<void> postgres_item_store::read(const std::function<outcome(pg_connection&)>& reading,
                                       const search_course* course) {
  error why(errc::storage_unavailable, "reading the archive");
  const auto became = readers_.read([&](pg_connection& connection) {
    std::optional<pg_connection::watched> watched;
    if (course != nullptr) watched.emplace(connection, [course] { return !course->is_left(); });
    auto done = course == nullptr
                    ? connection.execute("read", begin_reading)
                    : set_time(connection, *course, std::string(begin_reading) + "; ");
    if (done == pg_outcome::done) done = reading(connection);
    if (done == pg_outcome::done) return connection.execute("read", "COMMIT");
    why = connection.last_error("reading the archive");
    if (connection.in_transaction() && connection.execute("ROLLBACK") != pg_outcome::done)
      connection.close();
    return done;
  });
  const bool is_read = became && *became == pg_outcome::done;
  if (!is_read && course != nullptr && !course->goes_on()) return course->ending();
  if (!became) return became.error();
  if (!is_read) return why;
  return {};
}

pg_outcome postgres_item_store::read_page(pg_connection& connection, const search& search,
                                          const word_wishes& wishes, page& found) const {
  const auto lowest = std::max(search.since ? oldest_position(*search.since) : 0, oldest());
  auto below = search.before > 0 ? search.before : last_position;
  pg_statement known(connection, "find",
                     "SELECT first FROM archive_parts WHERE platform=$1 AND first<$2 AND last>$3 "
                     "ORDER BY first DESC");
  auto became = known.bind(platform(), below, lowest).run();
  const auto wanted = static_cast<std::int64_t>(search.limit) + 1;
  std::int64_t last = 0;
  const auto look = [&](std::int64_t from, search_way way) {
    if (search.course != nullptr) became = set_time(connection, *search.course);
    if (became != pg_outcome::done) return;
    pg_statement query(connection, "find", search_sql(parts_.table(), wishes, way));
    const auto left = wanted - static_cast<std::int64_t>(found.items.size());
    query.bind(platform(), from, below, left, wishes.words, runs_of(wishes, way), wishes.unwanted);
    became = query.run();
    while (became == pg_outcome::done && query.next()) {
      if (found.items.size() == search.limit) {
        found.next = last;
        break;
      }
      last = query.integer(0);
      found.items.emplace_back(query.text(1));
    }
  };
  const auto goes_on = [&] { return became == pg_outcome::done && found.next == 0; };
  bool is_end = false;
  const auto begin_of = [&](std::size_t parts) {
    for (std::size_t i = 0; i < parts && !is_end; ++i) is_end = !known.next();
    return is_end ? lowest : std::max(lowest, known.integer(0));
  };
  if (wishes.words.empty()) {
    for (auto parts = first_at_once; goes_on() && !is_end;
         parts = std::min(parts * 2, most_at_once)) {
      const auto from = begin_of(parts);
      look(from, search_way::whole);
      below = from;
    }
    return became;
  }
  if (!goes_on()) return became;
  const auto from = begin_of(first_at_once);
  look(from, search_way::look_through);
  if (!goes_on()) return became;
  found = {};
  look(from, search_way::by_index);
  below = from;
  if (!goes_on() || is_end) return became;
  became = connection.execute("find", plan_once);
  if (goes_on()) look(lowest, search_way::everywhere);
  return became;
}

result<page> postgres_item_store::find(const search& what) {
  const auto wishes = wishes_of(what.q, what.lang);
  page found;
  auto done = read(
      [&](pg_connection& connection) {
        found = {};
        return read_page(connection, what, wishes, found);
      },
      what.course);
  if (!done) return done.error();
  return found;
}

result<std::string> postgres_item_store::cursor(std::string_view name) {
  std::string found;
  auto done = read([&](pg_connection& connection) {
    pg_statement query(connection, "find",
                       "SELECT value FROM archive_cursors WHERE platform=$1 AND name=$2");
    const auto became = query.bind(platform(), name).run();
    if (became == pg_outcome::done && query.next()) found = query.text(0);
    return became;
  });
  if (!done) return done.error();
  return found;
}

result<statistics> postgres_item_store::measure() {
  statistics made;
  auto done = read([&](pg_connection& connection) {
    pg_statement query(
        connection, "find",
        "SELECT (SELECT count(*) FROM archive_items WHERE platform=$1 AND position>=$2), (SELECT "
        "coalesce(sum(pg_total_relation_size(inhrelid)), 0)::bigint FROM pg_inherits WHERE "
        "inhparent=to_regclass($3::text)), coalesce((SELECT holder FROM archive_tenures WHERE "
        "platform=$1 AND until>=clock_timestamp()), '')");
    const auto became = query.bind(platform(), oldest(), std::string_view(parts_.table())).run();
    if (became == pg_outcome::done && query.next()) query.read(made.items, made.bytes, made.holder);
    return became;
  });
  if (!done) return done.error();
  return made;
}

}  // namespace freshet::archive
