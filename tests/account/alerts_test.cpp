// What owners want to be told of, in the store: kept, told once for all servers, and forgotten.
#include <account/fixture.hpp>
#include <account/rules/shares.hpp>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <thread>

using namespace freshet;
using namespace freshet::account;
using namespace freshet::account::test;

namespace {

alert_settings chosen_ones() {
  return {.credits_left = {50, 0},
          .key_budgets = false,
          .failing_sources = true,
          .mail = false,
          .webhook = "https://hooks.example/a"};
}

/// What is chosen, whatever was.
result<alert_settings> choose(accounts& store, std::int64_t account, const alert_settings& chosen,
                              const audit_note* line = nullptr) {
  const auto made = store.change_alerts(
      account, [&](const auto&) { return chosen; }, line);
  if (!made) return made.error();
  return made->now;
}

alert_mark mark_of(std::string_view about, time_point until, std::string_view kind = "credits") {
  return {kind, about, until};
}

}  // namespace

TEST_CASE("what an owner wants to be told of is kept, and nothing is chosen for who has not") {
  const temporary_folder folder;
  manual_clock clock;
  const auto options = options_for(folder.file("ledger.db"), clock);
  auto store = open_or_throw(options);
  const auto account = store->create_account("a@example.com", "free").value();
  const auto other = store->create_account("b@example.com", "free").value();
  CHECK_FALSE(store->alerts_of(account.id).value().has_value());
  const audit_note line{"account:" + account.public_id, "alerts.update", account.public_id, "", ""};
  REQUIRE(choose(*store, account.id, chosen_ones(), &line).has_value());
  store.reset();
  store = open_or_throw(options);
  const auto kept = store->alerts_of(account.id).value().value();
  CHECK(kept.credits_left == std::vector<int>{50, 0});
  CHECK_FALSE(kept.key_budgets);
  CHECK(kept.failing_sources);
  CHECK_FALSE(kept.mail);
  CHECK(kept.webhook == "https://hooks.example/a");
  CHECK_FALSE(store->alerts_of(other.id).value().has_value());
  const auto folk = users::open(*store, quick_hashing()).value();
  CHECK(folk->audit(0, 1).value().front().action == "alerts.update");
}

TEST_CASE(
    "an account changes what it is told of so often, for each time is written down for ever") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock));
  const auto account = store->create_account("a@example.com", "free").value();
  const auto other = store->create_account("b@example.com", "free").value();
  int changed = 0;
  while (changed < 1000 && choose(*store, account.id, chosen_ones()).has_value()) ++changed;
  CHECK(changed == 200);
  const auto refused = choose(*store, account.id, chosen_ones());
  CHECK(code_of(refused) == errc::rate_limited);
  CHECK(refused.error().retry_after == std::chrono::seconds(20));
  CHECK(choose(*store, other.id, chosen_ones()).has_value());
  clock.advance(std::chrono::seconds(20));
  CHECK(choose(*store, account.id, chosen_ones()).has_value());
}

TEST_CASE("of changes at the same time none is lost") {
  const temporary_folder folder;
  manual_clock clock;
  const auto store = open_or_throw(options_for(folder.file("ledger.db"), clock));
  const auto account = store->create_account("a@example.com", "free").value().id;
  REQUIRE(choose(*store, account, {}).has_value());
  constexpr int threads = 4, changes = 25;
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i) {
    running.emplace_back([&, i] {
      for (int n = 0; n < changes; ++n) {
        const auto one = [&](std::optional<alert_settings> known) {
          auto chosen = known.value_or(alert_settings{});
          chosen.credits_left.push_back(i);
          return chosen;
        };
        if (!store->change_alerts(account, one)) std::abort();
      }
    });
  }
  for (auto& one : running) one.join();
  CHECK(store->alerts_of(account).value().value().credits_left.size() == threads * changes);
}

TEST_CASE("a webhook's secret is its own, and another when it is set again") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock));
  const auto account = store->create_account("a@example.com", "free").value();
  const auto other = store->create_account("b@example.com", "free").value();
  const auto first = choose(*store, account.id, chosen_ones()).value();
  const auto secret = store->alert_secret(account, first);
  CHECK(secret.starts_with("whsec_"));
  CHECK(secret != store->alert_secret(other, first));
  clock.advance(std::chrono::hours(1));
  auto again = choose(*store, account.id, chosen_ones()).value();
  CHECK(store->alert_secret(account, again) == secret);
  again.webhook.clear();
  REQUIRE(choose(*store, account.id, again).has_value());
  again = choose(*store, account.id, chosen_ones()).value();
  CHECK(store->alert_secret(account, again) != secret);
}

TEST_CASE("an owner is told once in a while, and of each kind not for ever") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock));
  const auto one = store->create_account("a@example.com", "free").value().id;
  const auto other = store->create_account("b@example.com", "free").value().id;
  const auto takes = [&](std::int64_t account, const alert_mark& mark) {
    return store->take_alert(account, mark).value();
  };
  CHECK(takes(one, mark_of("20", december)));
  CHECK_FALSE(takes(one, mark_of("20", december)));
  CHECK(takes(one, mark_of("0", december)));
  CHECK(takes(one, mark_of("20", december, "source")));
  CHECK(takes(other, mark_of("20", december)));
  clock.set(december);
  CHECK(takes(one, mark_of("20", december + std::chrono::hours(1))));
  // One of this kind is there.
  for (std::int64_t i = 1; i < max_alert_marks; ++i)
    CHECK(takes(one, mark_of(std::to_string(-i), december + std::chrono::hours(1))));
  CHECK_FALSE(takes(one, mark_of("one too many", december + std::chrono::hours(1))));
  CHECK(takes(one, mark_of("key_1", december + std::chrono::hours(1), "key_budget")));
  clock.advance(std::chrono::hours(1));
  CHECK(takes(one, mark_of("one too many", december + std::chrono::hours(2))));
}

TEST_CASE("of several servers one tells an owner", "[.][postgres]") {
  const temporary_folder folder;
  manual_clock clock;
  const auto options = options_for(folder.file("ledger.db"), clock);
  const auto here = open_or_throw(options), there = open_or_throw(options);
  const auto account = here->create_account("a@example.com", "free").value().id;
  CHECK(here->take_alert(account, mark_of("20", december)).value());
  CHECK_FALSE(there->take_alert(account, mark_of("20", december)).value());
  REQUIRE(choose(*there, account, chosen_ones()).has_value());
  CHECK(here->alerts_of(account).value().value().webhook == "https://hooks.example/a");
}

TEST_CASE("what an owner was told of goes with the account") {
  const temporary_folder folder;
  manual_clock clock;
  const auto store = open_or_throw(options_for(folder.file("ledger.db"), clock));
  const auto folk = users::open(*store, quick_hashing()).value();
  const origin at_desk{"192.0.2.1", "test browser"};
  const auto token = folk->begin_sign_up("a@example.org", at_desk).value().token.value();
  const auto opened = folk->confirm_sign_up(token, "a tide of gauges", "free", at_desk, "").value();
  const auto who = folk->authenticate(opened.token).value();
  REQUIRE(choose(*store, who.account.id, chosen_ones()).has_value());
  REQUIRE(store->take_alert(who.account.id, mark_of("20", december)).value());
  REQUIRE(folk->erase(who, "a tide of gauges", at_desk).has_value());
  CHECK_FALSE(store->alerts_of(who.account.id).value().has_value());
  CHECK(store->take_alert(who.account.id, mark_of("20", december)).value());
  // Somebody who was at it when the account went leaves nothing behind.
  REQUIRE(choose(*store, who.account.id, chosen_ones()).has_value());
  CHECK_FALSE(store->alerts_of(who.account.id).value().has_value());
}
