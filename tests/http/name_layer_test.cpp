// Who waits for which name, in virtual time; and that curl itself looks nothing up.
#include <catch2/catch.hpp>
#include <http/name_layer.hpp>
#include <http/stack.hpp>
#include <map>
#include <support/loopback_server.hpp>
#include <support/print_result.hpp>

#include "virtual_scheduler.hpp"
#include "waiting.hpp"

using namespace freshet;
using namespace freshet::http;
using namespace freshet::test;
using namespace std::chrono_literals;

namespace {

struct names_rig {
  virtual_scheduler loop;
  scripted_transport below;
  std::vector<std::string> asked;  ///< names, in the order in which they were looked up
  std::multimap<std::string, std::function<void(found_addresses)>> sought;
  std::map<base::owner_id, std::vector<std::string>> ends;
  name_layer layer;

  explicit names_rig(name_limits limits = {})
      : layer(
            below, loop,
            [this](const std::string& name, std::function<void(found_addresses)> done) {
              asked.push_back(name);
              sought.emplace(name, std::move(done));
            },
            limits) {
    below.answer = [](const request&) { return status(200); };
  }
  std::uint64_t ask(const std::string& url, base::owner_id owner = 1,
                    std::chrono::milliseconds within = 60s) {
    request what = get(url);
    what.owner = owner;
    return layer.submit(
        http::request(what), loop.now() + within,
        [this, owner](result<response> got) { ends[owner].push_back(code_of(got)); });
  }
  void find(const std::string& name, found_addresses found) {
    const auto done = sought.extract(sought.find(name)).mapped();
    done(std::move(found));
    loop.advance(0ms);
  }
};

const std::vector<std::string> here{"192.0.2.1", "2001:db8::1"};
const error nowhere(errc::source_unavailable, "no such name");
using codes = std::vector<std::string>;

}  // namespace

TEST_CASE("what is no name is handed on at once") {
  names_rig of;
  for (const char* url : {"http://127.0.0.1/", "http://0x7f.1/", "http://[::1]:8080/",
                          "http://localhost/", "http://a.localhost/", "nonsense"}) {
    of.ask(url);
  }
  CHECK(of.asked.empty());
  CHECK(of.below.asked.size() == 6);
  for (const auto& each : of.below.asked) CHECK(each.addresses.empty());
}

TEST_CASE("a name is looked up once for all who wait for it, and again when that is old") {
  names_rig of;
  of.ask("http://a.test/1", 1);
  of.ask("http://a.test/2", 2);
  of.ask("https://A.test:444/3", 3);
  CHECK(of.asked == codes{"a.test"});
  CHECK(of.below.asked.empty());
  of.find("a.test", here);
  REQUIRE(of.below.asked.size() == 3);
  for (const auto& each : of.below.asked) CHECK(each.addresses == here);
  of.loop.advance(59s);
  of.ask("http://a.test/4");
  CHECK(of.asked.size() == 1);
  CHECK(of.below.asked.size() == 4);
  of.loop.advance(2s);
  of.ask("http://a.test/5");
  CHECK(of.asked.size() == 2);
  CHECK(of.loop.timers() == 1);
  of.find("a.test", std::vector<std::string>{"192.0.2.2"});
  CHECK(of.below.asked.back().addresses == codes{"192.0.2.2"});
  CHECK(of.loop.timers() == 0);
}

TEST_CASE("a name that is not there is not sought again at once") {
  names_rig of;
  of.ask("http://a.test/");
  of.find("a.test", nowhere);
  of.ask("http://a.test/");
  CHECK(of.ends[1] == codes{"source_unavailable", "source_unavailable"});
  CHECK(of.asked.size() == 1);
  of.loop.advance(6s);
  of.ask("http://a.test/");
  CHECK(of.asked.size() == 2);
  of.find("a.test", here);
  CHECK(of.ends[1].back() == "ok");
}

TEST_CASE("who names what nobody answers for waits alone, and not for long") {
  names_rig of;
  const auto leaving = of.ask("http://silent.test/", 1);
  of.ask("http://silent.test/", 1, 3s);
  of.ask("http://silent.test/", 1);
  of.ask("http://a.test/", 2);
  of.find("a.test", here);
  CHECK(of.ends[2] == codes{"ok"});
  of.layer.cancel(leaving);
  CHECK(of.ends[1] == codes{"cancelled"});
  of.loop.advance(4s);
  CHECK(of.ends[1].back() == "source_timeout");
  of.loop.advance(7s);
  CHECK(of.ends[1] == codes{"cancelled", "source_timeout", "source_unavailable"});
  CHECK(of.loop.timers() == 0);
  of.find("silent.test", here);  // at last; nobody waits any more
  CHECK(of.below.asked.size() == 1);
  of.ask("http://silent.test/", 1);
  CHECK(of.below.asked.size() == 2);
}

TEST_CASE("who comes when nobody has answered for three seconds is told at once") {
  names_rig of;
  of.ask("http://silent.example/", 1);
  of.loop.advance(2999ms);
  of.ask("http://silent.example/", 2);
  CHECK(of.ends[2].empty());
  of.loop.advance(1ms);
  of.ask("http://silent.example/", 3);
  CHECK(of.ends[3] == codes{"source_unavailable"});
  of.ask("http://other.example/", 3);
  of.find("other.example", here);
  CHECK(of.ends[3] == codes{"source_unavailable", "ok"});
  // It was only late: who has waited is served, and so is who comes now.
  of.find("silent.example", here);
  CHECK(of.ends[1] == codes{"ok"});
  CHECK(of.ends[2] == codes{"ok"});
  of.ask("http://silent.example/", 4);
  CHECK(of.ends[4] == codes{"ok"});
  // What is known from before is used in the meantime.
  of.loop.advance(1h);
  of.ask("http://silent.example/", 1);
  of.loop.advance(5s);
  CHECK(of.ends[1] == codes{"ok", "ok"});
  of.ask("http://silent.example/", 5);
  of.loop.advance(1s);
  CHECK(of.ends[5] == codes{"ok"});
  CHECK(of.asked == std::vector<std::string>{"silent.example", "other.example", "silent.example"});
}

TEST_CASE("no account has all that look names up, and what it waits for is no one else's wait") {
  name_limits few;
  few.at_once = 4;
  few.at_once_of_owner = 2;
  names_rig of(few);
  for (int i = 0; i < 10; ++i) of.ask("http://s" + std::to_string(i) + ".test/", 1);
  CHECK(of.asked.size() == 2);
  of.ask("http://a.test/", 2);
  of.ask("http://s5.test/", 3);  // which the first waits for, too, and would for long
  CHECK(of.asked == codes{"s0.test", "s1.test", "a.test", "s5.test"});
  of.ask("http://b.test/", 2);
  CHECK(of.asked.size() == 4);
  of.find("s5.test", here);
  CHECK(of.ends[3] == codes{"ok"});
  CHECK(of.ends[1] == codes{"ok"});
  CHECK(of.asked.back() == "b.test");
  // Who leaves lets the next of his own in.
  of.find("a.test", here);
  of.find("b.test", here);
  of.find("s0.test", nowhere);
  CHECK(of.asked.back() == "s2.test");
  // The engine's own have no limit but that of all.
  of.ask("http://e1.test/", 0);
  of.ask("http://e2.test/", 0);
  CHECK(of.sought.size() == 4);
}

TEST_CASE("names that nobody answers for keep their places for a second, and a thread each") {
  name_limits few;
  few.at_once = 2;
  few.most_threads = 5;
  names_rig of(few);
  for (int owner = 1; owner <= 4; ++owner)
    of.ask("http://s" + std::to_string(owner) + ".test/", owner);
  CHECK(of.asked == codes{"s1.test", "s2.test"});
  of.ask("http://good.test/", 9);
  of.loop.advance(999ms);
  CHECK(of.asked.size() == 2);
  of.loop.advance(1ms);
  CHECK(of.asked == codes{"s1.test", "s2.test", "s3.test", "s4.test"});
  of.loop.advance(1s);
  REQUIRE(of.asked.size() == 5);
  CHECK(of.asked.back() == "good.test");
  // Now there are as many threads as there may be, whoever has lost his place.
  of.ask("http://late.test/", 10);
  of.loop.advance(3s);
  CHECK(of.asked.size() == 5);
  of.find("good.test", here);
  CHECK(of.ends[9] == codes{"ok"});
  CHECK(of.asked.back() == "late.test");
  for (const char* name : {"s1.test", "s2.test", "s3.test", "s4.test", "late.test"})
    of.find(name, here);
  CHECK(of.loop.timers() == 0);
}

TEST_CASE("what was reached before is reached while its name servers are silent") {
  names_rig of;
  of.ask("http://a.test/");
  of.find("a.test", here);
  of.loop.advance(2h);
  of.ask("http://a.test/", 2);
  CHECK(of.asked.size() == 2);
  CHECK(of.ends[2].empty());
  of.loop.advance(1s);
  CHECK(of.ends[2] == codes{"ok"});
  CHECK(of.below.asked.back().addresses == here);
  of.loop.advance(25h);
  of.ask("http://a.test/", 2, 3s);
  CHECK(of.ends[2].back() == "source_unavailable");
}

TEST_CASE("many names take bounded memory") {
  name_limits few;
  few.names = 50;
  names_rig of(few);
  for (int i = 0; i < 1'000; ++i) {
    const auto name = "n" + std::to_string(i) + ".test";
    of.ask("http://" + name + "/");
    of.find(name, i % 2 == 0 ? found_addresses(here) : found_addresses(nowhere));
    CHECK(of.layer.size() <= 50);
  }
  CHECK(of.ends[1].size() == 1'000);
}

TEST_CASE("without memory all is forgotten but what is being looked up") {
  names_rig of;
  of.ask("http://a.test/");
  of.layer.forget();
  of.find("a.test", here);
  CHECK(of.ends[1].empty());
  of.ask("http://a.test/");
  CHECK(of.ends[1] == codes{"ok"});
}

TEST_CASE("a layer may go while a name is looked up") {
  std::function<void(found_addresses)> done;
  {
    virtual_scheduler loop;
    scripted_transport below;
    name_layer layer(below, loop, [&](const std::string&, auto told) { done = std::move(told); });
    layer.submit(get("http://a.test/"), loop.now() + 1s, [](const result<response>&) {});
  }
  done(here);
  SUCCEED();
}

TEST_CASE("a host is where its name was found, and curl asks nobody") {
  loopback_server server;
  server.reply("/", 200, "here");
  stack_options options;
  options.user_agent = "Freshet/test";
  options.allow_private = {"127.0.0.0/8"};
  options.polite = false;
  const auto stack = make_stack(std::move(options)).value();
  const auto port = ":" + std::to_string(server.port()) + "/";
  CHECK(code_of(fetch(*stack, get("http://localhost" + port))) == "ok");
  // The machine's own name, which is none of those that need no asking, with and without the dot.
  const auto got = fetch(*stack, get("http://no-such-name.invalid" + port));
  REQUIRE_FALSE(got);
  CHECK(got.error().code() == errc::source_unavailable);
  CHECK(got.error().detail() == "no answer from no-such-name.invalid: Couldn't resolve host name");
}
