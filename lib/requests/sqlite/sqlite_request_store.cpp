// A reader opens the file anew: it waits for nobody, and nobody for it.
#include "requests/sqlite/sqlite_request_store.hpp"

#include <algorithm>
#include <base/disk_room.hpp>
#include <base/ids.hpp>
#include <requests/call_numbers.hpp>
#include <sqlite/database_files.hpp>
#include <utility>

namespace freshet::requests {

using sqlite::sqlite_code;
using sqlite::sqlite_done;
using sqlite::sqlite_ok;
using sqlite::sqlite_row;
using sqlite::statement;

namespace {

constexpr std::int64_t schema_version = 1;
constexpr const char* schema =
    "CREATE TABLE chunks(number INTEGER PRIMARY KEY, account TEXT NOT NULL,"
    " calls INTEGER NOT NULL, bytes INTEGER NOT NULL, kinds INTEGER NOT NULL,"
    " codes INTEGER NOT NULL, endpoints INTEGER NOT NULL, keys INTEGER NOT NULL,"
    " named INTEGER NOT NULL, packed BLOB NOT NULL);"
    "CREATE INDEX chunks_of ON chunks(account);"
    "CREATE TABLE bodies(number INTEGER PRIMARY KEY, account TEXT NOT NULL,"
    " bytes INTEGER NOT NULL, sent BLOB NOT NULL, answered BLOB NOT NULL);"
    "CREATE INDEX bodies_of ON bodies(account);"
    "CREATE TABLE names(account TEXT NOT NULL, name TEXT NOT NULL, number INTEGER NOT NULL,"
    " PRIMARY KEY(account, name)) WITHOUT ROWID;"
    "PRAGMA user_version=1";

/// Rows that one transaction removes; pages that it gives back.
constexpr std::int64_t max_removed = 64;

result<void> open_reader(sqlite::database& db, const std::string& path) {
  return db.open(path, sqlite::database_use::read);
}

}  // namespace

sqlite_request_store::sqlite_request_store(std::string path, store_limits limits)
    : path_(std::move(path)), limits_(limits) {}

void sqlite_request_store::close() noexcept { db_.close(); }

/// What an operator may want of it stays, once.
std::string sqlite_request_store::put_aside() {
  const auto aside = path_ + ".broken";
  for (const auto* journal : {"-wal", "-shm"}) sqlite::remove_file(path_ + journal);
  if (auto moved = sqlite::rename_synced(path_, aside); !moved) sqlite::remove_file(path_);
  return "the log's file is broken; a new one is begun, and it is " + aside;
}

write_outcome sqlite_request_store::open() {
  db_.fail = fail;
  if (auto made = sqlite::make_private_file(path_); !made) return {made.error()};
  const auto opened = db_.open(path_, sqlite::database_use::write);
  // Whatever was refused first, this says whether there is a database at all.
  const auto code = db_.execute("open", "SELECT count(*) FROM sqlite_schema");
  if (!opened || code != sqlite_ok) {
    auto why = opened ? db_.last_error("opening " + path_) : opened.error();
    return {std::move(why), sqlite::is_uncertain(code)};
  }
  return set_up();
}

write_outcome sqlite_request_store::set_up() {
  // What a power cut takes from this file nobody has to have back.
  if (db_.execute("PRAGMA synchronous=NORMAL") != sqlite_ok) {
    return {db_.last_error("setting up " + path_)};
  }
  const auto made = db_.has_table("chunks");
  if (!made) return {made.error()};
  if (!*made) {
    auto outcome = commit("making the request log", [this] { return db_.execute(schema); });
    if (!outcome.done) return outcome;
  }
  const auto version = db_.integer("PRAGMA user_version");
  if (!version) return {version.error()};
  if (*version != schema_version) {
    return {error(errc::storage_unavailable, path_ + " is no request log of this version")};
  }
  if (const auto code = measure(); code != sqlite_ok) {
    return {db_.last_error("reading the request log"), sqlite::is_uncertain(code)};
  }
  return {};
}

/// How much there is of whom, and where the numbers go on.
sqlite_code sqlite_request_store::measure() {
  held_.clear();
  statement chunks(db_, "measure",
                   "SELECT account, sum(bytes), max(number) FROM chunks GROUP BY 1");
  auto code = chunks.each_row([&] {
    held_[std::string(chunks.text(0))].calls = chunks.integer(1);
    last_ = std::max(last_, chunks.integer(2));
  });
  if (code != sqlite_ok) return code;
  statement bodies(db_, "measure", "SELECT account, sum(bytes) FROM bodies GROUP BY 1");
  return bodies.each_row([&] { held_[std::string(bodies.text(0))].bodies = bodies.integer(1); });
}

write_outcome sqlite_request_store::commit(std::string_view doing, const steps& run) {
  sqlite_code code = db_.execute("begin", "BEGIN IMMEDIATE");
  if (code == sqlite_ok) code = run();
  if (code == sqlite_ok) code = db_.execute("commit", "COMMIT");
  if (code == sqlite_ok) return {};
  auto failure = db_.last_error(doing);
  if (db_.in_transaction()) static_cast<void>(db_.execute("ROLLBACK"));
  return {std::move(failure), sqlite::is_uncertain(code)};
}

write_outcome sqlite_request_store::write(const batch& batch, time_point now) {
  if (base::free_bytes_beside(path_) < limits_.left_bytes) {
    return {error(errc::storage_unavailable, "the disk has no more room than the book needs")};
  }
  const auto last_before = last_;
  last_ = std::max(last_, first_number(now));
  // After a clock that jumped back ids tell another time than the numbers do.
  const bool names_all = last_ > first_number(now + most_clock_drift);
  auto outcome = commit("writing the request log", [&] {
    for (const auto& [account, chunks] : batch) {
      for (const auto& one : chunks) {
        if (const auto code = insert(account, one, names_all); code != sqlite_ok) return code;
      }
    }
    return sqlite_ok;
  });
  if (!outcome.done) {
    last_ = last_before;
    return outcome;
  }
  for (const auto& [account, chunks] : batch) {
    auto& of = held_[account];
    for (const auto& one : chunks) {
      of.calls += kept_bytes(one);
      for (const auto& each : one.extras) of.bodies += kept_bytes(each.bodies);
    }
  }
  outcome.last = last_;
  return outcome;
}

sqlite_code sqlite_request_store::insert(const std::string& account, const chunk& one,
                                         bool names_all) {
  const auto first = last_ + 1;
  last_ += one.calls;
  const auto names = names_of(one, last_, names_all);
  statement add(db_, "insert",
                "INSERT INTO chunks(number, account, calls, bytes, kinds, codes, endpoints, keys,"
                " named, packed) VALUES(?,?,?,?,?,?,?,?,?,?)");
  const auto bytes = kept_bytes(one);
  auto code =
      add.bind(last_, account, one.calls, bytes, one.marks.kinds, one.marks.codes,
               one.marks.endpoints, one.marks.keys, names.empty() ? 0 : 1, sqlite::blob{one.packed})
          .run();
  statement name(db_, "insert",
                 "INSERT OR REPLACE INTO names(account, name, number) VALUES(?,?,?)");
  for (const auto& [number, text] : names) {
    if (code == sqlite_ok) code = name.bind(account, text, number).run();
  }
  statement keep(db_, "insert",
                 "INSERT INTO bodies(number, account, bytes, sent, answered) VALUES(?,?,?,?,?)");
  for (const auto& each : one.extras) {
    const auto size = kept_bytes(each.bodies);
    if (size == 0 || code != sqlite_ok) continue;
    code = keep.bind(first + each.index, account, size, sqlite::blob{each.bodies.sent},
                     sqlite::blob{each.bodies.answered})
               .run();
  }
  return code;
}

sqlite_code sqlite_request_store::drop_chunks(const doomed_rows& which, std::int64_t& removed) {
  struct found_chunk {
    std::int64_t number = 0, calls = 0, bytes = 0;
    bool is_named = false;
    std::string account, packed;
  };
  std::vector<found_chunk> found;
  constexpr std::string_view of_all =
      "SELECT number, calls, bytes, named, account, CASE named WHEN 0 THEN x'' ELSE packed END"
      " FROM chunks WHERE number<?1 ORDER BY number LIMIT ?2";
  constexpr std::string_view of_one =
      "SELECT number, calls, bytes, named, account, CASE named WHEN 0 THEN x'' ELSE packed END"
      " FROM chunks WHERE number<?1 AND account=?3 ORDER BY number LIMIT ?2";
  statement query(db_, "purge", which.account.empty() ? of_all : of_one);
  query.bind(which.below, max_removed);
  if (!which.account.empty()) query.bind(which.account);
  std::int64_t freed = 0;
  auto code = query.each_row([&] {
    if (freed >= which.bytes) return;
    auto& one = found.emplace_back();
    query.read(one.number, one.calls, one.bytes, one.is_named, one.account, one.packed);
    freed += one.bytes;
  });
  statement erase(db_, "purge", "DELETE FROM chunks WHERE number=?");
  statement unname(db_, "purge", "DELETE FROM names WHERE account=? AND name=? AND number=?");
  for (const auto& one : found) {
    if (code == sqlite_ok) code = erase.bind(one.number).run();
    for (const auto& each : calls_of(one.number, one.calls, one.packed)) {
      if (code == sqlite_ok) code = unname.bind(one.account, each.request_id, each.number).run();
    }
  }
  if (code != sqlite_ok) return code;
  for (const auto& one : found) held_[one.account].calls -= one.bytes;
  removed += static_cast<std::int64_t>(found.size());
  return code;
}

sqlite_code sqlite_request_store::drop_bodies(const doomed_rows& which, std::int64_t& removed) {
  constexpr std::string_view of_all =
      "SELECT number, bytes, account FROM bodies WHERE number<?1 ORDER BY number LIMIT ?2";
  constexpr std::string_view of_one =
      "SELECT number, bytes, account FROM bodies WHERE number<?1 AND account=?3"
      " ORDER BY number LIMIT ?2";
  statement query(db_, "purge", which.account.empty() ? of_all : of_one);
  query.bind(which.below, max_removed);
  if (!which.account.empty()) query.bind(which.account);
  std::vector<std::int64_t> numbers;
  std::int64_t freed = 0;
  auto code = query.each_row([&] {
    if (freed >= which.bytes) return;
    freed += query.integer(1);
    numbers.push_back(query.integer(0));
    held_[std::string(query.text(2))].bodies -= query.integer(1);
  });
  statement erase(db_, "purge", "DELETE FROM bodies WHERE number=?");
  for (const auto number : numbers) {
    if (code == sqlite_ok) code = erase.bind(number).run();
  }
  removed += static_cast<std::int64_t>(numbers.size());
  return code;
}

sqlite_code sqlite_request_store::drop_excess(std::int64_t& removed) {
  constexpr auto newest = std::numeric_limits<std::int64_t>::max();
  auto code = sqlite_ok;
  std::int64_t all = 0;
  const held_account *most = nullptr, *most_calls = nullptr;
  for (const auto& one : held_) {
    const auto spare = one.second.bodies - limits_.body_bytes_of_account;
    if (spare > 0 && code == sqlite_ok) code = drop_bodies({one.first, newest, spare}, removed);
    all += one.second.all();
    if (most == nullptr || one.second.all() > most->second.all()) most = &one;
    if (most_calls == nullptr || one.second.calls > most_calls->second.calls) most_calls = &one;
  }
  if (most == nullptr || code != sqlite_ok) return code;
  if (const auto spare = most_calls->second.calls - limits_.bytes_of_account; spare > 0)
    return drop_chunks({most_calls->first, newest, spare}, removed);
  if (all <= limits_.bytes_of_all) return code;
  // Some goes at a time, of what there is more of: then another may have the most.
  const auto& [whose, of] = *most;
  const auto spare = std::min(all - limits_.bytes_of_all, std::max(of.calls, of.bodies) / 8 + 1);
  return of.bodies > of.calls ? drop_bodies({whose, newest, spare}, removed)
                              : drop_chunks({whose, newest, spare}, removed);
}

result<bool> sqlite_request_store::purge(time_point now) {
  std::int64_t removed = 0;
  const auto before = held_;
  const auto outcome = commit("removing what is old from the request log", [&] {
    auto code = drop_chunks({"", first_number(now - limits_.keep)}, removed);
    if (code == sqlite_ok) {
      code = drop_bodies({"", first_number(now - limits_.keep_bodies)}, removed);
    }
    if (code == sqlite_ok) code = drop_excess(removed);
    if (code == sqlite_ok && removed != 0) code = db_.execute("PRAGMA incremental_vacuum(64)");
    return code;
  });
  if (!outcome.done) {
    held_ = before;
    return outcome.done.error();
  }
  std::erase_if(held_,
                [](const auto& one) { return one.second.calls <= 0 && one.second.bodies <= 0; });
  return removed != 0;
}

result<bool> sqlite_request_store::forget(std::string_view account) {
  constexpr auto newest = std::numeric_limits<std::int64_t>::max();
  std::int64_t removed = 0;
  const auto before = held_;
  const auto outcome = commit("forgetting an account's requests", [&] {
    auto code = drop_chunks({account, newest}, removed);
    if (code == sqlite_ok) code = drop_bodies({account, newest}, removed);
    return code;
  });
  if (outcome.done) return removed != 0;
  held_ = before;
  return outcome.done.error();
}

result<std::vector<call_record>> sqlite_request_store::list(const call_query& query) const {
  sqlite::database db;
  if (auto opened = open_reader(db, path_); !opened) return opened.error();
  if (query.is_wanted) db.watch_steps(query.is_wanted);
  const auto any = call_marks::classes_of(query.filter);
  const auto all = call_marks::of(query.filter);
  constexpr auto newest = std::numeric_limits<std::int64_t>::max() - max_chunk_calls;
  const auto before = query.before > 0 ? std::min(query.before, newest) : newest;
  const auto since = query.filter.since ? first_number(*query.filter.since) : 0;
  const auto lowest = std::max(since, query.after + 1);
  std::vector<call_record> found;
  statement read(db, "list",
                 "SELECT number, calls, packed FROM chunks WHERE account=?1 AND number<?2"
                 " AND number-calls+1<?3 AND number>=?4 AND (?5=0 OR kinds&?5) AND (kinds&?6)=?6"
                 " AND (codes&?7)=?7 AND (endpoints&?8)=?8 AND (keys&?9)=?9"
                 " ORDER BY number DESC");
  read.bind(query.account, before + max_chunk_calls, before, lowest, any.kinds, all.kinds,
            all.codes, all.endpoints, all.keys);
  sqlite_code code = sqlite_row;
  while (found.size() < query.limit && (code = read.step()) == sqlite_row) {
    if (query.is_wanted && !query.is_wanted()) break;
    take_wanted(found, query, calls_of(read.integer(0), read.integer(1), read.text(2)));
  }
  if (query.is_wanted && !query.is_wanted()) return nobody_waits();
  if (code != sqlite_row && code != sqlite_done) return db.last_error("reading the request log");
  return found;
}

result<shown_call> sqlite_request_store::show(std::string_view account, std::string_view id) const {
  sqlite::database db;
  if (auto opened = open_reader(db, path_); !opened) return opened.error();
  // Those that its name or its time says; the last first.
  std::int64_t first = 0;
  std::int64_t last = -1;
  statement named(db, "show", "SELECT number FROM names WHERE account=? AND name=?");
  if (named.bind(account, id).step() == sqlite_row) {
    first = last = named.integer(0);
  } else if (const auto began = base::time_of_id("req_", id)) {
    first = first_number(*began);
    last = first_number(*began + longest_way);
  }
  statement read(db, "show",
                 "SELECT number, calls, packed FROM chunks WHERE account=?1 AND number>=?2"
                 " AND number-calls+1<=?3 AND number<?3+?4 ORDER BY number DESC");
  read.bind(account, first, last, std::int64_t{max_chunk_calls});
  shown_call shown;
  sqlite_code code = sqlite_done;
  while (shown.call.number == 0 && (code = read.step()) == sqlite_row) {
    auto calls = calls_of(read.integer(0), read.integer(1), read.text(2));
    const auto found = std::find_if(calls.rbegin(), calls.rend(),
                                    [&](const auto& one) { return one.request_id == id; });
    if (found != calls.rend()) shown.call = std::move(*found);
  }
  if (code != sqlite_row && code != sqlite_done) return db.last_error("reading the request log");
  if (shown.call.number == 0) return no_such_call(id);
  statement bodies(db, "show", "SELECT sent, answered FROM bodies WHERE number=?");
  if (bodies.bind(shown.call.number).step() == sqlite_row) {
    bodies.read(shown.bodies.sent, shown.bodies.answered);
  }
  return shown;
}

}  // namespace freshet::requests
