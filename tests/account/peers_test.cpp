// Several servers over one book in PostgreSQL: what one commits the others know, and credits are
// spent once, whoever spends them. It runs where FRESHET_TEST_POSTGRES names a server.
#include <account/fixture.hpp>
#include <account/store/postgres/nodes.hpp>
#include <catch2/catch.hpp>

#include "support/eventually.hpp"

using namespace freshet;
using namespace freshet::account;
using namespace freshet::account::test;
using freshet::test::eventually;

namespace {

struct servers {
  explicit servers(std::int64_t monthly = 1000) : options(options_for(":memory:", clock, monthly)) {
    options.plans["team"] = {"team", {monthly * 2}};
    for (std::size_t i = 0; i < all.size(); ++i) {
      options.fail = [this, i](std::string_view step) { return fails(i, step); };
      all[i] = open_or_throw(options);
    }
  }
  ~servers() {
    for (auto& one : all) one.reset();
  }
  accounts& operator[](std::size_t i) { return *all[i]; }
  [[nodiscard]] bool fails(std::size_t server, std::string_view step) {
    if (server == 0 && step == "begin") entrance.pass();
    return (says_nothing && step == "retire") || (fails_calls && step == "call") ||
           (fails_leases && step == "lease");
  }
  void sql(const std::string& text) { run_on_server(options.database_path, text); }
  std::int64_t count(const char* query) {
    postgres::pg_connection on;
    postgres::connection_options where;
    where.url = options.database_path;
    REQUIRE(on.open(where).has_value());
    return on.integer(query).value();
  }

  manual_clock clock;
  gate entrance;  ///< to the transactions of the first
  /// What a server that ends says of itself is kept from the others.
  std::atomic<bool> says_nothing{false}, fails_calls{false}, fails_leases{false};
  accounts_options options;
  std::array<std::unique_ptr<accounts>, 2> all;
};

/// Calls that cost a credit each, until one is refused; how many were charged.
std::int64_t spend(accounts& store, const principal& who) {
  for (std::int64_t charged = 0;; ++charged) {
    auto held = store.reserve(who, {1});
    if (!held) {
      CHECK(held.error().code() == errc::insufficient_credits);
      return charged;
    }
    CHECK(settle(store, std::move(*held), 1).has_value());
  }
}

std::int64_t stored_balance(accounts& store, const principal& who) {
  return store.stored_balance_of(who).value().posted.value;
}

constexpr const char* leased = "SELECT coalesce(sum(credits), 0)::bigint FROM leases";

}  // namespace

TEST_CASE("callers of two servers spend a balance once, to the last credit", "[.][postgres]") {
  servers two;
  const principal who = new_principal(two[0]);
  std::atomic<std::int64_t> charged = 0;
  std::atomic<bool> is_over = false, is_over_spent = false;
  std::thread watcher([&] {
    while (!is_over)
      if (two.count("SELECT count(*) FROM (SELECT sum(credits) AS sum FROM leases) AS l, "
                    "LATERAL (SELECT balance FROM ledger WHERE book LIKE 'account:%' "
                    "ORDER BY seq DESC LIMIT 1) AS b WHERE l.sum>b.balance") != 0)
        is_over_spent = true;
  });
  std::vector<std::thread> callers;
  for (std::size_t i = 0; i < 64; ++i)
    callers.emplace_back([&, i] { charged += spend(two[i % 2], who); });
  for (auto& one : callers) one.join();
  is_over = true;
  watcher.join();
  CHECK(charged == 1000);
  CHECK_FALSE(is_over_spent);
  CHECK(stored_balance(two[0], who) == 0);
  CHECK(two.count(leased) == 0);
  const auto report = two[1].verify().value();
  CHECK(report.ok);
  CHECK(report.rows == 1001);
}

TEST_CASE("a server gives back what another one needs", "[.][postgres]") {
  servers two(10);
  const principal who = new_principal(two[0]);
  auto held = two[0].reserve(who, {4}).value();
  CHECK(eventually([&] { return two[1].reserve(who, {6}).has_value(); }));
  CHECK(two[1].reserve(who, {7}).error().code() == errc::insufficient_credits);
  held.release();
  CHECK(eventually([&] { return two[1].reserve(who, {10}).has_value(); }));
  CHECK(spend(two[0], who) == 10);
}

TEST_CASE("what a server leased goes back when it ends or counts as gone", "[.][postgres]") {
  servers two(10);
  const principal who = new_principal(two[0]);
  {
    auto held = two[0].reserve(who, {9});
    CHECK(two[1].reserve(who, {2}).error().code() == errc::insufficient_credits);
  }
  auto lost = two[0].reserve(who, {9}).value();
  two.says_nothing = true;
  lost.release();
  two.all[0].reset();
  CHECK(two.count(leased) > 0);
  two.says_nothing = false;
  two.sql(
      "UPDATE heartbeats SET seen_at=seen_at - interval '1 hour' "
      "WHERE node=(SELECT min(node) FROM heartbeats)");
  postgres::pg_connection on;
  postgres::connection_options where;
  where.url = two.options.database_path;
  REQUIRE(on.open(where).has_value());
  REQUIRE(on_postgres::retire_unseen(on, on_postgres::add_node(on).value().id).has_value());
  CHECK(eventually([&] { return two[1].reserve(who, {10}).has_value(); }));
}

TEST_CASE("who gives credits back to others is refused none meanwhile", "[.][postgres]") {
  servers two(100'000);
  const principal who = new_principal(two[0]);
  // Alone so far, as it has not heard of the other one, the first has leased all there is.
  REQUIRE(two[0].reserve(who, {1}).has_value());
  two.entrance.close();
  std::thread other([&] { CHECK(two[1].reserve(who, {1}).has_value()); });
  two.entrance.await();
  const auto at_once = two[0].reserve_at_once(who, {1});
  CHECK_FALSE(at_once.has_value());
  two.entrance.open();
  other.join();
  CHECK(two[0].reserve(who, {1}).has_value());
}

TEST_CASE("a lease that could not be written refuses nobody for want of credits", "[.][postgres]") {
  servers two(100);
  const principal who = new_principal(two[0]);
  REQUIRE(two[0].balance_of(who).has_value());
  CHECK(eventually([&] { return two.count(leased) == 0; }));
  two.fails_leases = true;
  std::atomic<int> refused = 0;
  std::vector<std::thread> callers;
  for (std::size_t i = 0; i < 16; ++i)
    callers.emplace_back([&] {
      for (int times = 0; times < 20; ++times) {
        const auto held = two[0].reserve(who, {1});
        if (!held) CHECK(held.error().code() == errc::storage_unavailable);
        if (!held) ++refused;
      }
    });
  for (auto& one : callers) one.join();
  CHECK(refused > 0);
  two.fails_leases = false;
  CHECK(eventually([&] { return two[0].reserve(who, {100}).has_value(); }));
}

TEST_CASE("an idle lease goes back by itself where there are other servers", "[.][postgres]") {
  servers two;
  const principal who = new_principal(two[0]);
  CHECK(settle(two[0], two[0].reserve(who, {1}).value(), 1).has_value());
  CHECK(eventually([&] { return two.count(leased) == 0; }));
  CHECK(settle(two[0], two[0].reserve(who, {1}).value(), 1).has_value());
  CHECK(stored_balance(two[1], who) == 998);
}

TEST_CASE("credits that one server grants are spent on another at once", "[.][postgres]") {
  servers two(3);
  const principal who = new_principal(two[0]);
  CHECK(spend(two[1], who) == 3);
  CHECK(two[1].reserve(who, {1}).error().code() == errc::insufficient_credits);
  REQUIRE(two[0].grant(who.account.id, {5}, "a gift").has_value());
  CHECK(eventually([&] { return two[1].reserve(who, {5}).has_value(); }));
  CHECK(spend(two[1], who) == 5);
}

TEST_CASE("a month begins once, whichever server is asked", "[.][postgres]") {
  servers two(100);
  const principal who = new_principal(two[0]);
  CHECK(settle(two[0], two[0].reserve(who, {40}).value(), 40).has_value());
  auto held = two[1].reserve(who, {20}).value();
  two.clock.set(december);
  std::vector<std::thread> callers;
  for (std::size_t i = 0; i < 8; ++i)
    callers.emplace_back([&, i] { CHECK(two[i % 2].reserve(who, {1}).has_value()); });
  for (auto& one : callers) one.join();
  CHECK(movements(two[0], who.account.id) ==
        std::vector<std::string>{"grant 100", "usage -40", "expiry -60", "grant 100"});
  CHECK(settle(two[1], std::move(held), 20).has_value());
  CHECK(two[0].verify().value().ok);
}

TEST_CASE("keys that one server makes, revokes or rotates are so on the others", "[.][postgres]") {
  servers two;
  const principal who = new_principal(two[0]);
  const auto made = two[0].create_key(who.account.id, {}).value();
  CHECK(eventually([&] { return two[1].authenticate(made.secret).has_value(); }));
  const auto other = two[1].create_key(who.account.id, {}).value();
  CHECK(eventually([&] { return two[0].is_key_good(other.secret); }));
  REQUIRE(two[1].revoke_key(who.account.id, made.record.public_id).has_value());
  CHECK(eventually([&] { return !two[0].is_key_good(made.secret); }));
  CHECK(two[0].authenticate(made.secret).error().code() == errc::revoked_api_key);
  const auto rotated =
      two[0].rotate_key(who.account.id, other.record.public_id, std::chrono::seconds(0)).value();
  CHECK(eventually([&] { return !two[1].is_key_good(other.secret); }));
  CHECK(eventually([&] { return two[1].authenticate(rotated.secret).has_value(); }));
}

TEST_CASE("a plan that one server changes is in force on the others", "[.][postgres]") {
  servers two(100);
  const principal who = new_principal(two[0]);
  const auto key = two[0].create_key(who.account.id, {}).value();
  CHECK(eventually([&] { return two[1].authenticate(key.secret).has_value(); }));
  REQUIRE(two[0].change_plan(who.account.id, "team").has_value());
  CHECK(eventually([&] { return two[1].authenticate(key.secret)->plan.name == "team"; }));
  const auto again = two[1].change_plan(who.account.id, "team").value();
  CHECK(again.change == credits{0});
  CHECK(two[0].verify().value().ok);
}

TEST_CASE("what a crash of the database took back of a budget does not count any more",
          "[.][postgres]") {
  servers two;
  key_options with_budget;
  with_budget.monthly_budget = credits{5};
  const principal who = new_principal(two[0], "a@example.com", with_budget);
  REQUIRE(eventually([&] { return two[1].reserve(who, {5}).has_value(); }));
  CHECK(settle(two[0], two[0].reserve(who, {4}).value(), 4).has_value());
  CHECK(eventually([&] { return code_of(two[1].reserve(who, {2})) == errc::key_budget_exceeded; }));
  // As after a crash: the row is what it was, and who listened is not connected any more.
  two.sql("UPDATE budgets SET used=0");
  two.sql(
      "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE query LIKE '%LISTEN%' "
      "AND pid<>pg_backend_pid() AND datname=current_database()");
  CHECK(eventually([&] { return two[1].reserve(who, {5}).has_value(); }));
}

TEST_CASE("servers share a key's budget", "[.][postgres]") {
  servers two;
  key_options with_budget;
  with_budget.monthly_budget = credits{5};
  const principal who = new_principal(two[0], "a@example.com", with_budget);
  CHECK(settle(two[0], two[0].reserve(who, {3}).value(), 3).has_value());
  CHECK(settle(two[1], two[1].reserve(who, {1}).value(), 1).has_value());
  CHECK(eventually([&] { return code_of(two[0].reserve(who, {2})) == errc::key_budget_exceeded; }));
  CHECK(two[1].reserve(who, {2}).error().code() == errc::key_budget_exceeded);
  CHECK(two[0].reserve(who, {1}).has_value());
}

TEST_CASE("who signs in on one server is signed in on the others", "[.][postgres]") {
  servers two;
  const auto first = users::open(two[0], quick_hashing()).value();
  const auto second = users::open(two[1], quick_hashing()).value();
  const origin here{"192.0.2.1", "a test"};
  const std::string password = "correct horse battery";
  const auto link = first->begin_sign_up("a@example.com", here).value().token.value();
  const auto session = first->confirm_sign_up(link, password, "free", here, "").value();
  CHECK(eventually([&] { return second->authenticate(session.token).has_value(); }));
  const auto other = second->sign_in("a@example.com", password, here, "").value();
  CHECK(eventually([&] { return first->authenticate(other.token).has_value(); }));
  REQUIRE(second->sign_out(session.token, here).has_value());
  CHECK(eventually([&] { return !first->authenticate(session.token).has_value(); }));
  CHECK(first->authenticate(other.token).has_value());
  const login who = second->authenticate(other.token).value();
  const auto key = two[0].create_key(who.account.id, {}).value();
  CHECK(eventually([&] { return two[1].authenticate(key.secret).has_value(); }));
  std::mutex mutex;
  std::vector<std::string> deleted, deleted_here;
  two[0].on_deletion([&](const std::string& id) {
    const std::lock_guard lock(mutex);
    deleted.push_back(id);
  });
  two[1].on_deletion([&](const std::string& id) {
    const std::lock_guard lock(mutex);
    deleted_here.push_back(id);
  });
  REQUIRE(two[0].principal_of(who.account.id, key_mode::live).has_value());
  REQUIRE(second->erase(who, password, here).has_value());
  CHECK(eventually([&] { return !two[0].is_key_good(key.secret); }));
  CHECK(eventually([&] { return !first->authenticate(other.token).has_value(); }));
  CHECK(two[0].principal_of(who.account.id, key_mode::live).error().code() == errc::not_found);
  CHECK(eventually([&] {
    const std::lock_guard lock(mutex);
    return !deleted.empty();
  }));
  for (std::size_t i = 0; i < 2; ++i) two[i].on_deletion(nullptr);
  CHECK(deleted == std::vector<std::string>{who.account.public_id});
  CHECK(deleted_here.empty());  // who deletes knows it
}

TEST_CASE("what was missed while nobody could be heard is read anew", "[.][postgres]") {
  servers two;
  const principal who = new_principal(two[0]);
  const auto key = two[0].create_key(who.account.id, {}).value();
  REQUIRE(eventually([&] { return two[1].authenticate(key.secret).has_value(); }));
  // Whoever listens is cut off, and what is told before they are back is told to nobody.
  two.sql(
      "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE query LIKE '%LISTEN%' "
      "AND pid<>pg_backend_pid()");
  REQUIRE(two[0].revoke_key(who.account.id, key.record.public_id).has_value());
  const auto made = two[0].create_key(who.account.id, {}).value();
  REQUIRE(two[0].change_plan(who.account.id, "team").has_value());
  CHECK(eventually([&] { return !two[1].is_key_good(key.secret); }));
  CHECK(eventually([&] { return two[1].authenticate(made.secret).has_value(); }));
  CHECK(eventually([&] { return two[1].authenticate(made.secret)->plan.name == "team"; }));
}

TEST_CASE("a secret of the servers is one, whoever makes it", "[.][postgres]") {
  servers two;
  CHECK(two[0].secret("cursor").value() == two[1].secret("cursor").value());
}

TEST_CASE("each of several servers has its part of a rate", "[.][postgres]") {
  servers two;
  const principal who = new_principal(two[0]);
  rate_info told;
  // The first learns of the second by its next beat.
  CHECK(eventually([&] {
    static_cast<void>(two[0].take_rate_token(who, told));
    return told.limit == who.plan.burst / 2;
  }));
}

TEST_CASE("an idempotent call that runs on one server is running on all", "[.][postgres]") {
  servers two;
  const principal who = new_principal(two[0]);
  const auto begin = [&](std::size_t server, const char* key, const char* fingerprint = "f") {
    return two[server].begin_idempotent(who, key, fingerprint);
  };
  REQUIRE(begin(0, "a").value() == std::nullopt);
  CHECK(begin(1, "a").error().code() == errc::idempotency_in_progress);
  CHECK(begin(1, "a", "other").error().code() == errc::idempotency_mismatch);
  CHECK(begin(1, "b").has_value());
  // Its answer ends it, and is the other's, too.
  usage what;
  what.idempotency_key = "a";
  what.answer.fingerprint = "f";
  what.answer.body = "tides";
  REQUIRE(settle(two[0], two[0].reserve(who, {1}).value(), 1, what).has_value());
  CHECK(begin(1, "a").value()->body == "tides");
  CHECK(begin(1, "a", "other").error().code() == errc::idempotency_mismatch);
  // So does its end without one.
  two[1].end_idempotent(who, "b");
  CHECK(eventually([&] { return begin(0, "b").has_value(); }));
  CHECK(begin(1, "b").error().code() == errc::idempotency_in_progress);
  // And the end of its server.
  two.all[0].reset();
  CHECK(begin(1, "b").has_value());
}

TEST_CASE("a mark that could not be ended is ended when the store is back", "[.][postgres]") {
  servers two;
  const principal who = new_principal(two[0]);
  REQUIRE(two[0].begin_idempotent(who, "a", "f").value() == std::nullopt);
  two.fails_calls = true;
  two[0].end_idempotent(who, "a");
  CHECK(eventually([&] { return two[0].stats().failed_batches == 1; }));
  two.fails_calls = false;
  CHECK(two[1].begin_idempotent(who, "a", "f").error().code() == errc::idempotency_in_progress);
  two.clock.advance(std::chrono::minutes(2));
  REQUIRE(two[0].grant(who.account.id, {1}, "something to write").has_value());
  CHECK(eventually([&] { return two[1].begin_idempotent(who, "a", "f").has_value(); }));
}

TEST_CASE("a row that somebody else holds holds up the calls of its own account alone",
          "[.][postgres]") {
  servers two(10'000);
  const principal whose = new_principal(two[0], "held@example.com");
  const principal other = new_principal(two[0], "other@example.com");
  for (auto& server : two.all) {
    CHECK(settle(*server, server->reserve(whose, {1}).value(), 1).has_value());
    CHECK(settle(*server, server->reserve(other, {1}).value(), 1).has_value());
  }
  const std::string id = std::to_string(whose.account.id);
  const std::string row =
      GENERATE(as<std::string>(), "accounts WHERE id=", "leases WHERE account_id=");
  postgres::pg_connection visitor;
  postgres::connection_options where;
  where.url = two.options.database_path;
  where.idle_timeout = std::chrono::minutes(10);
  REQUIRE(visitor.open(where).has_value());
  const std::string hold = "BEGIN; SELECT 1 FROM " + row + id + " FOR UPDATE";
  REQUIRE(visitor.execute(hold.c_str()) == postgres::pg_outcome::done);

  // They change what is leased, too: the row is needed.
  std::atomic<bool> is_over = false;
  std::atomic<int> charged = 0, refused = 0;
  std::vector<std::thread> callers;
  for (std::size_t i = 0; i < 8; ++i)
    callers.emplace_back([&, i] {
      while (!is_over) {
        auto held = two[i % 2].reserve(whose, {500});
        const bool is_charged = held && settle(two[i % 2], std::move(*held), 500).has_value();
        ++(is_charged ? charged : refused);
      }
    });
  CHECK(eventually([&] { return refused > 0; }));
  for (std::size_t i = 0; i < 40; ++i) {
    auto& server = two[i % 2];
    CHECK(settle(server, server.reserve(other, {200}).value(), 200).has_value());
  }
  is_over = true;
  for (auto& one : callers) one.join();
  REQUIRE(visitor.execute("ROLLBACK") == postgres::pg_outcome::done);
  CHECK(eventually([&] {
    auto held = two[0].reserve(whose, {1});
    return held && settle(two[0], std::move(*held), 1).has_value();
  }));
  CHECK(stored_balance(two[1], whose) == 10'000 - 3 - charged * 500);
  CHECK(stored_balance(two[1], other) == 10'000 - 2 - 40 * 200);
  CHECK(two[0].verify().value().ok);
}
