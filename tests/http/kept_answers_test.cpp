// Tokens between calls: how long, for whom, and until when; in virtual time, and once through the
// whole stack, where nothing of them may reach the cache or a recording.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <http/kept_answers.hpp>
#include <http/single_flight.hpp>
#include <http/stack.hpp>
#include <support/loopback_server.hpp>
#include <support/print_result.hpp>
#include <support/shared.hpp>

#include "virtual_scheduler.hpp"
#include "waiting.hpp"

using namespace freshet;
using namespace freshet::http;
using namespace freshet::test;
using namespace std::chrono_literals;

namespace {

request token_request(std::string body = "secret=1") {
  request out = get("http://a.test/token");
  out.method = "POST";
  out.headers = {{"Content-Type", "application/x-www-form-urlencoded"}};
  out.body = std::move(body);
  out.cacheable = false;
  out.keep_for = 1h;
  return out;
}

/// Every fetch gives a token of its own: t1, t2, ...
struct kept_rig {
  virtual_scheduler loop;
  scripted_transport below;
  kept_answers layer{below, loop};

  kept_rig() {
    below.answer = [this](const request&) {
      return status(200, "{\"token\":\"t" + std::to_string(below.asked.size()) + "\"}");
    };
  }
  std::string token(const request& what = token_request()) {
    const auto got = fetch(layer, what);
    const auto from = got->body.find("t", got->body.find(':'));
    return got->body.substr(from, got->body.rfind('"') - from);
  }
};

}  // namespace

TEST_CASE("a token is fetched once and given again for its time") {
  kept_rig of;
  CHECK(of.token() == "t1");
  of.loop.advance(1h - 1s);
  CHECK(of.token() == "t1");
  CHECK(fetch(of.layer, token_request())->cache == cache_state::hit);
  CHECK(of.below.asked.size() == 1);
  of.loop.advance(1s);
  CHECK(of.token() == "t2");
  request impatient = token_request();
  impatient.keep_for = 10s;
  of.loop.advance(10s);
  CHECK(of.token(impatient) == "t3");
}

TEST_CASE("only an equal request is given a kept token, and only if it asks for one") {
  kept_rig of;
  CHECK(of.token() == "t1");
  CHECK(of.token(token_request("secret=2")) == "t2");
  request other = token_request();
  other.headers.push_back({"Authorization", "Basic b25l"});
  CHECK(of.token(other) == "t3");
  other.headers.back().value = "Basic dHdv";
  CHECK(of.token(other) == "t4");
  other = token_request();
  other.url = "http://b.test/token";
  CHECK(of.token(other) == "t5");
  other = token_request();
  other.keep_for = 0s;
  CHECK(of.token(other) == "t6");
  CHECK(of.token(other) == "t7");
  CHECK(of.token() == "t1");
  CHECK(of.layer.size() == 5);
}

TEST_CASE("a refused token is forgotten, its successor is not") {
  kept_rig of;
  CHECK(of.token() == "t1");
  request anew = token_request();
  anew.refused = "t1";
  CHECK(of.token(anew) == "t2");
  // The second of two callers who held the old one is given the new one.
  CHECK(of.token(anew) == "t2");
  CHECK(of.token() == "t2");
  CHECK(of.below.asked.size() == 2);
  // A server that gives the refused one again is not believed for the next call either.
  of.below.answer = [](const request&) { return status(200, "{\"token\":\"t2\"}"); };
  anew.refused = "t2";
  CHECK(of.token(anew) == "t2");
  CHECK(of.layer.size() == 0);
}

TEST_CASE("failures are not kept, refusals for a minute") {
  kept_rig of;
  const auto asked_for = [&](result<response> what) {
    of.below.answer = [&what](const request&) { return what; };
    const auto before = of.below.asked.size();
    fetch(of.layer, token_request());
    fetch(of.layer, token_request());
    return of.below.asked.size() - before;
  };
  CHECK(asked_for(error(errc::source_unavailable)) == 2);
  CHECK(asked_for(status(503)) == 2);
  CHECK(asked_for(status(429)) == 2);
  CHECK(asked_for(status(302)) == 2);
  CHECK(asked_for(status(200, std::string(max_kept_body + 1, 'x'))) == 2);
  CHECK(asked_for(status(401)) == 1);
  of.loop.advance(refusal_kept - 1s);
  CHECK(fetch(of.layer, token_request())->status == 401);
  of.loop.advance(1s);
  CHECK(asked_for(status(200, "{}")) == 1);
}

TEST_CASE("few are kept, the last used ones") {
  kept_rig of;
  CHECK(of.token() == "t1");
  for (std::size_t i = 1; i < max_kept_answers; ++i) of.token(token_request(std::to_string(i)));
  CHECK(of.token() == "t1");
  of.token(token_request("one more"));
  CHECK(of.layer.size() == max_kept_answers);
  CHECK(of.token() == "t1");
  const auto before = of.below.asked.size();
  of.token(token_request("1"));
  CHECK(of.below.asked.size() == before + 1);
}

TEST_CASE("those who want the same token at once share one exchange") {
  virtual_scheduler loop;
  scripted_transport below;
  single_flight shared(below, loop);
  kept_answers layer(shared, loop);
  std::vector<std::string> given;
  const auto ask = [&](request what) {
    layer.submit(std::move(what), loop.now() + 10s,
                 [&](result<response> got) { given.push_back(got ? got->body : code_of(got)); });
  };
  for (int i = 0; i < 3; ++i) ask(token_request());
  ask(token_request("another secret"));
  CHECK(below.asked.size() == 2);
  below.reply(status(200, "t1"));
  CHECK(given == std::vector<std::string>{"t1", "t1", "t1"});
  ask(token_request());
  CHECK(given.size() == 4);
  // All three hold t1 and find it refused.
  request anew = token_request();
  anew.refused = "t1";
  for (int i = 0; i < 3; ++i) ask(anew);
  CHECK(below.asked.size() == 3);
  below.reply(status(200, "other"));
  below.reply(status(200, "t2"));
  CHECK(given.size() == 8);
  CHECK(given.back() == "t2");
}

TEST_CASE("a kept token reaches neither the recording nor the content cache") {
  const std::string path = (std::filesystem::temp_directory_path() /
                            ("freshet-kept-" + std::to_string(getpid()) + ".har"))
                               .string();
  loopback_server server;
  server.on("/token", [](const auto&, loopback_server::connection& to) {
    to.send(loopback_server::answer(200, "{\"access_token\":\"hush\"}",
                                    {{"Cache-Control", "max-age=60"}}));
  });
  stack_options options;
  options.user_agent = "Freshet/1.0";
  options.allow_private = {"127.0.0.0/8"};
  options.record_path = path;
  {
    const auto stack = make_stack(options).value();
    request what = token_request("client_secret=hush");
    what.url = server.url("/token");
    for (int i = 0; i < 3; ++i) CHECK(fetch(*stack, what)->body.find("hush") != std::string::npos);
    CHECK(server.count("/token") == 1);
    CHECK(fetch(*stack, get(what.url))->cache == cache_state::miss);
    CHECK(server.count("/token") == 2);
  }
  CHECK(read_file(path).find("hush") == std::string::npos);
  // Another stack knows nothing of it.
  {
    const auto stack = make_stack(options).value();
    request what = token_request("client_secret=hush");
    what.url = server.url("/token");
    CHECK(fetch(*stack, what)->cache == cache_state::miss);
  }
  CHECK(server.count("/token") == 3);
  std::remove(path.c_str());
}
