// Pace, breaker, retries and Retry-After, in virtual time.
#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <http/politeness.hpp>
#include <support/print_result.hpp>

#include "virtual_scheduler.hpp"
#include "waiting.hpp"

using namespace freshet;
using namespace freshet::http;
using namespace freshet::test;
using namespace std::chrono_literals;

namespace {

/// Politeness over a script, with no randomness: jitter is half of its range.
struct polite_rig {
  virtual_scheduler loop;
  virtual_clock clock{loop};
  scripted_transport below;
  std::vector<result<response>> answers;
  std::vector<scheduler::time> asked_at;
  politeness layer;

  explicit polite_rig(politeness_options options = {})
      : layer(below, loop, complete(std::move(options), clock)) {}
  static politeness_options complete(politeness_options options, const base::clock& clock) {
    options.clock = &clock;
    options.random = [] { return 0.5; };
    return options;
  }
  void answer_with(std::function<result<response>()> what) {
    below.answer = [this, what = std::move(what)](const request&) {
      asked_at.push_back(loop.now());
      return what();
    };
  }
  std::uint64_t ask(std::chrono::milliseconds within = 60s, std::string url = "http://a.test/x",
                    std::string method = "GET") {
    request what = get(std::move(url));
    what.method = std::move(method);
    return layer.submit(request(what), loop.now() + within,
                        [this](result<response> got) { answers.push_back(std::move(got)); });
  }
};

const error refused(errc::source_unavailable, "refused");

}  // namespace

TEST_CASE("failures that may pass are tried three times") {
  for (const int code : {502, 503, 504, 0}) {
    INFO(code);
    polite_rig of;
    of.answer_with([&]() -> result<response> {
      if (code == 0) return refused;
      return status(code);
    });
    of.ask();
    of.loop.advance(10s);
    CHECK(of.below.asked.size() == 3);
    REQUIRE(of.answers.size() == 1);
    CHECK(of.answers[0].has_value() == (code != 0));
  }
}

TEST_CASE("a retry that succeeds is the answer") {
  polite_rig of;
  int turn = 0;
  of.answer_with([&]() -> result<response> { return status(++turn == 1 ? 503 : 200); });
  of.ask();
  of.loop.advance(10s);
  REQUIRE(of.answers.size() == 1);
  CHECK(of.answers[0]->status == 200);
}

TEST_CASE("what is not to be repeated is not") {
  for (const int code : {200, 301, 400, 403, 404, 429, 500, 501}) {
    INFO(code);
    polite_rig of;
    of.answer_with([&]() -> result<response> { return status(code); });
    of.ask();
    of.loop.advance(10s);
    CHECK(of.below.asked.size() == 1);
  }
  for (const errc code : {errc::source_timeout, errc::source_error, errc::target_forbidden}) {
    polite_rig of;
    of.answer_with([&]() -> result<response> { return error(code); });
    of.ask();
    of.loop.advance(10s);
    CHECK(of.below.asked.size() == 1);
  }
  polite_rig post;
  post.answer_with([]() -> result<response> { return status(503); });
  post.ask(60s, "http://a.test/x", "POST");
  post.loop.advance(10s);
  CHECK(post.below.asked.size() == 1);
}

TEST_CASE("no retry where the deadline leaves no room") {
  polite_rig of;
  of.answer_with([]() -> result<response> { return status(503); });
  of.ask(60ms);
  of.loop.advance(10s);
  CHECK(of.below.asked.size() == 1);
}

TEST_CASE("retries are a tenth of the requests when all fail") {
  politeness_options options;
  options.breaking.minimum_volume = 1'000'000;
  polite_rig of(options);
  of.answer_with([]() -> result<response> { return status(503); });
  for (int i = 0; i < 1000; ++i) {
    of.ask(60s, "http://a.test/" + std::to_string(i));
    of.loop.advance(10ms);
  }
  of.loop.advance(60s);
  CHECK(of.answers.size() == 1000);
  CHECK(of.below.asked.size() >= 1090);
  CHECK(of.below.asked.size() <= 1112);  // 100 earned, 10 saved up
}

TEST_CASE("who has used up his retries has not used those of others") {
  politeness_options options;
  options.breaking.minimum_volume = 1'000'000;
  polite_rig of(options);
  of.answer_with([]() -> result<response> { return status(503); });
  const auto asked_for = [&](base::owner_id owner) {
    request what = get("http://a.test/x");
    what.owner = owner;
    const std::size_t before = of.below.asked.size();
    of.layer.submit(std::move(what), of.loop.now() + 60s, [](const result<response>&) {});
    of.loop.advance(10s);
    return of.below.asked.size() - before;
  };
  for (int i = 0; i < 20; ++i) asked_for(7);
  CHECK(asked_for(7) == 1);
  CHECK(asked_for(8) == 3);
  for (int i = 0; i < 30; ++i) asked_for(7);
  CHECK(asked_for(8) == 3);
}

TEST_CASE("Retry-After is obeyed by the retry, and by everyone after a long one") {
  polite_rig of;
  int turn = 0;
  of.answer_with([&]() -> result<response> {
    return ++turn == 1 ? status(429, "", {{"Retry-After", "2"}}) : status(200);
  });
  of.ask();
  of.loop.advance(1900ms);
  CHECK(of.below.asked.size() == 1);
  of.loop.advance(1s);
  CHECK(of.answers.at(0)->status == 200);

  polite_rig away;
  away.answer_with([]() -> result<response> { return status(429, "", {{"Retry-After", "120"}}); });
  away.ask();
  CHECK(away.answers.at(0)->status == 429);  // not waited for
  away.ask(30s);
  REQUIRE(away.answers.size() == 2);
  CHECK(away.answers[1].error().code() == errc::source_unavailable);
  CHECK(away.answers[1].error().retry_after == 120s);
  away.ask(30s, "http://b.test/");  // another host is not concerned
  CHECK(away.below.asked.size() == 2);
  away.ask(200s);
  away.loop.advance(119s);
  CHECK(away.below.asked.size() == 2);
  away.loop.advance(2s);
  CHECK(away.below.asked.size() == 3);
}

TEST_CASE("a used-up quota holds the next request until it is filled") {
  polite_rig of;
  of.answer_with([&]() -> result<response> {
    const auto reset = of.clock.now() + 5s;
    return status(
        200, "", {{"X-RateLimit-Remaining", "0"}, {"X-RateLimit-Reset", base::format_time(reset)}});
  });
  of.ask();
  of.ask(2s);
  CHECK(of.answers.at(1).error().retry_after == 5s);
  of.ask(60s);
  of.loop.advance(4s);
  CHECK(of.below.asked.size() == 1);
  of.loop.advance(2s);
  CHECK(of.below.asked.size() == 2);
}

TEST_CASE("one account has the day of a source to itself, several have shares of it") {
  for (const bool shared : {false, true}) {
    politeness_options options;
    options.paces["a.test:80"].daily = {{"a", 4, "", {}}};
    options.has_shares = [shared] { return shared; };
    polite_rig of(std::move(options));
    of.answer_with([] { return status(200); });
    const auto ask_as = [&](std::int64_t owner) {
      request what = get("http://a.test/x");
      what.owner = owner;
      of.layer.submit(request(what), of.loop.now() + 60s,
                      [&](result<response> got) { of.answers.push_back(std::move(got)); });
      of.loop.advance(1s);
      return code_of(of.answers.back());
    };
    CHECK(ask_as(1) == "ok");
    CHECK(ask_as(1) == "ok");
    CHECK(ask_as(1) == (shared ? "source_unavailable" : "ok"));
    CHECK(ask_as(2) == "ok");
  }
}

TEST_CASE("a source that says in its body when to come back is left alone until then") {
  polite_rig of;
  of.answer_with([] { return status(200, "wait 5"); });
  request what = get("http://a.test/x");
  what.wait_in_body = [](const response& answer) {
    return std::chrono::milliseconds(answer.body == "wait 5" ? 5s : 0s);
  };
  const auto ask = [&](std::chrono::milliseconds within) {
    of.layer.submit(request(what), of.loop.now() + within,
                    [&](result<response> got) { of.answers.push_back(std::move(got)); });
  };
  ask(60s);
  ask(2s);
  CHECK(of.answers.at(1).error().retry_after == 5s);
  ask(60s);
  of.loop.advance(4s);
  CHECK(of.below.asked.size() == 1);
  of.answer_with([] { return status(200, "go on"); });
  of.loop.advance(2s);
  CHECK(of.below.asked.size() == 2);
  ask(1s);
  of.loop.advance(1s);
  CHECK(of.below.asked.size() == 3);
}

TEST_CASE("a pace keeps its interval, over all hosts of its key") {
  politeness_options options;
  options.paces["slow"] = {100ms, 4};
  polite_rig of(options);
  of.answer_with([]() -> result<response> { return status(200); });
  for (int i = 0; i < 5; ++i) {
    request what = get("http://h" + std::to_string(i) + ".test/");
    what.pace_key = "slow";
    of.layer.submit(request(what), of.loop.now() + 10s,
                    [&](result<response> got) { of.answers.push_back(std::move(got)); });
  }
  CHECK(of.below.asked.size() == 1);
  of.loop.advance(1s);
  REQUIRE(of.asked_at.size() == 5);
  for (std::size_t i = 1; i < 5; ++i) CHECK(of.asked_at[i] - of.asked_at[i - 1] >= 100ms);
}

TEST_CASE("what cannot be asked before its deadline is refused at once") {
  politeness_options options;
  options.paces["a.test:80"] = {10s, 1};
  polite_rig of(options);
  of.answer_with([]() -> result<response> { return status(200); });
  of.ask(5s);
  of.ask(5s);
  REQUIRE(of.answers.size() == 2);
  CHECK(code_of(of.answers[1]) == "source_unavailable");
  CHECK(of.answers[1].error().retry_after == 10s);
}

TEST_CASE("what would wait for its turn longer than the pace has it is refused at once") {
  politeness_options options;
  options.paces["a.test:80"] = {4s, 1, 5s};
  polite_rig of(std::move(options));
  of.answer_with([] { return status(200); });
  of.ask();  // now
  of.ask();  // in four seconds
  of.ask();  // in eight: too late
  REQUIRE(of.answers.size() == 2);
  CHECK(of.answers[0].has_value());
  REQUIRE(of.answers[1].has_error());
  CHECK(of.answers[1].error().code() == errc::source_unavailable);
  CHECK(of.answers[1].error().retry_after == 8s);
  of.loop.advance(4s);
  REQUIRE(of.answers.size() == 3);
  CHECK(of.answers[2].has_value());
  of.ask();
  of.loop.advance(4s);
  REQUIRE(of.answers.size() == 4);
  CHECK(of.answers[3].has_value());
  CHECK(of.asked_at.size() == 3);
}

TEST_CASE("no more at once than the pace allows; those who wait may leave or time out") {
  politeness_options options;
  options.paces["a.test:80"] = {0ms, 2};
  polite_rig of(options);
  of.ask();
  of.ask();
  const auto third = of.ask();
  of.ask(1s);
  of.ask();
  CHECK(of.below.open.size() == 2);
  of.layer.cancel(third);
  REQUIRE(of.answers.size() == 1);
  CHECK(code_of(of.answers[0]) == "cancelled");
  of.loop.advance(2s);
  CHECK(code_of(of.answers.at(1)) == "source_timeout");
  of.below.reply(status(200));
  CHECK(of.below.open.size() == 2);
  CHECK(of.below.asked.size() == 3);
  of.below.reply(status(200));
  of.below.reply(status(200));
  CHECK(of.answers.size() == 5);
  CHECK(of.loop.timers() == 0);
}

TEST_CASE("a cancelled call ends below and is not repeated") {
  polite_rig of;
  const auto ticket = of.ask();
  of.layer.cancel(ticket);
  CHECK(of.below.cancelled == 1);
  CHECK(code_of(of.answers.at(0)) == "cancelled");
  of.layer.cancel(ticket);
  of.loop.advance(10s);
  CHECK(of.answers.size() == 1);
  CHECK(of.below.asked.size() == 1);
}

TEST_CASE("a call is cancelled while it waits for its retry") {
  polite_rig of;
  of.answer_with([]() -> result<response> { return status(503); });
  const auto ticket = of.ask();
  of.layer.cancel(ticket);
  CHECK(code_of(of.answers.at(0)) == "cancelled");
  of.loop.advance(10s);
  CHECK(of.below.asked.size() == 1);
}

TEST_CASE("the breaker opens, answers fast, probes alone and closes") {
  politeness_options options;
  options.retrying.max_attempts = 1;
  polite_rig of(options);
  bool down = true;
  of.answer_with([&]() -> result<response> {
    if (down) return refused;
    return status(200);
  });
  for (int i = 0; i < 1000; ++i) {
    of.ask();
    of.loop.advance(1ms);
  }
  CHECK(of.below.asked.size() == 10);  // the minimum volume
  CHECK(code_of(of.answers.back()) == "source_unavailable");
  CHECK(of.answers.back().error().retry_after.value_or(0s) >= 1s);
  of.ask(60s, "http://b.test/");
  CHECK(of.below.asked.size() == 11);  // other hosts go on

  of.loop.advance(6s);
  for (int i = 0; i < 50; ++i) of.ask();
  CHECK(of.below.asked.size() == 12);  // one probe, and it fails
  of.loop.advance(6s);
  of.ask();
  CHECK(of.below.asked.size() == 12);  // longer now
  of.loop.advance(6s);
  down = false;
  of.ask();
  of.ask();
  of.ask();
  CHECK(of.below.asked.size() == 15);
}

TEST_CASE("what a caller's addresses do is held against nobody else") {
  politeness_options options;
  options.retrying.max_attempts = 1;
  polite_rig of(options);
  std::function<result<response>()> say = []() -> result<response> { return refused; };
  of.answer_with([&] { return say(); });
  const auto ask = [&](std::int64_t owner, std::string pace) {
    request what = get("http://a.test/x");
    what.owner = owner;
    what.pace_key = std::move(pace);
    const std::size_t before = of.below.asked.size();
    of.layer.submit(request(what), of.loop.now() + 60s, [](const result<response>&) {});
    return of.below.asked.size() > before;
  };
  for (int i = 0; i < 30; ++i) ask(7, "");
  CHECK_FALSE(ask(7, ""));  // for whoever has seen it fail
  CHECK(ask(8, ""));
  CHECK(ask(7, "a source"));
  say = []() -> result<response> { return status(429, "", {{"Retry-After", "3000"}}); };
  ask(9, "");
  CHECK_FALSE(ask(9, ""));
  say = []() -> result<response> { return status(200); };
  CHECK(ask(8, ""));
  CHECK(ask(9, "a source"));
  // A source is one for all.
  say = []() -> result<response> { return refused; };
  for (int i = 0; i < 40; ++i) ask(7, "a source");
  CHECK_FALSE(ask(8, "a source"));
}

TEST_CASE("no account has all places of a lane, however slow what it asks for is to come") {
  politeness_options options;
  options.has_shares = [] { return true; };
  options.paces["single"] = {0ms, 1};
  polite_rig of(options);
  const auto ask = [&](std::int64_t owner, std::string pace) {
    request what = get("http://a.test/x");
    what.owner = owner;
    what.pace_key = std::move(pace);
    of.layer.submit(std::move(what), of.loop.now() + 60s, [](const result<response>&) {});
    return of.below.asked.size();
  };
  for (int i = 0; i < 10; ++i) ask(7, "");
  CHECK(of.below.asked.size() == 3);
  CHECK(ask(8, "") == 4);
  // A place that becomes free is for whose turn it is, and is counted as free for its owner.
  of.below.reply(of.below.open.begin()->first, status(200));
  CHECK(of.below.asked.back().owner == 7);
  CHECK(of.below.asked.size() == 5);
  CHECK(ask(7, "single") == 6);
  CHECK(ask(8, "single") == 6);
}

TEST_CASE("a deadline that leaves a host no time is not held against it") {
  politeness_options options;
  options.retrying.max_attempts = 1;
  options.paces["a source"].max_concurrent = 100;
  std::size_t suspended = 0;
  options.opened = [&](const request&, std::chrono::milliseconds) { ++suspended; };
  polite_rig of(options);
  const auto ask = [&](std::chrono::milliseconds within, error why) {
    request what = get("http://a.test/x");
    what.pace_key = "a source";
    const std::size_t before = of.below.open.size();
    of.layer.submit(request(what), of.loop.now() + within, [](const result<response>&) {});
    const bool was_sent = of.below.open.size() > before;
    of.loop.advance(within - 2ms);  // it may be a little early
    if (was_sent) of.below.reply(std::move(why));
    of.loop.advance(2ms);
    return was_sent;
  };
  const error late(errc::source_timeout, "a.test did not answer in time");
  for (int i = 0; i < 100; ++i) ask(100ms, late);
  CHECK(ask(100ms, error(errc::source_unavailable, "no connection to a.test in time")));
  // Whoever had a long time spent it waiting for his own turn.
  error own(errc::source_timeout, "the deadline came before a connection");
  own.retry_after = 1s;
  for (int i = 0; i < 3; ++i) CHECK(ask(3s, own));
  CHECK(suspended == 0);
  // A fair time is one, and what fails before the deadline does so by itself.
  for (int i = 0; i < 12; ++i) {
    request what = get("http://a.test/x");
    what.pace_key = "a source";
    of.layer.submit(std::move(what), of.loop.now() + 3s, [](const result<response>&) {});
  }
  of.loop.advance(3s);
  while (!of.below.open.empty()) of.below.reply(late);
  CHECK(suspended > 0);
  CHECK_FALSE(ask(60s, late));
}

TEST_CASE("where there are several accounts, one's queries suspend no source for another") {
  politeness_options options;
  options.retrying.max_attempts = 1;
  options.has_shares = [] { return true; };
  std::vector<base::owner_id> suspended;
  options.opened = [&](const request& asked, std::chrono::milliseconds) {
    suspended.push_back(asked.owner);
  };
  polite_rig of(options);
  of.answer_with([] { return status(500, "", {{"Retry-After", "0"}}); });
  const auto ask = [&](base::owner_id owner) {
    request what = get("http://a.test/x");
    what.owner = owner;
    what.pace_key = "a source";
    const std::size_t before = of.below.asked.size();
    of.layer.submit(std::move(what), of.loop.now() + 60s, [](const result<response>&) {});
    return of.below.asked.size() > before;
  };
  for (int i = 0; i < 30; ++i) ask(7);
  CHECK_FALSE(ask(7));
  CHECK(ask(8));
  CHECK(suspended == std::vector<base::owner_id>{7});
}

TEST_CASE("how long a source cannot answer one account's query it says of no other's") {
  politeness_options options;
  options.retrying.max_attempts = 1;
  options.has_shares = [] { return true; };
  polite_rig of(options);
  const int code = GENERATE(503, 429);
  int said = code;
  std::string left = "5";
  of.answer_with([&]() -> result<response> {
    return status(
        said, "",
        {{"Retry-After", "300"}, {"X-RateLimit-Remaining", left}, {"X-RateLimit-Reset", "3000"}});
  });
  const auto ask = [&](base::owner_id owner) {
    request what = get("http://a.test/x");
    what.owner = owner;
    what.pace_key = "a source";
    const std::size_t before = of.below.asked.size();
    of.layer.submit(std::move(what), of.loop.now() + 60s, [](const result<response>&) {});
    return of.below.asked.size() > before;
  };
  CHECK(ask(7));
  CHECK_FALSE(ask(7));
  said = 200;
  CHECK(ask(8));
  of.loop.advance(300s);
  CHECK(ask(7));
  // That nothing is left of our quota it says to all of us; a 429, for how long that is.
  said = code;
  left = "0";
  CHECK(ask(7));
  CHECK_FALSE(ask(8));
  of.loop.advance(300s);
  CHECK(ask(8) == (code == 429));
  of.loop.advance(2700s);
  CHECK(ask(9));
}

TEST_CASE("a turn that did not come is a wait that is named, and none of the source's") {
  politeness_options options;
  options.paces["a.test:80"] = {0ms, 1, 0ms, {}};
  polite_rig of(options);
  of.ask();
  of.ask(1s);
  of.loop.advance(2s);
  REQUIRE(of.answers.size() == 1);
  CHECK(of.answers[0].error().code() == errc::source_timeout);
  CHECK(of.answers[0].error().retry_after.has_value());
}

TEST_CASE("a probe that a hurried caller gives up lets another one through") {
  politeness_options options;
  options.retrying.max_attempts = 1;
  polite_rig of(options);
  of.answer_with([]() -> result<response> { return refused; });
  for (int i = 0; i < 20; ++i) of.ask();
  of.below.answer = nullptr;
  of.loop.advance(10s);
  of.ask(100ms);
  of.loop.advance(100ms);
  of.below.reply(error(errc::source_timeout, "a.test did not answer in time"));
  of.ask();
  CHECK(of.below.open.size() == 1);
  of.below.reply(status(200));
  of.ask();
  of.ask();
  CHECK(of.below.open.size() == 2);
}

TEST_CASE("a breaker that nobody tries any more is forgotten") {
  const breaker_limits limits;
  breaker gate(limits);
  const breaker::time now{1h};
  for (int i = 0; i < 20; ++i) gate.failed(now, breaker::pass::yes, 0.5);
  REQUIRE(gate.refusal(now));
  CHECK_FALSE(gate.is_idle(now + limits.open_for));
  CHECK(gate.is_idle(now + 2 * limits.open_cap));
  REQUIRE(gate.try_pass(now + limits.open_cap) == breaker::pass::probe);
  CHECK_FALSE(gate.is_idle(now + 2 * limits.open_cap));
}

TEST_CASE("a probe that is cancelled lets another one through") {
  politeness_options options;
  options.retrying.max_attempts = 1;
  polite_rig of(options);
  of.answer_with([]() -> result<response> { return refused; });
  for (int i = 0; i < 20; ++i) of.ask();
  of.below.answer = nullptr;
  of.loop.advance(10s);
  const auto probe = of.ask();
  CHECK(of.below.open.size() == 1);
  of.ask();
  CHECK(of.below.open.size() == 1);
  of.layer.cancel(probe);
  of.ask();
  CHECK(of.below.open.size() == 1);
  of.below.reply(status(200));
  of.ask();
  of.ask();
  CHECK(of.below.open.size() == 2);
}

TEST_CASE("answers of the 4xx kind open nothing") {
  polite_rig of;
  of.answer_with([]() -> result<response> { return status(404); });
  for (int i = 0; i < 100; ++i) of.ask();
  CHECK(of.below.asked.size() == 100);
}

TEST_CASE("many hosts are forgotten again", "[alone]") {
  polite_rig of;
  of.answer_with([]() -> result<response> { return status(200); });
  for (int i = 0; i < 10'000; ++i) {
    of.ask(60s, "http://h" + std::to_string(i) + ".test/");
    of.loop.advance(100ms);
  }
  CHECK(of.answers.size() == 10'000);
}
