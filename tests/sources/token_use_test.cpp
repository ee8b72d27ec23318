#include <catch2/catch.hpp>
#include <sources/token_use.hpp>

using namespace freshet;
using namespace freshet::sources;

TEST_CASE("a token is used, renewed once, and then given up") {
  http::request ask;
  ask.method = "POST";
  ask.url = "https://a.test/token";
  http::request what;
  what.url = "https://a.test/search";

  const token_use first = token_use_of("");
  CHECK(!first.has_answer);
  const follow search = use_token(what, "t1", first);
  CHECK(http::find_header(search.request.headers, "authorization") == "Bearer t1");
  CHECK(search.request.redirect_limit == 0);
  CHECK(!search.request.cacheable);

  const token_use used = token_use_of(search.state);
  CHECK(used.has_answer);
  CHECK(used.token == "t1");
  const auto again = renew_token(ask, used);
  REQUIRE(again);
  CHECK(again->request.url == ask.url);
  CHECK(again->request.refused == "t1");

  const token_use renewed = token_use_of(again->state);
  CHECK(!renewed.has_answer);
  const token_use last = token_use_of(use_token(what, "t2", renewed).state);
  CHECK(last.has_answer);
  CHECK(last.token == "t2");
  CHECK(!renew_token(ask, last));
  CHECK(!renew_token(ask, first));
}

TEST_CASE("what cannot be a token") {
  CHECK(is_token("a.b-c_d~e+/="));
  CHECK(!is_token(""));
  CHECK(!is_token("a b"));
  CHECK(!is_token("a\r\nX: y"));
  CHECK(!is_token("\xC3\xA4"));
  CHECK(!is_token(std::string(8193, 'a')));
}
