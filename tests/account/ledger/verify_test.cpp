#include <sqlite3.h>
#include <account/fixture.hpp>
#include <atomic>
#include <catch2/catch.hpp>
#include <sqlite/sqlite.hpp>
#include <support/sanitized.hpp>

using namespace freshet;
using namespace freshet::account;
using namespace freshet::sqlite;
using namespace freshet::account::test;

namespace {

/// Runs SQL on a file that nobody has open; the code of the first failure.
int run_sql(const std::string& path, const std::string& sql) {
  sqlite3* on = nullptr;
  int code = sqlite3_open(path.c_str(), &on);
  if (code == SQLITE_OK) code = sqlite3_exec(on, sql.c_str(), nullptr, nullptr, nullptr);
  sqlite3_close(on);
  return code;
}

/// A closed store of two accounts with a grant and 10 debits each: 22 rows.
void make_store(const temporary_folder& folder, const base::clock& clock) {
  const auto store = open_or_throw(options_for(folder.file("ledger.db"), clock, 100));
  const auto a = new_principal(*store), b = new_principal(*store, "b@example.com");
  // The grants first: work of different accounts in one batch has no order.
  for (const auto& who : {a, b}) REQUIRE(store->reserve(who, {1}).has_value());
  for (int i = 0; i < 10; ++i) {
    for (const auto& who : {a, b}) {
      usage what;
      what.endpoint = "news/search";
      what.request_id = "req_" + std::to_string(i);
      what.sources = "feeds";
      REQUIRE(
          settle(*store, store->reserve(who, {i % 3 + 1}).value(), i % 3 + 1, what).has_value());
    }
  }
  const auto report = store->verify().value();
  REQUIRE(report.ok);
  REQUIRE(report.rows == 22);
  REQUIRE(report.head.seq == 22);
}

}  // namespace

TEST_CASE("rows of the ledger can be neither changed nor removed while its triggers stand",
          "[sqlite]") {
  const temporary_folder folder;
  manual_clock clock;
  make_store(folder, clock);
  for (const char* sql : {"UPDATE ledger SET amount=0 WHERE seq=5", "DELETE FROM ledger",
                          "UPDATE ledger SET reason='x'", "DELETE FROM ledger WHERE seq=22"})
    CHECK(run_sql(folder.file("ledger.db"), sql) == SQLITE_CONSTRAINT);
  CHECK(open_or_throw(options_for(folder.file("ledger.db"), clock))->verify().value().ok);
}

TEST_CASE("whatever is done to the file is found", "[alone][sqlite]") {
  const temporary_folder original;
  manual_clock clock;
  make_store(original, clock);
  const struct {
    const char* what;
    const char* sql;
    const char* finding;
  } cases[] = {
      {"an amount", "UPDATE ledger SET amount=amount+1 WHERE seq=7", "row 7: "},
      {"amounts that make up for one another",
       "UPDATE ledger SET amount=-9, balance=91 WHERE seq=7;"
       "UPDATE ledger SET amount=9 WHERE seq=9",
       "row 7: "},
      {"a balance", "UPDATE ledger SET balance=balance+5 WHERE seq=9", "row 9: "},
      {"what of the month is left", "UPDATE ledger SET monthly_left=0 WHERE seq=9", "row 9: "},
      {"a request's id", "UPDATE ledger SET request_id='req_x' WHERE seq=9", "row 9: "},
      {"sources", "UPDATE ledger SET sources='x' WHERE seq=9", "row 9: "},
      {"a key", "UPDATE ledger SET key_id=99 WHERE seq=9", "row 9: "},
      {"a time", "UPDATE ledger SET at=at-86400000 WHERE seq=9", "row 9: "},
      {"a period", "UPDATE ledger SET period='2026-01' WHERE period<>'' AND seq<3", "row 1: "},
      {"a book", "UPDATE ledger SET book='account:2' WHERE seq=5", "row 5: "},
      {"a number", "UPDATE ledger SET number=number+1 WHERE seq=9", "row 9: "},
      {"a row made one of the first era", "UPDATE ledger SET number=0 WHERE seq=9",
       "row 9: it is of the first era"},
      {"a system book", "UPDATE ledger SET book='system:revenue' WHERE seq=9",
       "row 9: it is of no account's book"},
      {"a hash", "UPDATE ledger SET hash=zeroblob(32) WHERE seq=20", "row 20: "},
      {"a removed row", "DELETE FROM ledger WHERE seq=11", "row 11 is missing"},
      {"removed rows", "DELETE FROM ledger WHERE seq IN (11, 12)", "rows 11 to 12 are missing"},
      {"a removed row with the rest moved up",
       "DELETE FROM ledger WHERE seq=11;"
       "UPDATE ledger SET seq=-(seq-1), movement=movement-1 WHERE seq>11;"
       "UPDATE ledger SET seq=-seq WHERE seq<0",
       "row 11: "},
      {"all rows of an account with the rest moved up",
       "DELETE FROM ledger WHERE book='account:2';"
       "UPDATE ledger SET seq=-(SELECT count(*) FROM ledger AS o WHERE "
       "o.movement<=ledger.movement);"
       "UPDATE ledger SET seq=-seq, movement=-seq",
       "row 2: "},
      {"two rows swapped",
       "UPDATE ledger SET seq=-11 WHERE seq=11; UPDATE ledger SET seq=11 WHERE seq=13;"
       "UPDATE ledger SET seq=13 WHERE seq=-11",
       "row 11: "},
      {"a row added in front",
       "INSERT INTO ledger SELECT 0, 0, book, amount, balance, monthly_left, kind, reason, "
       "endpoint, request_id, sources, '', key_id, at, hash, refund_of, number, charges, packed "
       "FROM ledger WHERE seq=5",
       "row 0: "},
      {"a movement added behind",
       "INSERT INTO ledger SELECT seq+1, movement+1, book, amount, balance+amount, 0, kind, "
       "reason, endpoint, request_id, sources, '', key_id, at, hash, refund_of, number+1, charges, "
       "packed FROM ledger WHERE seq=22",
       "row 23: "},
      {"a cut tail", "DELETE FROM ledger WHERE seq>20", "rows 21 to 22 are missing at the end"},
      {"everything cut", "DELETE FROM ledger", "rows 1 to 22 are missing at the end"},
      {"a cut tail and a head made to fit",
       "DELETE FROM ledger WHERE seq>20; UPDATE ledger_head SET seq=20, movement=20, "
       "hash=(SELECT hash FROM ledger WHERE seq=20)",
       "its seal does not fit"},
      {"a removed head", "DELETE FROM ledger_head", "head: "},
      {"the largest numbers",
       "UPDATE ledger SET amount=9223372036854775807, balance=9223372036854775807 WHERE seq=21;"
       "UPDATE ledger SET amount=-9223372036854775807-1 WHERE seq=22;"
       "UPDATE ledger SET number=9223372036854775807, seq=9223372036854775807 WHERE seq=22",
       "row 21: "},
  };
  for (const auto& one : cases) {
    const temporary_folder copy;
    const std::string path = copy.file("ledger.db");
    std::filesystem::copy_file(original.file("ledger.db"), path);
    std::filesystem::copy_file(original.file("pepper"), copy.file("pepper"));
    CAPTURE(one.what);
    REQUIRE(run_sql(path, std::string("PRAGMA ignore_check_constraints=ON;"
                                      "DROP TRIGGER ledger_never_changes;"
                                      "DROP TRIGGER ledger_never_shrinks;") +
                              one.sql) == SQLITE_OK);
    const auto report = open_or_throw(options_for(path, clock))->verify();
    REQUIRE(report.has_value());
    CHECK_FALSE(report->ok);
    std::string all;
    for (const auto& finding : report->findings) all += finding + "\n";
    CAPTURE(all);
    CHECK(all.find(one.finding) != std::string::npos);
  }
}

namespace {

/// The columns of a table, from the table itself: one that is added cannot be forgotten here.
std::vector<std::string> columns_of(const std::string& path, const std::string& table) {
  database on;
  REQUIRE(on.open(path, database_use::read).has_value());
  statement query(on, "query", "SELECT name FROM pragma_table_info(?)");
  query.bind(table);
  std::vector<std::string> names;
  while (query.step() == sqlite_row) names.emplace_back(query.text(0));
  return names;
}

/// Movements of every kind: a grant, usage with and without a key, a refund and an expiry.
void make_varied_store(const temporary_folder& folder, const base::clock& clock) {
  auto options = options_for(folder.file("ledger.db"), clock, 100);
  options.plans["tiny"].monthly = {10};
  const auto store = open_or_throw(options);
  const auto who = new_principal(*store);
  const auto person = store->principal_of(who.account.id, key_mode::live).value();
  for (const auto& one : {who, person}) {
    usage what;
    what.endpoint = "news/search";
    what.request_id = "req_" + one.key.public_id;
    what.sources = "feeds,gdelt";
    REQUIRE(settle(*store, store->reserve(one, {2}).value(), 2, what).has_value());
  }
  REQUIRE(store->grant(who.account.id, {5}, "gift").has_value());
  REQUIRE(store->refund("req_dashboard", credits{1}, "sorry").has_value());
  REQUIRE(store->change_plan(who.account.id, "tiny").value().change.value < 0);
  const auto report = store->verify().value();
  REQUIRE(report.ok);
  REQUIRE(report.rows == 6);
}

/// What is found after `sql` was done to a copy of the store.
std::string findings_after(const temporary_folder& original, const base::clock& clock,
                           const std::string& sql) {
  const temporary_folder copy;
  const std::string path = copy.file("ledger.db");
  std::filesystem::copy_file(original.file("ledger.db"), path);
  std::filesystem::copy_file(original.file("pepper"), copy.file("pepper"));
  INFO(sql);
  REQUIRE(run_sql(path,
                  "PRAGMA ignore_check_constraints=ON; DROP TRIGGER ledger_never_changes;"
                  "DROP TRIGGER ledger_never_shrinks; DROP INDEX ledger_period;" +
                      sql) == SQLITE_OK);
  const auto report = open_or_throw(options_for(path, clock))->verify().value();
  std::string all;
  for (const auto& finding : report.findings) all += finding + "\n";
  CHECK(report.ok == all.empty());
  return all;
}

}  // namespace

TEST_CASE("a value that is altered in any column of any row is found, in that row",
          "[alone][sqlite][many]") {
  const temporary_folder original;
  manual_clock clock;
  make_varied_store(original, clock);
  const auto columns = columns_of(original.file("ledger.db"), "ledger");
  REQUIRE(columns.size() == 19);
  std::size_t at = 0;
  for (int seq = 1; seq <= 6; ++seq) {
    for (const auto& column : columns) {
      if (at++ % freshet::test::cases<std::size_t>(1, 1, 5) != 0) continue;
      const std::string row = std::to_string(seq);
      const std::string other =
          column == "seq" ? "seq+100"
                          : "CASE typeof(" + column + ") WHEN 'integer' THEN " + column +
                                "+1 WHEN 'text' THEN " + column + "||'x' ELSE randomblob(32) END";
      const auto found = findings_after(
          original, clock, "UPDATE ledger SET " + column + "=" + other + " WHERE seq=" + row);
      CAPTURE(seq, column, found);
      const bool last_moved = column == "seq" && seq == 6;
      const std::string expected = last_moved        ? "rows 6 to 105 are missing"
                                   : column == "seq" ? "row " + row + " is missing"
                                                     : "row " + row + ": ";
      CHECK(found.find(expected) != std::string::npos);
    }
  }
  // And that the copies themselves are sound.
  CHECK(findings_after(original, clock, "SELECT 1").find("row") == std::string::npos);
}

TEST_CASE("every missing row and every two rows in each other's place are found",
          "[alone][sqlite]") {
  const temporary_folder original;
  manual_clock clock;
  make_varied_store(original, clock);
  for (int seq = 1; seq <= 6; ++seq) {
    const std::string row = std::to_string(seq);
    CHECK_FALSE(findings_after(original, clock, "DELETE FROM ledger WHERE seq=" + row).empty());
    for (int later = seq + 1; later <= 6; ++later) {
      const std::string other = std::to_string(later);
      const auto found = findings_after(
          original, clock,
          "UPDATE ledger SET seq=-1 WHERE seq=" + row + ";UPDATE ledger SET seq=" + row +
              " WHERE seq=" + other + ";UPDATE ledger SET seq=" + other + " WHERE seq=-1");
      CHECK(found.find("row " + row + ": ") != std::string::npos);
    }
  }
}

TEST_CASE("a head that is altered in any column is found", "[sqlite]") {
  const temporary_folder original;
  manual_clock clock;
  make_varied_store(original, clock);
  for (const auto& column : columns_of(original.file("ledger.db"), "ledger_head")) {
    const std::string other =
        column == "hash" || column == "mac" ? "randomblob(32)" : column + "+1";
    const auto found =
        findings_after(original, clock, "UPDATE ledger_head SET " + column + "=" + other);
    CAPTURE(column, found);
    if (column != "only") CHECK(found.find("head: ") != std::string::npos);
  }
}

TEST_CASE("a page overwritten in the file is found", "[sqlite]") {
  const temporary_folder folder;
  manual_clock clock;
  make_store(folder, clock);
  // Bytes of a text that every row of usage has.
  std::FILE* const file = std::fopen(folder.file("ledger.db").c_str(), "r+b");
  std::string all(std::filesystem::file_size(folder.file("ledger.db")), '\0');
  REQUIRE(std::fread(all.data(), 1, all.size(), file) == all.size());
  const auto at = all.find("news/searchreq_3");
  REQUIRE(at != std::string::npos);
  std::fseek(file, static_cast<long>(at), SEEK_SET);
  std::fputs("NEWS", file);
  std::fclose(file);
  CHECK_FALSE(open_or_throw(options_for(folder.file("ledger.db"), clock))->verify().value().ok);
}

TEST_CASE("a tampered ledger goes on being written, and the finding stays", "[sqlite]") {
  const temporary_folder folder;
  manual_clock clock;
  make_store(folder, clock);
  REQUIRE(run_sql(folder.file("ledger.db"),
                  "DROP TRIGGER ledger_never_shrinks; DELETE FROM ledger WHERE seq>20") ==
          SQLITE_OK);
  const auto store = open_or_throw(options_for(folder.file("ledger.db"), clock, 100));
  const auto who = new_principal(*store);
  CHECK(settle(*store, store->reserve(who, {1}).value(), 1).has_value());
  CHECK_FALSE(store->verify().value().ok);
}
