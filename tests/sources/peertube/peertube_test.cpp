// PeerTube's sandbox, to the end of every operation.
#include <catch2/catch.hpp>
#include <sources/peertube/wire.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::peertube {

using catalog::operation;
namespace tube = freshet::sources::peertube;

TEST_CASE("peertube: the sandbox holds every operation") {
  test::sandbox sandbox("peertube");
  int pages = 0;
  auto search = test::call_of(operation::shortvideo_search);
  for (const auto q : {"climate", "tide gauge", "\"tide gauge\""}) {
    search.q = test::query_of(q);
    const auto found = sandbox.walk(tube::source, search, {}, pages);
    CHECK(found.size() >= 3);
    for (const auto& one : found) CHECK(query::matches(search.q, one));
  }
  auto tag = test::call_of(operation::shortvideo_hashtags_videos);
  tag.hashtag = "tides";
  CHECK(sandbox.walk(tube::source, tag, {}, pages).size() == 24);
  CHECK(pages == 2);
  for (const auto name : {"coastlab", "coastlab@tube.example", "tidewatch"}) {
    auto lookup = test::call_of(operation::shortvideo_profiles_lookup);
    lookup.username = name;
    CHECK(sandbox.walk(tube::source, lookup, {}, pages).size() == 1);
    auto videos = test::call_of(operation::shortvideo_profiles_videos);
    videos.username = name;
    const auto found = sandbox.walk(tube::source, videos, {}, pages);
    CHECK(found.size() >= 3);
    CHECK(pages == (lookup.username == "coastlab" ? 2 : 1));
    for (std::size_t i = 1; i < found.size(); ++i)
      CHECK(common(found[i - 1]).created_at >= common(found[i]).created_at);
  }
}

TEST_CASE("peertube: the sandbox knows what is unknown") {
  test::sandbox sandbox("peertube");
  for (const auto op :
       {operation::shortvideo_profiles_lookup, operation::shortvideo_profiles_videos}) {
    auto what = test::call_of(op);
    what.username = "nobody@tube.example";
    const auto page = sandbox.page(*find_capability(tube::source, op), what, {}, "");
    REQUIRE(page.has_error());
    CHECK(page.error().code() == errc::not_found);
  }
}

}  // namespace freshet::sources::peertube
