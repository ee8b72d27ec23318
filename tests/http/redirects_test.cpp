// What a redirect makes of a request, and where it may not lead.
#include <catch2/catch.hpp>
#include <http/redirects.hpp>
#include <support/print_result.hpp>

#include "virtual_scheduler.hpp"
#include "waiting.hpp"

using namespace freshet;
using namespace freshet::http;
using namespace freshet::test;

namespace {

response to(int code, std::string location) {
  return status(code, "", {{"location", std::move(location)}});
}

}  // namespace

TEST_CASE("methods and bodies after a redirect") {
  request post = get("http://a.test/form");
  post.method = "POST";
  post.body = "a=1";
  post.headers = {{"Content-Type", "text/plain"}, {"Accept", "x"}};
  for (const int code : {301, 302, 303}) {
    const auto next = next_hop(post, to(code, "done")).value();
    REQUIRE(next);
    CHECK(next->method == "GET");
    CHECK(next->url == "http://a.test/done");
    CHECK(next->body.empty());
    CHECK(next->headers.size() == 1);
  }
  for (const int code : {307, 308}) {
    const auto next = next_hop(post, to(code, "/x")).value();
    CHECK(next->method == "POST");
    CHECK(next->body == "a=1");
  }
  CHECK_FALSE(next_hop(post, to(300, "/x")).value());
  CHECK_FALSE(next_hop(post, to(304, "/x")).value());
  CHECK_FALSE(next_hop(post, status(302)).value());
}

TEST_CASE("credentials stay with their origin") {
  request asked = get("https://a.test/");
  asked.headers = {{"Authorization", "Bearer s"},
                   {"X-Subscription-Token", "s"},
                   {"Cookie", "s"},
                   {"X-Api-Key", "s"},
                   {"Accept", "x"}};
  CHECK(next_hop(asked, to(302, "/here")).value()->headers.size() == 5);
  for (const char* away : {"https://b.test/", "http://a.test/", "https://a.test:444/", "//b.test/",
                           "https://sub.a.test/"}) {
    INFO(away);
    const auto next = next_hop(asked, to(302, away)).value();
    REQUIRE(next->headers.size() == 1);
    CHECK(next->headers[0].name == "Accept");
  }
}

TEST_CASE("only http and https are followed") {
  for (const char* away : {"file:///etc/passwd", "gopher://a.test/_x", "javascript:alert(1)",
                           "ftp://a.test/", "data:text/plain,x"}) {
    INFO(away);
    const auto next = next_hop(get("http://a.test/"), to(302, away));
    REQUIRE_FALSE(next);
    CHECK(next.error().code() == errc::target_forbidden);
  }
}

TEST_CASE("at most five, or fewer, or none") {
  scripted_transport below;
  below.answer = [](const request& what) { return to(302, what.url + "x"); };
  redirects layer(below);
  const auto asked = [&](int limit) {
    below.asked.clear();
    request what = get("http://a.test/");
    what.redirect_limit = limit;
    return fetch(layer, what);
  };
  CHECK(code_of(asked(5)) == "source_error");
  CHECK(below.asked.size() == 6);
  CHECK(code_of(asked(100)) == "source_error");
  CHECK(below.asked.size() == 6);
  CHECK(code_of(asked(1)) == "source_error");
  CHECK(below.asked.size() == 2);
  CHECK(asked(0)->status == 302);
  CHECK(below.asked.size() == 1);
}

TEST_CASE("cancel reaches the hop that is under way") {
  scripted_transport below;
  redirects layer(below);
  std::uint64_t ticket = 0;
  auto answer = start(layer, get("http://a.test/"), std::chrono::seconds(1), &ticket);
  below.reply(to(302, "/b"));
  layer.cancel(ticket);
  CHECK(code_of(answer.get()) == "cancelled");
  CHECK(below.cancelled == 1);
  request plain = get("http://a.test/");
  plain.redirect_limit = 0;
  answer = start(layer, plain, std::chrono::seconds(1), &ticket);
  layer.cancel(ticket);
  CHECK(code_of(answer.get()) == "cancelled");
  CHECK(below.cancelled == 2);
  layer.cancel(ticket);
  CHECK(below.cancelled == 2);
}
