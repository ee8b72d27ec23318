// Sharing, leaving and different deadlines, in virtual time.
#include <catch2/catch.hpp>
#include <http/single_flight.hpp>
#include <support/print_result.hpp>

#include "virtual_scheduler.hpp"
#include "waiting.hpp"

using namespace freshet;
using namespace freshet::http;
using namespace freshet::test;
using namespace std::chrono_literals;

namespace {

struct flight_rig {
  virtual_scheduler loop;
  scripted_transport below;
  single_flight layer{below, loop};
  std::vector<result<response>> answers;

  std::uint64_t ask(request wanted, std::chrono::milliseconds within = 10s) {
    return layer.submit(std::move(wanted), loop.now() + within,
                        [this](result<response> got) { answers.push_back(std::move(got)); });
  }
};

}  // namespace

TEST_CASE("equal reads share, different ones do not") {
  flight_rig of;
  for (int i = 0; i < 3; ++i) of.ask(get("http://a.test/"));
  CHECK(of.below.asked.size() == 1);
  request other = get("http://a.test/");
  other.headers = {{"Authorization", "Bearer one"}};
  of.ask(other);
  other.headers = {{"Authorization", "Bearer two"}};
  of.ask(other);
  CHECK(of.below.asked.size() == 3);
  request post = get("http://a.test/");
  post.method = "POST";
  of.ask(post);
  of.ask(post);
  request fresh = get("http://a.test/");
  fresh.cacheable = false;
  of.ask(fresh);
  of.ask(fresh);
  CHECK(of.below.asked.size() == 7);
  of.below.reply(status(200, "shared"));
  REQUIRE(of.answers.size() == 3);
  for (const auto& each : of.answers) CHECK(each->body == "shared");
  of.ask(get("http://a.test/"));
  CHECK(of.below.asked.size() == 8);
}

TEST_CASE("one may leave, the last one ends the exchange") {
  flight_rig of;
  const auto first = of.ask(get("http://a.test/"));
  const auto second = of.ask(get("http://a.test/"));
  of.layer.cancel(first);
  CHECK(of.below.cancelled == 0);
  CHECK(code_of(of.answers.at(0)) == "cancelled");
  of.layer.cancel(first);
  of.layer.cancel(second);
  CHECK(of.below.cancelled == 1);
  CHECK(of.answers.size() == 2);
  of.ask(get("http://a.test/"));
  CHECK(of.below.asked.size() == 2);
}

TEST_CASE("each keeps its own deadline") {
  flight_rig of;
  of.ask(get("http://a.test/"), 5s);
  of.ask(get("http://a.test/"), 1s);
  of.ask(get("http://a.test/"), 20s);
  of.loop.advance(2s);
  REQUIRE(of.answers.size() == 1);
  CHECK(code_of(of.answers[0]) == "source_timeout");
  of.loop.advance(3s);
  of.below.reply(error(errc::source_timeout, "the first one's deadline"));
  REQUIRE(of.answers.size() == 2);
  CHECK(of.below.asked.size() == 2);  // for the third, who has time left
  of.below.reply(status(200));
  CHECK(of.answers.at(2)->status == 200);
  CHECK(of.loop.timers() == 0);
}

TEST_CASE("an account that has used up its share does not lose what others wait for") {
  flight_rig of;
  request what = get("http://a.test/");
  for (const base::owner_id owner : {1, 2, 1, 3}) {
    what.owner = owner;
    of.ask(what);
  }
  CHECK(of.below.asked.size() == 1);
  of.below.reply(error(errc::rate_limited, "too many bytes of answers are arriving at once"));
  REQUIRE(of.answers.size() == 2);
  for (const auto& each : of.answers) CHECK(code_of(each) == "rate_limited");
  REQUIRE(of.below.asked.size() == 2);
  CHECK(of.below.asked.back().owner == 2);
  of.below.reply(status(200, "shared"));
  REQUIRE(of.answers.size() == 4);
  for (const std::size_t each : {2u, 3u}) CHECK(of.answers[each]->body == "shared");
  CHECK(of.loop.timers() == 0);
}

TEST_CASE("who has waited long enough for another account's exchange begins one in its own name") {
  flight_rig of;
  request what = get("http://a.test/");
  std::vector<std::uint64_t> tickets;
  for (const base::owner_id owner : {1, 2, 1, 3}) {
    what.owner = owner;
    tickets.push_back(of.ask(what));
    of.loop.advance(100ms);
  }
  of.loop.advance(1600ms);
  CHECK(of.below.asked.size() == 1);
  of.loop.advance(200ms);
  REQUIRE(of.below.asked.size() == 2);
  CHECK(of.below.asked[1].owner == 2);
  REQUIRE(of.below.open.size() == 2);
  const auto first = of.below.open.begin()->first, second = of.below.open.rbegin()->first;
  SECTION("which answers all who share it, and those who come now") {
    what.owner = 1;
    of.ask(what);
    of.below.reply(second, status(200, "second"));
    REQUIRE(of.answers.size() == 3);
    for (const auto& each : of.answers) CHECK(each->body == "second");
    of.below.reply(first, status(200, "first"));
    REQUIRE(of.answers.size() == 5);
    CHECK(of.answers[4]->body == "first");
  }
  SECTION("and has the other's answer if that comes before") {
    of.below.reply(first, status(200, "first"));
    REQUIRE(of.answers.size() == 4);
    for (const auto& each : of.answers) CHECK(each->body == "first");
    CHECK(of.below.cancelled == 1);
  }
  SECTION("and is not held up by a third, nor failed by the other") {
    of.below.reply(first, error(errc::source_error));
    CHECK(of.answers.size() == 2);
    of.loop.advance(2s);
    REQUIRE(of.below.asked.size() == 3);
    CHECK(of.below.asked[2].owner == 3);
    of.below.reply(status(200));
    CHECK(of.answers.size() == 4);
  }
  CHECK(of.below.open.empty());
  CHECK(of.loop.timers() == 0);
  CHECK(of.below.asked.size() <= 3);
}

TEST_CASE("what its beginner has left is begun again by who still waits") {
  flight_rig of;
  request what = get("http://a.test/");
  what.owner = 1;
  const auto first = of.ask(what);
  what.owner = 2;
  of.ask(what);
  of.layer.cancel(first);
  of.loop.advance(2s);
  CHECK(of.below.cancelled == 1);
  REQUIRE(of.below.asked.size() == 2);
  CHECK(of.below.asked[1].owner == 2);
  of.below.reply(status(200));
  CHECK(of.answers.at(1)->status == 200);
  CHECK(of.loop.timers() == 0);
}
