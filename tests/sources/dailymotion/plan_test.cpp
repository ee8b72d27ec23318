// What Dailymotion is asked: lists of short videos, every field by name, names that it can have.
#include <catch2/catch.hpp>
#include <sources/dailymotion/wire.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::dailymotion {

using catalog::operation;
using test::call_of;
using test::code_of;
namespace dm = freshet::sources::dailymotion;

namespace {

bool has(const result<http::request>& planned, std::string_view part) {
  REQUIRE(planned.has_value());
  INFO(planned->url);
  return planned->url.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("dailymotion: lists ask for short videos and for every field by name") {
  auto search = call_of(operation::shortvideo_search);
  search.q = test::query_of("storm \"tide gauge\" -rain");
  search.since = time_point{std::chrono::seconds{1793000000}};
  search.lang = "pt-BR";
  search.country = "BR";
  const auto planned = dm::plan_list(search, {}, "");
  CHECK(planned->url.starts_with(
      "https://api.dailymotion.com/videos?search=storm%20tide%20gauge&fields=id%2Ctitle%2C"));
  CHECK(has(planned,
            "&sort=relevance&shorter_than=3&page=1&limit=20&created_after=1792999999"
            "&languages=pt&country=BR"));
  for (const auto field : {"description", "duration", "created_time", "owner.screenname",
                           "owner.avatar_240_url", "views_total", "likes_total", "tags"})
    CHECK(has(planned, std::string("%2C") + field));
  CHECK(has(dm::plan_list(search, {}, "3.20.7"), "&page=3&limit=20"));

  auto tag = call_of(operation::shortvideo_hashtags_videos);
  tag.hashtag = "tides";
  CHECK(has(dm::plan_list(tag, {}, ""), "/videos?tags=tides&fields="));
  CHECK(has(dm::plan_list(tag, {}, ""), "&sort=recent&shorter_than=3"));
  auto videos = call_of(operation::shortvideo_profiles_videos);
  videos.username = "coastlab";
  settings with;
  with.base_url = "http://127.0.0.1:9000/dm";
  CHECK(has(dm::plan_list(videos, with, ""),
            "http://127.0.0.1:9000/dm/user/coastlab/videos?fields="));
  for (const auto position :
       {"2", "2.20", "0.20.0", "1.0.0", "1.200.0", "1.20.x", "1.20.0.", "-1.20.0"}) {
    CAPTURE(position);
    CHECK(code_of(dm::plan_list(tag, {}, position)) == errc::invalid_cursor);
  }
}

TEST_CASE("dailymotion: what cannot be a name is not asked for") {
  for (const auto name : {"", "alice@mastodon.example", "a/b", "a b", "did:plc:x", "..", "é"}) {
    CAPTURE(name);
    auto what = call_of(operation::shortvideo_profiles_lookup);
    what.username = name;
    CHECK(code_of(dm::plan_lookup(what, {}, "")) == errc::not_found);
    what.op = operation::shortvideo_profiles_videos;
    CHECK(code_of(dm::plan_list(what, {}, "")) == errc::not_found);
  }
  auto what = call_of(operation::shortvideo_profiles_lookup);
  what.username = "coastlab";
  CHECK(
      has(dm::plan_lookup(what, {}, ""), "https://api.dailymotion.com/user/coastlab?fields=id%2C"));
}

}  // namespace freshet::sources::dailymotion
