// Each call of SQLite that a call of the engine takes fails once, whatever thread makes it: the
// caller has one answer, is charged for nothing but a page, and once at that, holds no credits when
// it is over, and is served the next time. In tests/account the same is done to the accounts alone.
#include <algorithm>
#include <catch2/catch.hpp>
#include <engine/paying_caller.hpp>
#include <set>
#include <support/eventually.hpp>
#include <support/failing_sqlite.hpp>
#include <support/print_result.hpp>

using namespace freshet;

namespace {

constexpr const char* kinds[] = {"sqlite3_prepare_v3", "sqlite3_bind_int64", "sqlite3_bind_text64",
                                 "sqlite3_bind_blob64", "sqlite3_step"};

}  // namespace

TEST_CASE("each call of SQLite fails that a call takes, and none of them is charged") {
  test::paying_caller on;
  REQUIRE(on.ask("first").status == 200);
  std::set<std::string> failed;
  const auto has_failed = [&](const char* each) { return failed.contains(each); };
  int refused = 0;
  // How many there are depends on which threads meet: one that has fewer is not the last, and of a
  // log that a busy machine writes late the calls come in another round.
  constexpr int untouched_in_a_row = 8, most_calls = 800;
  for (int n = 1, untouched = 0, all = 0;; ++n, ++all) {
    if (untouched == untouched_in_a_row) {
      if (std::ranges::all_of(kinds, has_failed) || all > most_calls) break;
      n = 1;
      untouched = 0;
    }
    REQUIRE(n < 400);
    const auto before = on.books_now();
    test::fail_sqlite_call(n);
    const auto answer = on.ask("call " + std::to_string(n));
    const std::string which = test::failed_sqlite_call();
    INFO("call " << n << ", " << which << ": " << answer.body);
    // A book that refused a write is tried again in a while.
    REQUIRE(test::eventually([&] { return on.is_ready(); }));
    const auto after = on.books_now();
    CHECK(before.balance - after.balance == answer.credits_used);
    CHECK(after.reserved == 0);
    if (answer.status != 200) {
      ++refused;
      CHECK(answer.credits_used == 0);
      CHECK(answer.code == errc::storage_unavailable);
    }
    const auto next = on.ask("next " + std::to_string(n));
    INFO(next.body);
    REQUIRE(next.status == 200);
    CHECK(next.credits_used == 1);
    if (which.empty()) {
      CHECK(answer.status == 200);
      ++untouched;
      continue;
    }
    untouched = 0;
    failed.insert(which);
  }
  CHECK(refused > 0);
  for (const char* each : kinds) {
    INFO(each);
    CHECK(has_failed(each));
  }
  on.verify();
}
