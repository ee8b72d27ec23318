// What Bluesky is asked: names, posts by id and by address, pages, words.
#include <catch2/catch.hpp>
#include <sources/bluesky/wire.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::bluesky {

using test::code_of;
namespace bsky = freshet::sources::bluesky;

namespace {

call user_call(std::string name) {
  call what;
  what.op = catalog::operation::microblog_users_posts;
  what.username = std::move(name);
  return what;
}

constexpr auto did = "did:plc:duyfe4bgkhoq3vhlleezam2n";

}  // namespace

TEST_CASE("bluesky: what cannot be a handle is not asked for") {
  for (const auto name : {"alice", "alice@mastodon.example", "", ".", "a..b", "-a.test", "a-.test",
                          "alice.123", "ali ce.test", "alice.test/../x", "älice.test",
                          "did:plc:", "did:", "did:PLC:abc", "did:plc:a/b", "nobody.test\n"}) {
    CAPTURE(name);
    CHECK(code_of(bsky::plan_lookup(user_call(name), {}, "")) == errc::not_found);
    CHECK(code_of(bsky::plan_timeline(user_call(name), {}, "")) == errc::not_found);
  }
  CHECK(code_of(bsky::plan_lookup(user_call(std::string(250, 'a') + ".test"), {}, "")) ==
        errc::not_found);
}

TEST_CASE("bluesky: profiles and timelines come from the public AppView") {
  const auto lookup = bsky::plan_lookup(user_call("alice.test"), {}, "");
  REQUIRE(lookup.has_value());
  CHECK(lookup->url ==
        "https://public.api.bsky.app/xrpc/app.bsky.actor.getProfile?actor=alice.test");
  CHECK(lookup->method == "GET");
  CHECK(bsky::plan_lookup(user_call(did), {}, "")->url ==
        "https://public.api.bsky.app/xrpc/app.bsky.actor.getProfile"
        "?actor=did%3Aplc%3Aduyfe4bgkhoq3vhlleezam2n");

  auto what = user_call("alice.test");
  what.limit = 500;
  settings with;
  with.base_url = "http://127.0.0.1:2584/prefix";
  CHECK(bsky::plan_timeline(what, with, "17__a&b")->url ==
        "http://127.0.0.1:2584/prefix/xrpc/app.bsky.feed.getAuthorFeed?actor=alice.test&limit=100"
        "&cursor=17__a%26b");
}

TEST_CASE("bluesky: a search goes where searches are answered") {
  call what;
  what.op = catalog::operation::microblog_search;
  what.q = test::query_of("storm \"tide gauge\" -rain from:bob");
  what.lang = "en";
  what.since = time_point{std::chrono::sys_days{std::chrono::year{2026} / 10 / 25}};
  settings with;
  const auto query =
      "/xrpc/app.bsky.feed.searchPosts?q=storm%20%22tide%20gauge%22%20%22from%3Abob%22"
      "&sort=latest&limit=20&since=2026-10-25T00%3A00%3A00Z&lang=en";
  CHECK(bsky::plan_search(what, with, "")->url == std::string("https://api.bsky.app") + query);
  with.base_url = bsky::public_appview;
  CHECK(bsky::plan_search(what, with, "")->url == std::string("https://api.bsky.app") + query);
  with.base_url = "https://appview.example";
  CHECK(bsky::plan_search(what, with, "25")->url ==
        std::string("https://appview.example") + query + "&cursor=25");
  CHECK(http::find_header(bsky::plan_search(what, with, "")->headers, "authorization").empty());
}

TEST_CASE("bluesky: with an account, a search begins with a session") {
  call what;
  what.op = catalog::operation::microblog_search;
  what.q = test::query_of("climate");
  settings with;
  with.values = {{"identifier", "alice.test"}, {"app_password", "abcd-\"efgh"}};
  const auto session = bsky::plan_search(what, with, "");
  REQUIRE(session.has_value());
  CHECK(session->method == "POST");
  CHECK(session->url == "https://bsky.social/xrpc/com.atproto.server.createSession");
  CHECK(session->body == R"({"identifier":"alice.test","password":"abcd-\"efgh"})");
  CHECK(session->redirect_limit == 0);
  CHECK(!session->cacheable);
  CHECK(!session->repeatable);
  CHECK(session->keep_for == bsky::session_kept);

  with.values["identifier"] = "@alice.test";
  CHECK(bsky::plan_search(what, with, "")->body == session->body);
  with.values["identifier"] = "alice@example.com";
  CHECK(bsky::plan_search(what, with, "")->body.find(R"("alice@example.com")") !=
        std::string::npos);

  with.values["pds_url"] = "http://127.0.0.1:2583";
  CHECK(bsky::plan_search(what, with, "")->url ==
        "http://127.0.0.1:2583/xrpc/com.atproto.server.createSession");
  const auto next = test::follow_of(
      bsky::read_search({what, with, test::answer_of(200, R"({"accessJwt":"a.b.c"})"), "25", ""}));
  CHECK(next.request.url ==
        "http://127.0.0.1:2583/xrpc/app.bsky.feed.searchPosts?q=climate&sort=latest&limit=20"
        "&cursor=25");
  CHECK(http::find_header(next.request.headers, "authorization") == "Bearer a.b.c");
  CHECK(next.request.redirect_limit == 0);
  for (const auto body : {R"({})", R"({"accessJwt":"a\r\nX: y"})", R"({"accessJwt":7})", "[]"}) {
    const auto bad = bsky::read_search({what, with, test::answer_of(200, body), "", ""});
    REQUIRE(bad.has_error());
    CHECK(bad.error().code() == errc::source_error);
  }
}

TEST_CASE("bluesky: a session that has ended is opened anew, once") {
  call what;
  what.op = catalog::operation::microblog_search;
  what.q = test::query_of("climate");
  settings with;
  with.values = {{"identifier", "alice.test"}, {"app_password", "abcd"}};
  const auto session = [&](std::string token, std::string_view state) {
    return test::follow_of(bsky::read_search(
        {what, with, test::answer_of(200, R"({"accessJwt":")" + token + R"("})"), "25", state}));
  };
  for (const auto& refusal :
       {test::answer_of(400, R"({"error":"ExpiredToken","message":"Token has expired"})"),
        test::answer_of(400, R"({"error":"InvalidToken","message":"Token could not be verified"})"),
        test::answer_of(401, R"({"error":"AuthMissing"})")}) {
    const auto searching = session("old", "");
    const auto again =
        test::follow_of(bsky::read_search({what, with, refusal, "25", searching.state}));
    CHECK(again.request.url == "https://bsky.social/xrpc/com.atproto.server.createSession");
    CHECK(again.request.refused == "old");
    CHECK(again.request.keep_for == bsky::session_kept);
    const auto last = session("new", again.state);
    CHECK(http::find_header(last.request.headers, "authorization") == "Bearer new");
    CHECK(last.request.url.ends_with("&cursor=25"));
    const auto refused = bsky::read_search({what, with, refusal, "25", last.state});
    REQUIRE(refused.has_error());
    CHECK(refused.error().code() == errc::source_auth_required);
    // A wrong password is no session that has ended.
    const auto wrong = bsky::read_search({what, with, refusal, "25", ""});
    REQUIRE(wrong.has_error());
    CHECK(wrong.error().code() == errc::source_auth_required);
  }
  const auto bad =
      bsky::read_search({what, with, test::answer_of(400, R"({"error":"InvalidRequest"})"), "25",
                         session("old", "").state});
  REQUIRE(bad.has_error());
  CHECK(bad.error().code() == errc::source_error);
}

TEST_CASE("bluesky: an account that is gone is no search without posts") {
  call what;
  what.op = catalog::operation::microblog_search;
  what.q = test::query_of("climate");
  settings with;
  with.values = {{"identifier", "alice.test"}, {"app_password", "abcd"}};
  const auto session = test::follow_of(
      bsky::read_search({what, with, test::answer_of(200, R"({"accessJwt":"a.b.c"})"), "", ""}));
  for (const auto& gone :
       {test::answer_of(400, R"({"error":"AccountDeactivated","message":"It is deactivated"})"),
        test::answer_of(400, R"({"error":"InvalidRequest","message":"Could not find repo"})"),
        test::answer_of(403, R"({"error":"AccountNotFound","message":"Account not found"})")}) {
    for (const std::string& state : {std::string(), session.state}) {
      const auto read = bsky::read_search({what, with, gone, "", state});
      REQUIRE(read.has_error());
      CHECK(read.error().code() == errc::source_auth_required);
    }
  }
}

TEST_CASE("bluesky: a thread is found by at-URI and by its page") {
  call what;
  what.op = catalog::operation::microblog_posts_replies;
  const auto thread =
      "https://public.api.bsky.app/xrpc/app.bsky.feed.getPostThread?uri=at%3A%2F%2F"
      "did%3Aplc%3Aduyfe4bgkhoq3vhlleezam2n%2Fapp.bsky.feed.post%2F3n2s6qo4vbc2q&depth=200"
      "&parentHeight=0";
  what.native_id = std::string("at://") + did + "/app.bsky.feed.post/3n2s6qo4vbc2q";
  CHECK(bsky::plan_replies(what, {}, "")->url == thread);
  what.native_id.clear();
  what.url = std::string("https://bsky.app/profile/") + did + "/post/3n2s6qo4vbc2q?ref=x#y";
  CHECK(bsky::plan_replies(what, {}, "")->url == thread);
  what.url = "https://bsky.app/profile/alice.test/post/3n2s6qo4vbc2q/liked-by";
  CHECK(bsky::plan_replies(what, {}, "")->url ==
        "https://public.api.bsky.app/xrpc/com.atproto.identity.resolveHandle?handle=alice.test");
  const auto next = test::follow_of(bsky::read_replies(
      {what, {}, test::answer_of(200, std::string(R"({"did":")") + did + "\"}"), "", ""}));
  CHECK(next.request.url == thread);

  for (const auto url :
       {"https://bsky.app/profile/alice.test", "https://example.org/profile/alice.test/post/3n2s",
        "https://bsky.app/profile/alice/post/3n2s", "https://bsky.app/profile/alice.test/post/%2F",
        "https://mastodon.social/@alice/1", "", "at://x"}) {
    CAPTURE(url);
    what.url = url;
    CHECK(code_of(bsky::plan_replies(what, {}, "")) == errc::not_found);
  }
  what.url.clear();
  for (const auto id : {"3n2s6qo4vbc2q", "at://did:plc:x/app.bsky.feed.like/3n2s", "at://a/b",
                        "at://did:plc:x/app.bsky.feed.post/a%20b", "mastodon.social/1"}) {
    CAPTURE(id);
    what.native_id = id;
    CHECK(code_of(bsky::plan_replies(what, {}, "")) == errc::not_found);
  }
}

}  // namespace freshet::sources::bluesky
