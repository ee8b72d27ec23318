// What only the store in PostgreSQL has: a server that goes away and comes back, others that want
// to write, texts that it does not take. It runs where FRESHET_TEST_POSTGRES names a server.
#include <account/book.hpp>
#include <account/fixture.hpp>
#include <account/store/postgres/nodes.hpp>
#include <account/store/postgres/postgres_store.hpp>
#include <account/store/store.hpp>
#include <atomic>
#include <catch2/catch.hpp>
#include <fstream>
#include <limits>
#include <thread>

#include "support/eventually.hpp"

using namespace freshet;
using namespace freshet::account;
using namespace freshet::account::test;

namespace {

/// Ends the connection of whoever writes, and waits until it is gone.
constexpr const char* end_writer =
    "SELECT pg_terminate_backend(pid, 10000) FROM pg_locks WHERE locktype='advisory' AND "
    "objid=(hashtext(current_schema())::bigint & 4294967295)::oid";

/// A book in a schema of its own, and a connection of somebody else beside it.
struct book_beside {
  book_beside() {
    postgres::connection_options options;
    options.url = at.database;
    REQUIRE(other.open(options).has_value());
  }
  [[nodiscard]] result<std::unique_ptr<account_store>> open() {
    return account_store::open({at.database,
                                [this](std::string_view step) { return step == failing; }, nullptr,
                                at.folder});
  }
  std::unique_ptr<account_store> open_or_fail() {
    auto opened = open();
    REQUIRE(opened.has_value());
    return std::move(*opened);
  }
  void sql(const std::string& text) {
    INFO(text);
    REQUIRE(other.execute(text.c_str()) == postgres::pg_outcome::done);
  }
  void end_the_writer() { sql(end_writer); }
  std::int64_t count(const char* query) { return other.integer(query).value(); }

  const book_at at = book_of(":memory:");
  postgres::pg_connection other;
  std::string failing;
};

store_status add(account_store& books, const std::string& name) {
  return books.write([&](transaction& running) {
    account_record record;
    record.public_id = "acc_" + name;
    record.email = name + "@example.org";
    record.plan = "free";
    static_cast<void>(running.add_account(record, "", ""));
  });
}

std::string why(const auto& outcome) { return outcome ? "" : outcome.error().detail(); }

bool says(const std::string& text, std::string_view part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

constexpr const char* accounts_there = "SELECT count(*) FROM accounts";

}  // namespace

TEST_CASE("several servers write to a database", "[.][postgres]") {
  book_beside book;
  auto first = book.open_or_fail();
  CHECK(first->peers() == 0);
  auto second = book.open_or_fail();
  CHECK(second->peers() == 1);
  CHECK(add(*first, "a") == store_status::done);
  CHECK(add(*second, "b") == store_status::done);
  CHECK(first->find_account_by_email("b@example.org").value().has_value());
  CHECK(freshet::test::eventually([&] { return first->peers() == 1; }));
  second.reset();
  CHECK(freshet::test::eventually([&] { return first->peers() == 0; }));
  CHECK(book.count("SELECT count(*) FROM nodes WHERE retired_at IS NULL") == 1);
}

TEST_CASE("servers that start at once on an empty database open one book", "[.][postgres]") {
  book_beside book;
  std::vector<std::unique_ptr<account_store>> opened(6);
  std::vector<std::thread> servers;
  for (auto& one : opened)
    servers.emplace_back([&] {
      if (auto made = book.open()) one = std::move(*made);
    });
  for (auto& one : servers) one.join();
  for (std::size_t i = 0; i < opened.size(); ++i) {
    REQUIRE(opened[i] != nullptr);
    CHECK(opened[i]->pepper() == opened[0]->pepper());
    CHECK(add(*opened[i], std::to_string(i)) == store_status::done);
  }
  CHECK(book.count(accounts_there) == 6);
}

TEST_CASE("what others have written is read anew in each transaction", "[.][postgres]") {
  book_beside book;
  const auto first = book.open_or_fail(), second = book.open_or_fail();
  REQUIRE(add(*first, "a") == store_status::done);
  const std::int64_t id = first->find_account_by_email("a@example.org").value()->record.id;
  const auto put = [&](account_store& books, std::int64_t leased) {
    return books.write([&](transaction& running) { running.put_lease(id, leased); });
  };
  const auto read = [&](account_store& books) {
    leased_book found;
    CHECK(books.write([&](transaction& running) {
      found = running.find_books(std::span(&id, 1)).at(0);
      CHECK(running.find_plan(id) == "free");
      CHECK_FALSE(running.find_secret("tides").has_value());
    }) == store_status::done);
    return found;
  };
  CHECK(put(*first, 7) == store_status::done);
  CHECK(put(*second, 5) == store_status::done);
  CHECK(read(*first).own == 7);
  CHECK(read(*first).others == 5);
  CHECK(read(*second).own == 5);
  CHECK(put(*second, 0) == store_status::done);
  CHECK(read(*first).others == 0);
  CHECK(put(*second, -1) == store_status::refused);
  CHECK(read(*first).own == 7);
}

TEST_CASE("servers tell each other what they have committed, and nothing else", "[.][postgres]") {
  book_beside book;
  const auto first = book.open_or_fail(), second = book.open_or_fail();
  std::mutex mutex;
  std::vector<std::string> heard;
  second->on_news([&](const peer_news& what) {
    const std::lock_guard guard(mutex);
    heard.push_back(std::to_string(static_cast<int>(what.what)) + " " + std::to_string(what.id) +
                    " " + std::to_string(what.first) + " " + std::to_string(what.second));
  });
  const auto tell = [](account_store& books, const peer_news& what, bool fails = false) {
    static_cast<void>(books.write([&](transaction& running) {
      running.tell(what);
      if (fails) running.put_lease(0, 1);  // of nobody
    }));
  };
  tell(*first, {peer_news::kind::key, 3}, true);
  tell(*second, {peer_news::kind::key, 4});
  tell(*first, {peer_news::kind::book, 12, 90, 5});
  tell(*first, {peer_news::kind::freed, 7});
  const auto known = [&] {
    const std::lock_guard guard(mutex);
    return heard;
  };
  CHECK(freshet::test::eventually([&] { return known().size() == 2; }));
  CHECK(known() == std::vector<std::string>{"4 12 90 5", "7 7 0 0"});
  // What was missed while nobody listened is everything.
  book.sql(
      "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE query LIKE '%LISTEN%' "
      "AND pid<>pg_backend_pid() AND datname=current_database()");
  CHECK(freshet::test::eventually([&] { return known().back() == "8 0 0 0"; }));
  second->on_news(nullptr);
}

TEST_CASE("a commit whose answer is lost is found to be in, and told as done", "[.][postgres]") {
  book_beside book;
  auto books = book.open_or_fail();
  book.failing = "reply";
  CHECK(add(*books, "a") == store_status::done);
  book.failing.clear();
  CHECK_FALSE(books->is_away());
  CHECK(add(*books, "b") == store_status::done);
  CHECK(book.count(accounts_there) == 2);
  CHECK(book.count("SELECT batches FROM nodes") == 2);
}

TEST_CASE("a commit that was in when its server was counted as gone is told as done",
          "[.][postgres]") {
  book_beside book;
  postgres::pg_connection peer;
  postgres::connection_options where;
  where.url = book.at.database;
  REQUIRE(peer.open(where).has_value());
  std::thread retiring;
  // Who retires it waits for the transaction, and is done before anybody asks what became of it.
  const auto retire = [&](std::string_view step) {
    if (step == "open" && retiring.joinable()) retiring.join();
    if (step != "reply") return false;
    const std::int64_t node = book.count("SELECT max(id) FROM nodes");
    retiring = std::thread([&peer, node] { CHECK(on_postgres::retire(peer, node).has_value()); });
    CHECK(freshet::test::eventually([&] {
      return book.count("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type='Lock'") > 0;
    }));
    return true;
  };
  auto books = account_store::open({book.at.database, retire, nullptr, book.at.folder}).value();
  CHECK(add(*books, "a") == store_status::done);
  CHECK(add(*books, "b") == store_status::uncertain);
  CHECK(says(books->failure(), "count this one as gone"));
  CHECK(book.count(accounts_there) == 1);
}

TEST_CASE("what is told as done lasts, though its lock was let go of before", "[.][postgres]") {
  book_beside book;
  const auto beside = book.open_or_fail();  // for who is alone nobody waits
  // The tests' server waits for no disk, unless it is asked to.
  const auto opened = account_store::open(
      {book.at.database + "%20-csynchronous_commit%3Don",
       [&](std::string_view step) { return step == book.failing; }, nullptr, book.at.folder});
  REQUIRE(opened.has_value());
  account_store& books = **opened;
  REQUIRE(books.peers() == 1);
  constexpr const char* written =
      "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint";
  constexpr const char* lasting =
      "SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint";
  for (const char* const failing : {"", "reply"}) {
    INFO(failing);
    for (int times = 0; times < 20; ++times) {
      book.failing = failing;
      std::int64_t before = 0;
      CHECK(books.write([&](transaction& running) {
        running.put_running_time(running_time(times));
        running.note({"a", "b", "c", "d", "e"}, start_time);
        before = book.count(written);
      }) == store_status::done);
      // The commit's record stands behind what was written by then.
      CHECK(book.count(lasting) > before);
    }
  }
  book.failing.clear();
}

TEST_CASE("a head that people keep lasts when it is told", "[.][postgres]") {
  book_beside book;
  const auto books = book.open_or_fail();
  for (int times = 0; times < 20; ++times) {
    REQUIRE(add(*books, std::to_string(times)) == store_status::done);
    const std::int64_t before =
        book.count("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint");
    if (times % 2 == 0)
      CHECK(books->read_snapshot([](ledger_snapshot&) {}).has_value());
    else
      CHECK(books->read_book("account:1", 0, [](const auto&, auto) { return true; }).has_value());
    CHECK(book.count("SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint") >=
          before);
  }
}

TEST_CASE("of several statements those behind one that fails are not run", "[.][postgres]") {
  book_beside book;
  static_cast<void>(book.open_or_fail());
  std::size_t done = 7;
  const auto run = [&](const char* sql) { return book.other.execute_each(sql, done); };
  CHECK(run("SELECT 1; SELECT 2") == postgres::pg_outcome::done);
  CHECK(done == 2);
  CHECK(run("SELECT 1; SELECT 1/0; SELECT 2") == postgres::pg_outcome::refused);
  CHECK(done == 1);
  CHECK(run("nonsense") == postgres::pg_outcome::failed);
  CHECK(done == 0);
  CHECK(run("SELECT 1; SELECT pg_terminate_backend(pg_backend_pid())") ==
        postgres::pg_outcome::lost);
  CHECK(done <= 1);
  CHECK(run("SELECT 1") == postgres::pg_outcome::lost);
  CHECK(done == 0);
}

TEST_CASE("a commit that was lost with its connection is found not to be in", "[.][postgres]") {
  book_beside book;
  auto books = book.open_or_fail();
  // What is checked as it commits waits for a lock that only we let go of; its server is ended
  // meanwhile.
  book.sql(
      "CREATE FUNCTION wait_here() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
      "PERFORM pg_advisory_xact_lock(4711); RETURN NULL; END $$; "
      "CREATE CONSTRAINT TRIGGER waits AFTER INSERT ON accounts DEFERRABLE INITIALLY DEFERRED "
      "FOR EACH ROW EXECUTE FUNCTION wait_here(); SELECT pg_advisory_lock(4711)");
  std::thread ends([&] {
    while (book.count("SELECT count(*) FROM pg_locks WHERE NOT granted AND objid=4711") == 0)
      std::this_thread::yield();
    static_cast<void>(book.other.execute(end_writer));
    static_cast<void>(book.other.execute("SELECT pg_advisory_unlock(4711)"));
  });
  const store_status status = add(*books, "a");
  ends.join();
  CHECK(status == store_status::failed);
  book.sql("DROP TRIGGER waits ON accounts");
  CHECK(book.count(accounts_there) == 0);
  CHECK(add(*books, "a") == store_status::done);
  CHECK(book.count(accounts_there) == 1);
}

TEST_CASE("a connection that is lost between two transactions is opened again unseen",
          "[.][postgres]") {
  book_beside book;
  auto books = book.open_or_fail();
  CHECK(add(*books, "a") == store_status::done);
  book.end_the_writer();
  CHECK(add(*books, "b") == store_status::done);
  CHECK(books->probe() == store_status::done);
  book.end_the_writer();
  CHECK(books->probe() == store_status::done);
  CHECK(books->find_account_by_email("b@example.org").value().has_value());
}

TEST_CASE("a transaction whose connection is lost within it fails, and nothing of it is stored",
          "[.][postgres]") {
  book_beside book;
  auto books = book.open_or_fail();
  const auto status = books->write([&](transaction& running) {
    account_record record;
    record.public_id = "acc_a";
    record.email = "a@example.org";
    record.plan = "free";
    static_cast<void>(running.add_account(record, "", ""));
    book.end_the_writer();
    CHECK_FALSE(running.has_email("a@example.org"));
  });
  CHECK(status == store_status::failed);
  CHECK(add(*books, "a") == store_status::done);
}

TEST_CASE("who counts as gone writes no more and says so", "[.][postgres]") {
  book_beside book;
  auto first = book.open_or_fail(), second = book.open_or_fail();
  CHECK(add(*first, "a") == store_status::done);
  book.sql("UPDATE nodes SET retired_at=now() WHERE id=(SELECT min(id) FROM nodes)");
  CHECK(add(*first, "c") == store_status::uncertain);
  CHECK(says(first->failure(), "count this one as gone"));
  CHECK(first->probe() == store_status::uncertain);
  CHECK(add(*second, "d") == store_status::done);
  CHECK(book.count(accounts_there) == 2);
}

TEST_CASE("a server that is not seen any more is retired, and learns that it was",
          "[.][postgres]") {
  book_beside book;
  auto first = book.open_or_fail();
  CHECK(add(*first, "a") == store_status::done);
  const std::int64_t id = first->find_account_by_email("a@example.org").value()->record.id;
  CHECK(first->write([&](transaction& running) { running.put_lease(id, 9); }) ==
        store_status::done);
  std::atomic<int> losses = 0;
  first->on_loss([&] { ++losses; });
  // Its clock stands still, and it is in the middle of a transaction.
  book.sql(
      "CREATE FUNCTION stand_still() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
      "NEW.seen_at := clock_timestamp() - interval '11 seconds'; RETURN NEW; END $$; "
      "CREATE TRIGGER stands_still BEFORE UPDATE ON heartbeats FOR EACH ROW "
      "EXECUTE FUNCTION stand_still(); UPDATE heartbeats SET seen_at=seen_at");
  const std::int64_t judge = on_postgres::add_node(book.other).value().id;
  const auto status = first->write([&](transaction& running) {
    account_record record;
    record.public_id = record.email = "b";
    record.plan = "free";
    static_cast<void>(running.add_account(record, "", ""));
    CHECK(on_postgres::retire_unseen(book.other, judge).has_value());
  });
  CHECK(status == store_status::failed);
  CHECK(book.count("SELECT count(*) FROM leases") == 0);
  CHECK(freshet::test::eventually([&] { return losses == 1; }));
  CHECK(first->probe() == store_status::uncertain);
  CHECK(add(*first, "d") == store_status::uncertain);
  CHECK(says(first->failure(), "count this one as gone"));
  // Who asks later is told, too.
  int told_later = 0;
  first->on_loss([&] { ++told_later; });
  CHECK(told_later == 1);
  CHECK(book.count(accounts_there) == 1);
}

TEST_CASE("a server that beats alone retires one that does not, but not at once", "[.][postgres]") {
  book_beside book;
  const auto first = book.open_or_fail();
  book.sql(
      "INSERT INTO nodes (name) VALUES ('silent'); "
      "INSERT INTO heartbeats SELECT max(id), clock_timestamp()-interval '1 hour', 0, now() "
      "FROM nodes");
  constexpr const char* silent =
      "SELECT count(*) FROM nodes WHERE name='silent' AND retired_at IS NULL";
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  CHECK(book.count(silent) == 1);
  CHECK(freshet::test::eventually([&] { return book.count(silent) == 0; }));
}

TEST_CASE("what a data folder's last server had leased is free when the next one opens",
          "[.][postgres]") {
  book_beside book;
  auto first = book.open_or_fail();
  REQUIRE(add(*first, "a") == store_status::done);
  const std::int64_t id = first->find_account_by_email("a@example.org").value()->record.id;
  CHECK(first->write([&](transaction& running) { running.put_lease(id, 9); }) ==
        store_status::done);
  // As a kill leaves it: the folder's lock is free, and nobody said good-bye.
  const std::string file = book.at.folder + "/node";
  const std::string token = sqlite::short_file::read(file);
  book.end_the_writer();
  book.failing = "retire";
  first.reset();
  book.failing.clear();
  CHECK(book.count("SELECT sum(credits) FROM leases") == 9);
  CHECK(sqlite::short_file::read(file) == token);
  const auto second = book.open_or_fail();
  CHECK(book.count("SELECT count(*) FROM leases") == 0);
  CHECK(sqlite::short_file::read(file) != token);
}

TEST_CASE("a server whose data folder was copied lives on beside the copy", "[.][postgres]") {
  book_beside book;
  const auto first = book.open_or_fail();
  const temporary_folder copy;
  for (const auto* const name : {"pepper", "node"})
    std::filesystem::copy_file(book.at.folder + "/" + name, copy.file(name));
  const auto second = account_store::open(
      {book.at.database, [](std::string_view) { return false; }, nullptr, copy.file(".")});
  REQUIRE(second.has_value());
  CHECK(add(*first, "a") == store_status::done);
  CHECK(add(**second, "b") == store_status::done);
}

TEST_CASE("accounts that count as gone learn it though nothing is asked of them", "[.][postgres]") {
  book_beside book;
  manual_clock clock;
  accounts_options options;
  options.database_path = book.at.database;
  options.folder = book.at.folder;
  options.clock = &clock;
  options.plans["free"].monthly = {100};
  std::atomic<int> losses = 0;
  options.lost = [&](const error&) { ++losses; };
  const auto store = open_or_throw(options);
  CHECK(store->healthy());
  CHECK(on_postgres::retire(book.other, book.count("SELECT max(id) FROM nodes")).has_value());
  CHECK(freshet::test::eventually([&] { return losses == 1; }));
  CHECK_FALSE(store->healthy());
}

TEST_CASE("a server that is there is seen again and again, and not retired", "[.][postgres]") {
  book_beside book;
  const auto first = book.open_or_fail();
  for (int times = 0; times < 2; ++times) {
    book.sql("UPDATE heartbeats SET seen_at=seen_at - interval '1 hour'");
    CHECK(freshet::test::eventually([&] {
      return book.count(
                 "SELECT count(*) FROM heartbeats WHERE "
                 "seen_at>clock_timestamp() - interval '10 seconds'") == 1;
    }));
  }
  const std::int64_t judge = on_postgres::add_node(book.other).value().id;
  CHECK(on_postgres::retire_unseen(book.other, judge).has_value());
  CHECK(add(*first, "a") == store_status::done);
}

TEST_CASE("a database that stood still has seen nobody, and nobody is retired", "[.][postgres]") {
  book_beside book;
  book.open_or_fail().reset();
  const std::int64_t gone = on_postgres::add_node(book.other).value().id;
  const std::int64_t judge = on_postgres::add_node(book.other).value().id;
  const auto is_gone = [&] { return !on_postgres::is_in_service(book.other, gone).value(); };
  book.sql("UPDATE heartbeats SET seen_at=clock_timestamp() - interval '11 seconds', backend=0");
  CHECK(on_postgres::retire_unseen(book.other, judge).has_value());
  CHECK_FALSE(is_gone());
  book.sql("UPDATE heartbeats SET seen_at=clock_timestamp() WHERE node=" + std::to_string(judge));
  CHECK(on_postgres::retire_unseen(book.other, judge).has_value());
  CHECK(is_gone());
}

TEST_CASE("who writes alone has no server beside it", "[.][postgres]") {
  book_beside book;
  auto first = book.open_or_fail();
  postgres::pg_connection importer;
  postgres::connection_options options;
  options.url = book.at.database;
  REQUIRE(importer.open(options).has_value());
  CHECK(says(why(on_postgres::lock_alone(importer, options.url, std::chrono::seconds(0))),
             "in use by a server"));
  first.reset();
  REQUIRE(on_postgres::lock_alone(importer, options.url).has_value());
  CHECK(says(why(book.open()), "who writes alone"));
  CHECK(importer.integer("SELECT 1").has_value());
}

TEST_CASE("over which connection a server writes is known when it was opened again",
          "[.][postgres]") {
  book_beside book;
  auto books = book.open_or_fail();
  CHECK(add(*books, "a") == store_status::done);
  const std::int64_t lost = book.count("SELECT backend FROM heartbeats");
  book.failing = "reply";
  CHECK(add(*books, "b") == store_status::done);
  book.failing.clear();
  CHECK(book.count("SELECT backend FROM heartbeats") != lost);
  CHECK(book.count("SELECT count(*) FROM heartbeats JOIN pg_locks ON pid=backend AND granted "
                   "AND locktype='advisory' AND "
                   "objid=(hashtext(current_schema())::bigint & 4294967295)::oid") == 1);
}

TEST_CASE("a database that was put back to before what was acknowledged is told", "[.][postgres]") {
  book_beside book;
  auto books = book.open_or_fail();
  CHECK(add(*books, "a") == store_status::done);
  CHECK(add(*books, "b") == store_status::done);
  book.sql("UPDATE nodes SET batches=1");
  book.end_the_writer();
  CHECK(add(*books, "c") == store_status::uncertain);
  CHECK(says(books->failure(), "is not what it was"));
}

TEST_CASE("a newer schema and another pepper are refused", "[.][postgres]") {
  book_beside book;
  static_cast<void>(book.open_or_fail());
  book.sql("UPDATE freshet_schema SET version=version+1");
  CHECK(says(why(book.open()), "use the newer program"));
  CHECK(says(why(verify_book({book.at.database, book.at.folder}, {})), "use the newer program"));
  book.sql("UPDATE freshet_schema SET version=version-1");
  CHECK(book.open().has_value());
  std::filesystem::remove(book.at.folder + "/pepper");
  CHECK(book.open().error().code() == errc::invalid_configuration);
  std::ofstream(book.at.folder + "/pepper") << std::string(64, '0') << "\n";
  std::filesystem::permissions(book.at.folder + "/pepper", std::filesystem::perms(0600));
  CHECK(says(why(book.open()), "does not belong to the database"));
}

TEST_CASE("texts of the ledger are kept as they are, whatever is in them", "[.][postgres]") {
  book_beside book;
  auto books = book.open_or_fail();
  const std::string reason = "a \"quoted\" \\ {brace}, NULL\nline\tand \xe2\x82\xac";
  chain_row row;
  row.seq = row.movement = row.number = 1;
  row.book = "account:1";
  row.kind = "grant";
  row.amount = row.balance = 5;
  row.reason = reason;
  row.at = start_time;
  const auto append = [&](transaction& running) { running.append(row, link({}, row)); };
  CHECK(books->write(append) == store_status::done);
  const auto rows =
      books->read_ledger({"account:1", std::numeric_limits<std::int64_t>::max(), 10, "", {}})
          .value();
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].reason == reason);
  CHECK(rows[0].hash == base::hex(base::as_text(link({}, row))));
  row.seq = row.movement = row.number = 2;
  for (const std::string_view text : {std::string_view("a\0b", 3), std::string_view("\xff")}) {
    row.reason = text;
    CHECK(books->write(append) == store_status::refused);
  }
  CHECK(books->probe() == store_status::done);
}

TEST_CASE("kept answers are counted, bounded and removed in PostgreSQL", "[.][postgres]") {
  book_beside book;
  auto books = book.open_or_fail();
  REQUIRE(add(*books, "a") == store_status::done);
  REQUIRE(add(*books, "b") == store_status::done);
  const auto id_of = [&](const char* email) {
    return books->find_account_by_email(email).value()->record.id;
  };
  const std::int64_t a = id_of("a@example.org"), b = id_of("b@example.org");
  const auto keep = [&](std::int64_t account_id, const std::string& key, std::size_t size, int at,
                        const answer_limits& limits = {}) {
    stored_answer answer;
    answer.body.assign(size, '\0');
    REQUIRE(books->write([&](transaction& running) {
      running.keep_answer(account_id, key, answer, running_time(at), limits);
    }) == store_status::done);
  };
  const auto sums_fit = [&] {
    return book.count(
               "SELECT count(*) FROM answer_sizes LEFT JOIN (SELECT account_id, sum(size) "
               "AS size FROM answers GROUP BY ROLLUP (account_id)) AS summed ON "
               "coalesce(summed.account_id, 0)=answer_sizes.account_id "
               "WHERE bytes<>coalesce(size, 0)") == 0;
  };
  for (int i = 0; i < 6; ++i) keep(i < 4 ? a : b, "k" + std::to_string(i), 1000, i + 1);
  keep(a, "k3", 500, 4);  // in the place of the one that is there
  CHECK(book.count("SELECT count(*) FROM answers") == 6);
  CHECK(sums_fit());
  CHECK(books->find_answer(a, "k3", running_time(3)).value()->answer.body.size() == 500);
  CHECK_FALSE(books->find_answer(a, "k3", running_time(4)).value().has_value());
  keep(a, "k6", 1000, 7, {.of_account = 4'600});
  CHECK_FALSE(books->find_answer(a, "k0", running_time(0)).value().has_value());
  CHECK(books->find_answer(a, "k1", running_time(0)).value().has_value());
  keep(b, "k7", 100, 8, {.of_all = 6'000});  // of the account that has the most
  CHECK_FALSE(books->find_answer(a, "k1", running_time(0)).value().has_value());
  CHECK(books->find_answer(b, "k4", running_time(0)).value().has_value());
  CHECK(sums_fit());
  bool more = true;
  CHECK(books->write([&](transaction& running) {
    more = running.purge_answers(running_time(7));
  }) == store_status::done);
  CHECK_FALSE(more);
  CHECK(book.count("SELECT count(*) FROM answers") == 2);
  CHECK(sums_fit());
  keep(404, "k", 10, 9);  // nobody's
  CHECK(book.count("SELECT count(*) FROM answers") == 2);
  CHECK(sums_fit());
}

TEST_CASE("what is only shown of people is mended where it is no text", "[.][postgres]") {
  book_beside book;
  auto books = book.open_or_fail();
  REQUIRE(add(*books, "a") == store_status::done);
  session_record session;
  session.id = "ses_1";
  session.account_id = books->find_account_by_email("a@example.org").value()->record.id;
  session.user_agent = std::string("agent \xff and \0", 13);
  CHECK(books->write([&](transaction& running) { running.add_session(session, {}, 5); }) ==
        store_status::done);
  std::string told;
  CHECK(books
            ->read_sessions(0, [&](const base::sha256_digest&,
                                   const session_record& one) { told = one.user_agent; })
            .has_value());
  CHECK(told == "agent \xef\xbf\xbd and ");
}

TEST_CASE("a book in PostgreSQL is verified beside its server, and backed up by PostgreSQL",
          "[.][postgres]") {
  book_beside book;
  manual_clock clock;
  accounts_options options;
  options.database_path = book.at.database;
  options.folder = book.at.folder;
  options.clock = &clock;
  options.plans["free"].monthly = {100};
  const auto store = open_or_throw(options);
  const auto who = new_principal(*store);
  for (int i = 0; i < 5; ++i)
    REQUIRE(settle(*store, store->reserve(who, {3}).value(), 3).has_value());
  const book_place place{book.at.database, book.at.folder};
  const auto sound = verify_book(place, {}).value();
  CHECK(sound.ok);
  CHECK(sound.rows == 6);
  CHECK(verify_book(place, {.known = sound.head, .resumes = true}).value().rows == 0);
  CHECK(says(why(back_up(place, book.at.folder + "/copy", {})), "pg_dump"));
  CHECK(says(why(restore(book.at.folder + "/copy", place, nullptr)), "pg_restore"));
  book.sql(
      "ALTER TABLE ledger DISABLE TRIGGER ledger_never_changes; "
      "UPDATE ledger SET amount=amount-1 WHERE seq=4");
  const auto altered = verify_book(place, {}).value();
  CHECK_FALSE(altered.ok);
  CHECK(says(altered.findings.front(), "row 4"));
}

TEST_CASE("rows of the ledger and of the audit log are immutable in PostgreSQL", "[.][postgres]") {
  book_beside book;
  const auto books = book.open_or_fail();
  chain_row row;
  row.seq = row.movement = row.number = 1;
  row.book = "account:1";
  row.kind = "grant";
  CHECK(books->write([&](transaction& running) {
    running.append(row, {});
    running.note({"a", "b", "c", "d", "e"}, start_time);
  }) == store_status::done);
  for (const char* sql : {"UPDATE ledger SET amount=1", "DELETE FROM ledger", "TRUNCATE ledger",
                          "UPDATE audit SET actor=''", "DELETE FROM audit", "TRUNCATE audit"})
    CHECK(book.other.execute(sql) == postgres::pg_outcome::failed);
}

TEST_CASE("a book is moved out of a file as it is, by parts if it has to be", "[.][postgres]") {
  const temporary_folder files;
  manual_clock clock;
  accounts_options options;
  options.database_path = files.file("freshet.db");
  options.clock = &clock;
  options.plans["free"].monthly = {10'000};
  std::string secret;
  std::vector<ledger_row> before;
  {
    const auto store = open_or_throw(options);
    const auto account = store->create_account("a@example.com", "free").value();
    key_options with;
    with.monthly_budget = credits{9'000};
    secret = store->create_key(account.id, with).value().secret;
    const auto who = store->authenticate(secret).value();
    std::atomic<int> left{3'000};
    for (int i = 0; i < 3'000; ++i) {
      usage what;
      what.endpoint = "news/search";
      what.request_id = "req_" + std::to_string(i);
      if (i % 100 == 0) what.idempotency_key = "k" + std::to_string(i);
      what.answer.body = what.request_id;
      store->settle(store->reserve(who, {1}).value(), {1}, what,
                    [&](const result<balance>&) { --left; });
    }
    REQUIRE(freshet::test::eventually([&] { return left == 0; }));
    REQUIRE(store->refund("req_7", std::nullopt, "an \"odd\" \\ reason").has_value());
    before = store->ledger(account.id, 0, 1'000).value();
  }
  const auto head = verify_book(options.database_path, {}).value().head;
  book_beside book;
  const book_place place{book.at.database, book.at.folder};
  int parts = 0;
  for (int most = 1;; ++most, ++parts) {
    int told = 0;
    const auto moved =
        move_book(options.database_path, place, [&](auto, auto, auto) { return ++told < most; });
    if (moved) {
      CHECK(moved->head.hash == head.hash);
      break;
    }
    REQUIRE(moved.error().code() == errc::cancelled);
    if (book.count("SELECT count(*) FROM secrets") == 0)
      CHECK(says(why(book.open()), "has a part of a book"));
  }
  CHECK(parts > 5);
  auto there = options;
  there.database_path = place.database;
  there.folder = place.folder;
  const auto store = open_or_throw(there);
  const auto who = store->authenticate(secret).value();
  CHECK(store->balance_of(who).value().posted == credits{7'001});
  const auto after = store->ledger(who.account.id, 0, 1'000).value();
  REQUIRE(after.size() == before.size());
  for (std::size_t i = 0; i < after.size(); ++i) {
    CHECK(after[i].seq == before[i].seq);
    CHECK(after[i].hash == before[i].hash);
    CHECK(after[i].request_id == before[i].request_id);
  }
  CHECK(store->list_keys(who.account.id).value()[0].budget_used == credits{3'000});
  CHECK(settle(*store, store->reserve(who, {1}).value(), 1).value().posted == credits{7'000});
  CHECK(store->create_account("b@example.com", "free").value().id > who.account.id);
  CHECK(store->verify({.known = head}).value().ok);
  const auto again = move_book(options.database_path, place, nullptr);
  CHECK(again.error().code() == errc::invalid_configuration);  // a server has it open
}

TEST_CASE("a book is moved into an empty database alone, and not while it is open",
          "[.][postgres]") {
  const temporary_folder files;
  manual_clock clock;
  accounts_options options;
  options.database_path = files.file("freshet.db");
  options.clock = &clock;
  book_beside book;
  const book_place place{book.at.database, book.at.folder};
  CHECK(move_book(options.database_path, place, nullptr).error().code() == errc::not_found);
  {
    const auto store = open_or_throw(options);
    CHECK(says(why(move_book(options.database_path, place, nullptr)), "another process"));
  }
  CHECK(says(why(move_book(place, options.database_path, nullptr)), "from sqlite:PATH"));
  static_cast<void>(book.open_or_fail());
  std::filesystem::remove(book.at.folder + "/pepper");
  CHECK(says(why(move_book(options.database_path, place, nullptr)), "an empty one"));
}
