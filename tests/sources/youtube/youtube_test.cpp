// YouTube: searches and the details that they need, channels, quotas, and the sandbox.
#include <base/time_text.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>
#include <sources/item_text.hpp>
#include <sources/read_answer.hpp>
#include <sources/source_rig.hpp>
#include <sources/youtube/wire.hpp>

namespace freshet::sources::youtube {

using catalog::operation;
using test::code_of;
using namespace test::shortvideo_calls;
using base::member;
namespace json = boost::json;

namespace {

const settings with_key{"", {{"api_key", "secret"}}};
const test::source_rig rig("youtube", with_key);
const std::string api = "https://www.googleapis.com/youtube/v3/";

result<step> read_as(operation op, const http::response& answer, std::string_view state = "",
                     std::string_view position = "") {
  auto what = call_for(op);
  what.native_id = "frsSandb000";
  return rig.read(what, answer, position, state);
}

time_point at(std::string_view text) { return *base::parse_time(text); }

}  // namespace

TEST_CASE("youtube: what is asked for") {
  auto what = call_for(operation::shortvideo_search);
  const std::string search = api + "search?part=snippet&type=video&videoDuration=short&q=";
  CHECK(rig.planned(what) == search + "climate&order=relevance&maxResults=20&key=secret");
  what.q = test::query_of("storm \"tide gauge\" -rain a|b");
  what.since = what.now - std::chrono::days{7} + std::chrono::milliseconds{3};
  what.lang = "pt-BR";
  what.country = "PT";
  what.limit = 100;
  CHECK(rig.planned(what, "CBkQAA") ==
        search +
            "storm%20%22tide%20gauge%22%20-rain%20%22a%7Cb%22&order=relevance&maxResults=50"
            "&publishedAfter=2026-10-25T12%3A00%3A00Z&relevanceLanguage=pt&regionCode=PT"
            "&pageToken=CBkQAA&key=secret");
  CHECK(rig.planned(what, "CB kQ") == "invalid_cursor");
  CHECK(rig.planned(call_for(operation::shortvideo_hashtags_videos)) ==
        search + "%23tides&order=date&maxResults=20&key=secret");

  what = call_for(operation::shortvideo_profiles_lookup);
  CHECK(rig.planned(what) == api +
                                 "channels?part=snippet%2Cstatistics%2CbrandingSettings"
                                 "&forHandle=%40coastlab&key=secret");
  what.username = "UC_x5XG1OV2P6uZZ5FSM9Ttw";
  CHECK(rig.planned(what).find("&id=UC_x5XG1OV2P6uZZ5FSM9Ttw&") != std::string::npos);
  for (const auto* bad : {"", "a b", "coastlab@framatube.org", "a/b", "a?b"}) {
    what.username = bad;
    CHECK(rig.planned(what) == "not_found");
  }
  what = call_for(operation::shortvideo_profiles_videos);
  CHECK(rig.planned(what) == api + "channels?part=contentDetails&forHandle=%40coastlab&key=secret");
  CHECK(rig.planned(what, "UUabc/EAAa") ==
        api +
            "playlistItems?part=contentDetails&playlistId=UUabc&maxResults=50&pageToken=EAAa"
            "&key=secret");
  for (const auto* bad : {"UUabc", "UUabc/", "/EAAa", "UU abc/EAAa", "UUabc/EA Aa"})
    CHECK(rig.planned(what, bad) == "invalid_cursor");
  CHECK(rig.configured({"http://127.0.0.1:9/x", {}})
            .planned(what)
            .starts_with("http://127.0.0.1:9/x/youtube/v3/channels?"));
  CHECK(rig.configured({"http://127.0.0.1:9/youtube/v3", {}})
            .planned(what)
            .starts_with("http://127.0.0.1:9/youtube/v3/channels?"));
}

TEST_CASE("youtube: every recorded answer is read") {
  if (!rig.has_recordings()) return;
  std::size_t videos = 0, followed = 0, channels = 0;
  for (const auto& path : rig.recordings()) {
    const auto endpoint = test::endpoint_of(path);
    INFO(path.filename().string());
    if (test::is_unused("youtube", endpoint) || endpoint.starts_with("error")) continue;
    const auto answer = test::recorded(path);
    const auto body = test::parsed(answer.body);
    const auto& items = base::array_of(member(body, "items"));
    const auto token = base::text_of(member(body, "nextPageToken"));
    if (endpoint == "search_list_channels") {
      CHECK(test::listing_of(read_as(operation::shortvideo_search, answer)).items.empty());
    } else if (endpoint == "search_list") {
      ++followed;
      const auto details = test::follow_of(read_as(operation::shortvideo_search, answer));
      CHECK(details.state == "details:" + token);
      for (const auto& one : items) {
        const auto id = base::text_of(member(one, "id", "videoId"));
        CHECK((id.empty() || details.request.url.find(id) != std::string::npos));
      }
    } else if (endpoint == "playlistItems_list") {
      ++followed;
      const auto details =
          test::follow_of(read_as(operation::shortvideo_profiles_videos, answer, "uploads:UUx"));
      CHECK(details.state == "details:UUx/" + token);
      CHECK(details.request.url.find("id=CvTApw9X8aA%2C") != std::string::npos);
    } else if (endpoint == "channels_list") {
      ++channels;
      const auto page = test::listing_of(read_as(operation::shortvideo_profiles_lookup, answer));
      test::check_honest(page, "youtube");
      const auto& one = std::get<user>(page.items.at(0));
      CHECK(one.id == "youtube:UC_x5XG1OV2P6uZZ5FSM9Ttw");
      CHECK(one.display_name == "Google Developers");
      const auto custom = base::text_of(member(items[0], "snippet", "customUrl"));
      CHECK("@" + one.handle == (custom.starts_with("@") ? custom : "@" + custom));
      CHECK(one.metrics.followers ==
            base::integer_of(member(items[0], "statistics", "subscriberCount")));
    } else {
      const auto page =
          test::listing_of(read_as(operation::shortvideo_search, answer, "details:n"));
      test::check_honest(page, "youtube");
      CHECK(page.next == "n");
      std::size_t wanted = 0;
      for (const auto& from : items) {
        const auto seconds =
            youtube::read_duration(base::text_of(member(from, "contentDetails", "duration")));
        if (seconds && *seconds > 180) continue;
        const auto& one = std::get<video>(page.items.at(wanted++));
        ++videos;
        CHECK(one.id == "youtube:" + base::text_of(member(from, "id")));
        CHECK(one.title == clean_text(member(from, "snippet", "title")));
        CHECK(one.text == clean_text(member(from, "snippet", "description")));
        CHECK(one.metrics.views == base::integer_of(member(from, "statistics", "viewCount")));
        CHECK(one.author.id == "youtube:" + base::text_of(member(from, "snippet", "channelId")));
        CHECK(!one.thumbnail_url.empty());
      }
      CHECK(page.items.size() == wanted);
    }
  }
  CHECK(videos >= 8);
  CHECK(followed == 5);
  CHECK(channels == 4);
}

TEST_CASE("youtube: every recorded error has its code") {
  if (!rig.has_recordings()) return;
  const std::map<std::string, errc> expected = {
      {"error_403_daily_limit__1", errc::source_unavailable},
      {"error_403_quota__1", errc::source_unavailable},
      {"error__1", errc::source_auth_required},
      {"error__2", errc::source_auth_required},
  };
  std::size_t seen = 0;
  for (const auto& path : rig.recordings()) {
    const auto name = path.stem().string();
    if (!name.starts_with("error")) continue;
    INFO(name);
    const auto found = expected.find(name);
    REQUIRE(found != expected.end());
    for (const auto& one : youtube::source.capabilities) {
      const auto read = read_as(one.op, test::recorded(path));
      CHECK(code_of(read) == found->second);
      CHECK(!read.error().source_text.empty());
      // The sandbox's noon of 1 November in UTC is five in the morning in California.
      if (found->second == errc::source_unavailable)
        CHECK(read.error().retry_after == std::chrono::hours{20});
    }
    ++seen;
  }
  CHECK(seen == expected.size());
}

TEST_CASE("youtube: other refusals") {
  const auto search = operation::shortvideo_search;
  const auto invalid = R"({"error":{"code":400,"message":"API key not valid. Please pass a valid
    API key.","errors":[{"domain":"global","reason":"badRequest"}],"status":"INVALID_ARGUMENT",
    "details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}]}})";
  std::string body = invalid;
  std::erase(body, '\n');
  CHECK(code_of(read_as(search, test::answer_of(400, body))) == errc::source_auth_required);
  const auto limit = read_as(
      search, test::answer_of(403, R"({"error":{"errors":[{"reason":"rateLimitExceeded"}]}})"));
  CHECK(code_of(limit) == errc::source_unavailable);
  CHECK(limit.error().retry_after == std::chrono::seconds{60});
  CHECK(code_of(read_as(
            search, test::answer_of(400, R"({"error":{"errors":[{"reason":"badRequest"}]}})"))) ==
        errc::source_error);
  CHECK(code_of(read_as(search, test::answer_of(500, "{}"))) == errc::source_error);
  CHECK(code_of(read_as(search, test::answer_of(503, "<html>", "text/html"))) ==
        errc::source_unavailable);
  CHECK(code_of(read_as(search, test::answer_of(200, "{}"))) == errc::source_error);
  const auto lookup = operation::shortvideo_profiles_lookup;
  CHECK(code_of(read_as(lookup, test::answer_of(200, R"({"pageInfo":{"totalResults":0}})"))) ==
        errc::not_found);
  CHECK(code_of(read_as(lookup, test::answer_of(200, "{}"))) == errc::source_error);
  const auto none =
      test::answer_of(404, R"({"error":{"code":404,"errors":[{"reason":"playlistNotFound"}]}})");
  const auto videos = operation::shortvideo_profiles_videos;
  CHECK(test::listing_of(read_as(videos, none, "uploads:UUx")).items.empty());
  CHECK(code_of(read_as(videos, none)) == errc::not_found);
}

TEST_CASE("youtube: durations") {
  CHECK(youtube::read_duration("PT1M5S") == 65);
  CHECK(youtube::read_duration("PT45S") == 45);
  CHECK(youtube::read_duration("P1DT2H") == 93'600);
  CHECK(youtube::read_duration("P0D") == 0);
  CHECK(youtube::read_duration("PT1.5S") == 1.5);
  for (const auto* bad : {"", "P", "PT", "PT5", "P5S", "PT-5S", "PT5SX", "5S", "PT1HT1M", "PTnanS"})
    CHECK(!youtube::read_duration(bad));
}

TEST_CASE("youtube: the quota is filled up at midnight in California") {
  const auto hours = [](std::string_view now) {
    return static_cast<double>(youtube::until_quota_reset(at(now)).count()) / 3600.0;
  };
  CHECK(hours("2026-01-15T07:00:00Z") == 1);
  CHECK(hours("2026-01-15T08:00:00Z") == 24);
  CHECK(hours("2026-07-15T06:30:00Z") == 0.5);
  CHECK(hours("2026-03-08T07:59:00Z") == Approx(1 / 60.0));  // before the clocks go forward
  CHECK(hours("2026-03-08T08:30:00Z") == 22.5);
  CHECK(hours("2026-03-08T10:30:00Z") == 20.5);
  CHECK(hours("2026-11-01T06:59:00Z") == Approx(1 / 60.0));
  CHECK(hours("2026-11-01T07:00:00Z") == 25);  // the day on which they go back
  CHECK(hours("2026-12-31T23:00:00Z") == 9);
}

TEST_CASE("youtube: hashtags stand in the text") {
  using list = std::vector<std::string>;
  CHECK(youtube::hashtags_in("#tides and C#, #Sea_Level2! #東京、#x") ==
        list{"tides", "Sea_Level2", "東京", "x"});
  CHECK(youtube::hashtags_in("https://a.test/#part a#b # ## #a—b") == list{"a"});
  CHECK(youtube::hashtags_in("##a #a #\xC3").size() == 1);
}

TEST_CASE("youtube: short, no live stream, and under the hashtag only what has it") {
  const auto item = [](std::string id, std::string title, std::string duration, std::string live) {
    return R"({"id":")" + id + R"(","snippet":{"title":")" + title +
           R"(","publishedAt":"2026-10-30T00:00:00Z","liveBroadcastContent":")" + live +
           R"("},"contentDetails":{"duration":")" + duration + R"("}})";
  };
  const auto body = R"({"items":[)" + item("a", "tides #Tides", "PT3M", "none") + "," +
                    item("b", "#tides", "PT3M1S", "none") + "," +
                    item("c", "#tides", "P0D", "live") + "," + item("d", "tides", "PT10S", "none") +
                    "]}";
  const auto ids = [&](operation op) {
    std::string out;
    const auto page = test::listing_of(read_as(op, test::answer_of(200, body), "details:"));
    for (const auto& one : page.items) out += common(one).id.back();
    return out;
  };
  CHECK(ids(operation::shortvideo_search) == "ad");
  CHECK(ids(operation::shortvideo_hashtags_videos) == "a");

  auto what = call_for(operation::shortvideo_profiles_videos);
  const auto& how = rig.capability_for(what.op);
  what.since = at("2026-10-30T00:00:00Z");
  const auto answer = test::answer_of(200, body);
  CHECK(test::listing_of(how.read({what, with_key, answer, "UUx/t", "details:UUx/u"})).next ==
        "UUx/u");
  *what.since += std::chrono::seconds{1};
  CHECK(
      test::listing_of(how.read({what, with_key, answer, "UUx/t", "details:UUx/u"})).next.empty());
}

TEST_CASE("youtube: broken answers never break the reader") {
  if (!rig.has_recordings()) return;
  struct row {
    const char* name;
    operation op;
    const char* state;
  };
  unsigned seed = 5;
  for (const auto& [name, op, state] :
       {row{"search_list__1.json", operation::shortvideo_search, ""},
        row{"videos_list_chart__1.json", operation::shortvideo_search, "details:n"},
        row{"channels_list__1.json", operation::shortvideo_profiles_lookup, ""},
        row{"channels_list__1.json", operation::shortvideo_profiles_videos, ""},
        row{"playlistItems_list__1.json", operation::shortvideo_profiles_videos, "uploads:UUx"}})
    rig.read_broken(call_for(op), rig.recording(name), {200, seed++, "", state});
}

TEST_CASE("youtube: the sandbox holds every operation") {
  test::sandbox sandbox("youtube");
  int pages = 0;
  auto what = call_for(operation::shortvideo_search);
  CHECK(sandbox.walk(youtube::source, what, {}, pages).size() == 5);
  CHECK(pages == 2);
  what.q = test::query_of("\"tide gauge\"");
  const auto found = sandbox.walk(youtube::source, what, {}, pages);
  REQUIRE(found.size() == 1);
  const auto& one = std::get<video>(found[0]);
  CHECK(query::matches(what.q, found[0]));
  CHECK(one.duration_s == 61);
  CHECK(one.metrics.views == 5200);
  CHECK(one.tags == std::vector<std::string>{"tides", "science", "sea", "coast"});
  CHECK(one.url == "https://www.youtube.com/watch?v=frsSandb000");
  CHECK(sandbox.walk(youtube::source, call_for(operation::shortvideo_hashtags_videos), {}, pages)
            .size() == 4);
  const auto who =
      sandbox.walk(youtube::source, call_for(operation::shortvideo_profiles_lookup), {}, pages);
  REQUIRE(who.size() == 1);
  CHECK(std::get<user>(who[0]).handle == "coastlab");
  CHECK(std::get<user>(who[0]).metrics.posts == 64);
  CHECK(sandbox.walk(youtube::source, call_for(operation::shortvideo_profiles_videos), {}, pages)
            .size() == 5);
  CHECK(pages == 2);
  for (const auto op :
       {operation::shortvideo_profiles_lookup, operation::shortvideo_profiles_videos}) {
    auto nobody = call_for(op);
    nobody.username = "nobody";
    const auto none = sandbox.page(rig.capability_for(op), nobody, {}, "");
    REQUIRE(none.has_error());
    CHECK(none.error().code() == errc::not_found);
  }
}

}  // namespace freshet::sources::youtube
