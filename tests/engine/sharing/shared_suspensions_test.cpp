// What one server finds of a source, and the others hear.
#include "sharing_servers.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <engine/gather/made_up_source.hpp>

using namespace freshet;
using namespace freshet::detail;
using namespace std::chrono_literals;
using catalog::operation;
using freshet::test::eventually;
using freshet::test::has_no_redis;
using freshet::test::made_up_source;
using freshet::test::sharing_server;
using freshet::test::sharing_servers;

namespace {

constexpr auto shared_source = made_up_source("one", "microblog", {});
constexpr auto shared_feeds = made_up_source("papers", "microblog", {}, "urls");
constexpr auto shared_operation = operation::microblog_search;

std::chrono::steady_clock::time_point steady_now() { return base::system_clock().steady(); }

sources::call shared_search() {
  sources::call what;
  what.op = shared_operation;
  return what;
}

void refuse_at(sharing_server& server, int status, const std::string& url,
               std::chrono::seconds retry_after = 0s,
               const sources::descriptor& source = shared_source) {
  http::response answer;
  answer.status = status;
  error why(status == 403 ? errc::source_blocked : errc::source_unavailable);
  if (retry_after > 0s) why.retry_after = retry_after;
  server.suspended.failed(source, shared_search(), url, why, &answer, steady_now());
}

/// For how long it leaves the source alone; zero where it would ask.
std::chrono::seconds time_left(const sharing_server& server, const std::string& url,
                               operation asked = shared_operation,
                               const sources::descriptor& source = shared_source) {
  const auto refused = server.suspended.refusal(source, asked, url, steady_now());
  return refused ? refused->retry_after.value() : 0s;
}

bool all_leave(const sharing_servers& servers, const std::string& url) {
  return std::ranges::all_of(servers.all,
                             [&](const auto& one) { return time_left(*one, url) > 0s; });
}

const std::string shared_url = "https://one.example/x";

}  // namespace

TEST_CASE("what one server is refused all leave alone, for as long, and until one ends it") {
  if (has_no_redis()) return;
  sharing_servers of;
  refuse_at(*of.all[0], 429, shared_url, 1000s);
  REQUIRE(eventually([&] { return all_leave(of, shared_url); }));
  for (const auto& one : of.all) {
    CHECK(time_left(*one, shared_url) <= 1000s);
    CHECK(time_left(*one, shared_url) > 900s);
    CHECK(
        one->suspended.refusal(shared_source, shared_operation, shared_url, steady_now())->code() ==
        errc::source_unavailable);
    CHECK(time_left(*one, "https://other.example/x") == 0s);
  }
  // A longer one goes before it, also where another one says so; a shorter one does not.
  refuse_at(*of.all[1], 429, shared_url, 5000s);
  REQUIRE(eventually([&] {
    return time_left(*of.all[0], shared_url) > 4000s && time_left(*of.all[2], shared_url) > 4000s;
  }));
  refuse_at(*of.all[2], 429, shared_url, 10s);
  of.all[2]->suspended.succeeded(shared_source, shared_operation, shared_url);
  CHECK(eventually([&] {
    return time_left(*of.all[0], shared_url) == 0s && time_left(*of.all[1], shared_url) == 0s;
  }));
}

TEST_CASE("a denial is of its endpoint on every server, an open breaker of the source") {
  if (has_no_redis()) return;
  sharing_servers of;
  refuse_at(*of.all[0], 403, shared_url);
  REQUIRE(eventually([&] { return all_leave(of, shared_url); }));
  CHECK(time_left(*of.all[1], shared_url, operation::microblog_users_posts) == 0s);
  of.all[2]->suspended.opened(shared_source, "https://two.example/x", 60s, steady_now());
  REQUIRE(eventually([&] { return all_leave(of, "https://two.example/y"); }));
  CHECK(time_left(*of.all[0], "https://two.example/y", operation::microblog_users_posts) > 50s);
}

TEST_CASE("no secret of a feed's address is told, and each address is its own") {
  if (has_no_redis()) return;
  sharing_servers of;
  const std::string secret = "https://one.example/feed?token=hush";
  refuse_at(*of.all[0], 500, secret, 1000s, shared_feeds);
  REQUIRE(eventually(
      [&] { return time_left(*of.all[1], secret, shared_operation, shared_feeds) > 0s; }));
  CHECK(time_left(*of.all[1], "https://one.example/feed?token=other", shared_operation,
                  shared_feeds) == 0s);
  const std::string told = of.redis.ask("XRANGE test:suspensions - +");
  CHECK(told.find("https://one.example/feed") != std::string::npos);
  CHECK(told.find("hush") == std::string::npos);
}

TEST_CASE("a server that starts anew hears what holds still, and nothing else") {
  if (has_no_redis()) return;
  sharing_servers of;
  refuse_at(*of.all[0], 429, shared_url, 1000s);
  refuse_at(*of.all[0], 429, "https://over.example/x", 1000s);
  of.all[0]->suspended.succeeded(shared_source, shared_operation, "https://over.example/x");
  sharing_server fresh(of.redis, freshet::test::patience);
  REQUIRE(eventually([&] { return time_left(fresh, shared_url) > 0s; }));
  CHECK(time_left(fresh, "https://over.example/x") == 0s);
}

TEST_CASE("without Redis each server knows its own, and they share again when it is back") {
  if (has_no_redis()) return;
  sharing_servers of;
  refuse_at(*of.all[0], 429, shared_url, 1000s);
  REQUIRE(eventually([&] { return all_leave(of, shared_url); }));
  of.redis.kill();
  REQUIRE(of.are_all(false));
  const std::string alone = "https://alone.example/x";
  refuse_at(*of.all[0], 429, alone, 1000s);
  CHECK(time_left(*of.all[0], alone) > 0s);
  of.redis.start();
  REQUIRE(of.are_all(true));
  const std::string fresh = "https://fresh.example/x";
  refuse_at(*of.all[2], 429, fresh, 1000s);
  CHECK(eventually([&] { return all_leave(of, fresh); }));
  CHECK(all_leave(of, shared_url));
  CHECK(time_left(*of.all[1], alone) == 0s);
}

TEST_CASE("a Redis that has lost its memory and whose clock was put back is heard") {
  if (has_no_redis()) return;
  sharing_servers of;
  REQUIRE(of.redis.ask("XADD test:suspensions 99999999999999-1 text x ends 0").starts_with("$"));
  const auto have_all_read = [&] {
    return std::ranges::all_of(
        of.all, [](const auto& one) { return one->sharing.count().suspensions_heard > 0; });
  };
  std::string line = "XADD test:suspensions 99999999999999-2 text \"one\\nb.example\\n\\n0\\n";
  REQUIRE(of.redis.ask(line + "source_timeout\" ends 0").starts_with("$"));
  REQUIRE(eventually(have_all_read));
  REQUIRE(of.redis.ask("FLUSHALL") == "+OK\r\n");
  refuse_at(*of.all[0], 429, shared_url, 1000s);
  CHECK(eventually([&] { return all_leave(of, shared_url); }));
}

TEST_CASE("what is told wrongly or by another version is passed over") {
  if (has_no_redis()) return;
  sharing_servers of;
  for (const char* const text :
       {"", "one", "one|one.example||9|source_unavailable", "one|one.example||0|no_such_code",
        "one|one.example|microblog/no_such|0|source_unavailable"}) {
    std::string told(text);
    std::ranges::replace(told, '|', '\n');
    std::string line =
        "EVAL \"return redis.call('XADD', KEYS[1], '*', 'text', ARGV[1], 'ends', "
        "'99999999999999')\" 1 test:suspensions \"";
    for (const char c : told) line += c == '\n' ? std::string("\\n") : std::string(1, c);
    REQUIRE(of.redis.ask(line + "\"").starts_with("$"));
  }
  refuse_at(*of.all[0], 429, "https://last.example/x", 1000s);
  REQUIRE(eventually([&] { return all_leave(of, "https://last.example/x"); }));
  CHECK(of.all[1]->suspended.list(steady_now()).size() == 1);
}
