// A book that is long: what leads to a row must not be longer with it, counted in SQLite's own
// steps.
#include <sqlite3.h>

#include <account/fixture.hpp>
#include <account/store/sqlite/first_era.hpp>
#include <account/users.hpp>
#include <catch2/catch.hpp>
#include <sqlite/sqlite.hpp>

#include "support/sanitized.hpp"

using namespace freshet;
using namespace freshet::account;
using namespace freshet::account::test;
using namespace std::chrono_literals;

namespace {

const int long_book_calls = freshet::test::cases(250'000, 60'000, 20'000);

/// A closed store whose first account has made so many calls, one a second, by rows that no program
/// has hashed.
void make_long(const accounts_options& options) {
  {
    const auto store = open_or_throw(options);
    REQUIRE(store->balance_of(new_principal(*store)).has_value());
  }
  sqlite::database on;
  REQUIRE(on.open(options.database_path, sqlite::database_use::write).has_value());
  const std::string calls = std::to_string(long_book_calls);
  const std::string sql =
      "INSERT INTO ledger (seq, movement, book, amount, balance, monthly_left, kind, reason, "
      "endpoint, request_id, sources, period, key_id, at, hash) "
      "WITH RECURSIVE calls(n) AS (SELECT 0 UNION ALL SELECT n+1 FROM calls WHERE n+1<2*" +
      calls +
      ") SELECT 3+n, 2+n/2, iif(n%2=0, 'account:1', 'system:revenue'), iif(n%2=0, -1, 1), "
      "1000000, 0, 'usage', '', 'news/search', iif(n%2=0, 'req_'||(n/2), ''), 'feeds', '', 1, " +
      std::to_string(start_time.time_since_epoch().count()) + "+n/2*1000, zeroblob(32) FROM calls";
  REQUIRE(on.execute(sql.c_str()) == sqlite::sqlite_ok);
  // As the migration that makes them finds a long book.
  unpack_rows(on);
  REQUIRE(on.execute("DROP INDEX keys_origins; ALTER TABLE keys DROP COLUMN origins; "
                     "DROP TABLE budgets; DROP INDEX keys_owner; DROP INDEX keys_limited; "
                     "DROP TABLE second_factors; DROP TABLE recovery_codes; DROP TABLE passkeys; "
                     "ALTER TABLE ledger DROP COLUMN number; "
                     "DROP TABLE ledger_tops; DROP INDEX ledger_requests; DROP INDEX ledger_kinds; "
                     "DROP TABLE alert_settings; DROP TABLE alert_marks; DROP TABLE mails; "
                     "DROP INDEX accounts_mailbox; ALTER TABLE accounts DROP COLUMN mailbox; "
                     "PRAGMA user_version=9") == sqlite::sqlite_ok);
}

std::atomic<std::int64_t> steps_taken{0};

int count_steps(unsigned, void*, void* statement, void*) {
  steps_taken +=
      sqlite3_stmt_status(static_cast<sqlite3_stmt*>(statement), SQLITE_STMTSTATUS_VM_STEP, 1);
  return 0;
}

int watch_connection(sqlite3* database, char**, const sqlite3_api_routines*) {
  return sqlite3_trace_v2(database, SQLITE_TRACE_PROFILE, count_steps, nullptr);
}

/// Counts the steps of every statement of the connections that are opened while it lives.
struct step_counter {
  step_counter() { sqlite3_auto_extension(entry()); }
  ~step_counter() { sqlite3_cancel_auto_extension(entry()); }
  static void (*entry())() { return reinterpret_cast<void (*)()>(watch_connection); }
  static std::int64_t steps_of(const std::function<void()>& run) {
    steps_taken = 0;
    run();
    return steps_taken;
  }
};

/// For a page of a hundred rows; to pass a row of the book takes three steps or more.
const std::int64_t few_steps = long_book_calls / 5;

}  // namespace

TEST_CASE("in a long book a page by any filter and a refund's call are found at once",
          "[alone][sqlite][many]") {
  const temporary_folder folder;
  manual_clock clock;
  const auto options = options_for(folder.file("ledger.db"), clock, 1'000'000);
  make_long(options);
  const step_counter counter;
  const auto store = open_or_throw(options);
  const auto last = start_time + std::chrono::seconds(long_book_calls - 1);
  const struct {
    ledger_filter only;
    std::size_t rows;
  } pages[] = {
      {{}, 100},
      {{.kind = "usage"}, 100},
      {{.kind = "grant"}, 1},
      {{.kind = "expiry"}, 0},
      {{.kind = "refund"}, 0},
      {{.since = last - 9s}, 10},
      {{.since = last + 1s}, 0},
      {{.kind = "usage", .since = last - 9s}, 10},
      {{.kind = "grant", .since = last - 9s}, 0},
  };
  for (const auto& one : pages) {
    CAPTURE(one.only.kind, one.only.since.time_since_epoch().count());
    std::size_t found = 0;
    const auto steps =
        step_counter::steps_of([&] { found = store->ledger(1, 0, 100, one.only).value().size(); });
    CHECK(found == one.rows);
    CHECK(steps > 0);
    CHECK(steps < few_steps);
  }
  CHECK(step_counter::steps_of([&] {
          CHECK(store->refund("req_nobody's", std::nullopt, "x").error().code() == errc::not_found);
        }) < few_steps);
  CHECK(store->refund("req_7", std::nullopt, "sorry").value().refunded == credits{1});
  CHECK(store->ledger(1, 0, 100, {.kind = "refund"}).value().size() == 1);
}

TEST_CASE("a clock that was set hides no row from a page by its time", "[alone][many]") {
  const temporary_folder folder;
  manual_clock clock;
  const auto store = open_or_throw(options_for(folder.file("ledger.db"), clock, 10'000));
  const auto who = new_principal(*store);
  std::vector<std::pair<time_point, std::string>> charged;
  const auto charge = [&](int calls) {
    std::atomic<int> told{0};
    for (int i = 0; i < calls; ++i) {
      usage what;
      what.request_id = "req_" + std::to_string(charged.size());
      charged.emplace_back(clock.now(), what.request_id);
      store->settle(store->reserve(who, {1}).value(), {1}, what,
                    [&](const result<balance>&) { ++told; });
      clock.advance(1s);
    }
    while (told < calls) std::this_thread::sleep_for(1ms);
  };
  CHECK(store->balance_of(who).has_value());
  for (const auto step : {0h, 24h, -24h, -30h, 48h}) {
    clock.jump(step);
    charge(700);
  }
  for (std::size_t i = 0; i < charged.size(); i += 97) {
    const time_point since = charged[i].first;
    std::size_t expected = 0;
    for (const auto& [at, id] : charged) expected += at >= since ? 1 : 0;
    std::size_t found = 0;
    for (std::int64_t before = 0;;) {
      const auto rows = store->ledger(1, before, 500, {.kind = "usage", .since = since}).value();
      if (rows.empty()) break;
      found += rows.size();
      before = rows.back().seq;
    }
    CAPTURE(i);
    CHECK(found == expected);
  }
}

TEST_CASE("reports of some hold up nobody's, and one that nobody wants any more ends", "[sqlite]") {
  const temporary_folder folder;
  manual_clock clock;
  const auto options = options_for(folder.file("ledger.db"), clock, 1'000'000);
  make_long(options);
  const step_counter counter;
  const auto store = open_or_throw(options);
  gate held;
  held.close();
  std::vector<std::thread> reports;
  std::atomic<int> cancelled{0};
  for (int i = 0; i < 6; ++i)
    reports.emplace_back([&] {
      const auto ended = store->usage_of(1, {.is_wanted = [&] {
                                           held.pass();
                                           return false;
                                         }});
      cancelled += code_of(ended) == errc::cancelled ? 1 : 0;
    });
  held.await();
  // All six are in the middle of the book, and others read all the same.
  CHECK(store->ledger(1, 0, 1).value().size() == 1);
  CHECK(store->list_accounts("", 0, 1).value().size() == 1);
  held.open();
  for (auto& one : reports) one.join();
  CHECK(cancelled == 6);
}
