// Whose exchange runs next, in virtual time.
#include <sys/resource.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <http/admission.hpp>
#include <http/politeness.hpp>
#include <map>
#include <support/print_result.hpp>

#include "virtual_scheduler.hpp"
#include "waiting.hpp"

using namespace freshet;
using namespace freshet::http;
using namespace freshet::test;
using namespace std::chrono_literals;

namespace {

struct admission_rig {
  virtual_scheduler loop;
  scripted_transport below;  // answers when it is told to
  std::map<base::owner_id, std::vector<std::string>> ends;
  admission layer;

  explicit admission_rig(admission_limits limits) : layer(below, loop, limits) {}
  std::uint64_t ask(base::owner_id owner, std::chrono::milliseconds within = 60s) {
    request what = get("http://a.test/");
    what.owner = owner;
    return layer.submit(
        http::request(what), loop.now() + within,
        [this, owner](result<response> got) { ends[owner].push_back(code_of(got)); });
  }
  /// How many of an owner's run now.
  std::size_t running(base::owner_id owner) const {
    std::size_t count = 0;
    for (const auto& each : below.open) count += each.second.what.owner == owner;
    return count;
  }
};

}  // namespace

TEST_CASE("one account cannot have all connections, and the engine may") {
  admission_rig of({.running = 10, .running_of_owner = 4});
  for (int i = 0; i < 100; ++i) of.ask(1);
  CHECK(of.running(1) == 4);
  of.ask(2);
  CHECK(of.running(2) == 1);
  for (int i = 0; i < 100; ++i) of.ask(0);
  CHECK(of.running(0) == 5);
}

TEST_CASE("exchanges leave half of the process's descriptors to others") {
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  const auto most_with = [&](rlim_t soft) {
    rlimit limited = before;
    limited.rlim_cur = soft;
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &limited) == 0);
    return admission_limits().most;
  };
  CHECK(most_with(1'000) == 500);
  CHECK(most_with(400) == 256);
  CHECK(most_with(std::min<rlim_t>(before.rlim_max, 4'096)) == 1'024);
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
}

TEST_CASE("who kept connections busy for long comes after who did not") {
  admission_rig of({.running = 4, .running_of_owner = 4, .place_time = 1h});
  for (int i = 0; i < 40; ++i) of.ask(1);
  of.loop.advance(30s);  // four dripping servers
  for (int i = 0; i < 8; ++i) of.ask(2);
  for (int i = 0; i < 8; ++i) {
    of.below.reply(status(200));
    of.loop.advance(10ms);
  }
  CHECK(of.ends[1].size() <= 4);
  CHECK(of.ends[2].size() >= 4);
}

TEST_CASE("accounts that wait for silent hosts hold up each other alone") {
  admission_rig of({.running = 10, .running_of_owner = 8, .place_time = 2s, .most = 40});
  for (int i = 0; i < 80; ++i) of.ask(1 + i / 8);
  CHECK(of.below.open.size() == 10);
  of.ask(100);
  CHECK(of.running(100) == 0);
  // What has taken long goes on without a place.
  for (int i = 0; i < 10; ++i) of.loop.advance(2s);
  CHECK(of.running(100) == 1);
  CHECK(of.below.open.size() >= 30);
  // However many there are, an account of which none runs comes in.
  const auto before = of.below.open.size();
  of.ask(1);
  CHECK(of.below.open.size() == before);
  of.ask(101);
  of.ask(101);
  CHECK(of.running(101) == 1);
  for (int i = 0; i < 100; ++i) of.ask(200 + i);
  of.loop.advance(1h);
  CHECK(of.below.open.size() <= 40);
  CHECK(of.loop.timers() == 0);
}

TEST_CASE("who waits too long is told so, and a cancelled one gives its place away") {
  admission_rig of({.running = 1, .running_of_owner = 1, .most = 1});
  const auto first = of.ask(1);
  of.ask(2, 5s);
  const auto third = of.ask(3);
  of.ask(4);
  of.loop.advance(6s);
  CHECK(of.ends[2] == std::vector<std::string>{"source_timeout"});
  of.layer.cancel(third);
  CHECK(of.ends[3] == std::vector<std::string>{"cancelled"});
  of.layer.cancel(first);
  CHECK(of.ends[1] == std::vector<std::string>{"cancelled"});
  CHECK(of.running(4) == 1);
  CHECK(of.loop.timers() == 0);
}

TEST_CASE("waiting for a connection of one's own is held against no source") {
  virtual_scheduler loop;
  const virtual_clock clock(loop);
  scripted_transport below;  // answers when it is told to
  admission places(below, loop, {.running = 10, .running_of_owner = 1});
  politeness_options options;
  options.clock = &clock;
  options.random = [] { return 0.5; };
  options.paces["a source"].max_concurrent = 100;
  politeness layer(places, loop, options);
  const auto ask = [&](base::owner_id owner, std::string pace, std::chrono::milliseconds within) {
    request what = get("http://a.test/");
    what.owner = owner;
    what.pace_key = std::move(pace);
    layer.submit(std::move(what), loop.now() + within, [](const result<response>&) {});
  };
  ask(7, "", 60s);
  for (int i = 0; i < 20; ++i) ask(7, "a source", 5s);
  loop.advance(5s);
  CHECK(below.open.size() == 1);
  ask(8, "a source", 5s);
  CHECK(below.open.size() == 2);
}
