// Invidious: names and channels, lists and their pages, instances that refuse.
#include <base/time_text.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>
#include <sources/invidious/wire.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::invidious {

using catalog::operation;
using test::code_of;
using namespace test::shortvideo_calls;
using base::member;

namespace {

const settings own{"https://invidious.example", {}};
const test::source_rig rig("invidious", own);
const std::string api = "https://invidious.example/api/v1";
const std::string channel = "UCfreshetSandboxEbbAndF1";

result<step> read_as(operation op, const http::response& answer, std::string_view position = "",
                     std::string_view state = "") {
  return rig.read(call_for(op), answer, position, state);
}

}  // namespace

TEST_CASE("invidious: what is asked for") {
  auto what = call_for(operation::shortvideo_search);
  const std::string search = api + "/search?q=";
  const std::string tail = "&type=video&duration=short&sort=relevance&page=";
  CHECK(rig.planned(what) == search + "climate" + tail + "1");
  what.q = test::query_of("storm \"tide gauge\" -rain a|b");
  what.country = "PT";
  CHECK(rig.planned(what, "7") ==
        search + "storm%20%22tide%20gauge%22%20-rain%20%22a%7Cb%22" + tail + "7&region=PT");
  what.country.clear();
  const std::pair<int, const char*> spans[] = {{1, "&date=hour"},
                                               {24, "&date=today"},
                                               {25, "&date=week"},
                                               {24 * 8, "&date=month"},
                                               {24 * 31, "&date=year"}};
  for (const auto& [hours, expected] : spans) {
    what.since = what.now - std::chrono::hours{hours};
    CHECK(rig.planned(what).ends_with(expected));
  }
  what.since = what.now - std::chrono::hours{24 * 366};
  CHECK(rig.planned(what).ends_with("&page=1"));
  for (const auto* bad : {"1", "0", "x", "2x", "51"})
    CHECK(rig.planned(what, bad) == "invalid_cursor");
  CHECK(rig.planned(call_for(operation::shortvideo_hashtags_videos), "2") ==
        api + "/hashtag/tides?page=2");

  const std::string resolve = api + "/resolveurl?url=https%3A%2F%2Fwww.youtube.com%2F%40coastlab";
  for (const auto op :
       {operation::shortvideo_profiles_lookup, operation::shortvideo_profiles_videos}) {
    what = call_for(op);
    CHECK(rig.planned(what) == resolve);
    for (const auto* bad : {"", "a b", "coastlab@framatube.org", "a/b"}) {
      what.username = bad;
      CHECK(rig.planned(what) == "not_found");
    }
  }
  what.username = channel;
  const std::string videos = api + "/channels/" + channel + "/videos?sort_by=newest";
  CHECK(rig.planned(what) == videos);
  CHECK(rig.planned(what, "v/" + channel + "/abc=") == videos + "&continuation=abc%3D");
  CHECK(rig.planned(what, "s/" + channel + "/") ==
        api + "/channels/" + channel + "/shorts?sort_by=newest");
  for (const std::string& bad : std::vector<std::string>{"v", "x/" + channel + "/", "v/UC/abc",
                                                         "v/" + channel, "v/" + channel + "/a b"})
    CHECK(rig.planned(what, bad) == "invalid_cursor");
}

TEST_CASE("invidious: every recorded answer is read") {
  if (!rig.has_recordings()) return;
  std::size_t seen = 0;
  for (const auto& path : rig.recordings()) {
    INFO(path.filename().string());
    const auto answer = test::recorded(path);
    const auto body = test::parsed(answer.body);
    ++seen;
    const bool by_channel = test::endpoint_of(path) == "channel_videos";
    // All of the recorded videos are long: made short, none is left out.
    auto shorter = body;
    auto& videos = by_channel ? shorter.as_object()["videos"] : shorter;
    for (auto& one : videos.as_array()) one.as_object()["lengthSeconds"] = 90;
    auto shortened = answer;
    shortened.body = boost::json::serialize(shorter);
    const auto op =
        by_channel ? operation::shortvideo_profiles_videos : operation::shortvideo_search;
    const std::string state = by_channel ? "channel:UCMNEVbszv8ZyvSXoTn3yhpQ" : "";
    CHECK(test::listing_of(read_as(op, answer, "", state)).items.empty());
    const auto page = test::listing_of(read_as(op, shortened, "", state));
    test::check_honest(page, "invidious");
    REQUIRE(page.items.size() == 2);
    const auto& list = base::array_of(by_channel ? member(body, "videos") : body);
    for (std::size_t i = 0; i < 2; ++i) {
      const auto& from = list[by_channel ? i : i + 1];  // a search begins with a channel
      const auto& one = std::get<video>(page.items[i]);
      const auto id = base::text_of(member(from, "videoId"));
      CHECK(one.id == "invidious:invidious.example/" + id);
      CHECK(one.url == "https://www.youtube.com/watch?v=" + id);
      CHECK(one.title == base::text_of(member(from, "title")));
      CHECK(one.metrics.views == base::integer_of(member(from, "viewCount")));
      CHECK(one.created_at == base::from_unix_seconds(*base::number_of(member(from, "published"))));
      CHECK(one.author.id ==
            "invidious:invidious.example/" + base::text_of(member(from, "authorId")));
      CHECK(one.thumbnail_url == "https://invidious.example/vi/" + id + "/maxres.jpg");
      CHECK(one.duration_s == 90);
    }
    CHECK(page.next ==
          (by_channel ? "v/UCMNEVbszv8ZyvSXoTn3yhpQ/4qmFsgLTRUNCATED-OPAQUE-TOKEN" : "2"));
    rig.read_broken(call_for(op), answer, {300, 31, "", state});
  }
  CHECK(seen == 2);
}

TEST_CASE("invidious: refusals") {
  const auto search = operation::shortvideo_search;
  const auto lookup = operation::shortvideo_profiles_lookup;
  CHECK(code_of(read_as(search, test::answer_of(403, R"({"error":"Administrator has disabled
    this endpoint."})"))) == errc::source_blocked);
  CHECK(code_of(read_as(search, test::answer_of(403, "<html>Forbidden", "text/html"))) ==
        errc::source_blocked);
  CHECK(code_of(read_as(search, test::answer_of(200, "<html>hello", "text/html"))) ==
        errc::source_error);
  CHECK(code_of(read_as(search, test::answer_of(500, R"({"error":"YouTube said no"})"))) ==
        errc::source_error);
  CHECK(code_of(read_as(search, test::answer_of(200, R"({"error":"odd"})"))) == errc::source_error);
  CHECK(code_of(read_as(search, test::answer_of(502, ""))) == errc::source_unavailable);
  CHECK(code_of(read_as(lookup, test::answer_of(400, R"({"error":"Unknown URL"})"))) ==
        errc::not_found);
  CHECK(code_of(read_as(lookup, test::answer_of(200, R"({"pageType":"x"})"))) == errc::not_found);
  CHECK(code_of(read_as(lookup, test::answer_of(200, R"({"error":"x"})"))) == errc::source_error);
  CHECK(code_of(read_as(lookup, test::answer_of(404, R"({"error":"no channel"})"), "",
                        "channel:" + channel)) == errc::not_found);
}

TEST_CASE("invidious: what is short and shown already, and where it goes on") {
  const auto item = [](std::string id, std::string rest) {
    return R"({"type":"video","videoId":")" + id + R"(","published":1793000000,"title":"t")" +
           rest + "}";
  };
  const auto list = item("a", R"(,"lengthSeconds":180)") + "," +
                    item("b", R"(,"lengthSeconds":181)") + "," + item("c", R"(,"liveNow":true)") +
                    "," + item("d", R"(,"isUpcoming":true)") + "," +
                    item("e", R"(,"lengthSeconds":0,"published":0)");
  auto what = call_for(operation::shortvideo_profiles_videos);
  const auto& how = rig.capability_for(what.op);
  const auto read = [&](std::string more, std::string position) {
    return test::listing_of(how.read(
        {what, own,
         test::answer_of(200, R"({"videos":[)" + list + R"(],"continuation":")" + more + "\"}"),
         position, ""}));
  };
  const std::string first = "v/" + channel + "/x";
  auto page = read("y", first);
  REQUIRE(page.items.size() == 2);
  CHECK(common(page.items[0]).id == "invidious:invidious.example/a");
  CHECK(std::get<video>(page.items[1]).duration_s == std::nullopt);
  CHECK(page.next == "v/" + channel + "/y");
  CHECK(read("", first).next == "s/" + channel + "/");
  CHECK(read("x", first).next == "s/" + channel + "/");
  CHECK(read("", "s/" + channel + "/").next.empty());
  page = read(std::string(1200, 'c'), first);
  CHECK(page.partial);
  CHECK(page.next == "s/" + channel + "/");
  what.since = base::from_unix_seconds(1793000000);
  CHECK(read("y", first).next == "v/" + channel + "/y");
  CHECK(read("", first).next.empty());
  *what.since += std::chrono::seconds{1};
  CHECK(read("y", first).next.empty());
}

TEST_CASE("invidious: the sandbox holds every operation") {
  test::sandbox sandbox("invidious");
  int pages = 0;
  auto what = call_for(operation::shortvideo_search);
  CHECK(sandbox.walk(invidious::source, what, own, pages).size() == 4);
  CHECK(pages == 3);
  what.q = test::query_of("\"tide gauge\"");
  const auto found = sandbox.walk(invidious::source, what, own, pages);
  CHECK(found.size() == 2);
  for (const auto& one : found) CHECK(query::matches(what.q, one));
  CHECK(sandbox.walk(invidious::source, call_for(operation::shortvideo_hashtags_videos), own, pages)
            .size() == 3);
  const auto who =
      sandbox.walk(invidious::source, call_for(operation::shortvideo_profiles_lookup), own, pages);
  REQUIRE(who.size() == 1);
  const auto& one = std::get<user>(who[0]);
  CHECK(one.handle == "coastlab");
  CHECK(one.avatar_url == "https://yt3.ggpht.example/ebb=s512");
  CHECK(one.metrics.followers == 5400);
  CHECK(one.verified == true);

  // The shorts have no date, so this walk is not one that check_honest() would take.
  auto videos = call_for(operation::shortvideo_profiles_videos);
  std::string ids, position;
  for (pages = 0; pages < 9; ++pages) {
    const auto page = sandbox.page(rig.capability_for(videos.op), videos, own, position);
    REQUIRE(page.has_value());
    test::check_page(*page, "invidious");
    for (const auto& item : page->items) ids += common(item).id.substr(36) + " ";
    position = page->next;
    if (position.empty()) break;
  }
  CHECK(pages == 2);
  CHECK(ids == "000 002 004 S01 ");
}

}  // namespace freshet::sources::invidious
