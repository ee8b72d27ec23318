// A book as programs up to schema 15 wrote it: each movement two rows, all rows in one chain.
#pragma once

#include <account/fixture.hpp>
#include <account/ledger/ledger.hpp>
#include <account/rules/book.hpp>
#include <catch2/catch.hpp>
#include <fstream>
#include <sqlite/sqlite.hpp>

namespace freshet::account::test {

/// The text of a row, which a chain_row has views of.
struct first_era_row {
  chain_row row;
  std::string book, kind, reason, endpoint, request_id, sources, refund_of, period;
};

inline std::vector<first_era_row> rows_of_movements(sqlite::database& on) {
  std::vector<first_era_row> rows;
  sqlite::statement all(on, "query",
                        "SELECT seq, book, amount, balance, monthly_left, kind, reason, endpoint, "
                        "request_id, sources, refund_of, period, key_id, at FROM ledger "
                        "ORDER BY seq");
  while (all.step() == sqlite::sqlite_row) {
    first_era_row& one = rows.emplace_back();
    all.read(one.row.seq, one.book, one.row.amount, one.row.balance, one.row.monthly_left, one.kind,
             one.reason, one.endpoint, one.request_id, one.sources, one.refund_of, one.period,
             one.row.key_id, one.row.at);
  }
  return rows;
}

/// The number of the row that a movement's own is in the first era.
inline std::int64_t first_era_seq(std::int64_t seq) { return 2 * seq - 1; }

inline chain_head append_as_first_era(sqlite::database& database,
                                      const std::vector<first_era_row>& rows) {
  sqlite::statement insert(database, "row",
                           "INSERT INTO ledger (seq, movement, book, amount, balance, "
                           "monthly_left, kind, reason, endpoint, request_id, sources, refund_of, "
                           "period, key_id, at, hash) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  chain_head head;
  const auto put = [&](const chain_row& row) {
    head = {row.seq, row.movement, link(head.hash, row)};
    REQUIRE(insert
                .bind(row.seq, row.movement, row.book, row.amount, row.balance, row.monthly_left,
                      row.kind, row.reason, row.endpoint, row.request_id, row.sources,
                      row.refund_of, row.period, row.key_id, row.at, head.hash)
                .run() == sqlite::sqlite_ok);
  };
  std::int64_t grants = 0, revenue = 0;
  for (const first_era_row& one : rows) {
    const bool is_usage = one.kind == "usage" || one.kind == "refund";
    const auto of = entry_number(one.refund_of);
    const std::string entry = of ? entry_name(first_era_seq(*of)) : one.refund_of;
    chain_row row = one.row;
    row.movement = one.row.seq;
    row.seq = first_era_seq(one.row.seq);
    row.book = one.book;
    row.kind = one.kind;
    row.reason = one.reason;
    row.endpoint = one.endpoint;
    row.request_id = one.request_id;
    row.sources = one.sources;
    row.refund_of = entry;
    row.period = one.period;
    put(row);
    chain_row counter;
    counter.kind = one.kind;
    counter.at = row.at;
    counter.seq = row.seq + 1;
    counter.movement = row.movement;
    counter.book = is_usage ? revenue_book : grants_book;
    counter.amount = -row.amount;
    counter.balance = (is_usage ? revenue : grants) -= row.amount;
    put(counter);
  }
  return head;
}

/// Takes back what lets several charges stand in one row.
inline void unpack_rows(sqlite::database& on) {
  REQUIRE(on.execute("DROP INDEX ledger_requests; ALTER TABLE ledger DROP COLUMN packed; "
                     "ALTER TABLE ledger DROP COLUMN charges; "
                     "CREATE INDEX ledger_usage ON ledger (book, at) "
                     "WHERE kind = 'usage' AND amount < 0; "
                     "CREATE INDEX ledger_requests ON ledger (request_id) "
                     "WHERE kind = 'usage' AND amount < 0") == sqlite::sqlite_ok);
}

/// Rewrites a closed book, whose pepper lies beside it; where it ends then.
inline chain_head rewrite_as_first_era(const std::string& path) {
  std::string pepper;
  std::ifstream(path.substr(0, path.rfind('/')) + "/pepper") >> pepper;
  REQUIRE_FALSE(pepper.empty());
  sqlite::database on;
  REQUIRE(on.open(path, sqlite::database_use::write).has_value());
  const auto rows = rows_of_movements(on);
  REQUIRE(on.execute("DROP TRIGGER ledger_never_shrinks; DELETE FROM ledger; "
                     "CREATE TRIGGER ledger_never_shrinks BEFORE DELETE ON ledger "
                     "BEGIN SELECT RAISE(ABORT, 'rows of the ledger are immutable'); END; "
                     "ALTER TABLE ledger DROP COLUMN number") == sqlite::sqlite_ok);
  unpack_rows(on);
  const chain_head head = append_as_first_era(on, rows);
  sqlite::statement put(on, "head", "UPDATE ledger_head SET seq=?, movement=?, hash=?, mac=?");
  REQUIRE(put.bind(head.seq, head.movement, head.hash, seal(head, pepper)).run() ==
          sqlite::sqlite_ok);
  return head;
}

}  // namespace freshet::account::test
