// One server at a time fills an archive that several share: whoever lost the tenure writes nothing,
// and the next one goes on where the last one ended.
#include <chrono>
#include <future>
#include <postgres/postgres.hpp>
#include <support/eventually.hpp>
#include <support/held_table.hpp>
#include <thread>

#include "fixture.hpp"

using namespace freshet;
using namespace freshet::archive;
using namespace freshet::archive::test;
using namespace std::chrono_literals;
using freshet::test::eventually;
using freshet::test::held_table;

namespace {

/// As if the holder had been stopped for longer than its tenure.
void let_time_pass(const fixture& here) {
  freshet::test::run_on_server(here.options().path,
                               "UPDATE archive_tenures SET until=clock_timestamp()");
}

changes at_position(const std::string& cursor, std::int64_t tenure) {
  auto made = keeping({make_post("post" + cursor, "tide", std::stoi(cursor))});
  made.cursors = {{"stream", cursor}};
  made.tenure = tenure;
  return made;
}

}  // namespace

TEST_CASE("a tenure is one server's until its time is over", "[.][postgres]") {
  const fixture here;
  const auto first = here.kept->tenure();
  auto second = *item_store::open(here.options());
  CHECK(second->hold().value() == 0);
  CHECK_FALSE(second->write(at_position("7", 0)));
  CHECK(second->expire().value() == false);
  CHECK(here.kept->hold().value() == first);
  CHECK(here.kept->write(at_position("1", first)));
  CHECK(second->measure()->items == 1);
  CHECK_FALSE(second->measure()->holder.empty());
  here.kept->let_go();
  CHECK(second->hold().value() > first);
}

TEST_CASE("whoever was stopped beyond its tenure writes nothing when it goes on", "[.][postgres]") {
  const fixture here;
  const auto first = here.kept->tenure();
  CHECK(here.kept->write(at_position("1", first)));
  let_time_pass(here);
  auto second = *item_store::open(here.options());
  const auto next = second->hold().value();
  REQUIRE(next > first);
  CHECK(*second->cursor("stream") == "1");
  CHECK(second->write(at_position("2", next)));
  // It does not know yet that it has lost the tenure.
  CHECK(here.kept->tenure() == first);
  CHECK_FALSE(here.kept->write(at_position("9", first)));
  CHECK(here.kept->tenure() == 0);
  CHECK_FALSE(here.kept->write(at_position("9", first)));
  CHECK(*here.kept->cursor("stream") == "2");
  CHECK(here.names("tide") == list{"post1", "post2"});
  // Nor when it has a tenure again, what it had read under the one before.
  let_time_pass(here);
  REQUIRE(here.kept->hold().value() > next);
  CHECK_FALSE(here.kept->write(at_position("9", first)));
  CHECK(*here.kept->cursor("stream") == "2");
}

TEST_CASE("a database that was away is written to again, and nothing is twice", "[.][postgres]") {
  const fixture here;
  here.write(at_position("1", 0));
  freshet::test::run_on_server(
      here.options().path,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid<>pg_backend_pid() AND "
      "datname=current_database()");
  static_cast<void>(here.kept->write(at_position("2", 0)));
  here.write(at_position("2", 0));
  CHECK(here.names("tide") == list{"post1", "post2"});
}

TEST_CASE("what lies ahead of its time is found, and moves to its part when that is made",
          "[.][postgres]") {
  fixture here;
  here.keep({make_post("ahead", "tide", -100 * 3600), make_post("now", "tide")});
  CHECK(here.names("tide") == list{"ahead", "now"});
  here.clock.set(start_time + std::chrono::hours(99));
  here.keep({make_post("later", "tide", -99 * 3600)});
  CHECK(here.names("tide") == list{"ahead", "later", "now"});
  here.clock.set(start_time + std::chrono::hours(24 * 9));
  for (int pass = 0; pass < 100 && *here.kept->expire(); ++pass) continue;
  CHECK(here.names("tide") == list{"ahead", "later"});
}

TEST_CASE("the oldest parts go when there is too much, and never the one that is filled",
          "[.][postgres]") {
  const fixture here(1 << 20);
  for (int hour = 0; hour < 60; hour += 3) {
    std::vector<item> items;
    for (int i = 0; i < 300; ++i)
      items.push_back(make_post(std::to_string(hour * 1000 + i), std::string(200, 'x') + " tide",
                                hour * 3600 + i));
    here.keep(items);
  }
  for (int pass = 0; pass < 100 && *here.kept->expire(); ++pass) continue;
  const auto left = here.names("tide", 100'000);
  CHECK(left.size() >= 300);
  CHECK(left.size() < 6000);
  CHECK(left.front() == "0");
}

TEST_CASE("no search looks through what waits for the index of words, after the upkeep",
          "[.][postgres]") {
  fixture here;
  for (int hour = 0; hour < 24; hour += 6)
    here.keep({make_post(std::to_string(hour), "tide", hour * 3600)});
  for (int pass = 0; pass < 100 && *here.kept->expire(); ++pass) continue;
  postgres::pg_connection server;
  postgres::connection_options where;
  where.url = here.options().path;
  REQUIRE(server.open(where));
  CHECK(*server.integer("SELECT count(*) FROM archive_items") == 4);
  CHECK(*server.integer("SELECT sum(gin_clean_pending_list(oid)) FROM pg_class WHERE relkind='i' "
                        "AND relam=(SELECT oid FROM pg_am WHERE amname='gin') AND "
                        "relnamespace=current_schema()::regnamespace") == 0);
  CHECK(here.names("tide") == list{"0", "6", "12", "18"});
}

TEST_CASE("a search that the database holds up ends with its time", "[.][postgres]") {
  const fixture here;
  here.keep({make_post("one", "tide")});
  postgres::connection_options where;
  where.url = here.options().path;
  postgres::pg_connection holder;
  REQUIRE(holder.open(where));
  REQUIRE(holder.execute("BEGIN; LOCK TABLE archive_items") == postgres::pg_outcome::done);
  const auto q = query_of("tide");
  const search_course course(std::chrono::steady_clock::now() + 300ms);
  search what;
  what.q = &q;
  what.course = &course;
  // Without it the database would end it, after as long as any statement has.
  CHECK(here.kept->find(what).error().code() == errc::source_timeout);
  REQUIRE(holder.execute("COMMIT") == postgres::pg_outcome::done);
  const search_course another(std::chrono::steady_clock::now() + 1min);
  what.course = &another;
  CHECK(here.names(what) == list{"one"});
}

TEST_CASE("a search that nobody waits for any more ends in the database, too", "[.][postgres]") {
  const fixture here;
  here.keep({make_post("one", "tide")});
  const held_table held(here.options().path, "archive_items");
  const auto q = query_of("tide");
  search_course course(std::chrono::steady_clock::now() + 1min);
  search what;
  what.q = &q;
  what.course = &course;
  auto found = std::async(std::launch::async, [&] { return here.kept->find(what); });
  const auto waiting = held.who_waits();
  course.leave();
  CHECK(found.get().error().code() == errc::cancelled);
  CHECK(eventually([&] { return held.is_gone(waiting); }));
}
