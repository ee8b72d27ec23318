// Each call of SQLite fails once while the log's file is made, written, read and purged: a batch is
// in it whole or not at all, and what comes after it is as ever.
#include <functional>
#include <support/failing_sqlite.hpp>

#include "fixture.hpp"
#include "requests/sqlite/sqlite_request_store.hpp"

using namespace freshet;
using namespace freshet::requests;
using namespace freshet::requests::test;
using freshet::test::fail_sqlite_call;
using freshet::test::failed_sqlite_call;

namespace {

constexpr int most_calls = 1'000;

batch batch_of(const std::string& name) {
  batch out;
  for (const char* account : {"acc_1", "acc_2"}) {
    sample_call one;
    one.account = account;
    one.id = name + account;
    put(out, one, {"sent", "answered"});
  }
  return out;
}

std::vector<std::string> listed(const request_store& in) {
  return ids_of(in.list({.account = "acc_1", .limit = most_calls}).value());
}

}  // namespace

TEST_CASE("each call of SQLite fails while the log is made, and then it can be", "[sqlite]") {
  int refused = 0;
  for (int n = 1;; ++n) {
    REQUIRE(n < most_calls);
    const temporary_folder folder;
    sqlite_request_store store(folder.file("requests.db"), {});
    fail_sqlite_call(n);
    const bool is_open = store.open().done.has_value();
    const std::string which = failed_sqlite_call();
    INFO("call " << n << ", " << which);
    refused += !is_open;
    store.close();
    REQUIRE(store.open().done);
    REQUIRE(store.write(batch_of("one"), start_time).done);
    CHECK(listed(store) == std::vector<std::string>{"oneacc_1"});
    if (which.empty()) break;
  }
  CHECK(refused > 5);
}

TEST_CASE("each call of SQLite fails that a batch takes: it is in the log whole or not at all",
          "[sqlite]") {
  const temporary_folder folder;
  sqlite_request_store store(folder.file("requests.db"), {});
  REQUIRE(store.open().done);
  int refused = 0;
  for (int n = 1;; ++n) {
    REQUIRE(n < most_calls);
    const auto before = listed(store);
    fail_sqlite_call(n);
    const bool is_written =
        store.write(batch_of("b" + std::to_string(n)), start_time).done.has_value();
    const std::string which = failed_sqlite_call();
    INFO("call " << n << ", " << which);
    refused += !is_written;
    CHECK(listed(store).size() == before.size() + (is_written ? 1 : 0));
    REQUIRE(store.write(batch_of("next" + std::to_string(n)), start_time).done);
    if (which.empty()) break;
  }
  CHECK(refused > 5);
}

TEST_CASE("each call of SQLite fails that looking into the log or clearing it takes",
          "[alone][sqlite]") {
  const temporary_folder folder;
  sqlite_request_store store(folder.file("requests.db"), {});
  REQUIRE(store.open().done);
  for (int i = 0; i < 300; ++i)
    REQUIRE(store.write(batch_of("b" + std::to_string(i)), start_time).done);
  const std::pair<const char*, std::function<bool()>> steps[] = {
      {"list", [&] { return store.list({.account = "acc_1"}).has_value(); }},
      {"show", [&] { return store.show("acc_1", "b7acc_1").has_value(); }},
      {"purge", [&] { return store.purge(start_time).has_value(); }},
      {"forget", [&] { return store.forget("acc_2").has_value(); }}};
  for (const auto& [name, run] : steps) {
    int refused = 0;
    for (int n = 1;; ++n) {
      INFO(name << ", call " << n);
      REQUIRE(n < most_calls);
      fail_sqlite_call(n);
      const bool is_done = run();
      const bool struck = !failed_sqlite_call().empty();
      refused += !is_done;
      CHECK(listed(store).size() == 300);
      if (!struck) {
        CHECK(is_done);
        break;
      }
    }
    CHECK(refused > 0);
  }
  while (store.forget("acc_2").value()) {
  }
  CHECK(store.list({.account = "acc_2"}).value().empty());
}
