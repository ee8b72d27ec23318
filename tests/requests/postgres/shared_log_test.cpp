// The log in a database that several servers share: one list of all their calls, whoever wrote them
// and whatever their clocks say; a batch is in it once, also where the answer to its commit was
// lost; one removes at a time; and while the database is away calls wait, up to a bound.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <support/database_at.hpp>
#include <support/eventually.hpp>
#include <support/held_table.hpp>
#include <thread>

#include "../fixture.hpp"
#include "requests/request_log.hpp"

using namespace freshet;
using namespace freshet::requests;
using namespace freshet::requests::test;
using freshet::test::database_at;
using freshet::test::eventually;
using freshet::test::held_table;
using freshet::test::run_on_server;
using std::chrono::hours;
using std::chrono::milliseconds;

namespace {

struct shared_log {
  temporary_folder folder;
  const std::string url = database_at(folder.file("requests.db"));
  manual_clock clock;
  std::mutex mutex;
  std::vector<std::string> told;

  [[nodiscard]] std::unique_ptr<request_store> server(store_limits limits = {}) const {
    auto made = request_store::make(url, limits);
    REQUIRE(made->open().done);
    return made;
  }
  [[nodiscard]] log_options options() {
    log_options made;
    made.database = url;
    made.clock = &clock;
    made.batch_delay = made.retry_pause = milliseconds(1);
    made.purge_pause = made.news_pause = milliseconds(5);
    made.tell = [this](std::string_view, std::string_view line) {
      const std::lock_guard lock(mutex);
      told.emplace_back(line);
    };
    return made;
  }
  void sql(const std::string& text) const { run_on_server(url, text); }
  [[nodiscard]] std::int64_t number(const char* text) const {
    postgres::pg_connection beside;
    postgres::connection_options where;
    where.url = url;
    REQUIRE(beside.open(where));
    return beside.integer(text).value();
  }
  [[nodiscard]] std::ptrdiff_t lines(std::string_view part) {
    const std::lock_guard lock(mutex);
    return std::count_if(told.begin(), told.end(),
                         [&](const auto& line) { return line.find(part) != std::string::npos; });
  }
};

batch call_of(const std::string& id, const std::string& account = "acc_1") {
  batch made;
  sample_call one;
  one.id = id;
  one.account = account;
  put(made, one);
  return made;
}

list ids_in(const request_store& store, std::string_view account = "acc_1") {
  return ids_of(store.list({.account = account, .limit = 1'000'000}).value());
}

void add_call(request_log& log, const std::string& id, const std::string& account = "acc_1") {
  sample_call one;
  one.id = id;
  one.account = account;
  log.add(one.facts());
}

list ids_in(request_log& log, std::string_view account = "acc_1") {
  return ids_of(log.list({.account = account, .limit = 1'000'000}).value());
}

}  // namespace

TEST_CASE("what several servers write is one list, in the order of their commits",
          "[.][postgres]") {
  const shared_log here;
  const auto first = here.server();
  const auto second = here.server();
  list expected;
  for (int turn = 0; turn < 20; ++turn) {
    const std::string id = "call-" + std::to_string(turn);
    // The second one's clock is an hour behind.
    const auto written = turn % 2 == 0 ? first->write(call_of(id), start_time)
                                       : second->write(call_of(id), start_time - hours(1));
    REQUIRE(written.done);
    expected.insert(expected.begin(), id);
  }
  CHECK(ids_in(*first) == expected);
  CHECK(ids_in(*second) == expected);
  list walked;
  call_query page{.account = "acc_1", .limit = 3};
  while (true) {
    const auto found = second->list(page).value();
    for (const auto& one : found) walked.push_back(one.request_id);
    if (found.size() < page.limit) break;
    page.before = found.back().number;
  }
  CHECK(walked == expected);
  // Ids that tell the time of a clock that is behind.
  sample_call late;
  late.at = start_time - hours(1);
  late.id = base::make_id("req_", late.at);
  batch what;
  put(what, late);
  REQUIRE(second->write(what, late.at).done);
  CHECK(first->show("acc_1", late.id)->call.request_id == late.id);
}

TEST_CASE("servers that start at once make one log, and all write to it", "[.][postgres]") {
  const shared_log here;
  std::vector<std::thread> running;
  for (int which = 0; which < 4; ++which) {
    running.emplace_back([&, which] {
      const auto store = request_store::make(here.url, {});
      const bool is_open = store->open().done.has_value();
      for (int i = 0; i < 50 && is_open; ++i) {
        static_cast<void>(store->write(call_of(std::to_string(which * 50 + i)), start_time));
      }
    });
  }
  for (auto& one : running) one.join();
  const auto store = here.server();
  auto found = ids_in(*store);
  std::sort(found.begin(), found.end());
  CHECK(found.size() == 200);
  CHECK(std::unique(found.begin(), found.end()) == found.end());
  CHECK(here.number("SELECT count(*) FROM request_parts") == 1);
}

TEST_CASE("a log that a newer program has changed is left alone", "[.][postgres]") {
  const shared_log here;
  static_cast<void>(here.server());
  here.sql("UPDATE freshet_requests_schema SET version=99");
  const auto refused = request_store::make(here.url, {})->open().done;
  REQUIRE_FALSE(refused);
  CHECK(refused.error().detail().find("newer") != std::string::npos);
  CHECK(here.number("SELECT version FROM freshet_requests_schema") == 99);
}

TEST_CASE("a commit whose answer is lost is found to be in, and its batch not written again",
          "[.][postgres]") {
  const shared_log here;
  const auto store = request_store::make(here.url, {});
  std::string failing = "reply";
  store->fail = [&](std::string_view stage) { return stage == failing; };
  REQUIRE(store->open().done);
  const auto lost = store->write(call_of("once"), start_time);
  CHECK_FALSE(lost.done);
  CHECK(lost.is_unsure);
  // While nobody answers it stays unknown.
  CHECK(store->write(call_of("once"), start_time).is_unsure);
  failing.clear();
  REQUIRE(store->open().done);
  const auto found = store->write(call_of("once"), start_time);
  CHECK(found.done);
  CHECK(found.last == store->list({.account = "acc_1"})->front().number);
  REQUIRE(store->write(call_of("next"), start_time).done);
  CHECK(ids_in(*store) == list{"next", "once"});
}

TEST_CASE("a commit that was lost with its connection is found not to be in, and written",
          "[.][postgres]") {
  const shared_log here;
  const auto store = request_store::make(here.url, {});
  bool kills = true;
  store->fail = [&](std::string_view stage) {
    if (stage == "commit" && std::exchange(kills, false))
      here.sql(
          "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE state='idle in "
          "transaction' AND query LIKE '%request_sizes%'");
    return false;
  };
  REQUIRE(store->open().done);
  CHECK(store->write(call_of("once"), start_time).is_unsure);
  REQUIRE(store->open().done);
  CHECK(store->write(call_of("once"), start_time).done);
  CHECK(ids_in(*store) == list{"once"});
}

TEST_CASE("one server removes at a time, and a part that is read goes later", "[.][postgres]") {
  const shared_log here;
  const auto store = here.server();
  REQUIRE(store->write(call_of("old"), start_time).done);
  REQUIRE(store->write(call_of("new"), start_time + hours(24 * 40)).done);
  const auto late = start_time + hours(24 * 41);
  postgres::pg_connection other;
  postgres::connection_options where;
  where.url = here.url;
  REQUIRE(other.open(where));
  REQUIRE(other.execute("BEGIN; SELECT pg_advisory_xact_lock(hashtext('freshet requests purge'), "
                        "hashtext(current_schema()))") == postgres::pg_outcome::done);
  CHECK_FALSE(store->purge(late).value());
  CHECK(here.number("SELECT count(*) FROM request_parts") == 2);
  CHECK(ids_in(*store) == list{"new"});  // what is too old is not shown, whoever removes it
  REQUIRE(other.execute("COMMIT; BEGIN; SELECT count(*) FROM request_chunks") ==
          postgres::pg_outcome::done);
  CHECK_FALSE(store->purge(late));
  REQUIRE(store->write(call_of("next"), late).done);
  REQUIRE(other.execute("COMMIT") == postgres::pg_outcome::done);
  CHECK(store->purge(late).value());
  CHECK_FALSE(store->purge(late).value());
  CHECK(here.number("SELECT count(*) FROM request_parts WHERE kind='calls'") == 2);
  CHECK(here.number("SELECT count(*) FROM request_chunks") == 2);
  CHECK(here.number("SELECT sum(calls)-(SELECT sum(bytes) FROM request_chunks) FROM "
                    "request_sizes") == 0);
}

TEST_CASE("what a server still writes of an account that is gone goes, too", "[.][postgres]") {
  const shared_log here;
  const auto first = here.server();
  const auto second = here.server();
  REQUIRE(first->write(call_of("call"), start_time).done);
  while (first->forget("acc_1").value()) {
  }
  REQUIRE(second->write(call_of("late"), start_time).done);
  REQUIRE(second->write(call_of("call", "acc_2"), start_time).done);
  while (second->purge(start_time).value()) {
  }
  CHECK(ids_in(*first).empty());
  CHECK(ids_in(*first, "acc_2") == list{"call"});
  CHECK(here.number("SELECT count(*) FROM request_sizes") == 1);
}

TEST_CASE("who watches is told of what another server writes, of nobody else's, and once",
          "[.][postgres]") {
  shared_log here;
  const auto watching = request_log::open(here.options());
  const auto writing = request_log::open(here.options());
  std::atomic<int> mine = 0, theirs = 0;
  const auto counter = [](std::atomic<int>& told) {
    return [&told] {
      ++told;
      return true;
    };
  };
  const auto watch = watching->watch("acc_1", counter(mine));
  const auto other = watching->watch("acc_2", counter(theirs));
  REQUIRE((watch && other));
  CHECK(eventually([&] {
    add_call(*writing, "call");
    return mine > 0;
  }));
  const auto told = mine.load();
  add_call(*watching, "own");
  CHECK(eventually([&] { return mine > told; }));
  CHECK(theirs == 0);
}

TEST_CASE("while the database is away calls wait for it, and none is lost or there twice",
          "[.][postgres]") {
  shared_log here;
  std::atomic<bool> is_away = false;
  std::atomic<int> tries = 0;
  auto options = here.options();
  options.fail = [&](std::string_view stage) {
    if (!is_away || (stage != "begin" && stage != "reply")) return false;
    ++tries;
    return true;
  };
  const auto log = request_log::open(options);
  add_call(*log, "before");
  CHECK(ids_in(*log) == list{"before"});
  is_away = true;
  list expected{"before"};
  for (int i = 0; i < 600; ++i) {
    expected.insert(expected.begin(), "call-" + std::to_string(i));
    add_call(*log, expected.front());  // an id of its own: it has a place in its chunk
    if (i % 100 == 0) CHECK(eventually([&, before = tries.load()] { return tries > before; }));
  }
  // Nobody waits for it.
  CHECK(ids_in(*log) == list{"before"});
  is_away = false;
  CHECK(eventually([&] { return ids_in(*log) == expected; }));
  CHECK(log->figures().failed == 0);
  CHECK(log->figures().dropped == 0);
  CHECK(log->figures().written == 601);
  // Chunks of many turns have become a few, and each call its place.
  CHECK(here.number("SELECT count(*) FROM request_chunks") < 10);
  for (const auto* id : {"before", "call-0", "call-99", "call-300", "call-599"})
    CHECK(log->show("acc_1", id)->call.request_id == id);
  CHECK(here.lines("calls wait for the log") == 1);
  CHECK(here.lines("missing") == 0);
}

TEST_CASE("nobody waits for a server that stands still amid its batch", "[.][postgres]") {
  shared_log here;
  const auto log = request_log::open(here.options());
  add_call(*log, "before");
  CHECK(ids_in(*log) == list{"before"});
  postgres::pg_connection other;
  postgres::connection_options where;
  where.url = here.url;
  REQUIRE(other.open(where));
  REQUIRE(other.execute("BEGIN; UPDATE request_state SET last=last+1") ==
          postgres::pg_outcome::done);
  for (int i = 0; i < 100; ++i) add_call(*log, "meanwhile");
  CHECK(ids_in(*log) == list{"before"});
  // The database ends it, or it goes on.
  REQUIRE(other.execute("COMMIT") == postgres::pg_outcome::done);
  CHECK(eventually([&] { return ids_in(*log).size() == 101; }));
  CHECK(log->figures().written == 101);
}

TEST_CASE("a batch of which nobody knows whether it is in waits as it is", "[.][postgres]") {
  shared_log here;
  std::atomic<int> lost = 3;
  auto options = here.options();
  options.fail = [&](std::string_view stage) { return stage == "reply" && lost-- > 0; };
  const auto log = request_log::open(options);
  list expected;
  for (int i = 0; i < 20; ++i) {
    expected.insert(expected.begin(), "call-" + std::to_string(i));
    add_call(*log, expected.front());
    CHECK(eventually([&] { return ids_in(*log) == expected; }));
  }
  CHECK(log->figures().written == 20);
}

TEST_CASE("where too many calls wait an account's oldest go, and it is said once",
          "[.][postgres]") {
  shared_log here;
  std::atomic<bool> is_away = true;
  auto options = here.options();
  options.max_waiting_bytes = 100'000;
  options.fail = [&](std::string_view stage) { return is_away && stage == "begin"; };
  const auto log = request_log::open(options);
  for (int i = 0; i < 10'000; ++i) add_call(*log, "flood-" + std::to_string(i), "acc_flood");
  for (int quiet = 0; quiet < 20; ++quiet)
    add_call(*log, "quiet", "acc_" + std::to_string(100 + quiet));
  CHECK(log->figures().waiting_bytes <= options.max_waiting_bytes);
  is_away = false;
  REQUIRE(eventually([&] { return log->figures().waiting_bytes == 0; }));
  for (int quiet = 0; quiet < 20; ++quiet) {
    CHECK(ids_in(*log, "acc_" + std::to_string(100 + quiet)) == list{"quiet"});
  }
  const auto flood = ids_in(*log, "acc_flood");
  REQUIRE_FALSE(flood.empty());
  CHECK(flood.front() == "flood-9999");
  const auto now = log->figures();
  CHECK(now.dropped > 5'000);
  CHECK(now.failed == 0);
  CHECK(now.written == flood.size() + 20);
  CHECK(now.written + now.dropped == 10'020);
  CHECK(here.lines("calls are missing") == 1);
}

TEST_CASE("a list that nobody waits for any more ends in the database, too", "[.][postgres]") {
  shared_log shared;
  const auto server = shared.server();
  const held_table held(shared.url, "request_chunks");
  std::atomic<bool> is_wanted = true;
  call_query query{.account = "acc_1", .limit = 10};
  query.is_wanted = [&] { return is_wanted.load(); };
  auto listed = std::async(std::launch::async, [&] { return server->list(query); });
  const auto waiting = held.who_waits();
  is_wanted = false;
  CHECK(listed.get().error().code() == errc::cancelled);
  CHECK(eventually([&] { return held.is_gone(waiting); }));
}
