// What an instance of PeerTube is asked: searches, tags, channels here and elsewhere.
#include <catch2/catch.hpp>
#include <sources/peertube/wire.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::peertube {

using catalog::operation;
using test::code_of;
namespace tube = freshet::sources::peertube;

namespace {

call call_of(operation op, std::string username = {}) {
  call what;
  what.op = op;
  what.username = std::move(username);
  return what;
}

}  // namespace

TEST_CASE("peertube: searches go to the index, short and safe") {
  auto what = call_of(operation::shortvideo_search);
  what.q = test::query_of("storm \"tide gauge\" -rain");
  what.since = time_point{std::chrono::sys_days{std::chrono::year{2026} / 10 / 25}};
  what.lang = "pt-BR";
  settings with;
  with.base_url = "https://tube.example";
  const std::string rest =
      "&start=40&count=20&durationMax=180&isLive=false&nsfw=false&sort=-match"
      "&startDate=2026-10-25T00%3A00%3A00Z&languageOneOf=pt";
  CHECK(tube::plan_search(what, with, "40")->url ==
        "https://sepiasearch.org/api/v1/search/videos?search=storm%20%22tide%20gauge%22" + rest);
  with.values["search_url"] = "http://127.0.0.1:9000/";
  CHECK(tube::plan_search(what, with, "40")->url ==
        "http://127.0.0.1:9000/api/v1/search/videos?search=storm%20%22tide%20gauge%22" + rest);
  auto tag = call_of(operation::shortvideo_hashtags_videos);
  tag.hashtag = "tides";
  CHECK(tube::plan_hashtag(tag, {}, "")->url ==
        "https://sepiasearch.org/api/v1/search/videos?tagsOneOf=tides&start=0&count=20"
        "&durationMax=180&isLive=false&nsfw=false&sort=-publishedAt");
  for (const auto position : {"x", "-1", "1e3", "99999999999999999999", "2000000", "1 "})
    CHECK(code_of(tube::plan_hashtag(tag, {}, position)) == errc::invalid_cursor);
}

TEST_CASE("peertube: a creator is asked for at home") {
  settings with;
  with.base_url = "https://tube.example";
  const auto lookup = [&](std::string name) {
    return tube::plan_lookup(call_of(operation::shortvideo_profiles_lookup, std::move(name)), with,
                             "");
  };
  CHECK(lookup("coastlab")->url == "https://tube.example/api/v1/video-channels/coastlab");
  CHECK(lookup("coastlab@tube.example")->url ==
        "https://tube.example/api/v1/video-channels/coastlab");
  CHECK(lookup("coastlab@skeptikon.fr")->url ==
        "https://skeptikon.fr/api/v1/video-channels/coastlab");
  // An instance that a call names holds up nobody else.
  CHECK(lookup("coastlab")->pace_key == "peertube");
  CHECK(lookup("coastlab@skeptikon.fr")->pace_key == "skeptikon.fr");
  for (const auto name : {"", "@", "a/b", "a@b", "a@b.c/d", "a@b.c@d.e", "a b", "did:plc:x", "."}) {
    CAPTURE(name);
    CHECK(code_of(lookup(name)) == errc::not_found);
  }
  const auto what = call_of(operation::shortvideo_profiles_videos, "coastlab");
  const std::string page = "&count=100&isLive=false&nsfw=false&sort=-publishedAt";
  CHECK(tube::plan_videos(what, with, "")->url ==
        "https://tube.example/api/v1/video-channels/coastlab/videos?start=0" + page);
  CHECK(tube::plan_videos(what, with, "a24")->url ==
        "https://tube.example/api/v1/accounts/coastlab/videos?start=24" + page);
  for (const auto position : {"24", "b24", "c", "c-1"})
    CHECK(code_of(tube::plan_videos(what, with, position)) == errc::invalid_cursor);
}

}  // namespace freshet::sources::peertube
