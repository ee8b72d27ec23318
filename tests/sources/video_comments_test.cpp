// The comments of videos: what is asked for, what hangs below what, what is said to be missing, and
// the recordings.
#include <catch2/catch.hpp>
#include <sources/item_check.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources {

using catalog::operation;
using test::code_of;

namespace {

const test::source_rig via_youtube("youtube", {"", {{"api_key", "secret"}}});
const test::source_rig via_invidious("invidious", {"https://invidious.example", {}});
const test::source_rig via_peertube("peertube", {});
const test::source_rig via_tiktok("tiktok", {"", {{"client_key", "ck"}, {"client_secret", "cs"}}});

call comments_of_video(std::string id, std::string sort = "best") {
  auto made = test::call_of(operation::shortvideo_videos_comments);
  made.native_id = std::move(id);
  made.sort = std::move(sort);
  return made;
}

const std::string on_framatube = "framatube.org/9c9de5e8-0a1e-484a-b099-e80766180a6d";

/// What hangs below what, as "id depth parent".
std::vector<std::string> shape_of(const listing& page) {
  std::vector<std::string> out;
  for (const auto& any : page.items) {
    const auto& one = std::get<comment>(any);
    out.push_back(one.id.substr(one.id.rfind('/') + 1) + " " + std::to_string(one.depth) + " " +
                  one.parent_id.substr(one.parent_id.rfind('/') + 1));
  }
  return out;
}

}  // namespace

TEST_CASE("comments of videos: what is asked for") {
  const std::string threads = "https://www.googleapis.com/youtube/v3/commentThreads?part=";
  CHECK(via_youtube.planned(comments_of_video("frsSandb000", "new"), "QURT") ==
        threads +
            "snippet%2Creplies&videoId=frsSandb000&order=time&textFormat=plainText"
            "&maxResults=20&pageToken=QURT&key=secret");
  CHECK(via_youtube.planned(comments_of_video("frsSandb000")).find("&order=relevance&") !=
        std::string::npos);
  CHECK(via_youtube.planned(comments_of_video("a b")) == "not_found");
  CHECK(via_youtube.planned(comments_of_video("frsSandb000"), "a b") == "invalid_cursor");

  CHECK(via_invidious.planned(comments_of_video("invidious.example/frsSandb000"), "Egtm") ==
        "https://invidious.example/api/v1/comments/frsSandb000?sort_by=top&continuation=Egtm");
  CHECK(via_peertube.planned(comments_of_video(on_framatube, "new"), "20") ==
        "https://framatube.org/api/v1/videos/9c9de5e8-0a1e-484a-b099-e80766180a6d"
        "/comment-threads?start=20&count=20&sort=-createdAt");
  const auto next =
      test::follow_of(via_tiktok.read(comments_of_video("7385291383449439519"),
                                      test::answer_of(200, R"({"access_token":"clt.1"})"), "20"));
  CHECK(next.request.body == R"({"video_id":"7385291383449439519","max_count":20,"cursor":20})");
  CHECK(via_tiktok.planned(comments_of_video("7385291383449439519"), "x") == "invalid_cursor");
}

TEST_CASE("comments of videos: those that are switched off are not found") {
  const auto answer = test::answer_of(403, R"({"error":{"code":403,"message":"disabled",
      "errors":[{"reason":"commentsDisabled"}]}})");
  CHECK(code_of(via_youtube.read(comments_of_video("frsSandb000"), answer)) == errc::not_found);
}

TEST_CASE("comments of videos: replies that do not come are counted") {
  const auto answer = test::answer_of(200, R"({"items":[{"snippet":{"totalReplyCount":7,
      "topLevelComment":{"id":"U1","snippet":{"textDisplay":"first"}}},
      "replies":{"comments":[{"id":"U1.a","snippet":{"textDisplay":"second"}}]}}]})");
  const auto page = test::listing_of(via_youtube.read(comments_of_video("frsSandb000"), answer));
  CHECK(shape_of(page) == std::vector<std::string>{"youtube:U1 0 ", "youtube:U1.a 1 youtube:U1"});
  CHECK(page.partial);
  REQUIRE(page.warnings.size() == 1);
  CHECK(page.warnings[0].ends_with(": 6"));
}

TEST_CASE("comments of videos: a thread of PeerTube comes with all its replies") {
  const auto what = comments_of_video(on_framatube);
  const auto list = test::answer_of(200, R"({"total":3,"data":[{"id":1,"text":"<p>one</p>"},
      {"id":2,"isDeleted":true,"totalReplies":2},{"id":3,"isDeleted":true}]})");
  const auto further = test::follow_of(via_peertube.read(what, list));
  CHECK(further.request.url.ends_with("/comment-threads/2"));
  const auto tree = test::answer_of(200, R"({"comment":{"id":2,"isDeleted":true},"children":[
      {"comment":{"id":4,"text":"four"},"children":[{"comment":{"id":5,"text":"five"}}]}]})");
  const auto page = test::listing_of(via_peertube.read(what, tree, "", further.state));
  CHECK(shape_of(page) == std::vector<std::string>{"1 0 ", "2 0 ", "4 1 2", "5 2 4"});
  CHECK(common(page.items[0]).text == "one");
  CHECK(page.next.empty());
}

TEST_CASE("comments of videos: recorded ones are read without loss") {
  if (!test::shared_has("recordings")) return;
  const auto read = [](const test::source_rig& rig, const call& what, const char* name,
                       std::string_view state) {
    INFO(name);
    const auto page = test::listing_of(rig.read(what, rig.recording(name), "", state));
    CHECK(test::joined(test::page_problems(page, rig.source().name)) == "");
    CHECK_FALSE(page.items.empty());
    return page;
  };
  const auto of_youtube =
      read(via_youtube, comments_of_video("F1UP7wRCPH8"), "commentThreads_list__1.json", "");
  CHECK(of_youtube.items.size() == 5);
  CHECK(of_youtube.partial);
  CHECK_FALSE(of_youtube.next.empty());

  const auto on_peertube = comments_of_video(on_framatube);
  for (const auto* name : {"video_comment_threads__1.json", "video_comment_threads__2.json"}) {
    auto got = via_peertube.read(on_peertube, via_peertube.recording(name));
    int steps = 0;
    while (got && std::holds_alternative<follow>(*got) && ++steps < 20) {
      const auto state = std::get<follow>(*got).state;
      got = via_peertube.read(on_peertube, via_peertube.recording("video_comment_thread__1.json"),
                              "", state);
    }
    const auto page = test::listing_of(got);
    CHECK_FALSE(page.items.empty());
    CHECK(test::joined(test::page_problems(page, "peertube")) == "");
  }
  for (const auto* name : {"research_comment_list__1.json", "research_comment_list__2.json"})
    read(via_tiktok, comments_of_video("7385291383449439519"), name, "-use:clt.1");
}

}  // namespace freshet::sources
