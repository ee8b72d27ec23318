// One account's own entries, verified without anybody else's.
#include <account/fixture.hpp>
#include <account/store/sqlite/first_era.hpp>
#include <catch2/catch.hpp>
#include <sqlite/sqlite.hpp>

using namespace freshet;
using namespace freshet::account;
using namespace freshet::account::test;

namespace {

void charge(accounts& store, const principal& who, int times) {
  for (int i = 0; i < times; ++i)
    REQUIRE(settle(store, store.reserve(who, {1}).value(), 1).has_value());
}

chain_head head_of(const entry_report& report) { return {report.seq, 0, report.hash}; }

void alter(const std::string& path, const std::string& sql) {
  sqlite::database on;
  REQUIRE(on.open(path, sqlite::database_use::write).has_value());
  const std::string all =
      "PRAGMA ignore_check_constraints=ON; DROP TRIGGER ledger_never_changes; " + sql +
      "; CREATE TRIGGER ledger_never_changes BEFORE UPDATE ON ledger "
      "BEGIN SELECT RAISE(ABORT, 'rows of the ledger are immutable'); END";
  REQUIRE(on.execute(all.c_str()) == sqlite::sqlite_ok);
}

}  // namespace

TEST_CASE(
    "an account's entries are verified by themselves, in parts, behind a head that was kept") {
  const temporary_folder folder;
  manual_clock clock;
  const auto store = open_or_throw(options_for(folder.file("ledger.db"), clock, 100));
  const auto a = new_principal(*store), b = new_principal(*store, "b@example.com");
  for (int i = 0; i < 5; ++i) {
    charge(*store, a, 1);
    charge(*store, b, 2);
  }
  const auto all = store->verify_entries(a.account.id, {.most = 100}).value();
  CHECK(all.findings.empty());
  CHECK(all.is_complete);
  CHECK(all.entries == 6);
  CHECK(all.balance == 95);
  CHECK(all.seq == store->ledger(a.account.id, 0, 1).value().at(0).seq);
  // In parts, each behind the last: the same end.
  entry_range part{.most = 4};
  const auto first = store->verify_entries(a.account.id, part).value();
  CHECK_FALSE(first.is_complete);
  CHECK(first.entries == 4);
  part.after = head_of(first);
  const auto second = store->verify_entries(a.account.id, part).value();
  CHECK(second.is_complete);
  CHECK(second.entries == 2);
  CHECK(second.hash == all.hash);
  CHECK(second.findings.empty());
  // Behind the newest there is nothing, until there is.
  part.after = head_of(all);
  CHECK(store->verify_entries(a.account.id, part).value().entries == 0);
  CHECK(store->verify_entries(a.account.id, part).value().seq == all.seq);
  charge(*store, a, 1);
  CHECK(store->verify_entries(a.account.id, part).value().entries == 1);
  // Another's head, a made-up one and one of the future are none of this book's.
  const auto other = store->verify_entries(b.account.id, {.most = 100}).value();
  auto wrong = all;
  wrong.hash[0] ^= 1;
  for (const chain_head& head : {head_of(other), head_of(wrong), chain_head{1'000, 0, all.hash}}) {
    const auto report = store->verify_entries(a.account.id, {.after = head, .most = 100}).value();
    REQUIRE(report.findings.size() == 1);
    CHECK(report.findings[0].find("does not continue " + head_name(head)) != std::string::npos);
  }
  const auto nobody = store->verify_entries(99, {.most = 100}).value();
  CHECK(nobody.entries == 0);
  CHECK(nobody.seq == 0);
  const auto ended =
      store->verify_entries(a.account.id, {.most = 9, .is_wanted = [] { return false; }});
  CHECK(ended.has_value());  // so few are not worth a question
}

TEST_CASE("what was altered in an account's entries is found by its owner, and nobody else's",
          "[sqlite]") {
  const temporary_folder original;
  manual_clock clock;
  chain_head kept;
  {
    const auto store = open_or_throw(options_for(original.file("ledger.db"), clock, 100));
    const auto a = new_principal(*store), b = new_principal(*store, "b@example.com");
    for (int i = 0; i < 4; ++i) {
      charge(*store, a, 1);
      charge(*store, b, 1);
    }
    kept = head_of(store->verify_entries(1, {.most = 100}).value());
  }
  const char* const changes[] = {
      "UPDATE ledger SET amount=-2 WHERE book='account:1' AND number=3",
      "UPDATE ledger SET balance=balance+1 WHERE book='account:1' AND number=3",
      "UPDATE ledger SET endpoint='x' WHERE book='account:1' AND number=3",
      "UPDATE ledger SET at=at+1 WHERE book='account:1' AND number=3",
      "UPDATE ledger SET number=9 WHERE book='account:1' AND number=3",
      "UPDATE ledger SET number=0 WHERE book='account:1' AND number=3",
      "UPDATE ledger SET book='account:2' WHERE book='account:1' AND number=3"};
  for (const char* change : changes) {
    CAPTURE(change);
    const temporary_folder copy;
    const std::string path = copy.file("ledger.db");
    std::filesystem::copy_file(original.file("ledger.db"), path);
    std::filesystem::copy_file(original.file("pepper"), copy.file("pepper"));
    alter(path, change);
    const auto store = open_or_throw(options_for(path, clock, 100));
    CHECK_FALSE(store->verify_entries(1, {.most = 100}).value().findings.empty());
    const bool moved = std::string_view(change).find("account:2") != std::string_view::npos;
    CHECK(store->verify_entries(2, {.most = 100}).value().findings.empty() == !moved);
  }
}

TEST_CASE("a book of the first era goes on in chains of its own, and both are verified",
          "[alone][sqlite]") {
  const temporary_folder folder;
  manual_clock clock;
  const auto options = options_for(folder.file("ledger.db"), clock, 100);
  {
    const auto store = open_or_throw(options);
    charge(*store, new_principal(*store), 3);
    charge(*store, new_principal(*store, "b@example.com"), 2);
  }
  const chain_head before = rewrite_as_first_era(options.database_path);
  {
    sqlite::database on;
    REQUIRE(on.open(options.database_path, sqlite::database_use::write).has_value());
    REQUIRE(on.execute("DROP TABLE alert_settings; DROP TABLE alert_marks; DROP TABLE mails; "
                       "DROP INDEX accounts_mailbox; ALTER TABLE accounts DROP COLUMN mailbox; "
                       "PRAGMA user_version=15") == sqlite::sqlite_ok);
  }
  const auto store = open_or_throw(options);
  CHECK(store->verify({.known = before}).value().findings.empty());
  CHECK(store->verify_entries(1, {.most = 100}).value().entries == 4);
  const auto a = store->principal_of(1, key_mode::live).value();
  charge(*store, a, 2);
  charge(*store, new_principal(*store, "c@example.com"), 1);
  const auto report = store->verify({.known = before}).value();
  CHECK(report.findings.empty());
  CHECK(report.rows == 2 * 7 + 4);
  const auto own = store->verify_entries(1, {.most = 100}).value();
  CHECK(own.findings.empty());
  CHECK(own.entries == 6);
  CHECK(own.balance == 95);
  // The first entry of its own chain covers the last one before.
  const auto rows = store->ledger(1, 0, 10).value();
  CHECK(rows[0].number == 2);
  CHECK(rows[1].number == 1);
  CHECK(rows[2].number == 0);
}
