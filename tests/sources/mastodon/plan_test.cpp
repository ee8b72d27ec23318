// What an instance of Mastodon is asked: names, tags, posts by id and by address, pages.
#include <catch2/catch.hpp>
#include <sources/mastodon/wire.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::mastodon {

using catalog::operation;
using test::call_of;
using test::code_of;
namespace masto = freshet::sources::mastodon;

namespace {

std::string lookup_url(std::string name, const settings& settings = {}) {
  auto what = call_of(operation::microblog_users_lookup);
  what.username = std::move(name);
  const auto planned = masto::plan_lookup(what, settings, "");
  REQUIRE(planned.has_value());
  return planned->url;
}

std::string tag_url(std::string_view q) {
  auto what = call_of(operation::microblog_search);
  what.q = test::query_of(q);
  const auto planned = masto::plan_search(what, {}, "");
  REQUIRE(planned.has_value());
  return planned->url;
}

}  // namespace

TEST_CASE("mastodon: a user is asked for at home") {
  const std::string path = "/api/v1/accounts/lookup?acct=";
  CHECK(lookup_url("alice") == "https://mastodon.social" + path + "alice");
  CHECK(lookup_url("alice@mastodon.social") == "https://mastodon.social" + path + "alice");
  CHECK(lookup_url("alice@Mastodon.Example") == "https://mastodon.example" + path + "alice");
  CHECK(lookup_url("a.lice@mastodon.example") == "https://mastodon.example" + path + "a.lice");
  settings with;
  with.base_url = "http://127.0.0.1:3000/masto";
  CHECK(lookup_url("alice", with) == "http://127.0.0.1:3000/masto" + path + "alice");
  CHECK(lookup_url("alice@127.0.0.1:3000", with) == "http://127.0.0.1:3000/masto" + path + "alice");
}

TEST_CASE("mastodon: an instance that a call names holds up nobody else") {
  auto what = call_of(operation::microblog_users_lookup);
  what.username = "alice";
  CHECK(masto::plan_lookup(what, {}, "")->pace_key == "mastodon");
  what.username = "alice@mastodon.example";
  CHECK(masto::plan_lookup(what, {}, "")->pace_key == "mastodon.example");
}

TEST_CASE("mastodon: what no instance can have is not asked for") {
  for (const auto name :
       {"alice.test", "did:plc:abc", "", "@", "alice@", "@host.example", "a@b@c.d",
        "a/b@host.example", "alice@host", "alice@host.example/x", "al ice"}) {
    CAPTURE(name);
    auto what = call_of(operation::microblog_users_lookup);
    what.username = name;
    CHECK(code_of(masto::plan_lookup(what, {}, "")) == errc::not_found);
    CHECK(code_of(masto::plan_timeline(what, {}, "")) == errc::not_found);
  }
  for (const auto url :
       {"https://mastodon.social/@alice", "https://medium.com/@alice/my-story-1a2b",
        "https://www.tiktok.com/@alice/video/7", "https://bsky.app/profile/a.b/post/c",
        "ftp://mastodon.social/@alice/1", "not a url"}) {
    CAPTURE(url);
    auto what = call_of(operation::microblog_posts_replies);
    what.url = url;
    CHECK(code_of(masto::plan_replies(what, {}, "")) == errc::not_found);
  }
  for (const auto id : {"1", "mastodon.social/", "mastodon.social/a/b", "/1", "host/1"}) {
    CAPTURE(id);
    auto what = call_of(operation::microblog_posts_replies);
    what.native_id = id;
    CHECK(code_of(masto::plan_replies(what, {}, "")) == errc::not_found);
  }
}

TEST_CASE("mastodon: a status is asked for at the instance of its id or page") {
  auto what = call_of(operation::microblog_posts_replies);
  const std::string context = "https://mastodon.example/api/v1/statuses/117/context";
  for (const auto url :
       {"https://mastodon.example/@alice/117",
        "https://mastodon.example/@alice@other.example/117?x=1",
        "https://mastodon.example/users/alice/statuses/117",
        "https://mastodon.example/web/@alice/117", "https://mastodon.example/deck/@alice/117#reply",
        "https://mastodon.example/ap/users/9/statuses/117"}) {
    CAPTURE(url);
    what.url = url;
    CHECK(masto::plan_replies(what, {}, "")->url == context);
  }
  what.url.clear();
  what.native_id = "mastodon.example/117";
  CHECK(masto::plan_replies(what, {}, "")->url == context);
}

TEST_CASE("mastodon: a search without a token is a hashtag timeline") {
  const std::string tags = "https://mastodon.social/api/v1/timelines/tag/";
  CHECK(tag_url("climate") == tags + "climate?limit=20");
  CHECK(tag_url("\"tide gauge\" sensors") == tags + "tide?limit=20");
  CHECK(tag_url("sensors #tides") == tags + "tides?limit=20");
  CHECK(tag_url("-rain data-rescue") == tags + "data?limit=20");
  CHECK(tag_url("天気") == tags + "%E5%A4%A9%E6%B0%97?limit=20");
  auto what = call_of(operation::microblog_search);
  what.q = test::query_of("42");
  CHECK(code_of(masto::plan_search(what, {}, "")) == errc::source_auth_required);
  what.q = test::query_of("climate");
  what.limit = 100;
  CHECK(masto::plan_search(what, {}, "m117")->url == tags + "climate?limit=40&max_id=117");
  for (const auto position : {"o20", "117", "m", "mx&y=1", "m/../1"}) {
    CAPTURE(position);
    CHECK(code_of(masto::plan_search(what, {}, position)) == errc::invalid_cursor);
  }
  CHECK(masto::is_tag_query(test::query_of("#tides")));
  CHECK(!masto::is_tag_query(test::query_of("tides")));
  CHECK(!masto::is_tag_query(test::query_of("#tides pier")));
}

TEST_CASE("mastodon: the token goes to its own instance only") {
  settings with;
  with.base_url = "https://mastodon.social";
  with.values = {{"token", "secret"},
                 {"instances", "https://mastodon.social/,https://fosstodon.org"}};
  auto what = call_of(operation::microblog_search);
  what.q = test::query_of("storm \"tide gauge\" -rain from:bob");
  what.since = time_point{std::chrono::sys_days{std::chrono::year{2026} / 10 / 25}};
  what.lang = "pt-BR";
  const auto search = masto::plan_search(what, with, "o40");
  REQUIRE(search.has_value());
  CHECK(search->url ==
        "https://mastodon.social/api/v2/search?q=storm%20%22tide%20gauge%22%20-rain%20"
        "%22from%3Abob%22%20after%3A2026-10-24%20language%3Apt&type=statuses&limit=20&offset=40");
  CHECK(http::find_header(search->headers, "authorization") == "Bearer secret");
  CHECK(search->redirect_limit == 0);

  auto second = with;
  second.base_url = "https://fosstodon.org";
  const auto tag = masto::plan_search(what, second, "");
  CHECK(tag->url.find("/timelines/tag/storm") != std::string::npos);
  CHECK(http::find_header(tag->headers, "authorization").empty());
  auto lookup = call_of(operation::microblog_users_lookup);
  lookup.username = "alice@mastodon.example";
  CHECK(http::find_header(masto::plan_lookup(lookup, with, "")->headers, "authorization").empty());
  lookup.username = "alice";
  CHECK(!http::find_header(masto::plan_lookup(lookup, with, "")->headers, "authorization").empty());
}

TEST_CASE("mastodon: each instance has a token of its own") {
  const auto token_at = [](std::string base, std::string tokens, std::string name = "alice") {
    settings with;
    with.base_url = std::move(base);
    with.values = {{"token", std::move(tokens)},
                   {"instances",
                    "https://mastodon.social,https://fosstodon.org,"
                    "http://127.0.0.1:3000"}};
    auto lookup = call_of(operation::microblog_users_lookup);
    lookup.username = std::move(name);
    const auto planned = masto::plan_lookup(lookup, with, "");
    REQUIRE(planned.has_value());
    const std::string sent(http::find_header(planned->headers, "authorization"));
    CHECK(planned->redirect_limit == (sent.empty() ? http::max_redirects : 0));
    return sent;
  };
  const std::string tokens = "fosstodon.org=f, 127.0.0.1:3000=l=, plain";
  CHECK(token_at("https://fosstodon.org", tokens) == "Bearer f");
  CHECK(token_at("http://127.0.0.1:3000", tokens) == "Bearer l=");
  CHECK(token_at("https://mastodon.social", tokens) == "Bearer plain");
  CHECK(token_at("https://mastodon.social", "fosstodon.org=f").empty());
  CHECK(token_at("https://mastodon.social", "mastodon.social=m,plain") == "Bearer m");
  CHECK(token_at("https://fosstodon.org", "mastodon.social=m,plain").empty());
  CHECK(token_at("https://mastodon.social", "abc=") == "Bearer abc=");
  // Another branch of the same call asks the instance that a handle names.
  CHECK(token_at("https://mastodon.social", tokens, "alice@fosstodon.org") == "Bearer f");
  CHECK(token_at("https://mastodon.social", tokens, "alice@evil.example").empty());
  CHECK(token_at("https://mastodon.social", tokens, "alice@evil-fosstodon.org").empty());
}

TEST_CASE("mastodon: a timeline goes on without a second lookup") {
  auto what = call_of(operation::microblog_users_posts);
  what.username = "alice";
  CHECK(masto::plan_timeline(what, {}, "109/117")->url ==
        "https://mastodon.social/api/v1/accounts/109/statuses?limit=20&max_id=117");
  for (const auto position : {"109", "109/", "/117", "1/2/3", "1?/2"}) {
    CAPTURE(position);
    CHECK(code_of(masto::plan_timeline(what, {}, position)) == errc::invalid_cursor);
  }
}

}  // namespace freshet::sources::mastodon
