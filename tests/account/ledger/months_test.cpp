#include <account/fixture.hpp>
#include <catch2/catch.hpp>
#include <thread>

#include "support/eventually.hpp"

using namespace freshet;
using namespace freshet::account;
using namespace freshet::account::test;
using namespace std::chrono_literals;

namespace {

const time_point january{std::chrono::sys_days{std::chrono::year{2027} / 1 / 1}};

/// "grant 100", "expiry -40", … oldest first.
using list = std::vector<std::string>;

}  // namespace

TEST_CASE("the month's grant is made at first use, once, and does not roll over") {
  const temporary_folder folder;
  manual_clock clock;
  const auto options = options_for(folder.file("ledger.db"), clock, 100);
  auto store = open_or_throw(options);
  const auto account = store->create_account("a@example.com", "free").value();
  CHECK(movements(*store, account.id).empty());
  const auto who = new_principal(*store);
  CHECK(store->balance_of(who).value().posted == credits{100});
  for (int restart = 0; restart < 3; ++restart) {
    store.reset();
    store = open_or_throw(options);
    CHECK(store->balance_of(who).value().posted == credits{100});
    CHECK(store->reserve(who, {1}).has_value());
  }
  CHECK(settle(*store, store->reserve(who, {60}).value(), 60).has_value());
  clock.set(december - 1ms);
  CHECK(store->balance_of(who).value().posted == credits{40});
  clock.set(december);
  CHECK(store->balance_of(who).value().posted == credits{100});
  store.reset();
  store = open_or_throw(options);
  CHECK(store->balance_of(who).value().posted == credits{100});
  CHECK(movements(*store, account.id) == list{"grant 100", "usage -60", "expiry -40", "grant 100"});
  // A month without use has no grant.
  clock.set(december + 24h * 70);
  CHECK(store->reserve(who, {100}).has_value());
  CHECK(movements(*store, account.id).size() == 6);
  CHECK(store->verify().value().ok);
}

TEST_CASE("an operator's credits are used last and do not expire") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock, 10));
  const auto who = new_principal(*store);
  CHECK(store->grant(who.account.id, {5}, "gift").value().posted == credits{15});
  CHECK(settle(*store, store->reserve(who, {7}).value(), 7).value().posted == credits{8});
  clock.set(december);
  // 3 of the month expire, 5 of the operator stay.
  CHECK(store->balance_of(who).value().posted == credits{15});
  CHECK(settle(*store, store->reserve(who, {12}).value(), 12).value().posted == credits{3});
  clock.set(january);
  CHECK(store->balance_of(who).value().posted == credits{13});
  CHECK(movements(*store, who.account.id) ==
        list{"grant 10", "grant 5", "usage -7", "expiry -3", "grant 10", "usage -12", "grant 10"});
  CHECK(store->verify().value().ok);
}

TEST_CASE("a call that runs over midnight finds its credits in the new grant") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock, 10));
  const auto who = new_principal(*store);
  auto held = store->reserve(who, {8}).value();
  clock.set(december);
  CHECK(store->balance_of(who).value().posted == credits{10});
  CHECK(store->balance_of(who).value().reserved == credits{8});
  CHECK(store->reserve(who, {3}).error().code() == errc::insufficient_credits);
  CHECK(settle(*store, std::move(held), 8).value().posted == credits{2});
  CHECK(movements(*store, who.account.id) ==
        list{"grant 10", "expiry -10", "grant 10", "usage -8"});
  CHECK(store->verify().value().ok);
}

TEST_CASE("a plan that shrank keeps as much of the old grant as running calls hold") {
  const temporary_folder folder;
  manual_clock clock;
  std::string key;
  {
    const auto store = open_or_throw(options_for(folder.file("ledger.db"), clock, 100));
    const auto account = store->create_account("a@example.com", "free").value();
    key = store->create_key(account.id, {}).value().secret;
    CHECK(store->balance_of(store->authenticate(key).value()).value().posted == credits{100});
  }
  const auto store = open_or_throw(options_for(folder.file("ledger.db"), clock, 10));
  const auto who = store->authenticate(key).value();
  auto held = store->reserve(who, {80}).value();
  clock.set(december);
  CHECK(store->balance_of(who).value().posted == credits{80});
  CHECK(store->balance_of(who).value().available() == credits{0});
  CHECK(settle(*store, std::move(held), 80).value().posted == credits{0});
  CHECK(movements(*store, who.account.id) ==
        list{"grant 100", "expiry -30", "grant 10", "usage -80"});
  CHECK(store->verify().value().ok);
}

TEST_CASE("a clock that jumps makes no second grant and takes none away") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock, 10));
  const auto who = new_principal(*store);
  CHECK(store->balance_of(who).value().posted == credits{10});
  for (int i = 0; i < 5; ++i) {
    clock.set(december + 1h);
    CHECK(store->balance_of(who).value().posted == credits{10});
    clock.set(december - 1h);
    CHECK(store->balance_of(who).value().posted == credits{10});
  }
  CHECK(movements(*store, who.account.id) == list{"grant 10", "expiry -10", "grant 10"});
  // A year ahead by mistake does not cost the months between.
  clock.set(december + 24h * 365);
  CHECK(store->balance_of(who).value().posted == credits{10});
  clock.set(january + 1h);
  CHECK(settle(*store, store->reserve(who, {10}).value(), 10).value().posted == credits{0});
  CHECK(movements(*store, who.account.id).size() == 8);
  clock.set(time_point{} + 1h);
  CHECK(store->balance_of(who).value().posted == credits{10});
  CHECK(store->verify().value().ok);
}

TEST_CASE("calls in the midnight second of a month make one grant each account") {
  const temporary_folder folder;
  manual_clock clock;
  const auto store = open_or_throw(options_for(folder.file("ledger.db"), clock, 40));
  std::vector<principal> callers;
  for (int i = 0; i < 3; ++i)
    callers.push_back(new_principal(*store, std::to_string(i) + "@example.com"));
  for (const auto& who : callers) CHECK(store->balance_of(who).has_value());
  clock.set(december - 1ms);
  std::atomic<int> charged{0}, failed{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 25; ++i) {
        // The clock flutters across the month's end while calls run.
        if (t == 0) clock.set(i % 2 == 0 ? december : december - 1ms);
        auto held = store->reserve(callers[static_cast<std::size_t>(i % 3)], {1});
        if (!held) {
          if (held.error().code() != errc::insufficient_credits) ++failed;
          continue;
        }
        if (settle(*store, std::move(*held), 1)) ++charged;
      }
    });
  for (auto& thread : threads) thread.join();
  clock.set(december);
  CHECK(failed == 0);
  std::int64_t used = 0;
  for (const auto& who : callers) {
    CHECK(store->balance_of(who).has_value());
    const auto rows = movements(*store, who.account.id);
    CHECK(std::count(rows.begin(), rows.end(), "grant 40") == 2);
    used += std::count(rows.begin(), rows.end(), "usage -1");
  }
  CHECK(used == charged);
  CHECK(store->verify().value().ok);
}

TEST_CASE("authentication begins the month's grant without waiting for it") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock, 10));
  const auto who = new_principal(*store);
  REQUIRE(freshet::test::eventually([&] { return store->stats().movements > 0; }));
  CHECK(movements(*store, who.account.id) == list{"grant 10"});
}
