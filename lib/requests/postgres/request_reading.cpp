// Looking into the log, on connections of which there are a few. A list is read by pieces, the
// newest first, and asks between them whether somebody still waits.
#include <algorithm>
#include <base/ids.hpp>
#include <requests/call_numbers.hpp>
#include <utility>

#include "requests/postgres/postgres_request_store.hpp"

namespace freshet::requests {

using postgres::pg_array;
using postgres::pg_connection;
using postgres::pg_outcome;
using postgres::pg_statement;

namespace {

/// Chunks of a piece: few at first, for most who look want the newest.
constexpr std::int64_t first_piece = 8, largest_piece = 128;
/// However many there are: whoever looks for longer than that has asked for too much.
constexpr std::chrono::seconds longest_look{60};

constexpr const char* read_piece =
    "SELECT number, calls, packed FROM request_chunks WHERE account=$1 AND number<$2 AND "
    "number-calls+1<$3 AND number>=$4 AND ($5::bigint=0 OR kinds&$5::bigint<>0) AND "
    "(kinds&$6)=$6 AND (codes&$7)=$7 AND (endpoints&$8)=$8 AND (keys&$9)=$9 "
    "ORDER BY number DESC LIMIT $10";

/// Not for the newest calls, which somebody may be watching: they are few pieces, and cost little.
bool is_search(const call_query& query) noexcept {
  return query.after == 0 && (query.before > 0 || query.filter != request_filter());
}

struct number_range {
  std::int64_t first = 0, last = -1;
};

/// Where a call of that id may be.
pg_outcome find_range(pg_connection& connection, std::string_view account, std::string_view id,
                      number_range& found) {
  pg_statement named(connection, "show",
                     "SELECT number FROM request_names WHERE account=$1 AND name=$2 ORDER BY "
                     "number DESC LIMIT 1");
  const auto became = named.bind(account, id).run();
  if (became != pg_outcome::done) return became;
  if (named.next()) {
    found.first = found.last = named.integer(0);
  } else if (const auto began = base::time_of_id("req_", id)) {
    found = {first_number(*began), first_number(*began + longest_way)};
  }
  return became;
}

pg_outcome find_call(pg_connection& connection, std::string_view account, std::string_view id,
                     number_range range, call_record& found) {
  pg_statement read(connection, "show",
                    "SELECT number, calls, packed FROM request_chunks WHERE account=$1 AND "
                    "number>=$2 AND number-calls+1<=$3 AND number<$4 ORDER BY number DESC");
  const auto became =
      read.bind(account, range.first, range.last, range.last + max_chunk_calls).run();
  while (found.number == 0 && read.next()) {
    auto calls = calls_of(read.integer(0), read.integer(1), read.text(2));
    const auto one = std::find_if(calls.rbegin(), calls.rend(),
                                  [&](const auto& each) { return each.request_id == id; });
    if (one != calls.rend()) found = std::move(*one);
  }
  return became;
}

}  // namespace

result<void> postgres_request_store::read(
    bool may_be_old, const std::function<outcome(pg_connection&, error&)>& reading) const {
  error why(errc::storage_unavailable, "reading the request log");
  const auto read_on = [&](pg_connection& on) {
    const auto done = reading(on, why);
    if (done != pg_outcome::done && why.code() == errc::storage_unavailable)
      why = on.last_error("reading the request log");
    return done;
  };
  const auto became = may_be_old && replica_ != nullptr ? replica_->read(readers_, read_on)
                                                        : readers_.read(read_on);
  if (!became) return became.error();
  if (*became != pg_outcome::done) return why;
  return {};
}

result<std::vector<call_record>> postgres_request_store::list(const call_query& query) const {
  const auto any = call_marks::classes_of(query.filter);
  const auto all = call_marks::of(query.filter);
  constexpr auto newest = std::numeric_limits<std::int64_t>::max() - max_chunk_calls;
  const auto before = query.before > 0 ? std::min(query.before, newest) : newest;
  const auto since = query.filter.since ? first_number(*query.filter.since) : 0;
  const auto lowest = std::max({since, query.after + 1, calls_from_.load()});
  std::vector<call_record> found;
  auto done = read(is_search(query), [&](pg_connection& on, error& why) {
    found.clear();
    const pg_connection::watched watched(on, query.is_wanted);
    const auto until = std::chrono::steady_clock::now() + longest_look;
    auto below = before + max_chunk_calls;
    pg_statement piece(on, "list", read_piece);
    for (auto size = first_piece;; size = std::min(size * 2, largest_piece)) {
      const auto became = piece
                              .bind(query.account, below, before, lowest, any.kinds, all.kinds,
                                    all.codes, all.endpoints, all.keys, size)
                              .run();
      if (became == pg_outcome::unwanted) why = nobody_waits();
      if (became != pg_outcome::done) return became;
      while (found.size() < query.limit && piece.next()) {
        below = piece.integer(0);
        take_wanted(found, query, calls_of(below, piece.integer(1), piece.text(2)));
      }
      if (found.size() >= query.limit || std::cmp_less(piece.rows(), size)) return became;
      if (query.is_wanted && !query.is_wanted()) {
        why = nobody_waits();
        return pg_outcome::failed;
      }
      if (std::chrono::steady_clock::now() >= until) return pg_outcome::failed;
    }
  });
  if (!done) return done.error();
  return found;
}

result<shown_call> postgres_request_store::show(std::string_view account,
                                                std::string_view id) const {
  shown_call shown;
  if (!base::is_valid_request_id(id)) return no_such_call(id);
  auto done = read(false, [&](pg_connection& on, error&) {
    shown = {};
    number_range range;
    auto became = find_range(on, account, id, range);
    range.first = std::max(range.first, calls_from_.load());
    if (became == pg_outcome::done) became = find_call(on, account, id, range, shown.call);
    if (became != pg_outcome::done || shown.call.number < std::max<std::int64_t>(1, bodies_from_))
      return became;
    pg_statement bodies(on, "show",
                        "SELECT sent, answered FROM request_bodies WHERE account=$1 AND number=$2");
    became = bodies.bind(account, shown.call.number).run();
    if (bodies.next()) bodies.read(shown.bodies.sent, shown.bodies.answered);
    return became;
  });
  if (!done) return done.error();
  if (shown.call.number == 0) return no_such_call(id);
  return shown;
}

result<newest_numbers> postgres_request_store::newest_of(const std::vector<std::string>& accounts) {
  pg_array wanted;
  for (const auto& one : accounts) wanted.add(std::string_view(one));
  pg_statement query(writer_, "news",
                     "SELECT account, last FROM request_sizes WHERE account=ANY($1::text[])");
  if (query.bind(wanted).run() != pg_outcome::done)
    return writer_.last_error("asking for new requests");
  newest_numbers found;
  while (query.next()) found[std::string(query.text(0))] = query.integer(1);
  return found;
}

}  // namespace freshet::requests
