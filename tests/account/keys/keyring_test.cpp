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

TEST_CASE("a key is found by number, hash and public id") {
  keyring keys;
  keys.add(key_of(7, 7));
  REQUIRE(keys.find(7) != nullptr);
  CHECK(keys.find_by_hash(key_of(7, 7).hash) == keys.find(7));
  CHECK(keys.find_by_public_id("key_7") == keys.find(7));
  CHECK(keys.find(8) == nullptr);
  CHECK(keys.find_by_hash(key_of(8, 8).hash) == nullptr);
  CHECK(keys.find_by_public_id("key_8") == nullptr);
  CHECK(keys.count_of(1) == 1);
  CHECK(keys.keys_of(2, november).empty());
}

TEST_CASE("keys of one family share a budget, and a month later it is whole again") {
  keyring keys;
  keys.add(key_of(1, 1, credits{10}));
  keys.add(key_of(2, 1, credits{10}));
  keys.add(key_of(3, 3));
  keys.begin_budgets(november);
  CHECK(keys.accounts_with_budgets() == std::vector<std::int64_t>{1});
  keys.load_budget(1, november, 4);
  CHECK(code_of(keys.hold(1, 5, november)) == errc{});
  CHECK(code_of(keys.hold(2, 2, november)) == errc::key_budget_exceeded);
  keys.release(1, 5);
  keys.charge(1, 3, november);
  CHECK(keys.shown(*keys.find(2), november).budget_used == credits{7});
  CHECK(keys.shown(*keys.find(2), november + 1).budget_used == credits{0});
  CHECK(code_of(keys.hold(2, 10, november + 1)) == errc{});
  // Without a budget, and without a key.
  CHECK(code_of(keys.hold(3, 1'000, november)) == errc{});
  CHECK(code_of(keys.hold(0, 1'000, november)) == errc{});
  CHECK_FALSE(keys.shown(*keys.find(3), november).budget_used);
}

TEST_CASE("uses are taken once, and come back when they could not be stored") {
  keyring keys;
  keys.add(key_of(1, 1));
  keys.add(key_of(2, 2));
  CHECK(keys.use(1, noon));
  CHECK_FALSE(keys.use(1, noon + 1s));
  const auto uses = keys.take_uses(10);
  REQUIRE(uses.size() == 1);
  CHECK(uses[0].at == noon + 1s);
  CHECK_FALSE(keys.has_uses());
  CHECK(keys.take_uses(10).empty());
  keys.give_back(uses);
  CHECK(keys.has_uses());
  CHECK(keys.take_uses(10).size() == 1);
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
  keys.remove_person(1, noon + 1h);
  CHECK(keys.find(1)->revoked_at == noon);
  CHECK(keys.find(2)->revoked_at == noon + 1h);
  CHECK(keys.find(2)->name.empty());
}
