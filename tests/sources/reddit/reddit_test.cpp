// What Reddit is asked, with a token and without, and its sandbox to the end.
#include <catch2/catch.hpp>
#include <sources/reddit/reddit_rig.hpp>
#include <sources/reddit/wire.hpp>

namespace freshet::sources::reddit {

using namespace test::forum_calls;

namespace {

const http::response token = test::answer_of(
    200, R"({"access_token":"t-1","token_type":"bearer","expires_in":86400,"scope":"*"})");

}  // namespace

TEST_CASE("Without an application Reddit's feeds are asked") {
  auto what = search_for("climate \"tide gauge\" -fish title:x");
  CHECK(keyless_rig.planned(what) ==
        "https://www.reddit.com/search.rss?q=climate%20%22tide%20gauge%22%20%22title%3Ax%22"
        "&sort=relevance&t=all&type=link&limit=20");
  what.q = test::query_of("x");
  what.since = sandbox_now - std::chrono::hours{24};
  CHECK(keyless_rig.planned(what) ==
        "https://www.reddit.com/search.rss?q=x&sort=new&t=week&type=link&limit=20");
  what.community = "Coast_1";
  CHECK(rig.configured({"http://127.0.0.1:1/r", {{"base_url", "http://127.0.0.1:1/r"}}})
            .planned(what) ==
        "http://127.0.0.1:1/r/r/Coast_1/search.rss?q=x&sort=new&t=week&type=link&limit=20"
        "&restrict_sr=1");
  CHECK(keyless_rig.planned(comments_of("abc")) ==
        "https://www.reddit.com/comments/abc.rss?sort=confidence&limit=500");
  // With a user's own feeds: as their addresses say it.
  const auto own = rig.configured({"", {{"feed_token", "f1"}, {"feed_user", "alder"}}});
  CHECK(own.planned(search_for("x")).ends_with("&limit=20&feed=f1&user=alder"));
  CHECK(own.planned(comments_of("abc")).ends_with("&limit=500&feed=f1&user=alder"));
  CHECK(rig.configured({"", {{"feed_token", "f1"}}}).planned(search_for("x")).find("feed=") ==
        std::string::npos);
  CHECK(reddit::plan_search(what, keyless, "t3_1a2b")->url.ends_with("&after=t3_1a2b"));
  for (const auto* bad : {"x", "t1_abc", "t3_", "t3_A", "t3_a&b"}) {
    CHECK(reddit::plan_search(what, keyless, bad).error().code() == errc::invalid_cursor);
  }
}

TEST_CASE("With an application a token comes first, and is kept") {
  const auto request = reddit::plan_search(search_for("x"), keyed, "");
  CHECK(request->method == "POST");
  CHECK(request->url == "https://www.reddit.com/api/v1/access_token");
  CHECK(request->body == "grant_type=client_credentials");
  CHECK(http::find_header(request->headers, "Authorization") == "Basic aWQ6cw==");
  CHECK(request->keep_for.count() > 0);
  auto elsewhere = keyed;
  elsewhere.values["token_url"] = "http://127.0.0.1:2/token";
  CHECK(rig.configured(elsewhere).planned(search_for("x")) == "http://127.0.0.1:2/token");
  const auto next = test::follow_of(reddit::read_search({search_for("x"), keyed, token, "", ""}));
  CHECK(next.request.url ==
        "https://oauth.reddit.com/search?q=x&sort=relevance&t=all&type=link&limit=20"
        "&include_over_18=on&raw_json=1");
  CHECK(http::find_header(next.request.headers, "Authorization") == "Bearer t-1");
  CHECK(next.request.redirect_limit == 0);
  const auto thread =
      test::follow_of(reddit::read_comments({comments_of("abc"), keyed, token, "", ""}));
  CHECK(thread.request.url ==
        "https://oauth.reddit.com/comments/abc?sort=confidence&limit=500&raw_json=1");
}

TEST_CASE("A refused token is asked for anew, once") {
  const auto what = search_for("x");
  const auto refused = test::answer_of(401, R"({"message": "Unauthorized", "error": 401})");
  const auto first = test::follow_of(reddit::read_search({what, keyed, token, "", ""}));
  const auto again = test::follow_of(reddit::read_search({what, keyed, refused, "", first.state}));
  CHECK(again.request.method == "POST");
  CHECK(again.request.refused == "t-1");
  const auto second = test::follow_of(reddit::read_search({what, keyed, token, "", again.state}));
  CHECK(reddit::read_search({what, keyed, refused, "", second.state}).error().code() ==
        errc::source_auth_required);
  const auto code = [&](int status, const char* body) {
    return reddit::read_search({what, keyed, test::answer_of(status, body), "", ""}).error().code();
  };
  CHECK(code(401, R"({"message":"Unauthorized","error":401})") == errc::source_auth_required);
  CHECK(code(200, R"({"error":"invalid_grant"})") == errc::source_auth_required);
  CHECK(code(400, R"({"error":"unsupported_grant_type"})") == errc::source_auth_required);
  CHECK(code(200, "{}") == errc::source_error);
  CHECK(code(200, R"({"access_token":"a b"})") == errc::source_error);
}

TEST_CASE("A window of time covers since, and leaves room for its edge") {
  auto what = search_for("x");
  const auto window = [&](std::chrono::hours age) {
    what.since = sandbox_now - age;
    return *base::query_parameter(base::parse_url(keyless_rig.planned(what))->query, "t");
  };
  using namespace std::chrono_literals;
  CHECK(window(0h) == "hour");
  CHECK(window(1h) == "day");
  CHECK(window(23h) == "day");
  CHECK(window(24h) == "week");
  CHECK(window(168h) == "month");
  CHECK(window(24h * 100) == "year");
  CHECK(window(24h * 800) == "all");
}

TEST_CASE("Communities and posts of Reddit are named by its own addresses only") {
  auto what = search_for("x");
  const auto path = [&](std::string community) {
    what.community = std::move(community);
    const auto url = base::parse_url(keyless_rig.planned(what));
    return url ? url->path : keyless_rig.planned(what);
  };
  CHECK(path("all") == "/search.rss");
  CHECK(path("") == "/search.rss");
  CHECK(path("AskScience") == "/r/AskScience/search.rss");
  CHECK(path("coast@reddit.com") == "/r/coast/search.rss");
  CHECK(path("coast@www.Reddit.com") == "/r/coast/search.rss");
  for (const auto* other : {"coast@lemmy.world", "a", "no-dash",
                            "a_name_that_is_far_too_long_for_it", "@reddit.com", "forum.example"}) {
    INFO(other);
    CHECK(path(other) == "not_found");
  }
  const std::string thread =
      "https://www.reddit.com/comments/1j7g9uj.rss?sort=confidence&limit=500";
  CHECK(keyless_rig.planned(comments_of("1j7g9uj")) == thread);
  CHECK(keyless_rig.planned(comments_of("t3_1j7g9uj")) == thread);
  for (const auto* address :
       {"https://www.reddit.com/r/x/comments/1j7g9uj/a_title/", "https://redd.it/1j7g9uj",
        "http://old.reddit.com/r/x/comments/1j7g9uj/a_title/myngt77/?context=3",
        "https://reddit.com/comments/1j7g9uj", "https://www.reddit.com/gallery/1j7g9uj",
        "https://www.reddit.com/user/x/comments/1j7g9uj/t/"}) {
    INFO(address);
    CHECK(keyless_rig.planned(comments_of("", address)) == thread);
  }
  for (const auto* address :
       {"https://www.reddit.com/r/x/", "https://evilreddit.com/comments/1j7g9uj",
        "https://redd.it/", "https://www.reddit.com/comments/ABC", "x", "https://redd.it/a/b"}) {
    INFO(address);
    CHECK(keyless_rig.planned(comments_of("", address)) == "not_found");
  }
  CHECK(keyless_rig.planned(comments_of("t1_abc")) == "not_found");
  CHECK(keyless_rig.planned(comments_of("a/b")) == "not_found");
}

TEST_CASE("The sandbox of Reddit's feeds walks as the pipeline would") {
  test::sandbox box("reddit");
  int pages = 0;
  const auto all = box.walk(rig.source(), search_for("climate"), keyless, pages);
  CHECK(pages == 2);
  CHECK(all.size() == 26);
  const auto& link = std::get<forum_post>(all[0]);
  CHECK(link.link_url == "https://coast.example/story/0?a=1&b=2");
  CHECK(link.text.empty());
  CHECK(link.author.handle == "tidewatcher");
  CHECK(link.community == "coast");
  const auto& text = std::get<forum_post>(all[1]);
  CHECK(text.text.starts_with("Nine years of one line a day & I would do it again. "));
  CHECK(text.links == std::vector<std::string>{"https://data.example/1"});
  CHECK(text.link_url.empty());
  CHECK(box.walk(rig.source(), search_for("\"tide gauge\""), keyless, pages).size() == 2);
  auto what = search_for("climate");
  what.community = "coast";
  for (const auto& one : box.walk(rig.source(), what, keyless, pages)) {
    CHECK(std::get<forum_post>(one).community == "coast");
  }
  const auto& how = rig.source().capabilities;
  what.community = "nosuchplace";
  CHECK(box.page(how[0], what, keyless, "").error().code() == errc::not_found);
  const auto quota = box.page(how[0], search_for("quota"), keyless, "");
  CHECK(quota.error().code() == errc::source_unavailable);
  CHECK(quota.error().retry_after == std::chrono::seconds{42});
  const auto thread = box.walk(rig.source(), comments_of("1t0259"), keyless, pages);
  CHECK(pages == 2);
  REQUIRE(thread.size() == 24);
  CHECK(common(thread[0]).text == "Nine years! What do you do <on holidays> & when you are ill?");
  CHECK(box.page(how[1], comments_of("404404"), keyless, "").error().code() == errc::not_found);
}

TEST_CASE("The sandbox of Reddit's API walks as the pipeline would") {
  test::sandbox box("reddit");
  int pages = 0;
  const auto all = box.walk(rig.source(), search_for("climate"), keyed, pages);
  CHECK(pages == 2);
  CHECK(all.size() == 24);
  const auto thread = box.walk(rig.source(), comments_of("1t0259"), keyed, pages);
  CHECK(pages == 1);
  std::string ids;
  for (const auto& any : thread) {
    const auto& one = std::get<comment>(any);
    ids += one.id.substr(std::string("reddit:").size()) + std::to_string(one.depth) + " ";
  }
  // na3 is deleted, with nothing below it.
  CHECK(ids == "na10 na21 na62 na51 na40 ");
}

}  // namespace freshet::sources::reddit
