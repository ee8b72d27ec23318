// Dailymotion's sandbox, to the end of every operation.
#include <catch2/catch.hpp>
#include <sources/dailymotion/wire.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::dailymotion {

using catalog::operation;
namespace dm = freshet::sources::dailymotion;

TEST_CASE("dailymotion: the sandbox holds every operation") {
  test::sandbox sandbox("dailymotion");
  int pages = 0;
  call what;
  what.now = sandbox_now;
  what.op = operation::shortvideo_search;
  for (const auto q : {"climate", "tide gauge", "\"tide gauge\""}) {
    what.q = test::query_of(q);
    const auto found = sandbox.walk(dm::source, what, {}, pages);
    CHECK(found.size() >= 2);
    for (const auto& one : found) CHECK(query::matches(what.q, one));
  }
  what.op = operation::shortvideo_hashtags_videos;
  what.hashtag = "tides";
  CHECK(sandbox.walk(dm::source, what, {}, pages).size() == 24);
  CHECK(pages == 2);
  what.username = "coastlab";
  what.op = operation::shortvideo_profiles_lookup;
  const auto who = sandbox.walk(dm::source, what, {}, pages);
  CHECK(std::get<user>(who.at(0)).text ==
        "We measure the sea with small parts.\nVideos on Sundays.");
  CHECK(std::get<user>(who.at(0)).metrics.followers == 1204);
  what.op = operation::shortvideo_profiles_videos;
  CHECK(sandbox.walk(dm::source, what, {}, pages).size() == 29);
  CHECK(pages == 2);
}

TEST_CASE("dailymotion: the sandbox knows what is unknown") {
  test::sandbox sandbox("dailymotion");
  call what;
  what.username = "nobody";
  for (const auto op :
       {operation::shortvideo_profiles_lookup, operation::shortvideo_profiles_videos}) {
    what.op = op;
    const auto page = sandbox.page(*find_capability(dm::source, op), what, {}, "");
    REQUIRE(page.has_error());
    CHECK(page.error().code() == errc::not_found);
  }
}

}  // namespace freshet::sources::dailymotion
