// RFC 9111 as a private cache keeps it, in virtual time.
#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <http/cache.hpp>
#include <support/print_result.hpp>

#include "virtual_scheduler.hpp"
#include "waiting.hpp"

using namespace freshet;
using namespace freshet::http;
using namespace freshet::test;
using namespace std::chrono_literals;

namespace {

struct cache_rig {
  virtual_scheduler loop;
  virtual_clock clock{loop};
  scripted_transport below;
  std::shared_ptr<base::shelf> shelf;
  cache layer;

  explicit cache_rig(std::size_t bytes = 1 << 20)
      : shelf(std::make_shared<base::shelf>(bytes)), layer(below, shelf, clock) {}
  void answer_with(headers headers, int code = 200, std::string body = "body") {
    below.answer = [this, headers, code, body](const request& what) {
      response out = status(code, body, headers);
      out.final_url = what.url;
      out.fetched_at = clock.now();
      return out;
    };
  }
  result<response> ask(request what = get("http://a.test/")) { return fetch(layer, what); }
  cache_state state(request what = get("http://a.test/")) { return ask(std::move(what))->cache; }
  std::size_t fetches() const { return below.asked.size(); }
};

}  // namespace

TEST_CASE("an answer is used again while it is fresh") {
  cache_rig of;
  of.answer_with({{"Cache-Control", "public, max-age=60"}});
  CHECK(of.state() == cache_state::miss);
  const time_point then = of.clock.now();
  of.loop.advance(59s);
  const auto hit = of.ask();
  CHECK(hit->cache == cache_state::hit);
  CHECK(hit->body == "body");
  CHECK(hit->fetched_at == then);
  of.loop.advance(2s);
  CHECK(of.state() == cache_state::miss);
  CHECK(of.fetches() == 2);
}

TEST_CASE("how long an answer is fresh") {
  struct row {
    headers with;
    int fresh_s;
  };
  cache_rig of;
  const auto date = [&](std::chrono::seconds ago) {
    return base::format_time(of.clock.now() - ago);
  };
  for (const row& each : {
           row{{{"Cache-Control", "max-age=10"}}, 10},
           row{{{"Cache-Control", "max-age=\"10\""}}, 10},
           row{{{"Cache-Control", "MAX-AGE=10, max-age=5"}}, 5},
           row{{{"Cache-Control", "max-age=ten"}}, 0},
           row{{{"Cache-Control", "max-age"}}, 0},
           row{{{"Cache-Control", "s-maxage=10"}}, 0},
           row{{{"Cache-Control", "private, max-age=10"}}, 10},
           row{{{"Cache-Control", "max-age=10"}, {"Age", "4"}}, 6},
           row{{{"Cache-Control", "max-age=10"}, {"Date", date(3s)}}, 7},
           row{{{"Expires", date(-10s)}, {"Date", date(0s)}}, 10},
           row{{{"Expires", "0"}}, 0},
           row{{{"Expires", date(-10s)}, {"Cache-Control", "max-age=3"}}, 3},
           row{{{"Last-Modified", date(100s)}}, 10},
           row{{{"Last-Modified", date(86400s)}}, 300},
           row{{}, 0},
           row{{{"Cache-Control", "no-store, max-age=10"}}, 0},
           row{{{"Cache-Control", "no-cache, max-age=10"}}, 0},
           row{{{"Cache-Control", "max-age=10"}, {"Vary", "*"}}, 0},
       }) {
    std::string text;
    for (const auto& each_header : each.with)
      text += each_header.name + ": " + each_header.value + "; ";
    INFO(text);
    cache_rig now;
    now.answer_with(each.with);
    now.ask();
    if (each.fresh_s > 0) {
      now.loop.advance(std::chrono::seconds(each.fresh_s) - 1s);
      CHECK(now.state() == cache_state::hit);
      now.loop.advance(1s);
    }
    CHECK(now.fetches() == 1);
    now.ask();
    CHECK(now.fetches() == 2);
  }
}

TEST_CASE("a stale answer is asked after, and a 304 renews it") {
  cache_rig of;
  of.answer_with({{"Cache-Control", "max-age=10"},
                  {"ETag", "\"v1\""},
                  {"X-Old", "1"},
                  {"Last-Modified", "Sun, 01 Nov 2020 12:00:00 GMT"}});
  of.ask();
  of.loop.advance(20s);
  of.answer_with({{"Cache-Control", "max-age=30"}, {"ETag", "\"v1\""}, {"Content-Type", "none"}},
                 304, "");
  const auto renewed = of.ask();
  REQUIRE(renewed);
  CHECK(find_header(of.below.asked.at(1).headers, "If-None-Match") == "\"v1\"");
  CHECK(find_header(of.below.asked[1].headers, "If-Modified-Since") ==
        "Sun, 01 Nov 2020 12:00:00 GMT");
  CHECK(renewed->status == 200);
  CHECK(renewed->body == "body");
  CHECK(renewed->cache == cache_state::revalidated);
  CHECK(renewed->fetched_at == of.clock.now());
  CHECK(find_header(renewed->headers, "Cache-Control") == "max-age=30");
  CHECK(find_header(renewed->headers, "X-Old") == "1");
  CHECK(find_header(renewed->headers, "Content-Type").empty());
  of.loop.advance(25s);
  CHECK(of.state() == cache_state::hit);
  of.loop.advance(10s);
  of.answer_with({{"Cache-Control", "max-age=30"}}, 200, "new");
  CHECK(of.ask()->body == "new");
  CHECK(of.ask()->body == "new");
  CHECK(of.fetches() == 3);
}

TEST_CASE("max_age decides instead of freshness, except where the server forbids it") {
  cache_rig of;
  of.answer_with({});
  of.ask();
  of.loop.advance(100s);
  request within = get("http://a.test/");
  within.max_age = 100s;
  CHECK(of.state(within) == cache_state::hit);
  within.max_age = 99s;
  CHECK(of.state(within) == cache_state::miss);
  within.max_age = 0s;
  CHECK(of.state(within) == cache_state::miss);

  for (const char* forbids : {"max-age=1, must-revalidate", "no-cache"}) {
    cache_rig strict;
    strict.answer_with({{"Cache-Control", forbids}});
    strict.ask();
    strict.loop.advance(5s);
    within.max_age = 100s;
    CHECK(strict.state(within) == cache_state::miss);
  }
}

TEST_CASE("an answer is given to who asks as it was asked for, whatever Vary says") {
  for (const char* vary : {"", "Accept-Language, accept"}) {
    cache_rig of;
    of.answer_with({{"Cache-Control", "max-age=60"}, {"Vary", vary}});
    request english = get("http://a.test/");
    english.headers = {{"accept-language", "en"}};
    request german = english;
    german.headers = {{"Accept-Language", "de"}};
    CHECK(of.state(english) == cache_state::miss);
    CHECK(of.state(german) == cache_state::miss);
    english.headers[0].name = "Accept-Language";
    CHECK(of.state(english) == cache_state::hit);
    CHECK(of.state(german) == cache_state::hit);
    CHECK(of.state() == cache_state::miss);
    german.headers.push_back({"X-Forwarded-Host", "evil.test"});
    CHECK(of.state(german) == cache_state::miss);
  }
}

TEST_CASE("pages of one site share what it gives them, and no page's Referer is another's") {
  cache_rig of;
  of.answer_with({{"Cache-Control", "max-age=60"}});
  request script = get("http://a.test/app.js");
  const auto state_for = [&](const char* referer) {
    script.headers = {{"Referer", referer}};
    return of.state(script);
  };
  CHECK(state_for("http://evil.test/") == cache_state::miss);
  CHECK(state_for("http://a.test/one") == cache_state::miss);
  CHECK(state_for("http://a.test/two") == cache_state::hit);
  CHECK(of.state(get("http://a.test/app.js")) == cache_state::miss);
  of.answer_with({{"Cache-Control", "max-age=60"}, {"Vary", "Accept, referer"}});
  CHECK(state_for("http://b.test/") == cache_state::miss);
  CHECK(state_for("http://b.test/") == cache_state::miss);
}

TEST_CASE("nothing personal is kept") {
  cache_rig of;
  of.answer_with({{"Cache-Control", "max-age=60"}});
  request mine = get("http://a.test/");
  mine.headers = {{"Authorization", "Bearer one"}};
  of.ask(mine);
  CHECK(of.state(mine) == cache_state::miss);
  CHECK(of.state() == cache_state::miss);

  cache_rig open;
  open.answer_with({{"Cache-Control", "public, max-age=60"}});
  open.ask(mine);
  CHECK(open.state(mine) == cache_state::hit);

  cache_rig key;
  key.answer_with({{"Cache-Control", "max-age=60"}});
  mine.headers = {{"X-Api-Key", "one"}};
  key.ask(mine);
  CHECK(key.state(mine) == cache_state::hit);
  mine.headers = {{"X-Api-Key", "two"}};
  CHECK(key.state(mine) == cache_state::miss);
  CHECK(key.state() == cache_state::miss);
}

TEST_CASE("statuses and requests that are not kept") {
  for (const int code : {201, 206, 302, 403, 429, 500, 503}) {
    cache_rig of;
    of.answer_with({{"Cache-Control", "max-age=60"}}, code);
    of.ask();
    of.ask();
    CHECK(of.fetches() == 2);
  }
  for (const int code : {203, 301, 404, 410}) {
    cache_rig of;
    of.answer_with({{"Cache-Control", "max-age=60"}}, code);
    of.ask();
    CHECK(of.state() == cache_state::hit);
  }
  cache_rig of;
  of.answer_with({{"Cache-Control", "max-age=60"}});
  of.ask();
  request off = get("http://a.test/");
  off.cacheable = false;
  CHECK(of.state(off) == cache_state::miss);
  request range = get("http://a.test/");
  range.headers = {{"Range", "bytes=0-1"}};
  CHECK(of.state(range) == cache_state::miss);
  request reload = get("http://a.test/");
  reload.headers = {{"Cache-Control", "no-cache"}};
  CHECK(of.state(reload) == cache_state::miss);
  CHECK(of.state() == cache_state::hit);
  request small = get("http://a.test/");
  small.body_limit = 2;
  CHECK(of.state(small) == cache_state::miss);
}

TEST_CASE("a change invalidates, a read by POST does not") {
  cache_rig of;
  of.answer_with({{"Cache-Control", "max-age=60"}});
  of.ask();
  of.ask(get("http://a.test/other"));
  request post = get("http://a.test/");
  post.method = "POST";
  post.repeatable = true;
  of.ask(post);
  CHECK(of.state() == cache_state::hit);
  post.repeatable = false;
  of.ask(post);
  CHECK(of.state() == cache_state::miss);
  CHECK(of.state(get("http://a.test/other")) == cache_state::hit);
}

TEST_CASE("what one account's page changes is forgotten for that account alone") {
  cache_rig of;
  of.answer_with({{"Cache-Control", "max-age=60"}});
  request first = get("http://a.test/"), second = get("http://a.test/2");
  first.owner = 1;
  second.owner = 2;
  of.ask(first);
  of.ask(second);
  for (const char* url : {"http://a.test/", "http://a.test/2"}) {
    request post = get(url);
    post.method = "POST";
    post.owner = 2;
    of.ask(post);
  }
  CHECK(of.state(first) == cache_state::hit);
  CHECK(of.state(second) == cache_state::miss);
}

TEST_CASE("the least recently used goes first, and the size holds") {
  cache_rig of(100'000);
  of.answer_with({{"Cache-Control", "max-age=60"}}, 200, std::string(10'000, 'x'));
  for (int i = 0; i < 8; ++i) of.ask(get("http://a.test/" + std::to_string(i)));
  of.ask(get("http://a.test/0"));
  for (int i = 8; i < 12; ++i) of.ask(get("http://a.test/" + std::to_string(i)));
  CHECK(of.state(get("http://a.test/0")) == cache_state::hit);
  CHECK(of.state(get("http://a.test/1")) == cache_state::miss);
  cache_rig large(100'000);
  large.answer_with({{"Cache-Control", "max-age=60"}}, 200, std::string(20'000, 'x'));
  large.ask();
  CHECK(large.state() == cache_state::miss);
}

TEST_CASE("what came through a redirect is not fresh for the first address") {
  cache_rig of;
  of.below.answer = [&](const request&) {
    response out = status(200, "there", {{"Cache-Control", "max-age=60"}, {"ETag", "\"1\""}});
    out.final_url = "http://b.test/";
    return out;
  };
  of.ask();
  CHECK(of.state() == cache_state::miss);
  CHECK(find_header(of.below.asked.back().headers, "If-None-Match").empty());
  request within = get("http://a.test/");
  within.max_age = 60s;
  CHECK(of.state(within) == cache_state::hit);
}

TEST_CASE("who fills the cache crowds out himself") {
  cache_rig of(1 << 20);
  const auto ask = [&](std::int64_t owner, const std::string& url) {
    request what = get(url);
    what.owner = owner;
    return of.state(what);
  };
  of.answer_with({{"Cache-Control", "max-age=600"}}, 200, std::string(50'000, 'x'));
  for (int i = 0; i < 4; ++i) ask(1, "http://a.test/" + std::to_string(i));
  for (int i = 0; i < 500; ++i) ask(2, "http://b.test/" + std::to_string(i));
  for (int i = 0; i < 4; ++i)
    CHECK(ask(1, "http://a.test/" + std::to_string(i)) == cache_state::hit);
  CHECK(ask(2, "http://b.test/499") == cache_state::hit);
  CHECK(ask(2, "http://b.test/0") == cache_state::miss);
  // A hit is everybody's, and what nobody else wants may fill it all.
  CHECK(ask(3, "http://a.test/0") == cache_state::hit);
  of.shelf->drop();
  for (int i = 0; i < 20; ++i) ask(2, "http://b.test/" + std::to_string(i));
  for (int i = 0; i < 20; ++i)
    CHECK(ask(2, "http://b.test/" + std::to_string(i)) == cache_state::hit);
}
