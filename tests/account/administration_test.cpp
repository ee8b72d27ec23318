#include <account/fixture.hpp>
#include <account/users.hpp>
#include <catch2/catch.hpp>
#include <thread>

using namespace freshet;
using namespace freshet::account;
using namespace freshet::account::test;
using namespace std::chrono_literals;

TEST_CASE("a revoked key is refused at once, and revoking again changes nothing") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock));
  const auto account = store->create_account("a@example.com", "free").value();
  const auto key = store->create_key(account.id, {}).value();
  CHECK(store->authenticate(key.secret).has_value());
  const auto revoked = store->revoke_key(account.id, key.record.public_id);
  REQUIRE(revoked.has_value());
  CHECK(revoked->revoked_at == start_time);
  CHECK(store->authenticate(key.secret).error().code() == errc::revoked_api_key);
  clock.advance(1h);
  CHECK(store->revoke_key(0, key.record.public_id).value().revoked_at == start_time);
  CHECK(store->rotate_key(0, key.record.public_id, 1h).error().code() == errc::key_not_rotatable);
}

TEST_CASE("no key authenticates once its revocation has returned, under load") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock));
  const auto account = store->create_account("a@example.com", "free").value();
  const auto key = store->create_key(account.id, {}).value();
  std::atomic<bool> revoked{false}, stop{false};
  std::atomic<int> late{0}, early{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      while (!stop) {
        const bool was_revoked = revoked;
        const bool passed = store->authenticate(key.secret).has_value();
        if (passed) ++(was_revoked ? late : early);
      }
    });
  while (early < 100) std::this_thread::yield();
  CHECK(store->revoke_key(account.id, key.record.public_id).has_value());
  revoked = true;
  for (int i = 0; i < 200; ++i) CHECK_FALSE(store->authenticate(key.secret).has_value());
  stop = true;
  for (auto& thread : threads) thread.join();
  CHECK(late == 0);
}

TEST_CASE("rotation keeps the old key for its grace, and both share the budget") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock));
  const auto account = store->create_account("a@example.com", "free").value();
  key_options with;
  with.monthly_budget = credits{10};
  const auto old = store->create_key(account.id, with).value();
  const auto who = store->authenticate(old.secret).value();
  CHECK(settle(*store, store->reserve(who, {6}).value(), 6).has_value());
  const auto fresh = store->rotate_key(account.id, old.record.public_id, 1h);
  REQUIRE(fresh.has_value());
  CHECK(fresh->secret != old.secret);
  CHECK(fresh->record.public_id != old.record.public_id);
  CHECK(fresh->record.monthly_budget == credits{10});
  CHECK_FALSE(fresh->record.expires_at.has_value());
  const auto renewed = store->authenticate(fresh->secret).value();
  CHECK(store->authenticate(old.secret).has_value());
  CHECK(store->reserve(renewed, {5}).error().code() == errc::key_budget_exceeded);
  CHECK(store->reserve(renewed, {4}).has_value());
  clock.advance(1h - 1ms);
  CHECK(store->authenticate(old.secret).has_value());
  clock.advance(1ms);
  CHECK(store->authenticate(old.secret).error().code() == errc::revoked_api_key);
  CHECK(store->authenticate(fresh->secret).has_value());
  CHECK(store->list_keys(account.id).value().size() == 2);
  const auto at_once = store->rotate_key(0, fresh->record.public_id, 0s);
  CHECK(at_once.has_value());
  CHECK(store->authenticate(fresh->secret).error().code() == errc::revoked_api_key);
}

TEST_CASE("keys are rotated so often, and no more") {
  manual_clock clock;
  auto options = options_for(":memory:", clock);
  options.max_rotated_keys = 5;
  const auto store = open_or_throw(options);
  const auto who = store->create_account("a@example.org", "free").value().id;
  auto key = store->create_key(who, {}).value();
  for (int i = 0; i < 4; ++i)
    key = store->rotate_key(who, key.record.public_id, 0s, nullptr).value();
  const auto refused = store->rotate_key(who, key.record.public_id, 0s, nullptr);
  CHECK(code_of(refused) == errc::key_not_rotatable);
  CHECK(refused.error().detail().find("has had 5 keys") != std::string::npos);
  CHECK(store->authenticate(key.secret).has_value());
}

TEST_CASE("a key that was rotated is not rotated again, also by two at once") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock));
  const auto account = store->create_account("a@example.com", "free").value();
  const auto old = store->create_key(account.id, {}).value();
  std::atomic<int> made{0}, refused{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      const auto fresh = store->rotate_key(account.id, old.record.public_id, 1h);
      ++(fresh ? made : refused);
    });
  for (auto& thread : threads) thread.join();
  CHECK(made == 1);
  CHECK(refused == 7);
  const auto again = store->rotate_key(account.id, old.record.public_id, 1h);
  CHECK(again.error().code() == errc::key_not_rotatable);
  CHECK(again.error().detail().find("took its place") != std::string::npos);
  const auto keys = store->list_keys(account.id).value();
  REQUIRE(keys.size() == 2);
  CHECK(keys[0].rotated_at == start_time);
  // The one in its place has no end of its own because the old one has.
  CHECK_FALSE(keys[1].expires_at.has_value());
  CHECK_FALSE(keys[1].rotated_at.has_value());
}

TEST_CASE("keys have names, and show what is used of their budgets, over a restart too") {
  const temporary_folder folder;
  manual_clock clock;
  const auto options = options_for(folder.file("ledger.db"), clock);
  auto store = open_or_throw(options);
  const auto account = store->create_account("a@example.com", "free").value();
  key_options with;
  with.name = "  the \n laptop\t\xc3\xa9 ";
  with.monthly_budget = credits{10};
  const auto old = store->create_key(account.id, with).value();
  CHECK(old.record.name == "the laptop \xc3\xa9");
  CHECK(old.record.budget_used == credits{0});
  const auto who = store->authenticate(old.secret).value();
  CHECK(settle(*store, store->reserve(who, {4}).value(), 4).has_value());
  const auto fresh = store->rotate_key(0, old.record.public_id, 1h).value();
  CHECK(fresh.record.name == old.record.name);
  CHECK(fresh.record.budget_used == credits{4});
  const auto renewed = store->authenticate(fresh.secret).value();
  CHECK(settle(*store, store->reserve(renewed, {3}).value(), 3).has_value());
  CHECK_FALSE(store->create_key(account.id, {}).value().record.budget_used.has_value());
  const auto check = [&](credits used) {
    const auto keys = store->list_keys(account.id).value();
    REQUIRE(keys.size() == 3);
    CHECK(keys[0].budget_used == used);
    CHECK(keys[1].budget_used == used);
    CHECK_FALSE(keys[2].budget_used.has_value());
    CHECK(keys[1].name == old.record.name);
    CHECK(keys[0].rotated_at == start_time);
    CHECK(keys[2].name.empty());
  };
  check({7});
  store.reset();
  store = open_or_throw(options);
  check({7});
  CHECK(store->authenticate(fresh.secret).value().key.budget_used == credits{7});
  CHECK(store->reserve(store->authenticate(old.secret).value(), {4}).error().code() ==
        errc::key_budget_exceeded);
  clock.advance(24h * 10);
  check({0});
  with.name = std::string(64, 'x');
  CHECK(store->create_key(account.id, with).has_value());
  for (const std::string& wrong :
       {std::string(65, 'x'), std::string("a\x01"), std::string("\xff")}) {
    with.name = wrong;
    CHECK(store->create_key(account.id, with).error().code() == errc::invalid_request);
  }
}

TEST_CASE("a key expires, and a rotation does not prolong it") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock));
  const auto account = store->create_account("a@example.com", "free").value();
  key_options with;
  with.lifetime = 60s;
  const auto key = store->create_key(account.id, with).value();
  const auto fresh = store->rotate_key(0, key.record.public_id, 1h).value();
  clock.advance(59'999ms);
  CHECK(store->authenticate(key.secret).has_value());
  clock.advance(1ms);
  CHECK(store->authenticate(key.secret).error().code() == errc::revoked_api_key);
  CHECK(store->authenticate(fresh.secret).error().code() == errc::revoked_api_key);
  with.lifetime = -1s;
  CHECK(store->create_key(account.id, with).error().code() == errc::invalid_request);
}

TEST_CASE("another account's key is as absent as one that never was") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock));
  const auto mine = store->create_account("a@example.com", "free").value();
  const auto other = store->create_account("b@example.com", "free").value();
  const auto key = store->create_key(other.id, {}).value();
  for (const std::string& id : {key.record.public_id, std::string("key_absent"), std::string()}) {
    const auto rotated = store->rotate_key(mine.id, id, 1h);
    const auto revoked = store->revoke_key(mine.id, id);
    CHECK(rotated.error().code() == errc::not_found);
    CHECK(revoked.error().code() == errc::not_found);
    CHECK(rotated.error().detail() == revoked.error().detail());
    CHECK(rotated.error().detail().starts_with("no such key: give the id of one"));
  }
  CHECK(store->authenticate(key.secret).has_value());
  CHECK(store->create_key(99, {}).error().code() == errc::not_found);
  CHECK(store->list_keys(99).error().code() == errc::not_found);
  CHECK(store->list_keys(mine.id).value().empty());
  CHECK(store->grant(99, {1}, "x").error().code() == errc::not_found);
}

TEST_CASE("grants are whole, positive and bounded") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock));
  const auto account = store->create_account("a@example.com", "free").value();
  const auto most = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t bad : {std::int64_t{0}, std::int64_t{-5}, most})
    CHECK(store->grant(account.id, {bad}, "x").error().code() == errc::invalid_request);
  CHECK(store->grant(account.id, {5}, std::string(501, 'x')).error().code() ==
        errc::invalid_request);
  CHECK(store->grant(account.id, {5}, "thanks").value().posted == credits{1005});
  const auto rows = store->ledger(account.id, 0, 10).value();
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].reason == "thanks");
  CHECK(rows[0].kind == "grant");
  CHECK(rows[1].reason == "monthly grant 2026-11");
}

TEST_CASE("equal addresses made in parallel become one account") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock));
  std::atomic<int> made{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      if (store->create_account("a@example.com", "free")) ++made;
    });
  for (auto& thread : threads) thread.join();
  CHECK(made == 1);
}

TEST_CASE("the last use of a key is stored lazily, not per call") {
  const temporary_folder folder;
  manual_clock clock;
  const auto options = options_for(folder.file("ledger.db"), clock);
  {
    const auto store = open_or_throw(options);
    const auto who = new_principal(*store);
    CHECK(store->balance_of(who).has_value());
    const auto before = store->stats().batches;
    clock.advance(5s);
    const auto key = store->rotate_key(0, who.key.public_id, 1h).value().secret;
    for (int i = 0; i < 1000; ++i) CHECK(store->authenticate(key).has_value());
    CHECK(store->stats().batches <= before + 2);
    CHECK(store->list_keys(who.account.id).value()[1].last_used_at == start_time + 5s);
  }
  const auto keys = open_or_throw(options)->list_keys(1).value();
  CHECK(keys[0].last_used_at == start_time);
  CHECK(keys[1].last_used_at == start_time + 5s);
}

TEST_CASE("what is done to a key and its line in the audit log are one commit") {
  manual_clock clock;
  std::atomic<bool> fails{false};
  auto options = options_for(":memory:", clock);
  options.fail = [&](std::string_view stage) { return fails && stage == "audit"; };
  const auto store = open_or_throw(options);
  const auto folk = users::open(*store, quick_hashing()).value();
  const auto account = store->create_account("a@example.com", "free").value();
  const audit_note line{"account:x", "keys.create", "", "by x", ""};
  const auto batches = [&] { return store->stats().batches; };
  fails = true;
  CHECK(store->create_key(account.id, {}, &line).error().code() == errc::storage_unavailable);
  CHECK(store->list_keys(account.id).value().empty());
  fails = false;
  auto before = batches();
  const auto made = store->create_key(account.id, {}, &line).value().record;
  CHECK(batches() - before == 1);
  fails = true;
  CHECK_FALSE(store->rotate_key(0, made.public_id, std::chrono::hours(1), &line).has_value());
  CHECK_FALSE(store->revoke_key(0, made.public_id, &line).has_value());
  CHECK_FALSE(store->list_keys(account.id).value().at(0).rotated_at.has_value());
  CHECK_FALSE(store->list_keys(account.id).value().at(0).revoked_at.has_value());
  fails = false;
  before = batches();
  const auto next = store->rotate_key(0, made.public_id, std::chrono::hours(1), &line).value();
  CHECK(store->revoke_key(0, made.public_id, &line).has_value());
  CHECK(batches() - before == 2);
  CHECK(store->revoke_key(0, made.public_id, &line).has_value());  // nothing is left to do
  std::vector<std::string> subjects;
  for (const auto& one : folk->audit(0, 10).value()) subjects.push_back(one.subject);
  CHECK(subjects == std::vector{made.public_id, next.record.public_id, made.public_id});
}
