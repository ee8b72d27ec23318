// The store of the log, a file or a database: what was written is found by its account, newest
// first, filtered and page by page; by its id, whoever made that; and goes by age, by size and with
// its account.
#include "requests/request_store.hpp"

#include <fstream>
#include <memory>
#include <random>
#include <sqlite/sqlite.hpp>
#include <support/database_at.hpp>

#include "fixture.hpp"

using namespace freshet;
using namespace freshet::requests;
using namespace freshet::requests::test;
using freshet::test::database_at;
using freshet::test::on_postgres_server;
using std::chrono::hours;
using std::chrono::milliseconds;

namespace {

/// A number that SQL tells of the log's tables, which are named as they are in SQLite.
std::int64_t number_in(const temporary_folder& folder, const std::string& value,
                       const std::string& table, const std::string& rest = "") {
  const auto sql = "SELECT " + value + " FROM " + (on_postgres_server() ? "request_" : "") + table;
  if (on_postgres_server()) {
    postgres::pg_connection beside;
    postgres::connection_options options;
    options.url = database_at(folder.file("requests.db"));
    REQUIRE(beside.open(options));
    return beside.integer((sql + rest).c_str()).value();
  }
  sqlite::database beside;
  REQUIRE(beside.open(folder.file("requests.db"), sqlite::database_use::read));
  return beside.integer((sql + rest).c_str()).value();
}

std::unique_ptr<request_store> make_store(const temporary_folder& folder,
                                          store_limits limits = {}) {
  return request_store::make(database_at(folder.file("requests.db")), limits);
}

struct open_store {
  temporary_folder folder;
  std::unique_ptr<request_store> held;
  request_store& store;
  explicit open_store(store_limits limits = {}) : held(make_store(folder, limits)), store(*held) {
    REQUIRE(store.open().done);
  }
  void write(const batch& batch, time_point now = start_time) {
    REQUIRE(store.write(batch, now).done);
  }
  [[nodiscard]] std::vector<call_record> all(const call_query& query) const {
    auto found = store.list(query);
    REQUIRE(found);
    return *found;
  }
  void purge(time_point now) {
    for (int slices = 0; slices < 1000; ++slices) {
      const auto more = store.purge(now);
      REQUIRE(more);
      if (!*more) return;
    }
    FAIL("it never ends");
  }
};

call_query of(std::string_view account, std::size_t limit = 1000) {
  return {.account = account, .limit = limit};
}

}  // namespace

TEST_CASE("a call is read back as it was written") {
  open_store here;
  sample_call one;
  one.id = base::make_id("req_", start_time);
  one.status = 502;
  one.code = "source_error";
  one.is_test = true;
  source_report source;
  source.name = "mastodon";
  source.instance = "mastodon.example";
  source.status = "error";
  source.code = "source_timeout";
  source.items_read = 3;
  source.elapsed_ms = 1234;
  one.sources = {source, source};
  batch what;
  put(what, one, {R"({"q":"tide"})", R"({"code":"source_error"})"});
  here.write(what);
  const auto found = here.all(of("acc_1"));
  REQUIRE(found.size() == 1);
  const auto& got = found.front();
  CHECK(got.request_id == one.id);
  CHECK(got.at == start_time);
  CHECK(got.endpoint == "news/search");
  CHECK(got.key_id == "key_1");
  CHECK(got.is_test);
  CHECK_FALSE(got.is_replayed);
  CHECK(got.status == 502);
  CHECK(got.code == "source_error");
  CHECK(got.credits == 0);
  CHECK(got.elapsed_ms == 12);
  CHECK_FALSE(got.items);
  CHECK(got.completeness == completeness::none);
  REQUIRE(got.sources.size() == 2);
  CHECK(got.sources[1].instance == "mastodon.example");
  CHECK(got.sources[1].code == "source_timeout");
  CHECK(got.sources[1].items_read == 3);
  CHECK(got.sources[1].elapsed_ms == 1234);
  const auto shown = here.store.show("acc_1", one.id);
  REQUIRE(shown);
  CHECK(shown->call.number == got.number);
  CHECK(shown->bodies.sent == R"({"q":"tide"})");
  CHECK(shown->bodies.answered == R"({"code":"source_error"})");
}

TEST_CASE("an account sees its own calls alone, page by page, each of them once") {
  open_store here;
  list expected;
  for (int turn = 0; turn < 9; ++turn) {
    batch what;
    for (int i = 0; i < 100; ++i) {
      sample_call one;
      one.id = "mine-" + std::to_string(turn * 100 + i);
      put(what, one);
      expected.insert(expected.begin(), one.id);
      one.account = "acc_2";
      one.id = "theirs";
      put(what, one);
    }
    here.write(what, start_time + milliseconds(turn));
  }
  list walked;
  auto query = of("acc_1", 37);
  while (true) {
    const auto page = here.all(query);
    for (const auto& one : page) walked.push_back(one.request_id);
    if (page.size() < query.limit) break;
    query.before = page.back().number;
    // What comes meanwhile neither moves nor repeats anything.
    batch more;
    sample_call late;
    late.id = "late";
    put(more, late);
    here.write(more, start_time + hours(1));
  }
  CHECK(walked == expected);
  CHECK(here.all(of("acc_3")).empty());
}

TEST_CASE("filters give what a look at every call gives") {
  open_store here;
  std::mt19937 random(7);
  const auto pick = [&](const list& from) { return from[random() % from.size()]; };
  const list endpoints{"news/search", "scrape/markdown", "microblog/search", "account/show"};
  const list keys{"key_1", "key_2", "dashboard"};
  std::vector<sample_call> all;
  for (int turn = 0; turn < 60; ++turn) {
    batch what;
    for (std::size_t i = 0; i < random() % 5 + 1; ++i) {
      sample_call one;
      one.id = "call-" + std::to_string(all.size());
      one.at = start_time + std::chrono::seconds(turn);
      one.endpoint = pick(endpoints);
      one.key = pick(keys);
      one.is_test = random() % 2 == 0;
      if (random() % 3 == 0) {
        one.status = random() % 2 == 0 ? 400 : 502;
        one.code = one.status == 400 ? "invalid_request" : "source_error";
      }
      put(what, one);
      all.push_back(one);
    }
    here.write(what, start_time + std::chrono::seconds(turn));
  }
  std::vector<request_filter> filters(9);
  filters[1] = {.least_status = 400, .most_status = 400};
  filters[2] = {.least_status = 400, .most_status = 599};
  filters[3] = {.least_status = 200, .most_status = 299};
  filters[4].endpoint = "scrape/markdown";
  filters[5].key_id = "dashboard";
  filters[6].code = "source_error";
  filters[7].is_test = true;
  filters[8] = {.least_status = 500, .most_status = 599, .key_id = "key_2"};
  filters[8].since = start_time + std::chrono::seconds(30);
  for (const auto& filter : filters) {
    list expected;
    for (auto one = all.rbegin(); one != all.rend(); ++one) {
      const bool is_taken = (filter.most_status == 0 || (one->status >= filter.least_status &&
                                                         one->status <= filter.most_status)) &&
                            (filter.endpoint.empty() || one->endpoint == filter.endpoint) &&
                            (filter.key_id.empty() || one->key == filter.key_id) &&
                            (filter.code.empty() || one->code == filter.code) &&
                            (!filter.is_test || one->is_test == *filter.is_test) &&
                            (!filter.since || one->at >= *filter.since);
      if (is_taken) expected.push_back(one->id);
    }
    auto query = of("acc_1");
    query.filter = filter;
    CHECK_FALSE(expected.empty());
    CHECK(ids_of(here.all(query)) == expected);
  }
}

TEST_CASE("a call is found by its id, whoever made it and whatever the clock did") {
  open_store here;
  sample_call ours, theirs, slow, again;
  ours.id = base::make_id("req_", start_time);
  theirs.id = "order-66";
  slow.id = base::make_id("req_", start_time - hours(2));
  batch what;
  for (const auto& one : {ours, theirs, slow}) put(what, one);
  here.write(what, start_time + std::chrono::seconds(20));
  for (const auto& one : {ours, theirs, slow}) {
    const auto shown = here.store.show("acc_1", one.id);
    REQUIRE(shown);
    CHECK(shown->call.request_id == one.id);
    CHECK(here.store.show("acc_2", one.id).error().code() == errc::not_found);
  }
  // The same id again is the last call of that id.
  again.id = theirs.id;
  again.status = 400;
  batch second;
  put(second, again);
  here.write(second, start_time + std::chrono::minutes(1));
  CHECK(here.store.show("acc_1", theirs.id)->call.status == 400);
  // An hour back: numbers go on, and ids of that time are found.
  sample_call early;
  early.at = start_time - hours(1);
  early.id = base::make_id("req_", early.at);
  batch third;
  put(third, early);
  here.write(third, early.at);
  REQUIRE(here.store.show("acc_1", early.id));
  CHECK(here.all(of("acc_1")).front().request_id == early.id);
  CHECK(here.store.show("acc_1", "").error().code() == errc::not_found);
  CHECK(here.store.show("acc_1", base::make_id("req_", start_time)).error().code() ==
        errc::not_found);
}

TEST_CASE("what is too old goes, its bodies before it, and ids with their calls") {
  open_store here({.keep = hours(48), .keep_bodies = hours(24)});
  for (int hour = 0; hour < 60; ++hour) {
    batch what;
    sample_call one;
    one.at = start_time + hours(hour);
    one.id = "call-" + std::to_string(hour);
    put(what, one, {"sent", "answered"});
    here.write(what, one.at);
  }
  here.purge(start_time + hours(59));
  const auto left = here.all(of("acc_1"));
  REQUIRE(left.size() == 49);
  CHECK(left.back().request_id == "call-11");
  CHECK(here.store.show("acc_1", "call-10").error().code() == errc::not_found);
  CHECK(here.store.show("acc_1", "call-34")->bodies.sent.empty());
  CHECK(here.store.show("acc_1", "call-35")->bodies.sent == "sent");
  // In PostgreSQL a day goes as a whole, and an hour of bodies.
  CHECK(number_in(here.folder, "count(*)", "names") == (on_postgres_server() ? 60 : 49));
  CHECK(number_in(here.folder, "count(*)", "bodies") == 25);
  here.purge(start_time + hours(72));
  CHECK(here.all(of("acc_1")).size() == 36);
  CHECK(number_in(here.folder, "count(*)", "names") == (on_postgres_server() ? 48 : 36));
  CHECK(number_in(here.folder, "count(*)", "bodies") == 12);
}

TEST_CASE("an account that has too much loses its oldest calls, and nobody else any") {
  store_limits limits;
  limits.bytes_of_account = 20'000;
  open_store here(limits);
  const auto many = [&](const std::string& account, int turns) {
    for (int turn = 0; turn < turns; ++turn) {
      batch what;
      for (int i = 0; i < 50; ++i) {
        sample_call one;
        one.account = account;
        one.id = account + "-" + std::to_string(turn);
        put(what, one);
      }
      here.write(what, start_time + std::chrono::seconds(turn));
    }
  };
  many("acc_quiet", 2);
  many("acc_flood", 30);
  here.purge(start_time + hours(1));
  CHECK(here.all(of("acc_quiet")).size() == 100);
  const auto left = here.all(of("acc_flood", 10'000));
  CHECK(left.size() < 30 * 50);
  CHECK(left.size() > 100);
  CHECK(left.front().request_id == "acc_flood-29");
}

TEST_CASE("where all is too much, who has the most loses its oldest calls") {
  store_limits limits;
  limits.bytes_of_all = 40'000;
  limits.body_bytes_of_account = 3'000;
  limits.keep_bodies = hours(24);
  open_store here(limits);
  for (int turn = 0; turn < 40; ++turn) {
    batch what;
    for (const auto* account : {"acc_a", "acc_b", "acc_b", "acc_b"}) {
      for (int i = 0; i < 5; ++i) {
        sample_call one;
        one.account = account;
        one.id = std::to_string(turn);
        put(what, one, i == 0 ? call_bodies{std::string(100, 'x'), ""} : call_bodies{});
      }
    }
    here.write(what, start_time + std::chrono::seconds(turn));
  }
  here.purge(start_time + hours(1));
  CHECK(here.all(of("acc_a")).size() == 200);
  const auto of_most = here.all(of("acc_b")).size();
  CHECK(of_most < 600);
  CHECK(of_most > 0);
  // Bodies have a bound of their own: the last ones are there.
  CHECK(here.store.show("acc_a", "39")->call.request_id == "39");
  for (const auto* account : {"acc_a", "acc_b"}) {
    const auto kept = number_in(here.folder, "CAST(sum(bytes) AS BIGINT)", "bodies",
                                " WHERE account='" + std::string(account) + "'");
    CHECK(kept <= 3'000);
    CHECK(kept > 0);
  }
}

TEST_CASE("kept bodies of many push out no calls, and all together keep the bound") {
  store_limits limits;
  limits.bytes_of_all = 40'000;
  limits.body_bytes_of_account = 10'000;
  limits.keep_bodies = hours(24);
  open_store here(limits);
  for (int turn = 0; turn < 10; ++turn) {
    batch what;
    for (int account = 0; account < 8; ++account) {
      sample_call one;
      one.account = "acc_" + std::to_string(account);
      one.id = std::to_string(turn);
      const bool is_flood = account != 0;
      put(what, one, is_flood ? call_bodies{std::string(900, 'x'), ""} : call_bodies{"sent", ""});
    }
    here.write(what, start_time + std::chrono::seconds(turn));
  }
  here.purge(start_time + hours(1));
  for (int account = 0; account < 8; ++account)
    CHECK(here.all(of("acc_" + std::to_string(account))).size() == 10);
  CHECK(here.store.show("acc_0", "0")->bodies.sent == "sent");
  CHECK(here.store.show("acc_1", "0")->bodies.sent.empty());
  const auto bytes = [&](const char* table) {
    return number_in(here.folder, "CAST(sum(bytes) AS BIGINT)", table);
  };
  CHECK(bytes("bodies") + bytes("chunks") <= 40'000);
}

TEST_CASE("an account is forgotten whole") {
  open_store here;
  for (int turn = 0; turn < 200; ++turn) {
    batch what;
    for (const auto* account : {"acc_1", "acc_2"}) {
      sample_call one;
      one.account = account;
      one.id = "id-" + std::to_string(turn);
      put(what, one, {"sent", "answered"});
    }
    here.write(what, start_time + milliseconds(turn));
  }
  while (true) {
    const auto more = here.store.forget("acc_1");
    REQUIRE(more);
    if (!*more) break;
  }
  CHECK(here.all(of("acc_1")).empty());
  CHECK(here.all(of("acc_2")).size() == 200);
  for (const auto* table : {"names", "bodies"}) {
    CHECK(number_in(here.folder, "count(*)", table, " WHERE account='acc_1'") == 0);
    CHECK(number_in(here.folder, "count(*)", table, " WHERE account='acc_2'") == 200);
  }
}

TEST_CASE("numbers go on after a restart") {
  temporary_folder folder;
  batch what;
  sample_call one;
  one.id = "first";
  put(what, one);
  {
    const auto store = make_store(folder);
    REQUIRE(store->open().done);
    REQUIRE(store->write(what, start_time).done);
  }
  one.id = "second";
  batch more;
  put(more, one);
  const auto store = make_store(folder);
  REQUIRE(store->open().done);
  REQUIRE(store->write(more, start_time - hours(5)).done);
  const auto found = store->list(of("acc_1"));
  REQUIRE(found);
  CHECK(ids_of(*found) == list{"second", "first"});
}

TEST_CASE("a write that fails leaves nothing, and the next one goes on") {
  temporary_folder folder;
  const auto store = make_store(folder);
  std::string failing;
  store->fail = [&](std::string_view stage) { return stage == failing; };
  REQUIRE(store->open().done);
  batch what;
  sample_call one;
  one.id = "call";
  put(what, one);
  for (const auto* stage : {"begin", "insert", "commit"}) {
    failing = stage;
    const auto outcome = store->write(what, start_time);
    CHECK_FALSE(outcome.done);
    CHECK_FALSE(outcome.is_broken);
    CHECK_FALSE(outcome.is_unsure);
    CHECK(store->list(of("acc_1"))->empty());
  }
  failing.clear();
  CHECK(store->write(what, start_time).done);
  CHECK(store->list(of("acc_1"))->size() == 1);
  failing = "purge";
  CHECK_FALSE(store->purge(start_time + hours(24 * 40)));
  failing.clear();
  CHECK(*store->purge(start_time + hours(24 * 40)));
  CHECK(store->list(of("acc_1"))->empty());
}

TEST_CASE("where little is left of the disk nothing more is written, and what is old goes",
          "[sqlite]") {
  temporary_folder folder;
  batch what;
  sample_call one;
  one.id = "call";
  put(what, one);
  {
    const auto store = make_store(folder);
    REQUIRE(store->open().done);
    REQUIRE(store->write(what, start_time).done);
  }
  store_limits limits;
  limits.left_bytes = std::int64_t{1} << 62;
  const auto store = make_store(folder, limits);
  REQUIRE(store->open().done);
  const auto outcome = store->write(what, start_time);
  CHECK(outcome.done.error().code() == errc::storage_unavailable);
  CHECK_FALSE(outcome.is_broken);
  CHECK(store->list(of("acc_1"))->size() == 1);
  CHECK(*store->purge(start_time + hours(24 * 40)));
  CHECK(store->list(of("acc_1"))->empty());
}

TEST_CASE("SQLite says of a broken file that it is one", "[sqlite]") {
  temporary_folder folder;
  std::ofstream(folder.file("broken.db")) << std::string(5'000, 'x');
  const auto broken = request_store::make(folder.file("broken.db"), {})->open();
  CHECK_FALSE(broken.done);
  CHECK(broken.is_broken);
  const auto nowhere = request_store::make(folder.path() + "/none/requests.db", {})->open();
  CHECK_FALSE(nowhere.done);
  CHECK_FALSE(nowhere.is_broken);
}

TEST_CASE("bytes that are no calls end where they are broken") {
  std::string packed;
  sample_call one;
  one.id = "whole";
  source_report source;
  source.name = "feeds";
  one.sources = {source};
  pack_call(packed, one.facts());
  call_record got;
  std::string_view from = packed;
  REQUIRE(unpack_call(from, got));
  CHECK(from.empty());
  for (std::size_t size = 0; size < packed.size(); ++size) {
    std::string_view cut = std::string_view(packed).substr(0, size);
    CHECK_FALSE(unpack_call(cut, got));
  }
  std::mt19937 random(3);
  for (int i = 0; i < 20'000; ++i) {
    auto bent = packed;
    bent[random() % bent.size()] = static_cast<char>(random());
    std::string_view left = bent;
    while (unpack_call(left, got)) CHECK(got.sources.size() <= max_kept_sources);
  }
}
