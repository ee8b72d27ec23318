// Each call of SQLite fails once while a book is made, opened, used and read: what is refused is as
// if it had never been asked, what is answered is in the book, and the next one finds all as it
// was.
#include <account/fixture.hpp>
#include <catch2/catch.hpp>
#include <functional>
#include <set>
#include <support/eventually.hpp>
#include <support/failing_sqlite.hpp>

using namespace freshet;
using namespace freshet::account;
using namespace freshet::account::test;

namespace {

using freshet::test::eventually;
using freshet::test::fail_sqlite_call;
using freshet::test::failed_sqlite_call;

/// More calls than any step here takes.
constexpr int most_calls = 3'000;

void check_book(accounts& in) {
  const auto report = in.verify();
  REQUIRE(report.has_value());
  CHECK(report->ok);
}

}  // namespace

TEST_CASE("each call of SQLite fails while a book is made, and then it can be", "[alone][sqlite]") {
  const manual_clock clock;
  std::set<std::string> failed;
  int refused = 0;
  for (int n = 1;; n += 7) {  // what one statement takes fails in much the same way
    REQUIRE(n < most_calls);
    const temporary_folder folder;
    fail_sqlite_call(n);
    auto opened = accounts::open(options_for(folder.file("book.db"), clock));
    const std::string which = failed_sqlite_call();
    INFO("call " << n << ", " << which);
    if (!opened) {
      ++refused;
      CHECK(code_of(opened) == errc::storage_unavailable);
    }
    opened = error(errc::internal);  // closed
    const auto again = open_or_throw(options_for(folder.file("book.db"), clock));
    CHECK(new_principal(*again).account.email == "a@example.com");
    check_book(*again);
    if (which.empty()) break;
    failed.insert(which);
  }
  CHECK(refused > 10);
  CHECK(failed.contains("sqlite3_exec"));
}

TEST_CASE("each call of SQLite fails while a book is opened, which then is as it was",
          "[alone][sqlite]") {
  const manual_clock clock;
  const temporary_folder folder;
  std::int64_t balance = 0;
  {
    const auto book = open_or_throw(options_for(folder.file("book.db"), clock));
    const auto who = new_principal(*book);
    REQUIRE(settle(*book, book->reserve(who, {3}).value(), 3).has_value());
    balance = book->balance_of(who)->available().value;
  }
  int refused = 0;
  for (int n = 1;; ++n) {
    REQUIRE(n < most_calls);
    fail_sqlite_call(n);
    auto opened = accounts::open(options_for(folder.file("book.db"), clock));
    const std::string which = failed_sqlite_call();
    INFO("call " << n << ", " << which);
    if (!opened) {
      ++refused;
      CHECK(code_of(opened) == errc::storage_unavailable);
    }
    opened = error(errc::internal);
    {
      const auto again = open_or_throw(options_for(folder.file("book.db"), clock));
      const auto account = again->find_account("a@example.com");
      REQUIRE(account.has_value());
      const auto rows = again->ledger(account->id, 0, 1);
      REQUIRE(rows.has_value());
      CHECK(rows->front().balance == balance);
      check_book(*again);
    }
    if (which.empty()) break;
  }
  CHECK(refused > 10);
}

TEST_CASE("each call of SQLite fails that a charge takes: it is made whole or not at all",
          "[sqlite]") {
  const manual_clock clock;
  const temporary_folder folder;
  const auto book = open_or_throw(options_for(folder.file("book.db"), clock, 1'000'000));
  const auto who = new_principal(*book);
  REQUIRE(settle(*book, book->reserve(who, {1}).value(), 1).has_value());
  const auto available = [&] { return book->balance_of(who)->available().value; };
  std::set<std::string> failed;
  for (int n = 1;; ++n) {
    INFO("call " << n);
    REQUIRE(n < most_calls);
    const auto before = available();
    auto held = book->reserve(who, {2});
    REQUIRE(held.has_value());
    usage what;
    what.request_id = "req_" + std::to_string(n);
    what.idempotency_key = "key " + std::to_string(n);
    what.answer.body = "the answer";
    fail_sqlite_call(n);
    const auto after = settle(*book, std::move(*held), 2, what);
    const std::string which = failed_sqlite_call();
    INFO(which);
    REQUIRE(eventually([&] { return book->healthy(); }));
    CHECK(available() == before - (after ? 2 : 0));
    CHECK(book->balance_of(who)->reserved == credits{});
    const auto charge = book->charge_of(who.account.id, what.request_id);
    REQUIRE(charge.has_value());
    CHECK(charge->empty() != after.has_value());
    if (which.empty()) break;
    failed.insert(which);
  }
  for (const char* each :
       {"sqlite3_bind_int64", "sqlite3_bind_text64", "sqlite3_bind_blob64", "sqlite3_step"}) {
    INFO(each);
    CHECK(failed.contains(each));
  }
  check_book(*book);
}

TEST_CASE("each call of SQLite fails that a report takes: it is refused, and the next one is whole",
          "[sqlite]") {
  const manual_clock clock;
  const temporary_folder folder;
  const auto book = open_or_throw(options_for(folder.file("book.db"), clock));
  const auto who = new_principal(*book);
  REQUIRE(settle(*book, book->reserve(who, {1}).value(), 1).has_value());
  const auto id = who.account.id;
  const std::pair<const char*, std::function<bool()>> reports[] = {
      {"ledger", [&] { return book->ledger(id, 0, 10).has_value(); }},
      {"usage", [&] { return book->usage_of(id, {.group_by = "key"}).has_value(); }},
      {"entries", [&] { return book->verify_entries(id, {.most = 10}).has_value(); }},
      {"keys", [&] { return book->list_keys(id).has_value(); }},
      {"account", [&] { return book->find_account("a@example.com").has_value(); }},
      {"replay", [&] {
         const auto report = book->verify();
         return report.has_value() && report->ok;
       }}};
  for (const auto& [name, read] : reports) {
    REQUIRE(read());
    int refused = 0;
    for (int n = 1;; ++n) {
      INFO(name << ", call " << n);
      REQUIRE(n < most_calls);
      fail_sqlite_call(n);
      const bool is_read = read();
      const bool struck = !failed_sqlite_call().empty();
      refused += !is_read;
      CHECK(read());
      if (!struck) {
        CHECK(is_read);
        break;
      }
    }
    INFO(name);
    CHECK(refused > 0);
  }
}
