// Accounts and keys that are not in memory: they are read when they are needed, go when others are,
// and nothing that they have or owe changes with that.
#include <account/fixture.hpp>
#include <account/users.hpp>
#include <catch2/catch.hpp>
#include <random>
#include <set>
#include <thread>

#include "support/sanitized.hpp"

using namespace freshet;
using namespace freshet::account;
using namespace freshet::account::test;
using namespace std::chrono_literals;

namespace {

/// A store that keeps two accounts and two keys in memory.
accounts_options small(const std::string& path, const base::clock& clock,
                       std::int64_t monthly = 1000) {
  auto options = options_for(path, clock, monthly);
  options.accounts_in_memory = options.keys_in_memory = 2;
  return options;
}

key_options with_budget(std::int64_t monthly) {
  key_options options;
  options.monthly_budget = credits{monthly};
  return options;
}

std::string email_of(std::size_t number) { return "a" + std::to_string(number) + "@example.com"; }

/// Makes accounts with a key each, and gives the keys.
std::vector<std::string> make_keys(accounts& accounts, std::size_t count,
                                   const key_options& options = {}) {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < count; ++i)
    keys.push_back(
        accounts.create_key(accounts.create_account(email_of(i), "free").value().id, options)
            .value()
            .secret);
  return keys;
}

/// One call.
errc call(accounts& accounts, const std::string& key, std::int64_t price) {
  const auto who = accounts.authenticate(key);
  if (!who) return who.error().code();
  auto held = accounts.reserve(*who, {price});
  if (!held) return held.error().code();
  return code_of(settle(accounts, std::move(*held), price));
}

/// Uses so many other keys that no other is in memory that nobody keeps there.
void push_out(accounts& accounts, const std::vector<std::string>& others) {
  for (const auto& key : others) REQUIRE(accounts.authenticate(key).has_value());
}

}  // namespace

TEST_CASE("accounts that come and go are charged what they used, and memory stays small") {
  const temporary_folder folder;
  manual_clock clock;
  constexpr std::size_t count = 12;
  std::vector<std::string> keys;
  std::vector<std::int64_t> left(count, 100);
  std::mt19937 random(7);
  for (int round = 0; round < 3; ++round) {
    const auto store = open_or_throw(small(folder.file("ledger.db"), clock, 100));
    CHECK(store->stats().accounts == 0);
    if (round == 0) keys = make_keys(*store, count);
    for (int i = 0; i < 150; ++i) {
      const std::size_t at = random() % count;
      const auto price = static_cast<std::int64_t>(random() % 20);
      const errc expected = left[at] < price ? errc::insufficient_credits : errc{};
      REQUIRE(call(*store, keys[at], price) == expected);
      if (expected == errc{}) left[at] -= price;
      REQUIRE(store->stats().accounts <= 3);
      REQUIRE(store->stats().keys <= 3);
    }
    CHECK(store->stats().reads > 30);
    for (std::size_t i = 0; i < count; ++i) {
      const auto who = store->authenticate(keys[i]).value();
      CHECK(who.account.email == email_of(i));
      CHECK(store->balance_of(who).value().posted == credits{left[i]});
      CHECK(store->balance_of(who).value().reserved == credits{0});
    }
    CHECK(store->verify().value().findings.empty());
  }
}

TEST_CASE("an account with held credits stays in memory, and what it holds counts") {
  const temporary_folder folder;
  manual_clock clock;
  const auto store = open_or_throw(small(folder.file("ledger.db"), clock, 100));
  const auto keys = make_keys(*store, 6);
  const std::vector<std::string> others(keys.begin() + 1, keys.end());
  push_out(*store, others);
  const auto who = store->authenticate(keys[0]).value();
  auto held = store->reserve(who, {70}).value();
  auto nothing = store->reserve(store->authenticate(keys[1]).value(), {0}).value();
  push_out(*store, others);
  push_out(*store, others);
  CHECK(code_of(store->reserve(store->authenticate(keys[0]).value(), {31})) ==
        errc::insufficient_credits);
  CHECK(store->balance_of(who).value().reserved == credits{70});
  CHECK(store->list_accounts("a0@", 0, 10).value().at(0).now.reserved == credits{70});
  CHECK(settle(*store, std::move(held), 60).value().posted == credits{40});
  push_out(*store, others);
  CHECK(store->list_accounts("a0@", 0, 10).value().at(0).now.posted == credits{40});
  CHECK(store->balance_of(who).value().available() == credits{40});
  CHECK(code_of(settle(*store, std::move(nothing), 0)) == errc{});
  CHECK(store->stats().accounts <= 3);
}

TEST_CASE("a key that is not in memory is revoked at once, and stays revoked") {
  const temporary_folder folder;
  manual_clock clock;
  const auto options = small(folder.file("ledger.db"), clock);
  auto store = open_or_throw(options);
  const auto keys = make_keys(*store, 6);
  const std::vector<std::string> others(keys.begin() + 3, keys.end());
  const auto id_of = [&](std::size_t number) {
    return store->list_keys(store->find_account(email_of(number)).value().id)
        .value()
        .at(0)
        .public_id;
  };
  push_out(*store, others);
  CHECK(store->is_key_good(keys[0]));
  CHECK(store->revoke_key(0, id_of(0)).value().revoked_at == clock.now());
  const auto turned = store->rotate_key(0, id_of(1), 60s).value();
  const auto expect = [&] {
    CHECK_FALSE(store->is_key_good(keys[0]));
    CHECK(code_of(store->check_key(keys[0])) == errc::revoked_api_key);
    CHECK(code_of(store->authenticate(keys[0])) == errc::revoked_api_key);
    CHECK(store->is_key_good(keys[1]));
    CHECK(store->authenticate(turned.secret).value().account.email == email_of(1));
  };
  expect();
  push_out(*store, others);
  expect();
  store.reset();
  store = open_or_throw(options);
  expect();
  clock.advance(61s);
  push_out(*store, others);
  CHECK_FALSE(store->is_key_good(keys[1]));
  CHECK(code_of(store->authenticate(keys[1])) == errc::revoked_api_key);
  CHECK(code_of(store->revoke_key(0, "key_nobody's")) == errc::not_found);
  CHECK(code_of(store->rotate_key(0, id_of(0), 60s)) == errc::key_not_rotatable);
}

TEST_CASE("the budget of a key is what it was when it comes back") {
  const temporary_folder folder;
  manual_clock clock;
  const auto options = small(folder.file("ledger.db"), clock);
  auto store = open_or_throw(options);
  const auto keys = make_keys(*store, 6, with_budget(10));
  const std::vector<std::string> others(keys.begin() + 2, keys.end());
  CHECK(call(*store, keys[0], 6) == errc{});
  push_out(*store, others);
  CHECK(store->authenticate(keys[0]).value().key.budget_used == credits{6});
  const auto first = store->list_keys(1).value().at(0);
  CHECK(first.budget_used == credits{6});
  const auto next = store->rotate_key(1, first.public_id, 1h).value();
  CHECK(call(*store, next.secret, 3) == errc{});
  push_out(*store, others);
  CHECK(call(*store, keys[0], 2) == errc::key_budget_exceeded);
  // A call of the family holds the rest, and nobody else of it is in memory.
  auto held = store->reserve(store->authenticate(keys[0]).value(), {1}).value();
  push_out(*store, others);
  CHECK(call(*store, next.secret, 1) == errc::key_budget_exceeded);
  held.release();
  push_out(*store, others);
  store.reset();
  store = open_or_throw(options);
  CHECK(store->list_keys(1).value().at(1).budget_used == credits{9});
  CHECK(call(*store, next.secret, 2) == errc::key_budget_exceeded);
  CHECK(call(*store, next.secret, 1) == errc{});
  clock.set(december);
  push_out(*store, others);
  CHECK(call(*store, keys[0], 0) == errc::revoked_api_key);
  CHECK(call(*store, next.secret, 10) == errc{});
  push_out(*store, others);
  // Back in November the budget of December is what counts, and it is used up.
  clock.set(start_time);
  CHECK(call(*store, next.secret, 1) == errc::key_budget_exceeded);
}

TEST_CASE("keys that were made up read nothing and push nobody out", "[alone]") {
  const temporary_folder folder;
  manual_clock clock;
  const auto store = open_or_throw(small(folder.file("ledger.db"), clock));
  const auto keys = make_keys(*store, 5);
  for (const auto& key : keys) REQUIRE(call(*store, key, 1) == errc{});
  const auto before = store->stats();
  for (int i = 0; i < 2'000; ++i) {
    const std::string guess = generate_key(i % 2 == 0 ? key_mode::live : key_mode::test);
    const auto told = store->authenticate_at_once(guess);
    REQUIRE(told.has_value());
    REQUIRE(code_of(*told) == errc::invalid_api_key);
    REQUIRE(code_of(store->authenticate(guess)) == errc::invalid_api_key);
    REQUIRE(code_of(store->check_key(guess)) == errc::invalid_api_key);
    REQUIRE_FALSE(store->is_key_good(guess));
  }
  CHECK(store->stats().reads == before.reads);
  CHECK(store->authenticate_at_once(keys[4]).value().has_value());
  CHECK(store->authenticate_at_once(keys[3]).value().has_value());
  // Who must not wait is told that there is something to read, and what a key may do without it.
  CHECK_FALSE(store->authenticate_at_once(keys[0]).has_value());
  CHECK(store->check_key(keys[0]).value().account_id == 1);
  CHECK(store->check_key(keys[0]).value().scope_read);
  CHECK(store->stats().reads == before.reads);
  CHECK(store->authenticate(keys[0]).has_value());
  CHECK(store->authenticate_at_once(keys[0]).has_value());
  CHECK(store->stats().reads == before.reads + 1);
}

TEST_CASE("an account with many keys pushes out its own, and nobody else's") {
  const temporary_folder folder;
  manual_clock clock;
  auto options = small(folder.file("ledger.db"), clock);
  options.accounts_in_memory = 64;
  options.keys_in_memory = 32;  // four for an account
  const auto store = open_or_throw(options);
  const auto others = make_keys(*store, 10);
  for (const auto& key : others) REQUIRE(call(*store, key, 1) == errc{});
  const auto many = store->create_account("many@example.com", "free").value().id;
  std::vector<std::string> keys;
  for (int i = 0; i < 60; ++i) keys.push_back(store->create_key(many, {}).value().secret);
  for (int round = 0; round < 2; ++round)
    for (const auto& key : keys) REQUIRE(call(*store, key, 1) == errc{});
  const auto before = store->stats().reads;
  for (const auto& key : others) CHECK(store->authenticate_at_once(key).value().has_value());
  CHECK(store->stats().reads == before);
  // The four that were used last are there, and a fifth is read.
  for (std::size_t i = 56; i < 60; ++i)
    CHECK(store->authenticate_at_once(keys[i]).value().has_value());
  CHECK_FALSE(store->authenticate_at_once(keys[55]).has_value());
  CHECK(call(*store, keys[55], 1) == errc{});
  CHECK(store->stats().reads > before);
}

TEST_CASE("an account that is not in memory is given its month once, however it comes and goes") {
  const temporary_folder folder;
  manual_clock clock;
  const auto store = open_or_throw(small(folder.file("ledger.db"), clock, 50));
  const auto keys = make_keys(*store, 6);
  const std::vector<std::string> others(keys.begin() + 1, keys.end());
  CHECK(call(*store, keys[0], 20) == errc{});
  for (int turn = 0; turn < 2; ++turn) {
    push_out(*store, others);
    clock.set(december + 1h);
    CHECK(call(*store, keys[0], 5) == errc{});
    push_out(*store, others);
    CHECK(call(*store, keys[0], 5) == errc{});
    push_out(*store, others);
    // The clock goes back into a month that had its grant.
    clock.set(start_time);
    CHECK(call(*store, keys[0], 1) == errc{});
  }
  CHECK(movements(*store, 1) ==
        std::vector<std::string>{"grant 50", "usage -20", "expiry -30", "grant 50", "usage -5",
                                 "usage -5", "usage -1", "usage -5", "usage -5", "usage -1"});
  CHECK(store->verify().value().findings.empty());
}

TEST_CASE("a plan or a grant or a refund reaches who is not in memory") {
  const temporary_folder folder;
  manual_clock clock;
  auto options = small(folder.file("ledger.db"), clock, 90);
  options.plans["pro"].monthly = {900};
  const auto store = open_or_throw(options);
  const auto keys = make_keys(*store, 6);
  const std::vector<std::string> others(keys.begin() + 1, keys.end());
  const auto who = store->authenticate(keys[0]).value();
  usage what;
  what.request_id = "req_cold";
  CHECK(settle(*store, store->reserve(who, {30}).value(), 30, what).has_value());
  push_out(*store, others);
  CHECK(store->refund("req_cold", credits{10}, "sorry").value().after.posted == credits{70});
  push_out(*store, others);
  CHECK(store->grant(1, {5}, "gift").value().posted == credits{75});
  push_out(*store, others);
  CHECK(store->change_plan(1, "pro").value().change == credits{270});
  push_out(*store, others);
  CHECK(store->authenticate(keys[0]).value().account.plan == "pro");
  push_out(*store, others);
  rate_info rate;
  CHECK(store->take_rate_token(who, rate).has_value());
  CHECK(store->balance_of(who).value().posted == credits{345});
  CHECK(code_of(store->grant(99, {5}, "gift")) == errc::not_found);
  CHECK(code_of(store->change_plan(99, "pro")) == errc::not_found);
  CHECK(code_of(store->principal_of(99, key_mode::live)) == errc::not_found);
  CHECK(code_of(store->list_keys(99)) == errc::not_found);
  CHECK(code_of(store->create_key(99, {})) == errc::not_found);
}

TEST_CASE("who deletes an account that has left memory ends its keys") {
  const temporary_folder folder;
  manual_clock clock;
  const auto store = open_or_throw(small(folder.file("ledger.db"), clock));
  const auto people = users::open(*store, quick_hashing()).value();
  const auto link = people->begin_sign_up("p@example.com", {}).value().token.value();
  const std::string password = "correct horse battery";
  const auto opened = people->confirm_sign_up(link, password, "free", {}, "").value();
  const std::int64_t id = opened.account.id;
  key_options named;
  named.name = "mine";
  const auto key = store->create_key(id, named).value();
  const auto others = make_keys(*store, 5);
  push_out(*store, others);
  const auto login = people->authenticate(opened.token).value();
  push_out(*store, others);
  REQUIRE(people->erase(login, password, {}).has_value());
  CHECK_FALSE(store->is_key_good(key.secret));
  push_out(*store, others);
  CHECK(code_of(store->authenticate(key.secret)) == errc::revoked_api_key);
  CHECK(code_of(people->authenticate(opened.token)) == errc::not_signed_in);
  CHECK(code_of(store->principal_of(id, key_mode::live)) == errc::not_found);
  CHECK(code_of(store->create_key(id, {})) == errc::not_found);
  CHECK(store->list_keys(id).value().at(0).name.empty());
  CHECK(store->list_keys(id).value().at(0).revoked_at == clock.now());
}

TEST_CASE("an account that was charged while it was read comes into memory as it is then") {
  const temporary_folder folder;
  manual_clock clock;
  auto options = small(folder.file("ledger.db"), clock, 100);
  options.plans["pro"].monthly = {100};
  std::function<void()> meanwhile;
  options.was_read = [&] {
    if (const auto once = std::exchange(meanwhile, nullptr)) once();
  };
  const auto store = open_or_throw(options);
  const auto keys = make_keys(*store, 6, with_budget(80));
  const std::vector<std::string> others(keys.begin() + 1, keys.end());
  const auto leave = [&] {
    for (const auto& key : others) REQUIRE(call(*store, key, 0) == errc{});
    REQUIRE_FALSE(store->authenticate_at_once(keys[0]).has_value());
  };
  CHECK(call(*store, keys[0], 10) == errc{});
  leave();
  // Another is faster: reads it, charges it, and it has left memory again.
  meanwhile = [&] {
    CHECK(call(*store, keys[0], 60) == errc{});
    leave();
  };
  const auto who = store->authenticate(keys[0]).value();
  CHECK(who.key.budget_used == credits{70});
  CHECK(store->balance_of(who).value().posted == credits{30});
  CHECK(code_of(store->reserve(who, {31})) == errc::insufficient_credits);
  CHECK(code_of(store->reserve(who, {11})) == errc::key_budget_exceeded);
  leave();
  meanwhile = [&] {
    CHECK(store->change_plan(1, "pro").has_value());
    leave();
  };
  CHECK(store->authenticate(keys[0]).value().account.plan == "pro");
  leave();
  meanwhile = [&] {
    CHECK(store->revoke_key(0, store->list_keys(1).value().at(0).public_id).has_value());
  };
  CHECK(code_of(store->authenticate(keys[0])) == errc::revoked_api_key);
}

TEST_CASE("many at once over few places: no credit is charged twice, none is lost", "[many]") {
  const temporary_folder folder;
  manual_clock clock;
  constexpr std::size_t count = 7, threads = 6;
  const int calls = freshet::test::cases(250, 250, 60);
  const auto store = open_or_throw(small(folder.file("ledger.db"), clock, 400));
  const auto keys = make_keys(*store, count, with_budget(380));
  std::array<std::atomic<std::int64_t>, count> used{}, refused{};
  std::atomic<int> wrong{0};
  std::vector<std::thread> all;
  for (std::size_t t = 0; t < threads; ++t)
    all.emplace_back([&, t] {
      std::mt19937 random(static_cast<unsigned>(t));
      for (int i = 0; i < calls; ++i) {
        const std::size_t at = random() % count;
        const errc code = call(*store, keys[at], 3);
        if (code == errc{})
          used[at] += 3;
        else if (code == errc::key_budget_exceeded || code == errc::insufficient_credits)
          ++refused[at];
        else
          ++wrong;
      }
    });
  // Meanwhile somebody changes what the others read.
  all.emplace_back([&] {
    for (int i = 0; i < calls; ++i)
      if (!store->grant(1 + i % static_cast<int>(count), {1}, "gift")) ++wrong;
  });
  for (auto& one : all) one.join();
  CHECK(wrong == 0);
  CHECK(store->stats().reads > 50);
  for (std::size_t i = 0; i < count; ++i) {
    const auto who = store->authenticate(keys[i]).value();
    const int gifts = calls / static_cast<int>(count) + (i < calls % count ? 1 : 0);
    CHECK(store->balance_of(who).value().posted == credits{400 + gifts - used[i]});
    CHECK(store->balance_of(who).value().reserved == credits{0});
    CHECK(who.key.budget_used == credits{used[i]});
    CHECK(used[i] <= 380);
    CHECK((refused[i] == 0 || used[i] > 377));
  }
  CHECK(store->verify().value().findings.empty());
}

TEST_CASE("a balance is told at once where nobody has to be waited for") {
  const temporary_folder folder;
  manual_clock clock;
  const bool is_shared = on_postgres_server();  // others may have charged meanwhile
  const auto is_told = [](accounts& of, const principal& who) {
    return of.balance_at_once(who).has_value();
  };
  {
    const auto store = open_or_throw(options_for(folder.file("ledger.db"), clock, 1000));
    const auto who = store->authenticate(make_keys(*store, 1)[0]).value();
    // Its first month's grant was due when it was authenticated, and is written meanwhile.
    const auto early = store->balance_at_once(who);
    CHECK((!early || early->posted == credits{1000}));
    CHECK(store->balance_of(who).has_value());
    const auto told = store->balance_at_once(who);
    CHECK(told.has_value() == !is_shared);
    if (told) CHECK(told->posted == credits{1000});
    clock.advance(std::chrono::days(32));
    CHECK_FALSE(is_told(*store, who));
    CHECK(store->balance_of(who).value().posted == credits{1000});
    CHECK(is_told(*store, who) == !is_shared);
  }
  const auto store = open_or_throw(small(folder.file("small.db"), clock));
  const auto keys = make_keys(*store, 4);
  const auto who = store->authenticate(keys[0]).value();
  CHECK(store->balance_of(who).has_value());
  CHECK(is_told(*store, who) == !is_shared);
  push_out(*store, {keys[1], keys[2], keys[3]});
  CHECK_FALSE(is_told(*store, who));  // who is not in memory is read first
}
