// One post or video by its id or its address, of every source that has such a lookup: what is asked
// for, what is refused without a fetch, and the recordings that are read for their own id alone.
#include <catch2/catch.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources {

using catalog::operation;
using test::code_of;

namespace {

struct settings_row {
  const char* source;
  settings with;
};
/// Every source as an operator has it, with the credentials that it cannot do without.
const settings_row configured[] = {
    {"bluesky", {}},
    {"mastodon", {}},
    {"x", {"", {{"bearer_token", "secret"}}}},
    {"reddit", {}},
    {"hackernews", {"https://hn.algolia.com", {}}},
    {"lemmy", {"https://lemmy.world", {}}},
    {"discourse", {"https://forum.example/talk", {}}},
    {"stackexchange", {"https://api.stackexchange.com", {}}},
    {"youtube", {"", {{"api_key", "secret"}}}},
    {"peertube", {}},
    {"dailymotion", {}},
    {"invidious", {"https://invidious.example", {}}},
};

test::source_rig rig_of(std::string_view source) {
  for (const auto& one : configured) {
    if (one.source == source) return test::source_rig(source, one.with);
  }
  FAIL("no settings for " << source);
  return test::source_rig(source);
}

operation lookup_of(const descriptor& source) {
  if (source.platform == "microblog") return operation::microblog_posts_lookup;
  return source.platform == "forum" ? operation::forum_posts_lookup
                                    : operation::shortvideo_videos_lookup;
}

call lookup_call(const test::source_rig& rig, std::string id, std::string url = "") {
  auto made = test::call_of(lookup_of(rig.source()));
  made.native_id = std::move(id);
  made.url = std::move(url);
  return made;
}

/// An id or an address, and what is asked for it; "" stands for not_found without a fetch.
struct asked_row {
  const char* source;
  const char* named;
  const char* asked;
};

/// The row's call: an address if it looks like one.
call call_of(const test::source_rig& rig, std::string_view named) {
  const bool is_url = named.starts_with("http") || named.starts_with("ftp");
  return lookup_call(rig, is_url ? "" : std::string(named), is_url ? std::string(named) : "");
}

constexpr asked_row rows[] = {
    {"bluesky", "at://did:plc:abc/app.bsky.feed.post/3k",
     "https://public.api.bsky.app/xrpc/app.bsky.feed.getPosts?uris=at%3A%2F%2Fdid%3Aplc%3Aabc%2F"
     "app.bsky.feed.post%2F3k"},
    {"bluesky", "https://bsky.app/profile/alice.test/post/3k",
     "https://public.api.bsky.app/xrpc/com.atproto.identity.resolveHandle?handle=alice.test"},
    {"bluesky", "at://did:plc:abc/app.bsky.feed.like/3k", ""},
    {"bluesky", "https://example.com/profile/alice.test/post/3k", ""},
    {"mastodon", "mastodon.social/117", "https://mastodon.social/api/v1/statuses/117"},
    {"mastodon", "https://elsewhere.example/@alice/118",
     "https://elsewhere.example/api/v1/statuses/118"},
    {"mastodon", "https://elsewhere.example/@alice", ""},
    {"mastodon", "117", ""},
    {"x", "https://x.com/alice/status/2116?s=20", "https://api.x.com/2/tweets/2116?tweet.fields="},
    {"x", "https://x.com/alice", ""},
    {"reddit", "1t0259", "https://www.reddit.com/comments/1t0259.rss?limit=1"},
    {"reddit", "https://redd.it/1t0259", "https://www.reddit.com/comments/1t0259.rss?limit=1"},
    {"reddit", "https://www.reddit.com/r/coast/", ""},
    {"hackernews", "9000003", "https://hn.algolia.com/api/v1/items/9000003"},
    {"hackernews", "https://news.ycombinator.com/item?id=9000003",
     "https://hn.algolia.com/api/v1/items/9000003"},
    {"hackernews", "https://news.ycombinator.com/user?id=doss", ""},
    {"lemmy", "lemmy.world/4070", "https://lemmy.world/api/v3/post?id=4070"},
    {"lemmy", "https://coast.example/post/31",
     "https://lemmy.world/api/v3/resolve_object?q=https%3A%2F%2Fcoast.example%2Fpost%2F31"},
    {"lemmy", "https://lemmy.world/c/coast", ""},
    {"discourse", "forum.example/303", "https://forum.example/talk/t/303.json"},
    {"discourse", "https://forum.example/talk/t/tides/303/4",
     "https://forum.example/talk/t/303.json"},
    {"discourse", "other.example/303", ""},
    {"stackexchange", "math.stackexchange.com/7",
     "https://api.stackexchange.com/2.3/questions/7?site=math&filter=withbody"},
    {"stackexchange", "https://stackoverflow.com/q/8/1",
     "https://api.stackexchange.com/2.3/questions/8?site=stackoverflow&filter=withbody"},
    {"stackexchange", "https://stackoverflow.com/users/8", ""},
    {"youtube", "https://youtu.be/frsSandb001",
     "https://www.googleapis.com/youtube/v3/videos?part=snippet%2CcontentDetails%2Cstatistics"
     "&id=frsSandb001&key=secret"},
    {"youtube", "https://vimeo.com/1", ""},
    {"youtube", "a,b", ""},
    {"peertube", "tube.example/9c9de5e8-0a1e-484a-b099-e80766180001",
     "https://tube.example/api/v1/videos/9c9de5e8-0a1e-484a-b099-e80766180001"},
    {"peertube", "https://tube.example/w/93ZJo5rYLbeukRMiuoUUv2",
     "https://tube.example/api/v1/videos/93ZJo5rYLbeukRMiuoUUv2"},
    {"peertube", "https://tube.example/videos/watch/9c9de5e8-0a1e-484a-b099-e80766180001",
     "https://tube.example/api/v1/videos/9c9de5e8-0a1e-484a-b099-e80766180001"},
    {"peertube", "https://tube.example/w/short", ""},
    {"peertube", "9c9de5e8-0a1e-484a-b099-e80766180001", ""},
    {"dailymotion", "xhnwgzv", "https://api.dailymotion.com/video/xhnwgzv?fields="},
    {"dailymotion", "https://www.dailymotion.com/embed/video/xhnwgzv_a-title",
     "https://api.dailymotion.com/video/xhnwgzv?fields="},
    {"dailymotion", "https://dai.ly/xhnwgzv", "https://api.dailymotion.com/video/xhnwgzv?fields="},
    {"dailymotion", "https://www.dailymotion.com/coastlab", ""},
    {"invidious", "invidious.example/frsSandb001",
     "https://invidious.example/api/v1/videos/frsSandb001"},
    {"invidious", "https://invidious.example/watch?v=frsSandb001",
     "https://invidious.example/api/v1/videos/frsSandb001"},
    {"invidious", "https://www.youtube.com/shorts/frsSandb001",
     "https://invidious.example/api/v1/videos/frsSandb001"},
    {"invidious", "other.example/frsSandb001", ""},
};

}  // namespace

TEST_CASE("lookups: ids and addresses become one request, and what is foreign none") {
  for (const auto& [source, named, asked] : rows) {
    INFO(source << " " << named);
    const auto rig = rig_of(source);
    const auto request = rig.plan(call_of(rig, named));
    if (std::string_view(asked).empty()) {
      CHECK(code_of(request) == errc::not_found);
      continue;
    }
    REQUIRE(request.has_value());
    CHECK(request->url.substr(0, std::string_view(asked).size()) == asked);
  }
}

TEST_CASE("lookups: an answer about something else is not what was asked for") {
  struct {
    const char *source, *named, *body;
  } constexpr others[] = {
      {"bluesky", "at://did:plc:abc/app.bsky.feed.post/3k", R"({"posts":[]})"},
      {"lemmy", "lemmy.world/4070", R"({"post_view":{"post":{"id":4071,"name":"another"}}})"},
      {"lemmy", "lemmy.world/4070",
       R"({"post_view":{"post":{"id":4070,"name":"gone","deleted":true}}})"},
      {"youtube", "frsSandb001",
       R"({"items":[{"id":"frsSandb002","snippet":{"title":"another"}}]})"},
      {"stackexchange", "stackoverflow.com/7", R"({"items":[]})"},
      {"hackernews", "9500001",
       R"({"id":9500001,"type":"comment","story_id":9000003,"children":[]})"},
      {"mastodon", "mastodon.social/117", R"({"id":"117","visibility":"private"})"},
      {"reddit", "1t0259",
       R"(<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>t3_other</id><title>x</title>)"
       R"(<link href="https://www.reddit.com/r/coast/comments/other/x/"/></entry></feed>)"},
  };
  for (const auto& [source, named, body] : others) {
    INFO(source << " " << body);
    const auto rig = rig_of(source);
    CHECK(code_of(rig.read(call_of(rig, named), test::answer_of(200, body))) == errc::not_found);
  }
}

TEST_CASE("lookups: TikTok is asked around the day that a video's id was made") {
  const test::source_rig rig("tiktok", {"", {{"client_key", "ck"}, {"client_secret", "cs"}}});
  for (const auto* named : {"https://www.tiktok.com/@coastlab/video/7354367454467855403?lang=en",
                            "7354367454467855403"}) {
    const auto what = call_of(rig, named);
    CHECK(rig.planned(what) == "https://open.tiktokapis.com/v2/oauth/token/");
    const auto next =
        test::follow_of(rig.read(what, test::answer_of(200, R"({"access_token":"clt.1"})")));
    CHECK(next.request.body == R"({"query":{"and":[{"operation":"EQ","field_name":"video_id",)"
                               R"("field_values":["7354367454467855403"]}]},)"
                               R"("start_date":"20240404","end_date":"20240503","max_count":1})");
  }
  for (const auto* named : {"https://www.tiktok.com/@coastlab", "https://vm.tiktok.com/ZM1/", "x",
                            "99999999999999999999999"}) {
    INFO(named);
    CHECK(rig.planned(call_of(rig, named)) == "not_found");
  }
}

TEST_CASE("lookups: Reddit's application is told of a post by its number") {
  const test::source_rig rig(
      "reddit", {"https://oauth.reddit.com", {{"client_id", "c"}, {"client_secret", "s"}}});
  test::sandbox sandbox("reddit");
  int pages = 0;
  const auto with = rig.settings();
  const auto found = sandbox.walk(rig.source(), lookup_call(rig, "1t0259"), with, pages);
  REQUIRE(found.size() == 1);
  CHECK(common(found[0]).id == "reddit:1t0259");
  CHECK(std::get<forum_post>(found[0]).metrics.score.has_value());
}

TEST_CASE("lookups: recordings that are read for their own id") {
  if (!test::shared_has("recordings")) return;
  const auto lemmy = rig_of("lemmy");
  const auto post = test::listing_of(
      lemmy.read(lookup_call(lemmy, "lemmy.world/108995"), lemmy.recording("post__1.json")));
  CHECK(common(post.items.at(0)).title.starts_with("Trek Central reporting"));

  const test::source_rig reddit(
      "reddit", {"https://oauth.reddit.com", {{"client_id", "c"}, {"client_secret", "s"}}});
  const auto answer = reddit.recording("oauth_info__1.json");
  const auto body = test::parsed(answer.body);
  int read = 0;
  for (const auto& child : base::array_of(base::member(body, "data", "children"))) {
    if (base::view_of(base::member(child, "kind")) != "t3") continue;
    const auto number = base::text_of(base::member(child, "data", "id"));
    const auto page =
        test::listing_of(reddit.read(lookup_call(reddit, number), answer, "", "use:t-1\n"));
    CHECK(common(page.items.at(0)).id == "reddit:" + number);
    ++read;
  }
  CHECK(read > 0);

  const auto mastodon = rig_of("mastodon");
  for (const auto* name : {"status__1.json", "status__2.json", "status__5.json"}) {
    const auto status = mastodon.recording(name);
    const auto id = base::text_of(base::member(test::parsed(status.body), "id"));
    const auto page =
        test::listing_of(mastodon.read(lookup_call(mastodon, "mastodon.social/" + id), status));
    CHECK(common(page.items.at(0)).source == "mastodon");
  }

  const auto bluesky = rig_of("bluesky");
  for (const auto* path : {"bluesky/getPosts__1.json", "loopback/bluesky/getPosts.json"}) {
    const auto posts = test::recording_at(path);
    const auto uri = base::text_of(
        base::member(base::array_of(base::member(test::parsed(posts.body), "posts")).at(0), "uri"));
    const auto page = test::listing_of(bluesky.read(lookup_call(bluesky, uri), posts));
    CHECK(common(page.items.at(0)).id == "bluesky:" + uri);
  }
}

}  // namespace freshet::sources
