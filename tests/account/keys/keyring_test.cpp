#include <account/fixture.hpp>
#include <account/keys/keyring.hpp>
#include <catch2/catch.hpp>

using namespace freshet;
using namespace freshet::account;
using freshet::account::test::code_of;
using namespace std::chrono_literals;

namespace {

constexpr month_index november = 2026 * 12 + 10;
const time_point noon{std::chrono::sys_days{std::chrono::year{2026} / 11 / 21} + 12h};

stored_key key_of(std::int64_t id, std::int64_t family,
                  std::optional<credits> budget = std::nullopt) {
  stored_key key;
  key.record.id = id;
  key.record.public_id = "key_" + std::to_string(id);
  key.record.account_id = 1;
  key.record.name = "agent";
  key.record.monthly_budget = budget;
  key.family = family;
  key.hash[0] = static_cast<std::uint8_t>(id);
  return key;
}

}  // namespace

TEST_CASE("a key is found by number, and goes with what is known of its budget") {
  keyring keys;
  keys.add(key_of(7, 7, credits{10}));
  keys.add(key_of(8, 7, credits{10}));
  REQUIRE(keys.find(7) != nullptr);
  CHECK(keys.has_hash(7, key_of(7, 7).hash));
  CHECK_FALSE(keys.has_hash(7, key_of(8, 8).hash));
  CHECK_FALSE(keys.has_hash(9, key_of(9, 9).hash));
  keys.charge(7, 4, november);
  keys.remove(7);
  CHECK(keys.find(7) == nullptr);
  CHECK(keys.shown(8, november).budget_used == credits{4});
  // Held beyond the last key: what is read of it in between is older.
  REQUIRE(keys.hold({7, 10}, 5, november).has_value());
  keys.remove(8);
  keys.add(key_of(8, 7, credits{10}));
  CHECK(keys.shown(8, november).budget_used == credits{4});
  CHECK(code_of(keys.hold({7, 10}, 2, november)) == errc::key_budget_exceeded);
  keys.release(7, 5);
  keys.remove(8);
  stored_key read = key_of(8, 7, credits{10});
  read.budget_month = november;
  read.budget_used = 9;
  keys.add(read);
  CHECK(keys.shown(8, november).budget_used == credits{9});
  keys.remove(9);
  CHECK(keys.size() == 1);
}

TEST_CASE("keys of one family share a budget, and a month later it is whole again") {
  keyring keys;
  stored_key first = key_of(1, 1, credits{10});
  first.budget_month = november;
  first.budget_used = 4;
  keys.add(first);
  keys.add(key_of(2, 1, credits{10}));
  keys.add(key_of(3, 3));
  CHECK(keys.budget_of(2).family == 1);
  CHECK(keys.budget_of(3).family == 0);
  const budget_terms of{1, 10};
  CHECK(code_of(keys.hold(of, 5, november)) == errc{});
  CHECK(code_of(keys.hold(of, 2, november)) == errc::key_budget_exceeded);
  keys.charge(1, 3, november);
  keys.release(1, 5);
  CHECK(keys.shown(2, november).budget_used == credits{7});
  CHECK(keys.shown(2, november + 1).budget_used == credits{0});
  CHECK(code_of(keys.hold(of, 10, november + 1)) == errc{});
  // Nothing was charged in it: the clock that goes back finds the month before as it was.
  keys.release(1, 10);
  CHECK(code_of(keys.hold(of, 4, november)) == errc::key_budget_exceeded);
  keys.charge(1, 9, november + 1);
  CHECK(keys.shown(2, november).budget_used == credits{9});
  CHECK(code_of(keys.hold(of, 2, november)) == errc::key_budget_exceeded);
  // Without a budget, and without a key.
  CHECK(code_of(keys.hold({}, 1'000, november)) == errc{});
  CHECK_FALSE(keys.shown(3, november).budget_used);
}

TEST_CASE("uses are taken once, and come back when they could not be stored") {
  keyring keys;
  keys.add(key_of(1, 1));
  CHECK(keys.use(1, noon));
  CHECK_FALSE(keys.use(1, noon + 1s));
  CHECK(keys.shown(1, november).last_used_at == noon + 1s);
  const auto uses = keys.take_uses(10);
  REQUIRE(uses.size() == 1);
  CHECK(uses[0].at == noon + 1s);
  CHECK(keys.shown(1, november).last_used_at == noon + 1s);
  CHECK_FALSE(keys.has_uses());
  CHECK(keys.take_uses(10).empty());
  keys.give_back(uses);
  CHECK(keys.has_uses());
  CHECK(keys.take_uses(10).size() == 1);
}

TEST_CASE("uses that nobody stores do not grow without end") {
  keyring keys;
  std::size_t wakes = 0;
  for (std::int64_t id = 1; id <= 100'000; ++id) wakes += keys.use(id, noon) ? 1 : 0;
  CHECK(wakes == 2);
  CHECK(keys.has_many_uses());
  CHECK(keys.take_uses(1'000'000).size() < 50'000);
}

TEST_CASE("a bucket that is full is forgotten where there are many, and no other", "[alone]") {
  keyring keys;
  const auto rule = rate_rule::from(plan{.rate = 1, .burst = 1}).value();
  const std::chrono::steady_clock::time_point begun{1h};
  rate_info info;
  for (std::int64_t id = 1; id <= 30'000; ++id)
    REQUIRE(keys.take_token(id, key_mode::live, rule, begun, info).has_value());
  CHECK(keys.rates() == 30'000);
  CHECK(code_of(keys.take_token(1, key_mode::live, rule, begun, info)) == errc::rate_limited);
  for (std::int64_t id = 1; id <= 60'000; ++id)
    REQUIRE(keys.take_token(id, key_mode::live, rule, begun + 2s, info).has_value());
  CHECK(keys.rates() < 60'000 + 1);
  for (std::int64_t id = 100'000; id < 110'000; ++id)
    REQUIRE(keys.take_token(id, key_mode::test, rule, begun + 9s, info).has_value());
  CHECK(keys.rates() <= 70'000);
}

TEST_CASE("an idempotent call is marked while it runs, apart by account and mode") {
  keyring keys;
  CHECK(code_of(keys.begin_mark(1, key_mode::live, "k", "a")) == errc{});
  CHECK(code_of(keys.begin_mark(1, key_mode::live, "k", "a")) == errc::idempotency_in_progress);
  CHECK(code_of(keys.begin_mark(1, key_mode::live, "k", "b")) == errc::idempotency_mismatch);
  CHECK(code_of(keys.begin_mark(1, key_mode::test, "k", "b")) == errc{});
  CHECK(code_of(keys.begin_mark(2, key_mode::live, "k", "b")) == errc{});
  keys.end_mark(1, key_mode::live, "k");
  CHECK(code_of(keys.begin_mark(1, key_mode::live, "k", "b")) == errc{});
}

TEST_CASE("who goes leaves keys that are revoked and have no name") {
  keyring keys;
  keys.add(key_of(1, 1));
  keys.add(key_of(2, 2));
  keys.revoke(1, noon);
  for (const std::int64_t id : {1, 2, 3}) keys.remove_person(id, noon + 1h);
  CHECK(keys.find(1)->revoked_at == noon);
  CHECK(keys.find(2)->revoked_at == noon + 1h);
  CHECK(keys.find(2)->name.empty());
  CHECK(keys.find(3) == nullptr);
}
