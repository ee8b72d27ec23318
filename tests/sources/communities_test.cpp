// The posts of a community without words: what every forum is asked in each order, where walks end,
// and recorded lists.
#include <catch2/catch.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources {

using catalog::operation;
using test::code_of;

namespace {

const test::source_rig on_hackernews("hackernews", {"https://hn.algolia.com", {}});
const test::source_rig on_lemmy("lemmy", {"https://lemmy.world", {}});
const test::source_rig on_discourse("discourse", {"https://forum.example", {}});
const test::source_rig on_stackexchange("stackexchange", {"https://api.stackexchange.com", {}});
const test::source_rig on_reddit("reddit", {});
const test::source_rig on_keyed_reddit("reddit", {"https://oauth.reddit.com",
                                                  {{"client_id", "c"}, {"client_secret", "s"}}});

call posts_of(std::string community, std::string sort = "new", int hours = 0) {
  auto made = test::call_of(operation::forum_communities_posts);
  made.community = std::move(community);
  made.sort = std::move(sort);
  if (hours > 0) made.since = made.now - std::chrono::hours{hours};
  return made;
}

/// What is asked behind the first answer.
std::string asked_behind(const test::source_rig& rig, const call& call, std::string_view first) {
  return test::follow_of(rig.read(call, test::answer_of(200, std::string(first)))).request.url;
}

constexpr std::string_view categories =
    R"({"category_list":{"categories":[{"id":7,"slug":"coast"}]}})";

}  // namespace

TEST_CASE("communities: every order has its request") {
  const std::string hn = "https://hn.algolia.com/api/v1/";
  CHECK(
      on_hackernews.planned(posts_of("all")).starts_with(hn + "search_by_date?query=&tags=story&"));
  CHECK(on_hackernews.planned(posts_of("ask", "top", 24))
            .starts_with(hn + "search?query=&tags=ask_hn&"));
  CHECK(
      on_hackernews.planned(posts_of("ask", "top", 24)).ends_with("created_at_i%3E%3D1793448000"));
  CHECK(on_hackernews.planned(posts_of("hn", "hot")).find("tags=story%2Cfront_page&") !=
        std::string::npos);
  CHECK(on_hackernews.planned(posts_of("coast")) == "not_found");

  const auto se = on_stackexchange.planned(posts_of("coast", "top", 24));
  CHECK(se.starts_with("https://api.stackexchange.com/2.3/questions?tagged=coast&sort=votes&"));
  CHECK(se.find("&fromdate=1793448000&") != std::string::npos);
  CHECK(on_stackexchange.planned(posts_of("superuser")).find("?sort=creation&") !=
        std::string::npos);
  CHECK(on_stackexchange.planned(posts_of("all", "hot")).find("?sort=hot&") != std::string::npos);

  CHECK(on_reddit.planned(posts_of("coast")) == "https://www.reddit.com/r/coast/new.rss?limit=20");
  CHECK(on_reddit.planned(posts_of("all", "top", 24 * 6), "t3_abc") ==
        "https://www.reddit.com/r/all/top.rss?limit=20&t=week&after=t3_abc");
  CHECK(on_reddit.planned(posts_of("coast", "hot")).find("&t=") == std::string::npos);
  CHECK(on_reddit.planned(posts_of("coast@lemmy.world")) == "not_found");
  CHECK(asked_behind(on_keyed_reddit, posts_of("coast", "hot"), R"({"access_token":"t-1"})") ==
        "https://oauth.reddit.com/r/coast/hot?limit=20&raw_json=1");
}

TEST_CASE("communities: an instance of Lemmy is asked by its version") {
  const std::string api = "https://lemmy.world/api/";
  constexpr std::string_view old_site = R"({"version":"0.19.12"})";
  constexpr std::string_view new_site = R"({"version":"1.0.2"})";
  CHECK(asked_behind(on_lemmy, posts_of("coast"), old_site) ==
        api + "v3/post/list?type_=All&sort=New&community_name=coast&page=1&limit=20");
  CHECK(asked_behind(on_lemmy, posts_of("all", "top"), old_site) ==
        api + "v3/post/list?type_=All&sort=TopAll&page=1&limit=20");
  const std::pair<int, const char*> windows[] = {
      {1, "TopHour"},        {6, "TopSixHour"},    {24, "TopDay"},      {25, "TopWeek"},
      {24 * 20, "TopMonth"}, {24 * 90, "TopYear"}, {24 * 400, "TopAll"}};
  for (const auto& [hours, order] : windows) {
    INFO(order);
    CHECK(asked_behind(on_lemmy, posts_of("all", "top", hours), old_site)
              .find("&sort=" + std::string(order) + "&") != std::string::npos);
  }
  CHECK(asked_behind(on_lemmy, posts_of("all", "hot"), new_site) ==
        api + "v4/post/list?type_=all&sort=hot&limit=20");
  CHECK(asked_behind(on_lemmy, posts_of("coast", "top", 2), new_site) ==
        api +
            "v4/post/list?type_=all&sort=top&time_range_seconds=7200&community_name=coast"
            "&limit=20");
}

TEST_CASE("communities: a name is a category of a forum, or else a tag") {
  const std::string forum = "https://forum.example";
  CHECK(on_discourse.planned(posts_of("coast")) ==
        forum + "/categories.json?include_subcategories=true");
  CHECK(asked_behind(on_discourse, posts_of("Coast@forum.example"), categories) ==
        forum + "/c/Coast/7/l/latest.json?order=created&page=0");
  CHECK(asked_behind(on_discourse, posts_of("sensors", "hot"), categories) ==
        forum + "/tag/sensors/l/hot.json?page=0");
  CHECK(asked_behind(on_discourse, posts_of("all", "top", 24 * 6), categories) ==
        forum + "/top.json?period=weekly&page=0");
  CHECK(on_discourse.planned(posts_of("coast@other.example")) == "not_found");
  CHECK(on_discourse.planned(posts_of("coast"), "x") == "invalid_cursor");
  CHECK(code_of(on_discourse.read(posts_of("coast"), test::answer_of(200, "{}"))) ==
        errc::source_error);
}

TEST_CASE("communities: the newest end with the first page that is wholly too old") {
  const auto answer = test::answer_of(
      200,
      R"({"users":[{"id":3,"username":"brin"}],"topic_list":{"more_topics_url":"/latest?page=1",
      "topics":[{"id":5,"title":"Old","slug":"old","created_at":"2026-10-01T00:00:00Z",
      "posts_count":4,"views":9,"like_count":2,"category_id":7,"posters":[{"user_id":3}]}]}})");
  const std::string known = R"({"7":"coast"})";
  const auto newest =
      test::listing_of(on_discourse.read(posts_of("coast", "new", 24), answer, "", known));
  CHECK(newest.next.empty());
  const auto best =
      test::listing_of(on_discourse.read(posts_of("coast", "top", 24), answer, "", known));
  CHECK(best.next == "1");
  const auto& post = std::get<forum_post>(best.items.at(0));
  CHECK(post.author.handle == "brin");
  CHECK(post.community == "coast@forum.example");
  CHECK(post.metrics.score == 2);
  CHECK(post.metrics.comments == 3);
}

TEST_CASE("communities: the sandbox knows one that is not there") {
  test::sandbox reddit_box("reddit"), forum_box("discourse"), lemmy_box("lemmy");
  const auto what = posts_of("nosuchplace");
  CHECK(code_of(reddit_box.page(on_reddit.capability_for(what.op), what, {}, "")) ==
        errc::not_found);
  const settings forum{"https://discourse.example", {}};
  CHECK(code_of(forum_box.page(on_discourse.capability_for(what.op), what, forum, "")) ==
        errc::not_found);
}

TEST_CASE("communities: recorded lists of topics are read") {
  if (!test::shared_has("recordings")) return;
  for (const auto* name : {"category_latest__1", "latest__1", "latest__2", "latest__3", "top__1"}) {
    INFO(name);
    const auto answer = on_discourse.recording(std::string(name) + ".json");
    const auto page = test::listing_of(on_discourse.read(posts_of("all"), answer, "", "{}"));
    CHECK_FALSE(page.items.empty());
    test::check_honest(page, "discourse");
  }
  const auto none = test::listing_of(
      on_discourse.read(posts_of("all"), on_discourse.recording("latest_empty__1.json"), "", "{}"));
  CHECK(none.items.empty());
}

}  // namespace freshet::sources
