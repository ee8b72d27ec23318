#include <account/fixture.hpp>
#include <base/time_text.hpp>
#include <catch2/catch.hpp>

using namespace freshet;
using namespace freshet::account;
using namespace freshet::account::test;
using namespace std::chrono_literals;

namespace {

using list = std::vector<std::string>;

void call(accounts& accounts, const principal& who, const std::string& endpoint, int price,
          const std::string& sources = "feeds") {
  usage what;
  what.endpoint = endpoint;
  what.sources = sources;
  REQUIRE(settle(accounts, accounts.reserve(who, {price}).value(), price, what).has_value());
}

/// "group calls credits" of each row.
list rows(const accounts& accounts, const principal& who, const usage_query& query) {
  list all;
  for (const auto& row : accounts.usage_of(who.account.id, query).value())
    all.push_back(row.group + " " + std::to_string(row.calls) + " " +
                  std::to_string(row.used.value));
  return all;
}

usage_query in_zone(std::string_view group_by, std::string_view zone) {
  usage_query query{.group_by = group_by};
  query.zone = base::time_zone::find(zone).value();
  return query;
}

}  // namespace

TEST_CASE("usage is grouped by day, endpoint or key, from a moment on") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock, 100));
  const auto one = new_principal(*store), two = new_principal(*store);
  const auto other = new_principal(*store, "b@example.com");
  call(*store, one, "news/search", 1);
  call(*store, one, "scrape/markdown", 5);
  call(*store, other, "news/search", 1);
  clock.advance(24h);
  call(*store, two, "news/search", 1);
  call(*store, two, "news/search", 0);
  CHECK(rows(*store, one, {}) == list{"2026-11-21 2 6", "2026-11-22 1 1"});
  CHECK(rows(*store, one, {{}, "endpoint"}) == list{"news/search 2 2", "scrape/markdown 1 5"});
  CHECK(rows(*store, one, {{}, "key"}).size() == 2);
  CHECK(rows(*store, one, {start_time + 24h, "key"}) == list{two.key.public_id + " 1 1"});
  CHECK(rows(*store, one, {start_time + 24h + 1ms}).empty());
  for (const char* wrong : {"day; DROP", "", "endpoint,day", "day,", "day,day", "source,day", "x"})
    CHECK(store->usage_of(one.account.id, {{}, wrong}).error().code() == errc::invalid_request);
}

TEST_CASE("a call that several sources served counts under each of them") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock, 100));
  const auto who = new_principal(*store);
  call(*store, who, "news/search", 2, "gdelt,feeds,guardian");
  call(*store, who, "news/search", 1, "feeds");
  call(*store, who, "news/search", 3, "");
  CHECK(rows(*store, who, {{}, "source"}) ==
        list{"feeds 2 3", "gdelt 1 2", "guardian 1 2", "none 1 3"});
  const auto days = store->usage_of(who.account.id, {{}, "day,source"}).value();
  REQUIRE(days.size() == 4);
  CHECK(days[0].group == "2026-11-21,feeds");
  CHECK(days[0].day == "2026-11-21");
  CHECK(days[0].source == "feeds");
  CHECK((days[0].endpoint.empty() && days[0].key.empty()));
}

TEST_CASE("usage is grouped by day and endpoint, and by day and key, at once") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock, 100));
  const auto key = new_principal(*store);
  const auto person = store->principal_of(key.account.id, key_mode::live).value();
  call(*store, key, "news/search", 1);
  call(*store, person, "scrape/markdown", 5);
  clock.advance(24h);
  call(*store, key, "news/search", 1);
  call(*store, key, "news/search", 1);
  CHECK(rows(*store, key, {{}, "day,endpoint"}) == list{"2026-11-21,news/search 1 1",
                                                        "2026-11-21,scrape/markdown 1 5",
                                                        "2026-11-22,news/search 2 2"});
  CHECK(rows(*store, key, {{}, "day,key"}) == list{"2026-11-21,dashboard 1 5",
                                                   "2026-11-21," + key.key.public_id + " 1 1",
                                                   "2026-11-22," + key.key.public_id + " 2 2"});
  const auto named = store->usage_of(key.account.id, {{}, "day,key"}).value();
  CHECK(named[0].key == session_key_id);
  CHECK(named[0].endpoint.empty());
}

TEST_CASE("days are those of the time zone, through both changes of the clocks") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock, 100));
  const auto who = new_principal(*store);
  const auto at = [&](const char* moment) {
    clock.set(base::parse_time(moment).value());
    call(*store, who, "news/search", 1);
  };
  at("2027-03-27T23:30:00Z");  // 00:30 on the 28th in Berlin, a day of 23 hours
  at("2027-03-28T21:59:59Z");  // 23:59:59, one hour more from UTC than before
  at("2027-03-28T22:00:00Z");  // the 29th begins
  at("2027-10-30T22:00:00Z");  // the 31st begins, a day of 25 hours
  at("2027-10-31T22:59:59Z");
  at("2027-10-31T23:00:00Z");  // 1 November
  CHECK(rows(*store, who, in_zone("day", "Europe/Berlin")) ==
        list{"2027-03-28 2 2", "2027-03-29 1 1", "2027-10-31 2 2", "2027-11-01 1 1"});
  CHECK(rows(*store, who, in_zone("day", "UTC")) ==
        list{"2027-03-27 1 1", "2027-03-28 2 2", "2027-10-30 1 1", "2027-10-31 2 2"});
  CHECK(rows(*store, who, in_zone("day,endpoint", "Pacific/Kiritimati")).front() ==
        "2027-03-28,news/search 1 1");
}

TEST_CASE("empty days are told where they are asked for, each once, up to today") {
  manual_clock clock;
  const auto store = open_or_throw(options_for(":memory:", clock, 100));
  const auto who = new_principal(*store);
  clock.set(base::parse_time("2026-11-18T23:30:00Z").value());
  call(*store, who, "news/search", 1);
  clock.set(base::parse_time("2026-11-20T12:00:00Z").value());
  call(*store, who, "news/search", 1);
  call(*store, who, "scrape/markdown", 1);
  clock.set(base::parse_time("2026-11-21T23:30:00Z").value());
  usage_query query = in_zone("day", "Europe/Berlin");
  query.since = base::parse_time("2026-11-17T12:00:00Z").value();
  query.empty_days = true;
  CHECK(rows(*store, who, query) == list{"2026-11-17 0 0", "2026-11-18 0 0", "2026-11-19 1 1",
                                         "2026-11-20 2 2", "2026-11-21 0 0", "2026-11-22 0 0"});
  query.group_by = "day,endpoint";
  CHECK(rows(*store, who, query) == list{"2026-11-17 0 0", "2026-11-18 0 0",
                                         "2026-11-19,news/search 1 1", "2026-11-20,news/search 1 1",
                                         "2026-11-20,scrape/markdown 1 1", "2026-11-21 0 0",
                                         "2026-11-22 0 0"});
  const auto empty = store->usage_of(who.account.id, query).value().front();
  CHECK(empty.day == "2026-11-17");
  CHECK(empty.endpoint.empty());
  // The longest span, and no end of days for a moment of long ago.
  query.since = clock.now() - 24h * 3650;
  CHECK(rows(*store, who, query).size() == 3651 + 1);
  query.since = {};
  CHECK(rows(*store, who, query).size() == 3653 + 1);
}
