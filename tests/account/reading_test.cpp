#include <account/fixture.hpp>
#include <catch2/catch.hpp>

using namespace freshet;
using namespace freshet::account;
using namespace freshet::account::test;
using namespace std::chrono_literals;

TEST_CASE("the ledger is read newest first, page by page, one account's rows only") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock, 100));
  const auto who = new_principal(*store), other = new_principal(*store, "b@example.com");
  for (int i = 0; i < 7; ++i) {
    usage what;
    what.endpoint = "news/search";
    what.request_id = "req_" + std::to_string(i);
    CHECK(settle(*store, store->reserve(who, {1}).value(), 1, what).has_value());
    CHECK(settle(*store, store->reserve(other, {1}).value(), 1).has_value());
  }
  std::vector<ledger_row> all;
  for (std::int64_t before = 0;;) {
    const auto rows = store->ledger(who.account.id, before, 3).value();
    if (rows.empty()) break;
    CHECK(rows.size() <= 3);
    before = rows.back().seq;
    all.insert(all.end(), rows.begin(), rows.end());
  }
  REQUIRE(all.size() == 8);
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(all[i].book == "account:" + std::to_string(who.account.id));
    CHECK(all[i].hash.size() == 64);
    if (i > 0) CHECK(all[i].seq < all[i - 1].seq);
    if (i > 0) CHECK(all[i].balance + all[i - 1].amount == all[i - 1].balance);
  }
  CHECK(all[0].request_id == "req_6");
  CHECK(all[0].endpoint == "news/search");
  CHECK(all[0].kind == "usage");
  CHECK(all[0].amount == -1);
  CHECK(all[0].balance == 93);
  CHECK(all[0].key_id == who.key.id);
  CHECK(all[0].at == start_time);
  CHECK(all[7].kind == "grant");
  CHECK(store->ledger(99, 0, 10).value().empty());
  CHECK(store->ledger(who.account.id, 0, -1).value().size() == 1);
}

TEST_CASE("the ledger is read by kind and from a moment on") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock, 100));
  const auto who = new_principal(*store);
  usage what;
  what.request_id = "req_1";
  CHECK(settle(*store, store->reserve(who, {1}).value(), 1, what).has_value());
  clock.advance(1h);
  CHECK(settle(*store, store->reserve(who, {1}).value(), 1).has_value());
  CHECK(store->refund("req_1", std::nullopt, "x").has_value());
  const auto count = [&](const ledger_filter& only) {
    return store->ledger(who.account.id, 0, 100, only).value().size();
  };
  CHECK(count({}) == 4);
  CHECK(count({.kind = "usage"}) == 2);
  CHECK(count({.kind = "refund"}) == 1);
  CHECK(count({.kind = "expiry"}) == 0);
  CHECK(count({.kind = "usage", .since = start_time + 1h}) == 1);
  CHECK(count({.since = start_time + 1h}) == 2);
  CHECK(count({.since = start_time + 1h + 1ms}) == 0);
}

TEST_CASE("accounts are listed newest first, by a part of the address") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock, 100));
  for (const char* email : {"a@example.com", "b_%@example.org", "c@example.org"})
    CHECK(store->create_account(email, "free").has_value());
  CHECK(store->create_key(1, {}).has_value());
  CHECK(store->grant(1, {5}, "x").has_value());
  const auto emails = [&](std::string_view part, std::int64_t before = 0, int limit = 10) {
    std::vector<std::string> all;
    for (const auto& one : store->list_accounts(part, before, limit).value())
      all.push_back(one.account.email);
    return all;
  };
  using list = std::vector<std::string>;
  CHECK(emails("") == list{"c@example.org", "b_%@example.org", "a@example.com"});
  CHECK(emails("Example.ORG") == list{"c@example.org", "b_%@example.org"});
  CHECK(emails("_%") == list{"b_%@example.org"});
  CHECK(emails("'; DROP").empty());
  CHECK(emails("", 3) == list{"b_%@example.org", "a@example.com"});
  CHECK(emails("", 0, 1) == list{"c@example.org"});
  const auto first = store->list_accounts("a@", 0, 1).value().at(0);
  CHECK(first.now.posted == credits{105});
  CHECK(first.keys == 1);
}
