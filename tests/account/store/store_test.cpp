#include <account/book_at.hpp>
#include <account/store/store.hpp>
#include <atomic>
#include <catch2/catch.hpp>
#include <limits>

using namespace freshet;
using namespace freshet::account;

namespace {

struct opened_store {
  explicit opened_store(std::function<bool(std::string_view)> fail = nullptr) {
    const account::test::book_at place = account::test::book_of(":memory:");
    auto opened = account_store::open({place.database, std::move(fail), nullptr, place.folder});
    REQUIRE(opened.has_value());
    books = std::move(*opened);
  }
  std::vector<std::int64_t> accounts() {
    std::vector<std::int64_t> ids;
    const auto all = books->list_accounts("", std::numeric_limits<std::int64_t>::max(), 10);
    for (const listed_account& one : all.value()) ids.push_back(one.stored.record.id);
    return ids;
  }
  std::unique_ptr<account_store> books;
};

account_record account_called(const std::string& name) {
  account_record record;
  record.public_id = "acc_" + name;
  record.email = name + "@example.org";
  record.plan = "free";
  return record;
}

}  // namespace

TEST_CASE("a transaction is stored as a whole") {
  opened_store in;
  std::int64_t first = 0, second = 0;
  CHECK(in.books->write([&](transaction& running) {
    first = running.add_account(account_called("a"), "", "");
    second = running.add_account(account_called("b"), "", "");
  }) == store_status::done);
  CHECK(in.accounts() == std::vector{second, first});
}

TEST_CASE("a row that may not be is refused, and nothing of its transaction stays") {
  opened_store in;
  bool went_on = true;
  const auto status = in.books->write([&](transaction& running) {
    static_cast<void>(running.add_account(account_called("a"), "", ""));
    static_cast<void>(running.add_account(account_called("a"), "", ""));
    CHECK(running.status() == store_status::refused);
    // What is asked of it now does nothing and finds nothing.
    running.put_plan(1, "pro");
    went_on = running.has_password(1, "");
  });
  CHECK(status == store_status::refused);
  CHECK_FALSE(went_on);
  CHECK(in.accounts().empty());
  CHECK(in.books->probe() == store_status::done);
}

TEST_CASE("what a kept statement was told by a transaction that failed is forgotten") {
  std::atomic<bool> fails{false};
  opened_store in([&](std::string_view stage) { return fails && stage == "begin"; });
  const auto append = [&](transaction& running) {
    chain_row row;
    row.seq = row.movement = 1;
    row.book = grants_book;
    row.kind = "grant";
    running.append(row, {});
    running.append(row, {});
  };
  CHECK(in.books->write(append) == store_status::refused);
  const auto once = [&](transaction& running) {
    chain_row row;
    row.seq = row.movement = 1;
    row.book = grants_book;
    row.kind = "grant";
    running.append(row, {});
  };
  fails = true;
  CHECK(in.books->write(once) == store_status::failed);
  fails = false;
  CHECK(in.books->write(once) == store_status::done);
  CHECK(in.books->read_ledger_end().value().last_seq == 1);
}

TEST_CASE("a full disk fails, a failed sync leaves it uncertain") {
  std::string failing;
  opened_store in([&](std::string_view stage) { return stage == failing; });
  const auto add = [](transaction& running) {
    static_cast<void>(running.add_account(account_called("a"), "", ""));
  };
  for (const char* stage : {"begin", "account", "commit"}) {
    failing = stage;
    CHECK(in.books->write(add) == store_status::failed);
    CHECK(in.accounts().empty());
  }
  failing = "sync";
  CHECK(in.books->write(add) == store_status::uncertain);
  failing = "probe";
  CHECK(in.books->probe() == store_status::failed);
}
