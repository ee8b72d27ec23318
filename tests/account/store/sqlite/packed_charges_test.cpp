// Charges of one commit in one row: what is read of them is what was written, by every way to read
// them, and whatever is done to such a row is found.
#include <sqlite3.h>
#include <account/fixture.hpp>
#include <account/store/sqlite/packed_charges.hpp>
#include <base/ids.hpp>
#include <catch2/catch.hpp>
#include <set>
#include <sqlite/sqlite.hpp>
#include <support/sanitized.hpp>

using namespace freshet;
using namespace freshet::account;
using namespace freshet::account::test;
using namespace std::chrono_literals;

namespace {

struct written_charge {
  std::string request_id, endpoint, sources;
  chain_row row;
  base::sha256_digest hash{};
};

/// Charges as they may follow one another in a book that had 1,000 credits, 7 of them the month's.
std::vector<written_charge> some_charges(int count) {
  std::vector<written_charge> all;
  std::int64_t balance = 1000, monthly_left = 7;
  for (int i = 0; i < count; ++i) {
    auto& one = all.emplace_back();
    one.request_id = base::make_id("req_", start_time + std::chrono::milliseconds(i));
    one.endpoint = i % 3 == 0 ? "scrape/markdown" : "news/search";
    one.sources = i % 4 == 0 ? "" : i % 4 == 1 ? "feeds" : "feeds,gdelt";
    chain_row& row = one.row;
    row.kind = "usage";
    row.book = "account:7";
    row.amount = -1 - i % 3;
    row.balance = balance += row.amount;
    row.monthly_left = monthly_left = std::max<std::int64_t>(0, monthly_left + row.amount);
    row.key_id = i % 5;
    // Some end in another order than they began.
    row.at = start_time + std::chrono::milliseconds(i + 40 - 30 * (i % 2));
    row.seq = 100 + i;
    row.movement = 200 + i;
    row.number = 300 + i;
    one.hash = base::sha256(one.request_id);
  }
  for (auto& one : all) {
    one.row.request_id = one.request_id;
    one.row.endpoint = one.endpoint;
    one.row.sources = one.sources;
  }
  return all;
}

bool is_same(const chain_row& a, const chain_row& b) {
  const auto texts = [](const chain_row& of) {
    return std::tuple(of.kind, of.reason, of.endpoint, of.request_id, of.sources, of.refund_of,
                      of.period, of.book);
  };
  const auto numbers = [](const chain_row& of) {
    return std::tuple(of.key_id, of.at, of.seq, of.number, of.movement, of.amount, of.balance,
                      of.monthly_left);
  };
  return texts(a) == texts(b) && numbers(a) == numbers(b);
}

bool can_take(const chain_row& row) { return charge_packer::can_take(row, row.at); }

}  // namespace

TEST_CASE("packed charges are read as they were written", "[sqlite]") {
  for (const int count : {1, 2, 3, 64, 256}) {
    const auto all = some_charges(count);
    charge_packer packer;
    for (const auto& one : all) {
      REQUIRE(can_take(one.row));
      CHECK(packer.continues(one.row) == (packer.count() > 0));
      packer.add(one.row, one.hash);
    }
    CHECK(packer.count() == count);
    CHECK(packer.columns().seq == all.back().row.seq);
    CHECK(packer.columns().balance == all.back().row.balance);
    const auto hash = base::as_text(packer.hash());
    charge_unpacker unpacker(packer.columns(), hash, count, packer.bytes());
    CHECK(unpacker.is_whole());
    chain_row row;
    std::string_view of_row;
    for (const auto& one : all) {
      REQUIRE(unpacker.next(row, of_row));
      CHECK(is_same(row, one.row));
      CHECK(of_row == base::as_text(one.hash));
    }
    CHECK_FALSE(unpacker.next(row, of_row));
    if (count == 256) CHECK_FALSE(packer.continues(some_charges(257).back().row));
    // A text of a charge is small beside the one before it.
    if (count == 256) CHECK(packer.bytes().size() < 75 * 256);
  }
}

TEST_CASE("what is no charge of the moment stands in a row of its own", "[sqlite]") {
  const auto all = some_charges(2);
  const auto takes = [&](auto change) {
    chain_row row = all[1].row;
    change(row);
    return can_take(row);
  };
  CHECK(takes([](chain_row&) {}));
  CHECK_FALSE(takes([](chain_row& of) { of.kind = "refund"; }));
  CHECK_FALSE(takes([](chain_row& of) { of.amount = 1; }));
  CHECK_FALSE(takes([](chain_row& of) { of.number = 0; }));
  CHECK_FALSE(takes([](chain_row& of) { of.reason = "x"; }));
  CHECK_FALSE(takes([](chain_row& of) { of.period = "2026-11"; }));
  CHECK_FALSE(takes([](chain_row& of) { of.monthly_left = of.balance + 1; }));
  CHECK_FALSE(takes([](chain_row& of) { of.request_id = "mine"; }));
  CHECK_FALSE(takes([](chain_row& of) { of.at += longest_packed_way; }));
  CHECK_FALSE(takes([](chain_row& of) { of.at -= 1s; }));
  const auto at = all[1].row.at;
  CHECK(charge_packer::can_take(all[1].row, at + packed_drift));
  CHECK_FALSE(charge_packer::can_take(all[1].row, at + packed_drift + 1ms));

  const auto follows = [&](auto change) {
    charge_packer packer;
    packer.add(all[0].row, all[0].hash);
    chain_row row = all[1].row;
    change(row);
    return packer.continues(row);
  };
  CHECK(follows([](chain_row&) {}));
  CHECK_FALSE(follows([](chain_row& of) { of.book = "account:8"; }));
  CHECK_FALSE(follows([](chain_row& of) { ++of.seq; }));
  CHECK_FALSE(follows([](chain_row& of) { ++of.number; }));
  CHECK_FALSE(follows([](chain_row& of) { ++of.movement; }));
  CHECK_FALSE(follows([](chain_row& of) { ++of.balance; }));
}

TEST_CASE("packed bytes that somebody has changed do no harm", "[sqlite]") {
  const auto all = some_charges(5);
  charge_packer packer;
  for (const auto& one : all) packer.add(one.row, one.hash);
  const auto hash = base::as_text(packer.hash());
  const std::string bytes(packer.bytes());
  const auto read = [&](std::string_view changed, std::int64_t count) {
    charge_unpacker unpacker(packer.columns(), hash, count, changed);
    chain_row row;
    std::string_view of_row;
    std::int64_t got = 0;
    while (unpacker.next(row, of_row)) ++got;
    CHECK(got <= std::max<std::int64_t>(count, 0));
    return charge_unpacker(packer.columns(), hash, count, changed).is_whole();
  };
  CHECK(read(bytes, 5));
  for (const std::int64_t count : {-1, 0, 1, 4, 6, 1'000'000}) CHECK_FALSE(read(bytes, count));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    CHECK_FALSE(read(std::string_view(bytes).substr(0, size), 5));
  CHECK_FALSE(read(bytes + "x", 5));
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const int bit : {1, 64, 128}) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ bit);
      static_cast<void>(read(changed, 5));
    }
  }
}

namespace {

/// A store of two accounts whose charges share commits: 1 grant and 1 more each, then 3 x 8 charges
/// of one, among them some of the other.
struct packed_store {
  explicit packed_store(const temporary_folder& folder) {
    options = options_for(folder.file("ledger.db"), clock, 1'000'000);
    options.fail = [this](std::string_view step) {
      if (step == "begin") before.pass();
      return false;
    };
    store = open_or_throw(options);
    a.push_back(new_principal(*store));
    b.push_back(new_principal(*store, "b@example.com"));
    for (int round = 0; round < 3; ++round) charge_round();
  }
  void charge_round() {
    std::vector<principal> callers;
    std::vector<usage> what;
    for (int i = 0; i < 12; ++i) {
      const bool of_b = i % 3 == 2;
      callers.push_back(of_b ? b[0] : a[0]);
      usage& one = what.emplace_back();
      one.endpoint = i % 2 == 0 ? "news/search" : "scrape/markdown";
      one.sources = "feeds";
      one.request_id = base::make_id("req_", clock.now());
      (of_b ? ids_of_b : ids_of_a).push_back(one.request_id);
    }
    clock.advance(20ms);
    charge_together(*store, before, callers, what);
    clock.advance(1h);
  }

  manual_clock clock;
  gate before;
  accounts_options options;
  std::unique_ptr<accounts> store;
  std::vector<principal> a, b;
  std::vector<std::string> ids_of_a, ids_of_b;
};

std::int64_t count_rows(const std::string& path, const char* sql) {
  sqlite::database on;
  REQUIRE(on.open(path, sqlite::database_use::read).has_value());
  return on.integer(sql).value();
}

}  // namespace

TEST_CASE("packed charges are found by every way that leads to a charge", "[sqlite]") {
  const temporary_folder folder;
  packed_store in(folder);
  CHECK(count_rows(in.options.database_path, "SELECT count(*) FROM ledger WHERE charges>1") == 6);
  CHECK(count_rows(in.options.database_path, "SELECT sum(charges) FROM ledger") == 2 + 3 + 36);
  const auto a = in.a[0].account.id;
  CHECK(in.store->verify().value().findings.empty());
  CHECK(in.store->verify().value().rows == 41);
  // All at once and page by page, wherever a page ends.
  const auto all = in.store->ledger(a, 0, 1000).value();
  REQUIRE(all.size() == 1 + 3 + 24);
  for (std::size_t i = 1; i < all.size(); ++i) CHECK(all[i].seq < all[i - 1].seq);
  for (const int limit : {1, 2, 3, 5, 7, 100}) {
    std::vector<std::int64_t> seqs;
    for (std::int64_t before = 0;;) {
      const auto page = in.store->ledger(a, before, limit).value();
      for (const auto& row : page) seqs.push_back(row.seq);
      if (page.size() < static_cast<std::size_t>(limit)) break;
      before = page.back().seq;
    }
    REQUIRE(seqs.size() == all.size());
    for (std::size_t i = 0; i < seqs.size(); ++i) CHECK(seqs[i] == all[i].seq);
  }
  std::set<std::string> hashes, ids;
  for (const auto& row : all) {
    hashes.insert(row.hash);
    if (row.kind == "usage") ids.insert(row.request_id);
  }
  CHECK(hashes.size() == all.size());
  CHECK(ids == std::set(in.ids_of_a.begin(), in.ids_of_a.end()));
  // An account's own chain, in parts that end within a row.
  entry_range part{.most = 5};
  std::int64_t entries = 0;
  for (bool more = true; more;) {
    const auto report = in.store->verify_entries(a, part).value();
    CHECK(report.findings.empty());
    entries += report.entries;
    more = !report.is_complete;
    part.after = chain_head{report.seq, 0, report.hash};
  }
  CHECK(entries == static_cast<std::int64_t>(all.size()));
  // Usage, since a moment within, by source.
  usage_query query;
  query.group_by = "day,source";
  query.since = start_time + 30min;
  const auto rows = in.store->usage_of(a, query).value();
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].calls == 16);
  CHECK(rows[0].used == credits{24});
  query.group_by = "day,key";
  CHECK(in.store->usage_of(a, query).value().at(0).key == in.a[0].key.public_id);
}

TEST_CASE("packed charges are refunded by request id and by entry, also after a restart",
          "[sqlite]") {
  const temporary_folder folder;
  packed_store in(folder);
  const auto a = in.a[0].account.id;
  in.store.reset();
  in.store = open_or_throw(in.options);
  std::int64_t last = 0;
  for (const auto& id : in.ids_of_a) {
    const auto entry = in.store->charge_of(a, id).value();
    REQUIRE(entry.starts_with("led_"));
    CHECK(in.store->charge_of(in.b[0].account.id, id).value().empty());
    const auto seq = std::stoll(entry.substr(4));
    CHECK(seq > last);
    last = seq;
  }
  const auto by_id = in.store->refund(in.ids_of_a[9], std::nullopt, "sorry").value();
  CHECK(by_id.entry == in.store->charge_of(a, in.ids_of_a[9]).value());
  CHECK(by_id.request_id == in.ids_of_a[9]);
  const auto entry = in.store->charge_of(a, in.ids_of_a[2]).value();
  CHECK(in.store->refund(entry, std::nullopt, "sorry").value().request_id == in.ids_of_a[2]);
  CHECK(in.store->refund(entry, std::nullopt, "sorry").error().code() == errc::invalid_request);
  CHECK(in.store->refund(base::make_id("req_", in.clock.now()), std::nullopt, "x").error().code() ==
        errc::not_found);
  CHECK(in.store->verify().value().findings.empty());
}

TEST_CASE("a call's charge is found among those of others with its request id", "[sqlite]") {
  const temporary_folder folder;
  packed_store in(folder);
  // Packed or not, more than any list of them holds, before and behind the one that is meant.
  for (const auto& id : {std::string("mine"), base::make_id("req_", in.clock.now())}) {
    usage one;
    one.endpoint = "news/search";
    one.request_id = id;
    const auto others = [&] {
      charge_together(*in.store, in.before, std::vector(120, in.b[0]), std::vector(120, one));
    };
    others();
    REQUIRE(settle(*in.store, in.store->reserve(in.a[0], {1}).value(), 1, one).has_value());
    others();
    const auto newest = in.store->ledger(in.a[0].account.id, 0, 1).value().at(0);
    CHECK(in.store->charge_of(in.a[0].account.id, id).value() ==
          "led_" + std::to_string(newest.seq));
    const auto theirs = in.store->ledger(in.b[0].account.id, 0, 1).value().at(0);
    CHECK(in.store->charge_of(in.b[0].account.id, id).value() ==
          "led_" + std::to_string(theirs.seq));
    CHECK(in.store->charge_of(in.a[0].account.id + 9, id).value().empty());
  }
}

TEST_CASE("a page of a ledger is made of the packed rows that it needs", "[sqlite]") {
  const temporary_folder folder;
  packed_store in(folder);
  for (int round = 0; round < 30; ++round) in.charge_round();
  const auto page = in.store->ledger(in.a[0].account.id, 0, 20).value();
  CHECK(page.size() == 20);
  CHECK(page.capacity() <= 64);  // of some 260 charges, in 33 rows
}

TEST_CASE("a request id that several charges have is told, packed or not", "[sqlite]") {
  const temporary_folder folder;
  packed_store in(folder);
  usage one;
  one.endpoint = "news/search";
  one.request_id = base::make_id("req_", in.clock.now());
  charge_together(*in.store, in.before, {in.a[0], in.a[0], in.a[0]}, {one, one, one});
  in.clock.advance(30s);  // too late to be packed
  REQUIRE(settle(*in.store, in.store->reserve(in.a[0], {1}).value(), 1, one).has_value());
  const auto refused = in.store->refund(one.request_id, std::nullopt, "which");
  REQUIRE(refused.error().code() == errc::invalid_request);
  const auto entries = in.store->ledger(in.a[0].account.id, 0, 4).value();
  for (const auto& row : entries)
    CHECK(refused.error().detail().find("led_" + std::to_string(row.seq)) != std::string::npos);
}

TEST_CASE("no packed row reaches beyond a top, and charges are found on either side of one",
          "[alone][sqlite]") {
  const temporary_folder folder;
  packed_store in(folder);
  const auto a = in.a[0].account.id;
  while (in.store->ledger(a, 0, 1).value()[0].seq < 2100) in.charge_round();
  CHECK(count_rows(in.options.database_path,
                   "SELECT count(*) FROM ledger WHERE seq/1024<>(seq-charges+1)/1024") == 0);
  CHECK(count_rows(in.options.database_path, "SELECT count(*) FROM ledger_tops") == 2);
  for (std::size_t i = 0; i < in.ids_of_a.size(); i += 7)
    CHECK_FALSE(in.store->charge_of(a, in.ids_of_a[i]).value().empty());
  CHECK(in.store->verify({.resumes = true}).value().findings.empty());
}

TEST_CASE("whatever is done to a packed row is found", "[alone][sqlite][many]") {
  const temporary_folder original;
  std::string path;
  manual_clock clock;
  {
    const packed_store in(original);
    path = in.options.database_path;
  }
  std::vector<std::string> columns;
  std::string packed;
  {
    sqlite::database on;
    REQUIRE(on.open(path, sqlite::database_use::read).has_value());
    sqlite::statement query(on, "query", "SELECT name FROM pragma_table_info('ledger')");
    while (query.step() == sqlite::sqlite_row) columns.emplace_back(query.text(0));
    sqlite::statement first(on, "query",
                            "SELECT packed FROM ledger WHERE charges>1 ORDER BY seq LIMIT 1");
    REQUIRE(first.step() == sqlite::sqlite_row);
    packed = first.text(0);
  }
  std::vector<std::string> changes;
  for (const auto& column : columns) {
    if (column == "seq") continue;
    changes.push_back(column + "=CASE typeof(" + column + ") WHEN 'integer' THEN " + column +
                      "-1 WHEN 'text' THEN " + column + "||'x' ELSE randomblob(32) END");
  }
  const std::size_t step = freshet::test::cases<std::size_t>(3, 9, 27);
  for (std::size_t at = 0; at < packed.size(); at += step) {
    std::string other = packed;
    other[at] = static_cast<char>(other[at] ^ 1);
    changes.push_back("packed=x'" + base::hex(other) + "'");
  }
  changes.push_back("charges=1, packed=x''");
  for (const auto& change : changes) {
    CAPTURE(change);
    const temporary_folder copy;
    const std::string file = copy.file("ledger.db");
    std::filesystem::copy_file(path, file);
    std::filesystem::copy_file(original.file("pepper"), copy.file("pepper"));
    sqlite3* on = nullptr;
    REQUIRE(sqlite3_open(file.c_str(), &on) == SQLITE_OK);
    const std::string sql =
        "PRAGMA ignore_check_constraints=ON; DROP TRIGGER ledger_never_changes; UPDATE ledger "
        "SET " +
        change + " WHERE seq=(SELECT min(seq) FROM ledger WHERE charges>1)";
    REQUIRE(sqlite3_exec(on, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
    sqlite3_close(on);
    const auto store = open_or_throw(options_for(file, clock));
    CHECK_FALSE(store->verify().value().ok);
    const bool of_another = change.starts_with("book=") || change.starts_with("movement=");
    if (!of_another) CHECK_FALSE(store->verify_entries(1, {.most = 100}).value().findings.empty());
  }
}
