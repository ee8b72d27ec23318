// Trends: what the sources are asked, who is left out of a country, how their lists go on, and
// their recordings.
#include <catch2/catch.hpp>
#include <sources/item_check.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources {

using catalog::operation;
using test::code_of;

namespace {

const test::source_rig on_bluesky("bluesky");
const test::source_rig on_mastodon("mastodon");
const test::source_rig on_x("x", {"", {{"bearer_token", "secret"}}}, "twitter");
const test::source_rig on_youtube("youtube", {"", {{"api_key", "secret"}}});
const test::source_rig on_dailymotion("dailymotion");
const test::source_rig on_peertube("peertube");
const test::source_rig on_invidious("invidious", {"https://invidious.example", {}});

call topics(std::string country = "") {
  auto made = test::call_of(operation::microblog_trends);
  made.country = std::move(country);
  return made;
}

call videos(std::string country = "") {
  auto made = test::call_of(operation::shortvideo_trends);
  made.country = std::move(country);
  return made;
}

/// What a step that asks for more asks for.
follow follow_of(result<step> read) {
  REQUIRE(read.has_value());
  REQUIRE(std::holds_alternative<follow>(*read));
  return std::get<follow>(std::move(*read));
}

}  // namespace

TEST_CASE("trends: what is asked for, and who cannot tell countries apart") {
  CHECK(on_bluesky.planned(topics()) ==
        "https://public.api.bsky.app/xrpc/app.bsky.unspecced.getTrends?limit=25");
  CHECK(on_bluesky.planned(topics("GB")) == "not_found");
  CHECK(on_bluesky.planned(topics(), "c1") == "invalid_cursor");

  const std::string tags = "https://mastodon.social/api/v1/trends/tags?limit=20";
  CHECK(on_mastodon.planned(topics()) == tags);
  CHECK(on_mastodon.planned(topics(), "20") == tags + "&offset=20");
  CHECK(on_mastodon.planned(topics(), "1001") == "invalid_cursor");
  CHECK(on_mastodon.planned(topics("GB")) == "not_found");

  const std::string fields = "?max_trends=50&trend.fields=trend_name%2Ctweet_count";
  CHECK(on_x.planned(topics()) == "https://api.x.com/2/trends/by/woeid/1" + fields);
  CHECK(on_x.planned(topics("ZA")) == "https://api.x.com/2/trends/by/woeid/23424942" + fields);
  CHECK(on_x.planned(topics("AE")) == "https://api.x.com/2/trends/by/woeid/23424738" + fields);
  CHECK(on_x.planned(topics("AQ")) == "not_found");

  const std::string chart =
      "https://www.googleapis.com/youtube/v3/videos?part=snippet%2CcontentDetails%2Cstatistics"
      "&chart=mostPopular&maxResults=50";
  CHECK(on_youtube.planned(videos()) == chart + "&key=secret");
  CHECK(on_youtube.planned(videos("GB"), "CAUQAA") ==
        chart + "&regionCode=GB&pageToken=CAUQAA&key=secret");
  CHECK(
      on_dailymotion.planned(videos("FR")).find("&sort=trending&shorter_than=3&page=1&limit=20") !=
      std::string::npos);
  CHECK(on_dailymotion.planned(videos("FR")).ends_with("&country=FR"));
  CHECK(on_peertube.planned(videos(), "100") ==
        "https://framatube.org/api/v1/videos?start=100&count=100&isLive=false&nsfw=false"
        "&sort=-trending");
  CHECK(on_peertube.planned(videos("FR")) == "not_found");
  CHECK(on_invidious.planned(videos("FR")) ==
        "https://invidious.example/api/v1/trending?region=FR");
}

TEST_CASE("trends: recorded hashtags of Mastodon are read") {
  if (!on_mastodon.has_recordings()) return;
  const auto page =
      test::listing_of(on_mastodon.read(topics(), on_mastodon.recording("trends_tags__1.json")));
  REQUIRE(page.items.size() == 10);
  test::check_page(page, "mastodon");  // of no time: a hashtag has no beginning
  const auto& first = std::get<trend>(page.items.front());
  CHECK(first.title == "#mascotabookorplay");
  CHECK(first.tags == std::vector<std::string>{"mascotabookorplay"});
  CHECK(first.metrics.posts == 70);
  CHECK(first.metrics.people == 37);
  const auto& fourth = std::get<trend>(page.items[3]);
  CHECK(fourth.title == "#meermittwoch");
  CHECK(fourth.metrics.posts.value_or(0) >= 103);  // today and yesterday
  CHECK(page.next.empty());                        // fewer than were asked for
}

TEST_CASE("trends: Bluesky's topics have the link, the time and the count of each") {
  const auto page = test::listing_of(on_bluesky.read(topics(), test::answer_of(200, R"({"trends":[
    {"topic":"tides","displayName":"Spring tides","link":"/profile/trending.bsky.app/feed/1",
     "startedAt":"2026-10-31T10:00:00Z","postCount":42,"category":"science","actors":[]},
    {"topic":"","displayName":"","link":"/x"},
    {"topic":"ferry","displayName":"","link":"javascript:1"}]})")));
  REQUIRE(page.items.size() == 2);
  const auto& first = std::get<trend>(page.items.front());
  CHECK(first.id == "bluesky:trends/tides");
  CHECK(first.url == "https://bsky.app/profile/trending.bsky.app/feed/1");
  CHECK(first.metrics.posts == 42);
  CHECK(first.category == "science");
  CHECK(first.created_at.has_value());
  CHECK(common(page.items.back()).title == "ferry");
  CHECK(common(page.items.back()).url.empty());
  CHECK(code_of(on_bluesky.read(topics(), test::answer_of(200, R"({"topics":[]})"))) ==
        errc::source_error);
}

TEST_CASE("trends: X's have the search for them as their address") {
  const auto page = test::listing_of(on_x.read(topics(), test::answer_of(200, R"({"data":[
    {"trend_name":"#Tides & more","tweet_count":7},{"trend_name":""},
    {"trend_name":"Ferry","post_count":9}]})")));
  REQUIRE(page.items.size() == 2);
  const auto& first = std::get<trend>(page.items.front());
  CHECK(first.url == "https://x.com/search?q=%23Tides%20%26%20more");
  CHECK(first.metrics.posts == 7);
  CHECK(std::get<trend>(page.items.back()).metrics.posts == 9);
}

TEST_CASE("trends: the chart of YouTube goes on to its next page, through pages of long videos") {
  if (!on_youtube.has_recordings()) return;
  const auto answer = on_youtube.recording("videos_list_chart__1.json");
  const auto read = on_youtube.read(videos(), answer);
  REQUIRE(read.has_value());
  if (const auto* page = std::get_if<listing>(&*read)) {
    test::check_honest(*page, "youtube");
    CHECK_FALSE(page->next.empty());
  } else {
    CHECK(std::get<follow>(*read).request.url.find("&pageToken=") != std::string::npos);
  }
  const auto on = follow_of(on_youtube.read(videos(), test::answer_of(200, R"({"items":[
    {"id":"frsSandb000","snippet":{"title":"Long"},"contentDetails":{"duration":"PT2H"}}],
    "nextPageToken":"CAUQAA"})")));
  CHECK(on.request.url.find("&pageToken=CAUQAA&") != std::string::npos);
}

TEST_CASE(
    "trends: recorded lists of a PeerTube instance are read, and passed over where all is long") {
  if (!on_peertube.has_recordings()) return;
  for (const auto* name : {"videos_list__1.json", "videos_list__2.json"}) {
    INFO(name);
    const auto read = on_peertube.read(videos(), on_peertube.recording(name));
    REQUIRE(read.has_value());
    if (const auto* page = std::get_if<listing>(&*read)) {
      CHECK_FALSE(page->items.empty());
      test::check_honest(*page, "peertube");
    } else {
      CHECK(std::get<follow>(*read).request.url.find("sort=-trending") != std::string::npos);
    }
  }
}

TEST_CASE("trends: an Invidious instance without them is asked for what its users watch") {
  const auto gone = test::answer_of(500, R"({"error":"YouTube has none any more"})");
  const auto on = follow_of(on_invidious.read(videos(), gone));
  CHECK(on.request.url == "https://invidious.example/api/v1/popular");
  const auto page = test::listing_of(on_invidious.read(videos(), test::answer_of(200, R"([
    {"type":"shortVideo","title":"A wave","videoId":"frsInvid000","lengthSeconds":20}])"),
                                                       "", on.state));
  CHECK(page.items.size() == 1);
  CHECK(code_of(on_invidious.read(videos("FR"), gone)) == errc::not_found);
  CHECK(code_of(on_invidious.read(videos(), gone, "", on.state)) == errc::source_error);
}

}  // namespace freshet::sources
