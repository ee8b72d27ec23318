#include <account/fixture.hpp>
#include <catch2/catch.hpp>
#include <thread>

using namespace freshet;
using namespace freshet::account;
using namespace freshet::account::test;
using namespace std::chrono_literals;

namespace {

void charge(accounts& accounts, const principal& who, const std::string& request_id, int price) {
  usage what;
  what.endpoint = "scrape/markdown";
  what.request_id = request_id;
  what.sources = "web";
  REQUIRE(settle(accounts, accounts.reserve(who, {price}).value(), price, what).has_value());
}

errc refused(accounts& accounts, std::string_view call,
             std::optional<credits> amount = std::nullopt) {
  const auto done = accounts.refund(call, amount, "why");
  return done ? errc{} : done.error().code();
}

}  // namespace

TEST_CASE("a refund gives back what a call was charged, once, with a reason") {
  const temporary_folder folder;
  manual_clock clock;
  const auto options = options_for(folder.file("ledger.db"), clock, 10);
  auto store = open_or_throw(options);
  const auto who = new_principal(*store), other = new_principal(*store, "b@example.com");
  charge(*store, who, "req_1", 5);
  charge(*store, who, "req_2", 3);
  charge(*store, other, "req_3", 2);
  const auto done = store->refund("req_1", credits{2}, "half a page").value();
  CHECK(done.account.email == "a@example.com");
  CHECK(done.refunded == credits{2});
  CHECK(done.left == credits{3});
  CHECK(done.after.posted == credits{4});
  const auto row = store->ledger(who.account.id, 0, 1).value().at(0);
  CHECK(row.kind == "refund");
  CHECK(row.amount == 2);
  CHECK(row.reason == "half a page");
  CHECK(row.endpoint == "scrape/markdown");
  CHECK(row.request_id == "req_1");
  CHECK(row.refund_of == done.entry);
  CHECK(row.key_id == who.key.id);

  CHECK(refused(*store, "req_1", credits{4}) == errc::invalid_request);
  CHECK(refused(*store, "req_1", credits{0}) == errc::invalid_request);
  CHECK(refused(*store, "req_1", credits{-1}) == errc::invalid_request);
  CHECK(refused(*store, "req_1", credits{std::numeric_limits<std::int64_t>::max()}) ==
        errc::invalid_request);
  store.reset();
  store = open_or_throw(options);
  CHECK(store->refund("req_1", std::nullopt, "the rest").value().refunded == credits{3});
  const auto again = store->refund("req_1", std::nullopt, "again");
  CHECK(again.error().code() == errc::invalid_request);
  CHECK(again.error().detail() == "the call was refunded in full before");
  CHECK(store->refund(done.entry, credits{1}, "again").error().code() == errc::invalid_request);
  CHECK(store->balance_of(who).value().posted == credits{7});
  CHECK(store->balance_of(other).value().posted == credits{8});
  // Another call's charge is its own.
  CHECK(store->refund("req_2", std::nullopt, "x").value().refunded == credits{3});
  CHECK(store->verify().value().ok);
}

TEST_CASE("refunded credits do not expire, and change no usage and no key's budget") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock, 10));
  key_options with;
  with.monthly_budget = credits{6};
  const auto who = new_principal(*store, "a@example.com", with);
  charge(*store, who, "req_1", 5);
  CHECK(store->refund("req_1", std::nullopt, "sorry").value().after.posted == credits{10});
  CHECK(store->usage_of(who.account.id, {}).value().at(0).used == credits{5});
  CHECK(store->reserve(who, {2}).error().code() == errc::key_budget_exceeded);
  clock.advance(24h * 10);
  CHECK(store->balance_of(who).value().posted == credits{15});
  clock.advance(24h * 31);
  CHECK(store->balance_of(who).value().posted == credits{15});
  CHECK(store->verify().value().ok);
}

TEST_CASE("what was not charged cannot be refunded") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock, 10));
  const auto who = new_principal(*store);
  charge(*store, who, "req_1", 0);
  charge(*store, who, "req_2", 1);
  for (const char* none : {"req_1", "req_9", "", "led_", "led_x", "led_1", "led_99", "led_2x",
                           "led_3", "led_-3", "led_99999999999999999999", "%"}) {
    CAPTURE(none);
    CHECK(refused(*store, none) == errc::not_found);
  }
  CHECK(store->refund("led_2", std::nullopt, std::string(501, 'x')).error().code() ==
        errc::invalid_request);
  CHECK(store->refund("led_2", std::nullopt, "\xff").error().code() == errc::invalid_request);
  CHECK(store->refund("led_2", std::nullopt, "x").value().request_id == "req_2");
  // A refund is no charge.
  CHECK(refused(*store, "led_3") == errc::not_found);
}

TEST_CASE("of a request id that several calls had, the entry must be named") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock, 100));
  const auto who = new_principal(*store), other = new_principal(*store, "b@example.com");
  charge(*store, who, "mine", 5);
  charge(*store, other, "mine", 7);
  const auto several = store->refund("mine", std::nullopt, "x");
  CHECK(several.error().code() == errc::invalid_request);
  const auto mine = store->ledger(who.account.id, 0, 1).value().at(0);
  const std::string entry = "led_" + std::to_string(mine.seq);
  CHECK(several.error().detail().find(entry + ", led_") != std::string::npos);
  CHECK(store->refund(entry, std::nullopt, "x").value().refunded == credits{5});
  CHECK(store->balance_of(other).value().posted == credits{93});
  for (int i = 0; i < 10; ++i) charge(*store, who, "same", 1);
  CHECK(store->refund("same", std::nullopt, "x").error().detail().find(" and more") !=
        std::string::npos);
}

TEST_CASE("refunds made at once never exceed the charge together") {
  const temporary_folder folder;
  manual_clock clock;
  const auto store = open_or_throw(options_for(folder.file("ledger.db"), clock, 100));
  const auto who = new_principal(*store);
  charge(*store, who, "req_1", 20);
  std::atomic<std::int64_t> refunded{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 4; ++i)
        if (const auto done = store->refund("req_1", credits{3}, "x"))
          refunded += done->refunded.value;
    });
  for (auto& thread : threads) thread.join();
  CHECK(refunded == 18);
  CHECK(store->balance_of(who).value().posted == credits{98});
  CHECK(store->verify().value().ok);
}
