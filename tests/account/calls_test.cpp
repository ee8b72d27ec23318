#include <account/fixture.hpp>
#include <account/rules/shares.hpp>
#include <catch2/catch.hpp>
#include <thread>

using namespace freshet;
using namespace freshet::account;
using namespace freshet::account::test;
using namespace std::chrono_literals;

namespace {

/// Runs `body` in `count` threads at once.
template <class Body>
void in_parallel(int count, Body body) {
  std::vector<std::thread> threads;
  std::atomic<bool> go{false};
  for (int i = 0; i < count; ++i)
    threads.emplace_back([&, i] {
      while (!go) std::this_thread::yield();
      body(i);
    });
  go = true;
  for (auto& thread : threads) thread.join();
}

usage idempotent_usage(const std::string& key, const std::string& fingerprint) {
  usage what;
  what.endpoint = "microblog/search";
  what.idempotency_key = key;
  what.answer.fingerprint = fingerprint;
  what.answer.status = 200;
  what.answer.content_type = "application/json";
  what.answer.body = std::string("{\"data\":\0[]}", 12);
  what.answer.credits_used = 1;
  what.answer.data_offset = 8;
  what.answer.data_size = 2;
  return what;
}

}  // namespace

TEST_CASE("authentication tells missing, malformed and unknown keys apart from good ones") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock));
  const auto account = store->create_account("a@example.com", "free").value();
  const auto key = store->create_key(account.id, {}).value();
  CHECK(store->authenticate("").error().code() == errc::missing_api_key);
  CHECK(store->authenticate("junk").error().code() == errc::invalid_api_key);
  CHECK(store->authenticate(generate_key(key_mode::live)).error().code() == errc::invalid_api_key);
  const auto who = store->authenticate(key.secret).value();
  CHECK(who.account.id == account.id);
  CHECK(who.key.public_id == key.record.public_id);
  CHECK(who.key.last_four == key.secret.substr(43));
  CHECK(who.plan.name == "free");
}

TEST_CASE("a bad checksum costs no look-up") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock));
  for (int i = 0; i < 1000; ++i) {
    std::string key = generate_key(i % 2 == 0 ? key_mode::live : key_mode::test);
    key[9 + static_cast<std::size_t>(i) % 32] =
        key[9 + static_cast<std::size_t>(i) % 32] == 'x' ? 'y' : 'x';
    CHECK_FALSE(store->authenticate(key).has_value());
  }
  CHECK(store->stats().key_lookups == 0);
  CHECK_FALSE(store->authenticate(generate_key(key_mode::live)).has_value());
  CHECK(store->stats().key_lookups == 1);
}

TEST_CASE("a reservation is held, settled for less, or released, once") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock, 10));
  const auto who = new_principal(*store);
  auto held = store->reserve(who, {6}).value();
  CHECK(held.held() == credits{6});
  CHECK(store->balance_of(who).value().reserved == credits{6});
  CHECK(store->reserve(who, {5}).error().code() == errc::insufficient_credits);
  auto moved = std::move(held);
  CHECK_FALSE(static_cast<bool>(held));
  const auto after = settle(*store, std::move(moved), 2).value();
  CHECK(after.posted == credits{8});
  CHECK(after.reserved == credits{0});
  CHECK(settle(*store, std::move(moved), 2).error().code() == errc::internal);
  moved.release();
  CHECK(store->balance_of(who).value().available() == credits{8});
  {
    auto dropped = store->reserve(who, {8}).value();
    CHECK(store->balance_of(who).value().available() == credits{0});
    dropped.release();
    dropped.release();
    CHECK(store->balance_of(who).value().available() == credits{8});
    dropped = store->reserve(who, {3}).value();
    dropped = store->reserve(who, {4}).value();
    CHECK(store->balance_of(who).value().reserved == credits{4});
  }
  CHECK(store->balance_of(who).value().reserved == credits{0});
  // Never more than was held, never less than nothing.
  CHECK(settle(*store, store->reserve(who, {1}).value(), 5).value().posted == credits{7});
  CHECK(settle(*store, store->reserve(who, {1}).value(), -5).value().posted == credits{7});
  CHECK(store->reserve(who, {-1}).error().code() == errc::internal);
  CHECK(store->verify().value().ok);
}

TEST_CASE("a price of nothing writes no movement") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock, 10));
  const auto who = new_principal(*store);
  CHECK(settle(*store, store->reserve(who, {0}).value(), 0).value().posted == credits{10});
  CHECK(settle(*store, store->reserve(who, {4}).value(), 0).value().posted == credits{10});
  CHECK(store->ledger(who.account.id, 0, 10).value().size() == 1);
}

TEST_CASE("200 parallel calls on a balance of 50: exactly 50 succeed") {
  const temporary_folder folder;
  manual_clock clock;
  const auto store = open_or_throw(options_for(folder.file("ledger.db"), clock, 50));
  const auto who = new_principal(*store);
  std::atomic<int> charged{0}, refused{0}, other{0}, below_zero{0};
  in_parallel(20, [&](int) {
    for (int i = 0; i < 10; ++i) {
      auto held = store->reserve(who, {1});
      if (!held) {
        ++(held.error().code() == errc::insufficient_credits ? refused : other);
        continue;
      }
      const auto after = settle(*store, std::move(*held), 1);
      ++(after ? charged : other);
      if (after && after->available().value < 0) ++below_zero;
    }
  });
  CHECK(charged == 50);
  CHECK(refused == 150);
  CHECK(other == 0);
  CHECK(below_zero == 0);
  CHECK(store->balance_of(who).value().posted == credits{0});
  CHECK(store->balance_of(who).value().reserved == credits{0});
  CHECK(store->ledger(who.account.id, 0, 1000).value().size() == 51);
  CHECK(store->verify().value().ok);
}

TEST_CASE("a key's budget counts what is used and what is held, by the month") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock));
  key_options with;
  with.monthly_budget = credits{10};
  const auto who = new_principal(*store, "a@example.com", with);
  {
    const auto first = store->reserve(who, {7}).value();
    CHECK(store->reserve(who, {4}).error().code() == errc::key_budget_exceeded);
    CHECK(store->reserve(who, {3}).has_value());
  }
  CHECK(settle(*store, store->reserve(who, {10}).value(), 8).has_value());
  CHECK(store->reserve(who, {3}).error().code() == errc::key_budget_exceeded);
  clock.set(start_time - 24h * 30);
  CHECK(store->reserve(who, {3}).error().code() == errc::key_budget_exceeded);
  clock.set(start_time + 24h * 10);
  CHECK(store->reserve(who, {10}).has_value());
  // Parallel spending of a budget.
  std::atomic<int> charged{0};
  in_parallel(8, [&](int) {
    for (int i = 0; i < 5; ++i)
      if (auto held = store->reserve(who, {1}))
        if (settle(*store, std::move(*held), 1)) ++charged;
  });
  CHECK(charged == 10);
}

TEST_CASE("the rate limit is exact under concurrency, and test keys have a bucket of their own") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock));
  const auto who = new_principal(*store);
  std::atomic<int> passed{0};
  in_parallel(16, [&](int) {
    for (int i = 0; i < 10; ++i) {
      rate_info state;
      const auto taken = store->take_rate_token(who, state);
      if (taken) ++passed;
      if (state.limit != 10 || state.window_s != 5) passed = -1000;
      if (!taken && taken.error().code() != errc::rate_limited) passed = -1000;
    }
  });
  CHECK(passed == 10);
  key_options sandbox;
  sandbox.mode = key_mode::test;
  rate_info state;
  CHECK(store->take_rate_token(new_principal(*store, "a@example.com", sandbox), state).has_value());
  CHECK(state.remaining == 199);
  // Another key of the account shares the account's.
  CHECK_FALSE(store->take_rate_token(new_principal(*store), state).has_value());
  CHECK(store->take_rate_token(new_principal(*store, "b@example.com"), state).has_value());
}

TEST_CASE("test keys have the rate that is set for them, or the usual one, or the plan's if more") {
  manual_clock clock;
  key_options sandbox;
  sandbox.mode = key_mode::test;
  const auto limit = [&](const std::function<void(accounts_options&)>& set) {
    auto options = options_for(":memory:", clock);
    set(options);
    const auto store = open_or_throw(options);
    const auto who = new_principal(*store, "a@example.com", sandbox);
    rate_info state;
    std::int64_t passed = 0;
    while (store->take_rate_token(who, state)) ++passed;
    CHECK(passed == state.limit);
    CHECK(who.plan.burst == passed);
    CHECK(who.plan.concurrency >= passed);
    const auto person = store->principal_of(who.account.id, key_mode::test).value();
    CHECK(person.plan.rate == who.plan.rate);
    return std::pair(passed, who.plan.rate);
  };
  CHECK(limit([](auto&) {}) == std::pair<std::int64_t, double>(200, 50));
  CHECK(limit([](auto& options) { options.plans["free"].burst = 300; }) ==
        std::pair<std::int64_t, double>(300, 50));
  CHECK(limit([](auto& options) {
          options.plans["free"].rate = 80;
          options.test_keys = {5, 3};
        }) == std::pair<std::int64_t, double>(3, 5));
  auto wrong = options_for(":memory:", clock);
  wrong.test_keys.rate = 1e-30;
  CHECK(accounts::open(wrong).error().detail().find("sandbox.rate") != std::string::npos);
}

TEST_CASE("a person's pages are not held to the rate of the calls that they are about") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock));
  const auto key = new_principal(*store, "a@example.com");
  const auto person = store->principal_of(key.account.id, key_mode::live).value();
  rate_info state;
  const auto passes = [&](const principal& who, bool of_account) {
    int passed = 0;
    while (passed < 1'000 && store->take_rate_token(who, state, of_account)) ++passed;
    return passed;
  };
  CHECK(passes(person, true) == 200);
  CHECK(passes(person, false) == 10);
  CHECK(passes(key, true) == 0);  // a key's calls are a program's, whatever they ask
  clock.advance(1s);
  CHECK(passes(key, true) == 2);
  CHECK(passes(person, false) == 0);
  CHECK(passes(person, true) == 50);
}

TEST_CASE("what is told of the rate limit holds for all that an account's callers do") {
  manual_clock clock;
  auto options = options_for(":memory:", clock);
  options.plans["free"].rate = 3;
  options.plans["free"].burst = 7;
  options.plans["slow"] = {.rate = 0.3, .burst = 4};
  const auto store = open_or_throw(options);
  const auto key = new_principal(*store);
  const auto person = store->principal_of(key.account.id, key_mode::live).value();
  unsigned chance = 1;
  rate_info state;
  for (int step = 0; step < 500; ++step) {
    chance = chance * 1'103'515'245 + 12'345;
    clock.advance(std::chrono::milliseconds((chance >> 16) % 4'000));
    if (step % 50 == 49)
      CHECK(store->change_plan(key.account.id, step % 100 == 99 ? "free" : "slow").has_value());
    const auto& who = chance % 3 == 0 ? person : key;
    auto taken = store->take_rate_token(who, state);
    if (taken) {
      for (auto left = state.remaining; left > 0; --left)
        REQUIRE(store->take_rate_token(left % 2 == 0 ? key : person, state).has_value());
      taken = store->take_rate_token(who, state);
    }
    REQUIRE(taken.error().code() == errc::rate_limited);
    REQUIRE(state.remaining == 0);
    if (chance % 2 == 0) {
      clock.advance(*taken.error().retry_after);
      REQUIRE(store->take_rate_token(key, state).has_value());
    } else {
      clock.advance(std::chrono::seconds(state.reset_s));
      for (auto left = state.limit; left > 0; --left)
        REQUIRE(store->take_rate_token(person, state).has_value());
      REQUIRE_FALSE(store->take_rate_token(key, state).has_value());
    }
  }
}

TEST_CASE("a test key never touches the ledger") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock));
  key_options with;
  with.mode = key_mode::test;
  const auto who = new_principal(*store, "a@example.com", with);
  CHECK(who.key.mode == key_mode::test);
  CHECK(store->reserve(who, {1}).error().code() == errc::internal);
  CHECK(store->balance_of(who).value().posted == credits{0});
  const auto first = store->begin_idempotent(who, "k", "f");
  CHECK((first.has_value() && !first->has_value()));
  CHECK(store->begin_idempotent(who, "k", "f").error().code() == errc::idempotency_in_progress);
  // The same name of a live key is another call.
  CHECK(store->begin_idempotent(new_principal(*store), "k", "f").has_value());
  store->end_idempotent(who, "k");
  CHECK(store->begin_idempotent(who, "k", "f").has_value());
  CHECK(store->stats().movements <= 1);
}

TEST_CASE("an idempotent call is answered again for 24 hours, from the settlement's transaction") {
  const temporary_folder folder;
  manual_clock clock;
  const auto options = options_for(folder.file("ledger.db"), clock);
  auto store = open_or_throw(options);
  const auto who = new_principal(*store);
  const auto other = new_principal(*store, "b@example.com");
  CHECK_FALSE(store->begin_idempotent(who, "k1", "f1").value().has_value());
  CHECK(settle(*store, store->reserve(who, {1}).value(), 1, idempotent_usage("k1", "f1"))
            .has_value());
  store.reset();
  store = open_or_throw(options);
  const auto stored = store->begin_idempotent(who, "k1", "f1").value();
  REQUIRE(stored.has_value());
  CHECK(stored->body == idempotent_usage("k1", "f1").answer.body);
  CHECK(stored->status == 200);
  CHECK(stored->content_type == "application/json");
  CHECK(stored->credits_used == 1);
  CHECK(stored->data_offset == 8);
  CHECK(stored->data_size == 2);
  CHECK(store->begin_idempotent(who, "k1", "f2").error().code() == errc::idempotency_mismatch);
  CHECK_FALSE(store->begin_idempotent(other, "k1", "f2").value().has_value());
  clock.advance(24h - 1ms);
  CHECK(store->begin_idempotent(who, "k1", "f1").value().has_value());
  clock.advance(1ms);
  CHECK_FALSE(store->begin_idempotent(who, "k1", "f2").value().has_value());
  // Used again after its day, under another body.
  CHECK(settle(*store, store->reserve(who, {1}).value(), 1, idempotent_usage("k1", "f2"))
            .has_value());
  CHECK(store->begin_idempotent(who, "k1", "f2").value().has_value());
  for (const std::string& bad :
       {std::string(), std::string(256, 'k'), std::string("a\nb"), std::string("\xc3\xa9")})
    CHECK(store->begin_idempotent(who, bad, "f").error().code() == errc::invalid_request);
  CHECK(store->begin_idempotent(who, std::string(255, 'k'), "f").has_value());
  CHECK(store->verify().value().ok);
}

TEST_CASE("64 parallel calls with one idempotency key make one movement") {
  const temporary_folder folder;
  manual_clock clock;
  const auto store = open_or_throw(options_for(folder.file("ledger.db"), clock));
  const auto who = new_principal(*store);
  std::atomic<int> executed{0}, replayed{0}, conflicts{0}, other{0};
  in_parallel(64, [&](int) {
    for (bool answered = false; !answered;) {
      const auto found = store->begin_idempotent(who, "one", "f");
      answered = true;
      if (!found) {
        answered = found.error().code() != errc::idempotency_in_progress;
        ++(answered ? other : conflicts);
        if (found.error().retry_after != 1s) ++other;
        std::this_thread::yield();
      } else if (*found) {
        ++replayed;
      } else {
        ++executed;
        if (!settle(*store, store->reserve(who, {1}).value(), 1, idempotent_usage("one", "f")))
          ++other;
      }
    }
  });
  CHECK(executed == 1);
  CHECK(replayed == 63);
  CHECK(other == 0);
  CHECK(store->balance_of(who).value().posted == credits{999});
}

TEST_CASE("a mark ends when its call failed, so that the call can be made again") {
  manual_clock clock;
  std::atomic<bool> full{false};
  auto options = options_for(":memory:", clock);
  options.fail = [&](std::string_view stage) { return full && stage == "answer"; };
  const auto store = open_or_throw(options);
  const auto who = new_principal(*store);
  CHECK(store->begin_idempotent(who, "k", "f").has_value());
  CHECK(store->begin_idempotent(who, "k", "g").error().code() == errc::idempotency_mismatch);
  store->end_idempotent(who, "k");
  CHECK(store->begin_idempotent(who, "k", "f").has_value());
  auto held = store->reserve(who, {1}).value();
  full = true;
  const auto failed = settle(*store, std::move(held), 1, idempotent_usage("k", "f"));
  CHECK(failed.error().code() == errc::storage_unavailable);
  full = false;
  CHECK_FALSE(store->begin_idempotent(who, "k", "f").value().has_value());
  CHECK(store->balance_of(who).value().posted == credits{1000});
  CHECK(
      settle(*store, store->reserve(who, {1}).value(), 1, idempotent_usage("k", "f")).has_value());
  CHECK(store->begin_idempotent(who, "k", "f").value().has_value());
}

TEST_CASE("a signed-in person calls as a key does, without a key") {
  const temporary_folder folder;
  manual_clock clock;
  const auto options = options_for(folder.file("ledger.db"), clock, 20);
  auto store = open_or_throw(options);
  key_options with;
  with.monthly_budget = credits{1};
  const auto keyed = new_principal(*store, "a@example.com", with);
  const auto who = store->principal_of(keyed.account.id, key_mode::live).value();
  CHECK(who.key.id == 0);
  CHECK(who.key.public_id == session_key_id);
  CHECK((who.key.scope_read && who.key.scope_account));
  CHECK(who.plan.monthly == credits{20});
  CHECK(store->principal_of(99, key_mode::live).error().code() == errc::not_found);

  // It shares the account's bucket and balance with the keys, and no key's budget.
  rate_info state;
  CHECK(store->take_rate_token(keyed, state).has_value());
  CHECK(store->take_rate_token(who, state).has_value());
  CHECK(state.remaining == 8);
  CHECK(settle(*store, store->reserve(who, {5}).value(), 5).value().posted == credits{15});
  CHECK(settle(*store, store->reserve(keyed, {1}).value(), 1).value().posted == credits{14});
  CHECK(store->reserve(who, {15}).error().code() == errc::insufficient_credits);
  {
    const auto held = store->reserve(who, {14}).value();
    CHECK(store->reserve(keyed, {1}).error().code() == errc::insufficient_credits);
  }
  CHECK(store->balance_of(who).value().available() == credits{14});

  CHECK_FALSE(store->begin_idempotent(who, "k", "f").value().has_value());
  CHECK(
      settle(*store, store->reserve(who, {1}).value(), 1, idempotent_usage("k", "f")).has_value());
  CHECK(store->begin_idempotent(who, "k", "f").value().has_value());

  const auto used = store->usage_of(who.account.id, {{}, "key"}).value();
  REQUIRE(used.size() == 2);
  CHECK(used[0].group == session_key_id);
  CHECK(used[0].used == credits{6});
  CHECK(store->ledger(who.account.id, 0, 1).value().at(0).key_id == 0);

  const auto sandbox = store->principal_of(keyed.account.id, key_mode::test).value();
  CHECK(sandbox.key.mode == key_mode::test);
  CHECK(store->reserve(sandbox, {1}).error().code() == errc::internal);
  CHECK(store->begin_idempotent(sandbox, "k", "g").has_value());

  store.reset();
  store = open_or_throw(options);
  CHECK(store->balance_of(who).value().posted == credits{13});
  CHECK(store->verify().value().ok);
}

TEST_CASE("a signed-in person's first call of a month finds the month's grant") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock, 20));
  const auto account = store->create_account("a@example.com", "free").value();
  const auto who = store->principal_of(account.id, key_mode::live).value();
  CHECK(settle(*store, store->reserve(who, {20}).value(), 20).value().posted == credits{0});
  clock.advance(24h * 10);
  CHECK(store->reserve(who, {20}).has_value());
}

TEST_CASE("more calls under way than the queue may hold are refused as overload") {
  manual_clock clock;
  auto options = options_for(":memory:", clock);
  options.max_queue = 3;
  const auto store = open_or_throw(options);
  const auto who = new_principal(*store);
  std::vector<reservation> held;
  for (int i = 0; i < 3; ++i) held.push_back(store->reserve(who, {1}).value());
  const auto refused = store->reserve(who, {1});
  CHECK(refused.error().code() == errc::overloaded);
  CHECK(refused.error().retry_after == 1s);
  held.pop_back();
  CHECK(store->reserve(who, {1}).has_value());
}

TEST_CASE("a handler may settle the next call but is not let to wait for itself") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock));
  const auto who = new_principal(*store);
  std::promise<result<balance>> second;
  std::promise<errc> waited;
  store->settle(store->reserve(who, {1}).value(), {1}, {}, [&](const result<balance>&) {
    waited.set_value(store->create_account("c@example.com", "free").error().code());
    store->settle(store->reserve(who, {1}).value(), {1}, {},
                  [&](result<balance> after) { second.set_value(std::move(after)); });
  });
  CHECK(waited.get_future().get() == errc::internal);
  CHECK(second.get_future().get().value().posted == credits{998});
}

TEST_CASE("answers are kept by the time that the book is open: no clock that is set drops one") {
  const temporary_folder folder;
  manual_clock clock;
  const auto options = options_for(folder.file("ledger.db"), clock);
  std::string secret;
  const auto answered = [](const std::string& key) {
    usage what;
    what.idempotency_key = key;
    what.answer.fingerprint = "f";
    what.answer.body = key;
    return what;
  };
  const auto body_of = [](accounts& store, const principal& who, const std::string& key) {
    const auto found = store.begin_idempotent(who, key, "f").value();
    if (!found) store.end_idempotent(who, key);
    return found ? found->body : "";
  };
  {
    const auto store = open_or_throw(options);
    const auto account = store->create_account("a@example.com", "free").value();
    secret = store->create_key(account.id, {}).value().secret;
    const auto who = store->authenticate(secret).value();
    const auto charge = [&](const std::string& key) {
      clock.advance(std::chrono::minutes(2));  // so that each commit purges, too
      CHECK(settle(*store, store->reserve(who, {1}).value(), 1, answered(key)).has_value());
    };
    charge("before");
    clock.jump(std::chrono::hours(25));
    CHECK(body_of(*store, who, "before") == "before");
    charge("a day ahead");
    CHECK(body_of(*store, who, "before") == "before");
    clock.jump(-std::chrono::hours(50));
    charge("a day back");
    clock.jump(std::chrono::hours(25));
    charge("after");
    for (const char* key : {"before", "a day ahead", "a day back", "after"})
      CHECK(body_of(*store, who, key) == key);
  }
  // Started again with a clock that is ahead, and then put right.
  clock.jump(std::chrono::hours(48));
  const auto store = open_or_throw(options);
  const auto who = store->authenticate(secret).value();
  CHECK(settle(*store, store->reserve(who, {1}).value(), 1, answered("again")).has_value());
  clock.jump(-std::chrono::hours(48));
  for (const char* key : {"before", "a day ahead", "a day back", "after", "again"})
    CHECK(body_of(*store, who, key) == key);
  // What passes drops them.
  clock.advance(std::chrono::hours(24));
  CHECK(body_of(*store, who, "before").empty());
  CHECK(body_of(*store, who, "again").empty());
}

TEST_CASE("falls of a balance are told once each, whatever a commit holds") {
  manual_clock clock;
  gate begins;
  std::atomic<bool> fails = false;
  auto options = options_for(":memory:", clock, 10);
  options.watched_shares = {80, 0, 20};
  const std::vector<int> shares{0, 20, 80};
  options.fail = [&](std::string_view stage) {
    if (stage == "begin") begins.pass();
    return stage == "commit" && fails;
  };
  std::mutex mutex;
  std::vector<std::string> told;
  options.fell = [&](const balance_fall& fall) {
    const std::lock_guard lock(mutex);
    const auto share = share_reached(fall.before, fall.balance, fall.monthly, shares);
    told.push_back(std::to_string(share.value()) + " at " + std::to_string(fall.balance) + " of " +
                   std::to_string(fall.monthly) + " for " + fall.email +
                   (fall.is_verified ? "" : ", not verified"));
  };
  const auto said = [&] {
    const std::lock_guard lock(mutex);
    return std::exchange(told, {});
  };
  const auto store = open_or_throw(std::move(options));
  const auto who = new_principal(*store);
  // 12 less 1, 2, 1 and 2 in one commit: 8 is reached by the third.
  charge_together(*store, begins, {who, who, who, who}, std::vector<usage>(4));
  CHECK(said() == std::vector<std::string>{"80 at 8 of 10 for a@example.com, not verified"});
  fails = true;
  CHECK_FALSE(settle(*store, store->reserve(who, {6}).value(), 6).has_value());
  fails = false;
  CHECK(said().empty());
  CHECK(settle(*store, store->reserve(who, {4}).value(), 4).has_value());
  CHECK(said() == std::vector<std::string>{"20 at 2 of 10 for a@example.com, not verified"});
  CHECK(settle(*store, store->reserve(who, {1}).value(), 1).has_value());
  CHECK(said().empty());
  CHECK(store->grant(who.account.id, {9}, "more").has_value());
  CHECK(settle(*store, store->reserve(who, {10}).value(), 10).has_value());
  CHECK(said() == std::vector<std::string>{"0 at 0 of 10 for a@example.com, not verified"});
}
