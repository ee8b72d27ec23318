// Cookies of a chain of redirects: sent to whom they are for while it lasts, and to nobody after.
#include <catch2/catch.hpp>
#include <support/loopback_server.hpp>
#include <support/print_result.hpp>

#include "loopback_stack.hpp"
#include "waiting.hpp"

using namespace freshet;
using namespace freshet::http;
using namespace freshet::test;

namespace {

using header_list = loopback_server::header_list;

/// Answers with the cookies that were sent, as the body.
void tell_cookies(loopback_server& server, const std::string& path, int status = 200,
                  const header_list& fields = {}) {
  server.on(path, [status, fields](const auto& seen, loopback_server::connection& to) {
    to.send(loopback_server::answer(status, seen.header("Cookie"), fields));
  });
}

}  // namespace

TEST_CASE("a site that sends readers round until they have its cookie is read") {
  loopback_server server;
  server.on("/wall", [](const auto& seen, loopback_server::connection& to) {
    const bool has_it = seen.header("Cookie").find("seen=1") != std::string::npos;
    to.send(has_it ? loopback_server::answer(200, "the page")
                   : loopback_server::answer(
                         302, "", {{"Set-Cookie", "seen=1; Path=/"}, {"Location", "/authorize"}}));
  });
  server.reply("/authorize", 302, "", {{"Set-Cookie", "also=2"}, {"Location", "/wall"}});
  const auto stack = stack_over_loopback(0);
  for (int i = 0; i < 3; ++i) {
    const auto got = fetch(*stack, get(server.url("/wall")));
    REQUIRE(got);
    CHECK(got->body == "the page");
    CHECK(got->cookies.empty());
  }
}

TEST_CASE("a cookie goes to whom it is for, while the chain lasts") {
  loopback_server server;
  const auto there = "http://localhost:" + std::to_string(server.port());
  server.reply("/set", 302, "",
               {{"Set-Cookie", "all=1; Path=/"},
                {"Set-Cookie", "deep=2; Path=/deep"},
                {"Set-Cookie", "other=4; Path=/; Domain=example.org"},
                {"Set-Cookie", "past=5; Path=/; Max-Age=0"},
                {"Location", "/deep/on"}});
  tell_cookies(server, "/deep/on", 200);
  CHECK(fetch(*stack_over_loopback(0), get(server.url("/set")))->body == "deep=2; all=1");

  // To another host, and back again.
  server.reply("/out", 302, "", {{"Set-Cookie", "mine=1"}, {"Location", there + "/away"}});
  std::string away = "not asked";
  server.on("/away", [&](const auto& seen, loopback_server::connection& to) {
    away = seen.header("Cookie");
    to.send(loopback_server::answer(
        302, "", {{"Set-Cookie", "theirs=2"}, {"Location", server.url("/back")}}));
  });
  tell_cookies(server, "/back");
  CHECK(fetch(*stack_over_loopback(0), get(server.url("/out")))->body == "mine=1");
  CHECK(away.empty());
}

TEST_CASE("nothing of a chain is left for the next request, nor of an answer for anybody") {
  loopback_server server;
  server.reply("/set", 302, "", {{"Set-Cookie", "a=1; Path=/"}, {"Location", "/page"}});
  tell_cookies(server, "/page", 200, {{"Set-Cookie", "b=2; Path=/"}});
  server.reply("/on", 302, "", {{"Location", "/page"}});
  const auto stack = stack_over_loopback(0);
  for (int i = 0; i < 3; ++i) {
    CHECK(fetch(*stack, get(server.url("/set")))->body == "a=1");
    CHECK(fetch(*stack, get(server.url("/page")))->body.empty());
    CHECK(fetch(*stack, get(server.url("/on")))->body.empty());
  }
  request own = get(server.url("/set"));
  own.headers.push_back({"Cookie", "mine=3"});
  CHECK(fetch(*stack, own)->body == "mine=3");
  request last = get(server.url("/set"));
  last.redirect_limit = 0;
  const auto told = fetch(*stack, last);
  CHECK(told->status == 302);
  CHECK(told->cookies.empty());
}
