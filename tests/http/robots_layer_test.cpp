// Which answers to /robots.txt allow what, and how often it is asked, in virtual time.
#include <catch2/catch.hpp>
#include <functional>
#include <http/robots_layer.hpp>
#include <support/print_result.hpp>
#include <support/sanitized.hpp>

#include "virtual_scheduler.hpp"
#include "waiting.hpp"

using namespace freshet;
using namespace freshet::http;
using namespace freshet::test;
using namespace std::chrono_literals;

namespace {

struct robots_rig {
  virtual_scheduler loop;
  scripted_transport below;
  robots_layer layer{below, loop, "Freshet/1.0"};
  std::vector<result<response>> answers;

  std::uint64_t ask(const std::string& url = "http://a.test/page", bool obey = true,
                    std::chrono::milliseconds within = 10s) {
    request what = get(url);
    what.obey_robots = obey;
    return layer.submit(std::move(what), loop.now() + within,
                        [this](result<response> got) { answers.push_back(std::move(got)); });
  }
  int robots_asked() const {
    return static_cast<int>(
        std::count_if(below.asked.begin(), below.asked.end(),
                      [](const request& each) { return each.url.ends_with("/robots.txt"); }));
  }
};

std::string outcome(result<response> robots) {
  robots_rig of;
  of.below.answer = [&](const request& what) {
    return what.url == "http://a.test/robots.txt" ? robots : result<response>(status(200));
  };
  of.ask();
  return code_of(of.answers.at(0));
}

}  // namespace

TEST_CASE("robots.txt by status") {
  CHECK(outcome(status(200, "User-agent: *\nDisallow: /")) == "robots_disallowed");
  CHECK(outcome(status(200, "User-agent: *\nDisallow: /other")) == "ok");
  CHECK(outcome(status(200, "")) == "ok");
  for (const int code : {400, 401, 403, 404, 410, 429}) {
    CHECK(outcome(status(code, "User-agent: *\nDisallow: /")) == "ok");
  }
  for (const int code : {500, 502, 503}) CHECK(outcome(status(code)) == "robots_disallowed");
  CHECK(outcome(error(errc::source_unavailable, "down")) == "source_unavailable");
  CHECK(outcome(error(errc::source_timeout, "slow")) == "source_timeout");
  CHECK(outcome(error(errc::target_forbidden, "private")) == "target_forbidden");
}

TEST_CASE("the rule is named, and only those who obey are asked") {
  robots_rig of;
  of.below.answer = [](const request& what) {
    return what.url.ends_with("/robots.txt") ? status(200, "User-agent: freshet\nDisallow: /p*e")
                                             : status(200);
  };
  of.ask("http://a.test/page", false);
  CHECK(of.robots_asked() == 0);
  of.ask("http://a.test/page?q=1");
  REQUIRE_FALSE(of.answers.at(1));
  CHECK(of.answers[1].error().detail().find("Disallow: /p*e") != std::string::npos);
  of.ask("http://a.test/other");
  of.ask("https://a.test/other");
  of.ask("http://a.test:81/other");
  CHECK(of.robots_asked() == 3);  // one an origin
  of.loop.advance(23h);
  of.ask("http://a.test/other");
  CHECK(of.robots_asked() == 3);
  of.loop.advance(2h);
  of.ask("http://a.test/other");
  CHECK(of.robots_asked() == 4);
}

TEST_CASE("redirects of robots.txt are followed five times") {
  for (const int hops : {5, 6}) {
    robots_rig of;
    int left = hops;
    of.below.answer = [&](const request& what) {
      if (what.url.ends_with("/page")) return status(200);
      if (left-- > 0) return status(302, "", {{"Location", "/r" + std::to_string(left)}});
      return status(200, "User-agent: *\nDisallow: /");
    };
    of.ask();
    CHECK(code_of(of.answers.at(0)) == (hops == 5 ? "robots_disallowed" : "ok"));
  }
}

TEST_CASE("many wait for one robots.txt, and may leave") {
  robots_rig of;
  const auto first = of.ask();
  of.ask();
  of.ask("http://a.test/page", true, 1s);
  CHECK(of.below.asked.size() == 1);
  of.layer.cancel(first);
  of.loop.advance(2s);
  REQUIRE(of.answers.size() == 2);
  CHECK(code_of(of.answers[0]) == "cancelled");
  CHECK(code_of(of.answers[1]) == "source_timeout");
  of.below.reply(status(404));
  CHECK(of.below.asked.size() == 2);
  of.below.reply(status(200));
  CHECK(code_of(of.answers.at(2)) == "ok");

  robots_rig alone;
  const auto only = alone.ask();
  alone.layer.cancel(only);
  CHECK(alone.below.cancelled == 1);
  CHECK(alone.answers.size() == 1);
  CHECK(alone.loop.timers() == 0);

  robots_rig careless;
  const auto unasked = careless.ask("http://a.test/page", false);
  CHECK(careless.robots_asked() == 0);
  careless.layer.cancel(unasked);
  CHECK(careless.below.cancelled == 1);
  CHECK(careless.answers.size() == 1);
}

TEST_CASE("what an account was refused for its own sake is not held against others") {
  robots_rig of;
  error refusal(errc::source_unavailable, "a.test is suspended after failures");
  refusal.retry_after = 30s;
  const auto ask_as = [&](base::owner_id owner) {
    request what = get("http://a.test/page");
    what.obey_robots = true;
    what.owner = owner;
    of.layer.submit(std::move(what), of.loop.now() + 10s,
                    [&](result<response> got) { of.answers.push_back(std::move(got)); });
  };
  for (const base::owner_id owner : {1, 2, 1, 3}) ask_as(owner);
  CHECK(of.robots_asked() == 1);
  of.below.reply(refusal);
  // Those of the first account were told; the second asks in its own name, and the third waits.
  CHECK(of.answers.size() == 2);
  REQUIRE(of.robots_asked() == 2);
  CHECK(of.below.asked.back().owner == 2);
  of.below.reply(refusal);
  CHECK(of.answers.size() == 3);
  REQUIRE(of.robots_asked() == 3);
  CHECK(of.below.asked.back().owner == 3);
  of.below.reply(error(errc::source_unavailable, "down"));
  CHECK(of.answers.size() == 4);
  // What the host itself did is so for everybody.
  ask_as(2);
  CHECK(of.answers.size() == 5);
  CHECK(of.robots_asked() == 3);

  of.loop.advance(60s);
  ask_as(1);
  of.below.reply(refusal);
  CHECK(of.answers.size() == 6);
  ask_as(1);
  CHECK(of.answers.size() == 7);  // at once: it stands for the one to whom it was said
  CHECK(of.robots_asked() == 4);
  ask_as(2);
  CHECK(of.robots_asked() == 5);
  of.below.reply(status(404));
  of.below.reply(status(200));
  CHECK(code_of(of.answers.at(7)) == "ok");
  CHECK(of.loop.timers() == 0);
}

TEST_CASE("a hostile robots.txt is refused by its size, and many of them take bounded memory",
          "[alone]") {
  std::string hostile = "User-agent: *\n";
  while (hostile.size() < max_robots_bytes) hostile += "Disallow: /*a*a*a*b\n";
  robots_rig of;
  of.below.answer = [&](const request& what) {
    return what.url.ends_with("/robots.txt") ? status(200, hostile) : status(200);
  };
  constexpr int sites = 60;
  std::size_t most = 0;
  for (int i = 0; i < sites; ++i) {
    of.ask("http://s" + std::to_string(i) + ".test/" + std::string(2'000, 'a'));
    of.loop.advance(0ms);
    most = std::max(most, of.layer.rules_bytes());
  }
  REQUIRE(of.answers.size() == sites);
  for (const auto& each : of.answers) {
    REQUIRE(code_of(each) == "robots_disallowed");
    REQUIRE(each.error().detail().find("more patterns than can be tried") != std::string::npos);
  }
  CHECK(most > max_robots_memory / 2);
  CHECK(most <= max_robots_memory);
}

TEST_CASE("who asks for another site does not wait until a large robots.txt is read") {
  std::string large = "User-agent: *\n";
  while (large.size() < max_robots_bytes) large += "Allow:a\n";
  robots_rig of;
  of.below.answer = [&](const request& what) {
    return what.url == "http://a.test/robots.txt" ? status(200, large) : status(200);
  };
  of.ask();
  CHECK(of.answers.empty());
  std::size_t turns = 0;
  const std::function<void()> between = [&] {
    if (!of.answers.empty()) return;
    ++turns;
    of.loop.post(between);
  };
  of.loop.post([&] {
    of.ask("http://b.test/page");
    CHECK(of.answers.size() == 1);
    of.answers.clear();
    of.loop.post(between);
  });
  of.loop.advance(0ms);
  REQUIRE(of.answers.size() == 1);
  CHECK(code_of(of.answers[0]) == "ok");
  // Once between any two pieces, but for the first.
  CHECK(turns >= max_robots_bytes / robots_bytes_at_once - 2);
}

TEST_CASE("who leaves while a large robots.txt is read ends that, and the next one begins anew") {
  std::string large = "User-agent: *\nDisallow: /page\n";
  while (large.size() < max_robots_bytes) large += "Allow:a\n";
  robots_rig of;
  of.below.answer = [&](const request& what) {
    return what.url.ends_with("/robots.txt") ? status(200, large) : status(200);
  };
  of.layer.cancel(of.ask());
  REQUIRE(of.answers.size() == 1);
  CHECK(code_of(of.answers[0]) == "cancelled");
  of.ask();
  of.loop.advance(0ms);
  REQUIRE(of.answers.size() == 2);
  CHECK(code_of(of.answers[1]) == "robots_disallowed");
  CHECK(of.robots_asked() == 2);
}

TEST_CASE("who asks for another site does not wait until a costly address is judged") {
  std::string costly = "User-agent: *\n";
  while (costly.size() < max_robots_bytes) costly += "Disallow: /*a*a*a*b\n";
  robots_rig of;
  of.below.answer = [&](const request& what) {
    return what.url == "http://a.test/robots.txt" ? status(200, costly) : status(200);
  };
  of.ask();
  of.loop.advance(0ms);
  REQUIRE(of.answers.size() == 1);
  of.answers.clear();
  // Several at once share what is judged at once.
  constexpr std::size_t callers = 3;
  const std::string address = "http://a.test/" + std::string(4'000, 'a');
  for (std::size_t i = 0; i < callers; ++i) of.ask(address);
  const auto leaving = of.ask(address);
  CHECK(of.answers.empty());
  of.layer.cancel(leaving);
  REQUIRE(of.answers.size() == 1);
  CHECK(code_of(of.answers[0]) == "cancelled");
  std::size_t turns = 0;
  const std::function<void()> between = [&] {
    if (of.answers.size() > callers) return;
    ++turns;
    of.loop.post(between);
  };
  of.loop.post(between);
  of.loop.advance(0ms);
  REQUIRE(of.answers.size() == 1 + callers);
  CHECK(code_of(of.answers.back()) == "robots_disallowed");
  CHECK(turns > max_robots_steps / (2 * robots_steps_at_once));
  CHECK(of.loop.timers() == 0);
}

TEST_CASE("a file may be forgotten while an address is judged by it", "[alone]") {
  std::string costly = "User-agent: *\n";
  while (costly.size() < max_robots_bytes) costly += "Disallow: /*a*a*a*b\n";
  robots_rig of;
  of.below.answer = [&](const request& what) {
    return what.url.ends_with("/robots.txt") ? status(200, costly) : status(200);
  };
  of.ask();
  of.loop.advance(0ms);
  of.ask("http://a.test/" + std::string(test::cases<std::size_t>(4'000, 4'000, 1'000), 'a'));
  of.loop.post([&] {
    for (int i = 0; i < 60; ++i) of.ask("http://s" + std::to_string(i) + ".test/");
  });
  of.loop.advance(0ms);
  REQUIRE(of.answers.size() == 62);
  CHECK(std::ranges::count_if(of.answers, [](const auto& each) {
          return code_of(each) == "robots_disallowed";
        }) == 1);
}

TEST_CASE("a robots.txt that others wait for, too, does not stand behind what one has asked for") {
  robots_rig of;
  for (const base::owner_id owner : {1, 1, 2, 3}) {
    request what = get("http://a.test/page");
    what.obey_robots = true;
    what.owner = owner;
    of.layer.submit(std::move(what), of.loop.now() + 10s,
                    [&](result<response> got) { of.answers.push_back(std::move(got)); });
  }
  of.loop.advance(1s);
  CHECK(of.robots_asked() == 1);
  of.loop.advance(1s);
  REQUIRE(of.robots_asked() == 2);
  CHECK(of.below.cancelled == 1);
  CHECK(of.below.asked.back().owner == 0);
  of.loop.advance(5s);  // once
  CHECK(of.robots_asked() == 2);
  CHECK(of.answers.empty());
  of.below.reply(status(200, "User-agent: *\nDisallow: /"));
  CHECK(of.answers.size() == 4);
  for (const auto& each : of.answers) CHECK(code_of(each) == "robots_disallowed");
  CHECK(of.loop.timers() == 0);
}
