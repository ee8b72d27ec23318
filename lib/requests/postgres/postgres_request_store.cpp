// Writing: a batch is a transaction of a few statements, whatever is in it.
#include "requests/postgres/postgres_request_store.hpp"

#include <requests/call_numbers.hpp>
#include <utility>

namespace freshet::requests {

using postgres::pg_array;
using postgres::pg_bytes;
using postgres::pg_outcome;
using postgres::pg_statement;

namespace {

/// For those who look at the log.
constexpr std::size_t most_readers = 4;
constexpr std::chrono::seconds read_timeout{10};
/// The other servers wait for a transaction that stands still.
constexpr std::chrono::seconds longest_standstill{3};
/// What a power cut takes from the log nobody has to have back.
constexpr const char* wait_for_no_disk = "SET synchronous_commit=off";

/// The rows of a batch, by column.
struct chunk_rows {
  pg_array numbers, accounts, calls, bytes, kinds, codes, endpoints, keys, packed;
};
struct name_rows {
  pg_array numbers, accounts, names;
};
struct body_rows {
  pg_array numbers, accounts, bytes, sent, answered;
};
struct size_rows {
  pg_array accounts, calls, bodies, lasts;
};

void add_chunk(chunk_rows& rows, std::string_view account, const chunk& one, std::int64_t last) {
  rows.numbers.add(last);
  rows.accounts.add(account);
  rows.calls.add(std::int64_t{one.calls});
  rows.bytes.add(kept_bytes(one));
  rows.kinds.add(one.marks.kinds);
  rows.codes.add(one.marks.codes);
  rows.endpoints.add(one.marks.endpoints);
  rows.keys.add(one.marks.keys);
  rows.packed.add(pg_bytes{one.packed});
}

std::int64_t add_bodies(body_rows& rows, std::string_view account, const chunk& one,
                        std::int64_t last) {
  std::int64_t all = 0;
  for (const auto& each : one.extras) {
    const auto bytes = kept_bytes(each.bodies);
    if (bytes == 0) continue;
    all += bytes;
    rows.numbers.add(last - one.calls + 1 + each.index);
    rows.accounts.add(account);
    rows.bytes.add(bytes);
    rows.sent.add(pg_bytes{each.bodies.sent});
    rows.answered.add(pg_bytes{each.bodies.answered});
  }
  return all;
}

std::int64_t calls_in(const batch& batch) {
  std::int64_t calls = 0;
  for (const auto& [account, chunks] : batch) {
    for (const auto& one : chunks) calls += one.calls;
  }
  return calls;
}

}  // namespace

postgres_request_store::postgres_request_store(std::string url, store_limits limits,
                                               std::shared_ptr<postgres::read_replica> replica)
    : limits_(limits), replica_(std::move(replica)) {
  where_.url = std::move(url);
  where_.idle_timeout = longest_standstill;
  auto reading = where_;
  reading.statement_timeout = read_timeout;
  readers_.begin(std::move(reading), most_readers);
}

write_outcome postgres_request_store::open() {
  writer_.fail = fail;
  if (auto opened = writer_.open(where_); !opened) return {opened.error()};
  if (writer_.execute("open", wait_for_no_disk) != pg_outcome::done)
    return {writer_.last_error("opening the request log")};
  return {postgres::migrate(writer_, request_schema(), nullptr)};
}

void postgres_request_store::roll_back() noexcept {
  if (writer_.in_transaction() && writer_.execute("ROLLBACK") != pg_outcome::done) writer_.close();
}

pg_outcome postgres_request_store::begin(std::int64_t first, std::int64_t calls, turn& taken) {
  if (const auto begun = writer_.execute("begin", "BEGIN"); begun != pg_outcome::done) return begun;
  pg_statement take(writer_, "begin", take_turn);
  const auto became = take.bind(first, calls).run();
  if (became == pg_outcome::done && !take.next()) return pg_outcome::failed;
  if (became == pg_outcome::done)
    take.read(taken.last, taken.calls_end, taken.bodies_end, taken.transaction);
  return became;
}

pg_outcome postgres_request_store::insert(const batch& batch, std::int64_t first, turn& taken,
                                          bool names_all) {
  chunk_rows chunks;
  name_rows names;
  body_rows bodies;
  size_rows sizes;
  std::int64_t last = first - 1;
  for (const auto& [account, of] : batch) {
    std::int64_t bytes = 0, body_bytes = 0;
    for (const auto& one : of) {
      last += one.calls;
      bytes += kept_bytes(one);
      add_chunk(chunks, account, one, last);
      body_bytes += add_bodies(bodies, account, one, last);
      for (const auto& [number, name] : names_of(one, last, names_all)) {
        names.numbers.add(number);
        names.accounts.add(account);
        names.names.add(std::string_view(name));
      }
    }
    sizes.accounts.add(account);
    sizes.calls.add(bytes);
    sizes.bodies.add(body_bytes);
    sizes.lasts.add(last);
  }
  const auto widths = widths_for(limits_.keep, limits_.keep_bodies);
  auto became =
      add_parts(writer_, part_kind::calls, widths.calls, first, taken.last, taken.calls_end);
  pg_statement put_chunks(
      writer_, "insert",
      "INSERT INTO request_chunks (number, account, calls, bytes, kinds, codes, endpoints, keys, "
      "packed) SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], "
      "$5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bytea[])");
  if (became == pg_outcome::done)
    became = put_chunks
                 .bind(chunks.numbers, chunks.accounts, chunks.calls, chunks.bytes, chunks.kinds,
                       chunks.codes, chunks.endpoints, chunks.keys, chunks.packed)
                 .run();
  pg_statement put_names(writer_, "insert",
                         "INSERT INTO request_names (number, account, name) SELECT * FROM "
                         "unnest($1::bigint[], $2::text[], $3::text[])");
  if (became == pg_outcome::done && !names.numbers.empty())
    became = put_names.bind(names.numbers, names.accounts, names.names).run();
  if (became == pg_outcome::done && !bodies.numbers.empty())
    became =
        add_parts(writer_, part_kind::bodies, widths.bodies, first, taken.last, taken.bodies_end);
  pg_statement put_bodies(writer_, "insert",
                          "INSERT INTO request_bodies (number, account, bytes, sent, answered) "
                          "SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], "
                          "$4::bytea[], $5::bytea[])");
  if (became == pg_outcome::done && !bodies.numbers.empty())
    became =
        put_bodies.bind(bodies.numbers, bodies.accounts, bodies.bytes, bodies.sent, bodies.answered)
            .run();
  pg_statement put_sizes(
      writer_, "insert",
      "INSERT INTO request_sizes AS held (account, calls, bodies, last) SELECT * FROM "
      "unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) ON CONFLICT (account) DO "
      "UPDATE SET calls=held.calls+excluded.calls, bodies=held.bodies+excluded.bodies, "
      "last=excluded.last");
  if (became != pg_outcome::done) return became;
  return put_sizes.bind(sizes.accounts, sizes.calls, sizes.bodies, sizes.lasts).run();
}

write_outcome postgres_request_store::write(const batch& batch, time_point now) {
  if (!doubtful_.transaction.empty()) {
    auto known = resolve();
    // In, or still not known.
    if (known.done || known.is_unsure) return known;
  }
  turn taken;
  const auto calls = calls_in(batch);
  auto became = begin(first_number(now), calls, taken);
  if (became == pg_outcome::done) {
    const auto first = taken.last - calls + 1;
    // After a clock that jumped back, or that is behind another server's, ids tell another time
    // than the numbers do.
    const bool names_all = first > first_number(now + most_clock_drift);
    became = insert(batch, first, taken, names_all);
  }
  const bool is_sent = became == pg_outcome::done;
  if (is_sent) became = writer_.execute("commit", "COMMIT");
  if (became == pg_outcome::done && writer_.fails("reply")) {
    writer_.close();
    became = pg_outcome::lost;
  }
  if (became == pg_outcome::done) return {{}, false, false, taken.last};
  write_outcome failed{writer_.last_error("writing the request log")};
  roll_back();
  failed.is_unsure = is_sent && became == pg_outcome::lost;
  if (failed.is_unsure) doubtful_ = std::move(taken);
  return failed;
}

write_outcome postgres_request_store::resolve() {
  pg_statement query(writer_, "resolve", "SELECT pg_xact_status($1::text::xid8)");
  const auto became = query.bind(std::string_view(doubtful_.transaction)).run();
  const bool is_told = became == pg_outcome::done && query.next();
  // What a crash has taken with it, too: its number is of the future then, and refused.
  const bool is_lost = became == pg_outcome::refused || (is_told && query.text(0) == "aborted");
  if (is_told && query.text(0) == "committed") {
    return {{}, false, false, std::exchange(doubtful_, {}).last};
  }
  write_outcome unknown{writer_.last_error("finding a lost commit")};
  unknown.is_unsure = !is_lost;
  if (is_lost) doubtful_ = {};
  return unknown;
}

}  // namespace freshet::requests
