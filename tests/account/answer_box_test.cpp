#include <account/answer_box.hpp>
#include <account/fixture.hpp>
#include <base/whole_file.hpp>
#include <catch2/catch.hpp>
#include <sqlite/sqlite.hpp>

using namespace freshet;
using namespace freshet::account;
using namespace freshet::account::test;
using namespace std::chrono_literals;

namespace {

stored_answer answer_of(std::string body) {
  return {"f", 200, "application/json", std::move(body), 1, 8, 2};
}

void call(accounts& store, const principal& who, const std::string& key, std::string body) {
  REQUIRE_FALSE(store.begin_idempotent(who, key, "f").value().has_value());
  usage what;
  what.idempotency_key = key;
  what.answer = answer_of(std::move(body));
  REQUIRE(settle(store, store.reserve(who, {1}).value(), 1, what).has_value());
}

errc keep(accounts& store, const principal& who, const std::string& key, std::string body) {
  std::promise<errc> told;
  store.keep(who, key, answer_of(std::move(body)), [&](const result<void>& done) {
    told.set_value(done ? errc() : done.error().code());
  });
  return told.get_future().get();
}

bool has(accounts& store, const principal& who, const std::string& key) {
  const auto found = store.begin_idempotent(who, key, "f").value();
  if (!found) store.end_idempotent(who, key);
  return found.has_value();
}

std::int64_t number(const std::string& path, const char* sql) {
  sqlite::database on;
  REQUIRE(on.open(path, sqlite::database_use::read).has_value());
  return on.integer(sql).value();
}

}  // namespace

TEST_CASE("an answer is put away for its owner and its key alone") {
  const answer_owner of{"pepper", 1, "k"};
  const auto away = put_away(of, answer_of("the secret of a key"));
  CHECK(away.is_kept);
  const auto opened = [&](const answer_owner& by, const stored_answer& what) {
    return take_out(by, {what, answer_form::sealed});
  };
  CHECK(opened(of, away).value().body == "the secret of a key");
  CHECK_FALSE(opened({"another", 1, "k"}, away).has_value());
  CHECK_FALSE(opened({"pepper", 2, "k"}, away).has_value());
  CHECK_FALSE(opened({"pepper", 1, "K"}, away).has_value());
  auto changed = away;
  changed.data_size = 3;
  CHECK(opened(of, changed).error().code() == errc::storage_unavailable);
}

TEST_CASE("an answer of megabytes is kept small, and nobody reads it in the file", "[sqlite]") {
  const temporary_folder folder;
  manual_clock clock;
  const auto path = folder.file("ledger.db");
  std::string body(4 << 20, ' ');
  body += "frs_live_secret";
  {
    const auto store = open_or_throw(options_for(path, clock));
    const auto who = new_principal(*store);
    call(*store, who, "k", body);
    CHECK(store->begin_idempotent(who, "k", "f").value()->body == body);
  }
  CHECK(number(path, "SELECT max(length(body)) FROM answers") < 10'000);
  const std::string bytes = base::read_whole(path);
  CHECK(bytes.size() < 1 << 20);
  CHECK(bytes.find("frs_live_secret") == std::string::npos);
}

TEST_CASE("an answer that is too large is only known to be charged, and fetched again slowly",
          "[sqlite]") {
  const temporary_folder folder;
  manual_clock clock;
  const auto path = folder.file("ledger.db");
  const auto store = open_or_throw(options_for(path, clock));
  const auto who = new_principal(*store);
  for (int i = 0; i < 12; ++i) call(*store, who, std::to_string(i), base::random_bytes(300 << 10));
  CHECK(number(path, "SELECT sum(length(body)) FROM answers") == 0);
  CHECK(store->begin_idempotent(who, "0", "g").error().code() == errc::idempotency_mismatch);
  const auto again = store->begin_idempotent(who, "0", "f").value();
  REQUIRE(again.has_value());
  CHECK_FALSE(again->is_kept);
  // The call runs: it is made once.
  CHECK(store->begin_idempotent(who, "0", "f").error().code() == errc::idempotency_in_progress);
  store->end_idempotent(who, "0");
  const auto soon = store->begin_idempotent(who, "0", "f");
  REQUIRE(soon.error().code() == errc::rate_limited);
  CHECK(soon.error().retry_after == 60s);
  int passed = 1;
  for (int i = 1; i < 12; ++i)
    passed += store->begin_idempotent(who, std::to_string(i), "f") ? 1 : 0;
  CHECK(passed == 10);
  clock.advance(60s);
  CHECK(store->begin_idempotent(who, "0", "f").has_value());
  CHECK(store->balance_of(who).value().posted == credits{1000 - 12});
}

TEST_CASE("what costs nothing is kept too, for live and test keys apart") {
  manual_clock clock;
  std::atomic<bool> full{false};
  auto options = options_for(":memory:", clock);
  options.fail = [&](std::string_view stage) { return full && stage == "answer"; };
  const auto store = open_or_throw(options);
  const auto live = new_principal(*store);
  key_options sandbox;
  sandbox.mode = key_mode::test;
  const auto test = new_principal(*store, "a@example.com", sandbox);
  REQUIRE_FALSE(has(*store, live, "k"));
  REQUIRE_FALSE(store->begin_idempotent(live, "k", "f").value().has_value());
  CHECK(keep(*store, live, "k", "of the live key") == errc());
  CHECK_FALSE(has(*store, test, "k"));
  REQUIRE_FALSE(store->begin_idempotent(test, "k", "f").value().has_value());
  CHECK(keep(*store, test, "k", "of the test key") == errc());
  CHECK(store->begin_idempotent(live, "k", "f").value()->body == "of the live key");
  CHECK(store->begin_idempotent(test, "k", "f").value()->body == "of the test key");
  REQUIRE_FALSE(store->begin_idempotent(live, "l", "f").value().has_value());
  full = true;
  CHECK(keep(*store, live, "l", "x") == errc::storage_unavailable);
  full = false;
  CHECK_FALSE(has(*store, live, "l"));  // and its mark has ended
  CHECK(store->ledger(live.account.id, 0, 10).value().size() <= 1);
}

TEST_CASE("kept answers have a bound for each account and for all, and the oldest go", "[sqlite]") {
  const temporary_folder folder;
  manual_clock clock;
  auto options = options_for(folder.file("ledger.db"), clock);
  options.answers = {1 << 20, 3 << 19};
  const auto store = open_or_throw(options);
  const auto greedy = new_principal(*store, "greedy@example.com");
  const auto modest = new_principal(*store, "modest@example.com");
  call(*store, modest, "mine", base::random_bytes(100'000));
  const auto sum = [&](const char* where) {
    return number(options.database_path,
                  ("SELECT ifnull(sum(size), 0) FROM answers " + std::string(where)).c_str());
  };
  for (int i = 0; i < 30; ++i) {
    clock.advance(1s);
    call(*store, greedy, std::to_string(i), base::random_bytes(100'000));
    REQUIRE(sum("WHERE account_id=1") <= 1 << 20);
  }
  CHECK(sum("WHERE account_id=1") > 900'000);
  CHECK_FALSE(has(*store, greedy, "0"));
  CHECK_FALSE(has(*store, greedy, "19"));
  CHECK(has(*store, greedy, "20"));
  CHECK(has(*store, greedy, "29"));
  CHECK(has(*store, modest, "mine"));
  // A third beside them: what goes is of the one that has the most.
  const auto third = new_principal(*store, "third@example.com");
  for (int i = 0; i < 6; ++i) call(*store, third, std::to_string(i), base::random_bytes(100'000));
  CHECK(sum("") <= 3 << 19);
  CHECK(has(*store, modest, "mine"));
  CHECK(has(*store, third, "0"));
  CHECK_FALSE(has(*store, greedy, "20"));
  // The sums are those of the rows.
  CHECK(number(options.database_path, "SELECT bytes FROM answer_sizes WHERE account_id=0") ==
        sum(""));
  CHECK(store->verify().value().ok);
}

TEST_CASE("where little is left of the disk an answer takes the place of older ones", "[sqlite]") {
  const temporary_folder folder;
  manual_clock clock;
  auto options = options_for(folder.file("ledger.db"), clock);
  options.answers.left_bytes = std::int64_t{1} << 62;
  const auto store = open_or_throw(options);
  const auto greedy = new_principal(*store, "greedy@example.com");
  const auto modest = new_principal(*store, "modest@example.com");
  call(*store, modest, "mine", base::random_bytes(100'000));
  const auto sum = [&] {
    return number(options.database_path, "SELECT ifnull(sum(size), 0) FROM answers");
  };
  for (int i = 0; i < 60; ++i) {
    clock.advance(1s);
    call(*store, greedy, std::to_string(i), base::random_bytes(100'000));
    REQUIRE(sum() <= 4 << 20);
  }
  CHECK(sum() > 4'000'000);
  CHECK_FALSE(has(*store, greedy, "0"));
  CHECK(has(*store, greedy, "59"));
  CHECK(has(*store, modest, "mine"));
}

TEST_CASE("the file shrinks when answers go", "[alone][sqlite]") {
  const temporary_folder folder;
  manual_clock clock;
  const auto path = folder.file("ledger.db");
  const auto store = open_or_throw(options_for(path, clock));
  const auto who = new_principal(*store);
  for (int i = 0; i < 60; ++i) call(*store, who, std::to_string(i), base::random_bytes(200'000));
  const auto most = number(path, "PRAGMA page_count");
  CHECK(most > 2'900);
  clock.advance(25h);
  for (int i = 0; i < 4; ++i) {
    CHECK(settle(*store, store->reserve(who, {1}).value(), 1).has_value());
    clock.advance(61s);
  }
  CHECK(number(path, "SELECT count(*) FROM answers") == 0);
  CHECK(number(path, "PRAGMA page_count") < 1'200);
  CHECK(number(path, "SELECT max(bytes) FROM answer_sizes") == 0);
}
