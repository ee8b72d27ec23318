#include <account/fixture.hpp>
#include <account/store/sqlite/first_era.hpp>
#include <account/store/sqlite/schema.hpp>
#include <account/users.hpp>
#include <catch2/catch.hpp>

using namespace freshet;
using namespace freshet::account;
using namespace freshet::sqlite;
using namespace freshet::account::test;

namespace {

std::int64_t version_of(database& on) { return on.integer("PRAGMA user_version").value(); }

constexpr migration two_steps[] = {
    {1, "CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), (2);"},
    {2, "ALTER TABLE t ADD COLUMN b INTEGER NOT NULL DEFAULT 7; UPDATE t SET b=a*2;"},
};
constexpr migration broken_steps[] = {
    {1, "CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), (2);"},
    {2, "ALTER TABLE t ADD COLUMN b INTEGER; UPDATE absent SET b=1;"},
};

/// Takes a database back to schema 5, then runs `more`; where its ledger ends.
chain_head go_back(const std::string& path, std::initializer_list<const char*> more) {
  const chain_head head = rewrite_as_first_era(path);
  database on;
  REQUIRE(on.open(path, database_use::write).has_value());
  for (const char* sql : {"DROP TABLE budgets",
                          "DROP INDEX keys_owner",
                          "DROP INDEX keys_limited",
                          "DROP INDEX keys_origins",
                          "ALTER TABLE keys DROP COLUMN origins",
                          "DROP TABLE second_factors",
                          "DROP TABLE recovery_codes",
                          "DROP TABLE passkeys",
                          "DROP TABLE alert_settings",
                          "DROP TABLE alert_marks",
                          "DROP INDEX accounts_mailbox",
                          "ALTER TABLE accounts DROP COLUMN mailbox",
                          "DROP TABLE mails",
                          "DROP TABLE ledger_tops",
                          "DROP INDEX ledger_requests",
                          "DROP INDEX ledger_kinds",
                          "DROP TABLE state",
                          "DROP TRIGGER answers_grow",
                          "DROP TRIGGER answers_shrink",
                          "DROP INDEX answers_account",
                          "DROP TABLE answer_sizes",
                          "ALTER TABLE answers DROP COLUMN form",
                          "ALTER TABLE answers DROP COLUMN size",
                          "ALTER TABLE tokens ADD COLUMN password TEXT NOT NULL DEFAULT ''",
                          "PRAGMA user_version=5"})
    REQUIRE(on.execute(sql) == sqlite_ok);
  for (const char* sql : more) REQUIRE(on.execute(sql) == sqlite_ok);
  return head;
}

}  // namespace

TEST_CASE("migrations are numbered from 1 without gaps") {
  std::int64_t expected = 1;
  for (const auto& step : migrations()) CHECK(step.number == expected++);
}

TEST_CASE("migrations run forward from any version, and only once") {
  const temporary_folder folder;
  for (const std::size_t from : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
    database on;
    REQUIRE(on.open(folder.file(std::to_string(from)), database_use::write).has_value());
    if (from > 0) CHECK(migrate(on, std::span(two_steps, from)).has_value());
    CHECK(migrate(on, two_steps).has_value());
    CHECK(migrate(on, two_steps).has_value());
    CHECK(version_of(on) == 2);
    CHECK(on.integer("SELECT sum(b) FROM t").value() == 6);
  }
}

TEST_CASE("a migration that fails leaves the database as it was") {
  const temporary_folder folder;
  database on;
  REQUIRE(on.open(folder.file("db"), database_use::write).has_value());
  CHECK(migrate(on, std::span(broken_steps, 1)).has_value());
  CHECK(migrate(on, broken_steps).error().code() == errc::storage_unavailable);
  CHECK(version_of(on) == 1);
  CHECK_FALSE(on.in_transaction());
  CHECK_FALSE(on.integer("SELECT sum(b) FROM t").has_value());
  CHECK(on.integer("SELECT sum(a) FROM t").value() == 3);
  CHECK(migrate(on, two_steps).has_value());
}

TEST_CASE("a newer schema and another program's file are refused", "[sqlite]") {
  const temporary_folder folder;
  manual_clock clock;
  const auto options = options_for(folder.file("ledger.db"), clock);
  static_cast<void>(open_or_throw(options));
  {
    database on;
    REQUIRE(on.open(options.database_path, database_use::write).has_value());
    CHECK(on.execute("PRAGMA user_version=99") == sqlite_ok);
  }
  const auto newer = accounts::open(options);
  REQUIRE_FALSE(newer.has_value());
  CHECK(newer.error().code() == errc::invalid_configuration);
  CHECK(newer.error().detail().find("schema 99") != std::string::npos);
  {
    database on;
    REQUIRE(on.open(folder.file("other.db"), database_use::write).has_value());
    CHECK(on.execute("CREATE TABLE theirs (a)") == sqlite_ok);
  }
  const auto foreign = accounts::open(options_for(folder.file("other.db"), clock));
  CHECK(foreign.error().code() == errc::invalid_configuration);
  std::FILE* const junk = std::fopen(folder.file("junk.db").c_str(), "wb");
  std::fputs(std::string(8192, 'x').c_str(), junk);
  std::fclose(junk);
  CHECK(accounts::open(options_for(folder.file("junk.db"), clock)).error().code() ==
        errc::storage_unavailable);
}

TEST_CASE("a ledger of an earlier schema keeps its month's grant, and its plan changes by the day",
          "[sqlite]") {
  const temporary_folder folder;
  manual_clock clock;
  const auto options = options_for(folder.file("ledger.db"), clock, 90);
  std::string key;
  {
    const auto store = open_or_throw(options);
    const auto account = store->create_account("a@example.com", "free").value();
    key = store->create_key(account.id, {}).value().secret;
    CHECK(store->balance_of(store->authenticate(key).value()).value().posted == credits{90});
  }
  go_back(options.database_path,
          {"DROP TABLE allowances", "DROP INDEX ledger_refunds",
           "ALTER TABLE ledger DROP COLUMN refund_of", "PRAGMA user_version=3"});
  auto with = options;
  with.plans["pro"] = {.monthly = {900}};
  const auto store = open_or_throw(with);
  const auto who = store->authenticate(key).value();
  CHECK(store->balance_of(who).value().posted == credits{90});
  CHECK(store->ledger(who.account.id, 0, 10).value().size() == 1);
  CHECK(store->change_plan(who.account.id, "pro").value().after.posted ==
        credits{(20 * 90 + 10 * 900) / 30});
  CHECK(store->verify().value().ok);
}

TEST_CASE("refunds of an earlier schema keep their entry and their hash in a column of their own",
          "[sqlite]") {
  const temporary_folder folder;
  manual_clock clock;
  const auto options = options_for(folder.file("ledger.db"), clock, 90);
  {
    const auto store = open_or_throw(options);
    const auto who = new_principal(*store);
    usage call;
    call.request_id = "req_1";
    call.sources = "feeds,gdelt";
    REQUIRE(settle(*store, store->reserve(who, {5}).value(), 5, call).has_value());
    REQUIRE(store->refund("req_1", credits{2}, "sorry").has_value());
  }
  // As schema 4 had it.
  const chain_head head =
      go_back(options.database_path,
              {"DROP INDEX ledger_refunds", "DROP TRIGGER ledger_never_changes",
               "UPDATE ledger SET sources=refund_of WHERE kind='refund'",
               "ALTER TABLE ledger DROP COLUMN refund_of",
               "CREATE INDEX ledger_refunds ON ledger (book, sources) WHERE kind = 'refund'",
               "CREATE TRIGGER ledger_never_changes BEFORE UPDATE ON ledger "
               "BEGIN SELECT RAISE(ABORT, 'rows of the ledger are immutable'); END",
               "PRAGMA user_version=4"});
  {
    database on;
    REQUIRE(on.open(options.database_path, database_use::read).has_value());
    REQUIRE(on.integer("SELECT count(*) FROM ledger WHERE sources='led_3'").value() == 1);
  }
  const auto store = open_or_throw(options);
  const auto report = store->verify().value();
  CHECK(report.ok);
  CHECK(report.head.hash == head.hash);
  const auto rows = store->ledger(1, 0, 10).value();
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].refund_of == "led_3");
  CHECK(rows[1].refund_of.empty());
  // What was given back before counts.
  CHECK_FALSE(store->refund("req_1", credits{4}, "again").has_value());
  CHECK(store->refund("req_1", std::nullopt, "the rest").value().refunded == credits{3});
  CHECK(store->verify().value().ok);
  database on;
  REQUIRE(on.open(options.database_path, database_use::read).has_value());
  CHECK(version_of(on) == migrations().back().number);
  CHECK(on.integer("SELECT count(*) FROM ledger WHERE kind='refund' AND sources<>''").value() == 0);
  CHECK(on.integer("SELECT count(*) FROM ledger WHERE sources='feeds,gdelt'").value() == 1);
}

TEST_CASE("a store of the current schema opens again without being migrated") {
  const temporary_folder folder;
  manual_clock clock;
  const auto options = options_for(folder.file("ledger.db"), clock);
  {
    const auto store = open_or_throw(options);
    const auto who = new_principal(*store);
    CHECK(settle(*store, store->reserve(who, {3}).value(), 3).has_value());
  }
  auto guarded = options;
  guarded.fail = [](std::string_view stage) { return stage == "migrate"; };
  const auto store = open_or_throw(guarded);
  CHECK(store->verify().value().ok);
  CHECK(store->ledger(1, 0, 1).value().at(0).balance == 997);
}

TEST_CASE("answers and links of an earlier schema stay good", "[sqlite]") {
  const temporary_folder folder;
  manual_clock clock;
  const auto options = options_for(folder.file("ledger.db"), clock);
  std::string key, link;
  {
    const auto store = open_or_throw(options);
    const auto account = store->create_account("a@example.com", "free").value();
    key = store->create_key(account.id, {}).value().secret;
    const auto folk = users::open(*store, quick_hashing()).value();
    link = folk->begin_sign_up("b@example.com", {}).value().token.value();
  }
  go_back(
      options.database_path,
      {"INSERT INTO answers (account_id, key, fingerprint, status, content_type, body, "
       "credits_used, data_offset, data_size, at) VALUES "
       "(1, 'k', 'f', 200, 'application/json', CAST('as it was' AS BLOB), 3, 1, 2, 1795262400000)",
       "UPDATE tokens SET password='a hash of who asked'"});
  const auto store = open_or_throw(options);
  const auto who = store->authenticate(key).value();
  const auto answer = store->begin_idempotent(who, "k", "f").value();
  REQUIRE(answer.has_value());
  CHECK(answer->body == "as it was");
  CHECK(answer->is_kept);
  // It is not counted, and takes nothing off when it goes.
  usage call;
  call.idempotency_key = "k";
  REQUIRE(settle(*store, store->reserve(who, {1}).value(), 1, call).has_value());
  const auto folk = users::open(*store, quick_hashing()).value();
  CHECK(folk->confirm_sign_up(link, "a tide of gauges", "free", {}, "").has_value());
  CHECK(folk->sign_in("b@example.com", "a tide of gauges", {}, "").has_value());
  database on;
  REQUIRE(on.open(options.database_path, database_use::read).has_value());
  CHECK(on.integer("SELECT count(*) FROM answer_sizes WHERE bytes>0").value() == 2);
  CHECK(on.integer("SELECT min(bytes) FROM answer_sizes").value() > 0);
}

TEST_CASE("the rule for kinds holds in its new words, in the file's own defence", "[sqlite]") {
  const temporary_folder folder;
  manual_clock clock;
  const auto options = options_for(folder.file("ledger.db"), clock);
  { REQUIRE(open_or_throw(options)->create_account("a@example.com", "free").has_value()); }
  database on;
  REQUIRE(on.open(options.database_path, database_use::write).has_value());
  const auto insert = [&on](const std::string& seq, const std::string& kind) {
    return on.execute(("INSERT INTO ledger (seq, movement, book, amount, balance, monthly_left, "
                       "kind, reason, endpoint, request_id, sources, period, key_id, at, hash) "
                       "VALUES (" +
                       seq + ", 9, 'account:1', 1, 1, 0, '" + kind +
                       "', '', '', '', '', '', 0, 0, zeroblob(32))")
                          .c_str());
  };
  CHECK(insert("1000", "gift") != sqlite_ok);
  int seq = 2000;
  for (const auto* kind : {"usage", "grant", "refund", "expiry"}) {
    CHECK(insert(std::to_string(++seq), kind) == sqlite_ok);
  }
  // No table is built for it at an insertion: the words do without a list.
  CHECK(on.integer("SELECT count(*) FROM sqlite_schema WHERE name='ledger' AND "
                   "sql LIKE '%kind IN (%'")
            .value() == 0);
  CHECK(on.execute("PRAGMA writable_schema=ON; DELETE FROM sqlite_schema") != sqlite_ok);
}
