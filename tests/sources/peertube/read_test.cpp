// What PeerTube answers: recorded videos and creators field by field, refusals, long videos left
// out.
#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <sources/item_text.hpp>
#include <sources/peertube/wire.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::peertube {

using base::member;
using catalog::operation;
namespace tube = freshet::sources::peertube;
namespace json = boost::json;

namespace {

const test::source_rig rig("peertube");

std::string base_of(const http::response& answer) {
  const auto url = base::parse_url(answer.final_url);
  return url ? url->origin() : std::string(tube::default_instance);
}

void check_video(const video& item, const json::value& value) {
  INFO("video " << item.id);
  CHECK(item.id == "peertube:" + instance_at(base::text_of(member(value, "url"))).host + "/" +
                       base::text_of(member(value, "uuid")));
  CHECK(item.url == base::canonical_url(base::text_of(member(value, "url"))));
  CHECK(item.title == clean_text(member(value, "name")));
  CHECK(item.text == clean_text(base::view_of(member(value, "description"))));
  CHECK(item.duration_s == base::number_of(member(value, "duration")));
  CHECK(item.metrics.views == base::integer_of(member(value, "views")));
  CHECK(item.metrics.likes == base::integer_of(member(value, "likes")));
  CHECK(item.metrics.comments == base::integer_of(member(value, "comments")));
  CHECK(item.metrics.views.has_value());
  CHECK(!item.metrics.shares.has_value());
  CHECK(item.created_at == base::parse_time(base::text_of(member(value, "publishedAt"))));
  CHECK(item.author.handle == base::text_of(member(value, "channel", "name")) + "@" +
                                  base::text_of(member(value, "channel", "host")));
  CHECK(item.author.display_name == clean_text(member(value, "channel", "displayName")));
  CHECK(item.author.avatar_url.empty() ==
        base::array_of(member(value, "channel", "avatars")).empty());
  CHECK(item.lang == language_tag(base::text_of(member(value, "language", "id"))));
  CHECK(!item.thumbnail_url.empty());
  std::set<std::string> tags;
  for (const auto& tag : base::array_of(member(value, "tags"))) tags.insert(clean_text(tag));
  CHECK(std::set<std::string>(item.tags.begin(), item.tags.end()) == tags);
}

}  // namespace

TEST_CASE("peertube: every recorded list is read without loss") {
  if (!rig.has_recordings()) return;
  std::size_t videos = 0, wanted = 0;
  for (const auto& path : rig.recordings()) {
    const auto endpoint = test::endpoint_of(path);
    if (endpoint.find("videos") == std::string::npos) continue;
    INFO(path.filename().string());
    const auto answer = test::recorded(path);
    const auto body = test::parsed(answer.body);
    std::size_t is_short = 0;
    for (const auto& from : base::array_of(member(body, "data"))) {
      const auto item = tube::read_video(from, base_of(answer));
      REQUIRE(item.has_value());
      check_video(*item, from);
      ++videos;
      is_short += *item->duration_s <= tube::longest_short_s ? 1 : 0;
    }
    call what;
    what.limit = 100;
    what.username = "x";
    settings with;
    with.base_url = base_of(answer);
    with.values["search_url"] = base_of(answer);
    const bool searched = endpoint.find("search") != std::string::npos;
    const auto got = searched ? tube::read_search({what, with, answer, "", ""})
                              : tube::read_videos({what, with, answer, "", ""});
    REQUIRE(got);
    if (std::holds_alternative<follow>(*got)) {
      CHECK(is_short == 0);  // it goes on until there is something
      continue;
    }
    const auto page = test::listing_of(got);
    test::check_honest(page, "peertube");
    CHECK(page.items.size() == is_short);
    CHECK(!page.next.empty());
    wanted += is_short;
  }
  CHECK(videos > 120);
  CHECK(wanted > 5);
}

TEST_CASE("peertube: every recorded creator and video is read without loss") {
  if (!rig.has_recordings()) return;
  std::size_t creators = 0;
  for (const auto& path : rig.recordings()) {
    const auto endpoint = test::endpoint_of(path);
    INFO(path.filename().string());
    const auto answer = test::recorded(path);
    if (endpoint == "video") {
      const auto body = test::parsed(answer.body);
      const auto item = tube::read_video(body, base_of(answer));
      REQUIRE(item.has_value());
      check_video(*item, body);
    }
    if (endpoint != "channel" && endpoint != "account") continue;
    call what;
    what.username = "x";
    settings with;
    with.base_url = base_of(answer);
    const auto page = test::listing_of(tube::read_lookup({what, with, answer, "", ""}));
    test::check_honest(page, "peertube");
    const auto& user = std::get<freshet::user>(page.items.at(0));
    const auto body = test::parsed(answer.body);
    CHECK(user.handle ==
          base::text_of(member(body, "name")) + "@" + base::text_of(member(body, "host")));
    CHECK(user.metrics.followers == base::integer_of(member(body, "followersCount")));
    CHECK(user.metrics.following == base::integer_of(member(body, "followingCount")));
    CHECK(user.text == clean_text(base::view_of(member(body, "description"))));
    CHECK(user.avatar_url.empty() == base::array_of(member(body, "avatars")).empty());
    CHECK(user.banner_url.empty() == base::array_of(member(body, "banners")).empty());
    ++creators;
  }
  CHECK(creators == 4);
}

TEST_CASE("peertube: fields of recorded answers, by hand") {
  if (!test::shared_has("recordings/peertube/sepia_search_videos__1.json")) return;
  call what;
  const auto page = test::listing_of(
      tube::read_search({what, {}, rig.recording("sepia_search_videos__1.json"), "", ""}));
  const auto& item = std::get<video>(page.items.at(0));
  CHECK(item.id == "peertube:tube.kockatoo.org/23d6717f-0cce-4288-ac48-caf75dd47692");
  CHECK(item.url == "https://tube.kockatoo.org/videos/watch/23d6717f-0cce-4288-ac48-caf75dd47692");
  CHECK(item.title == "KDE Gear ⚙️ 21.08: An imaginary ad for Konsole");
  CHECK(item.duration_s == 42.0);
  CHECK(item.metrics.views == 1469);
  CHECK(item.metrics.likes == 8);
  CHECK(item.metrics.comments == 1);
  CHECK(item.lang == "en");
  CHECK(item.tags ==
        std::vector<std::string>{"apps", "commandline", "kde gear", "konsole", "terminal"});
  CHECK(base::format_time(*item.created_at) == "2021-08-09T17:24:17.780Z");
  CHECK(item.author.id == "peertube:tube.kockatoo.org/kde");
  CHECK(item.author.handle == "kde@tube.kockatoo.org");
  CHECK(item.author.url == "https://tube.kockatoo.org/video-channels/kde");
  CHECK(item.author.avatar_url ==
        "https://tube.kockatoo.org/lazy-static/avatars/0cd5cebf-0419-45ad-891e-53c4e7c40260.png");
  CHECK(item.thumbnail_url ==
        "https://tube.kockatoo.org/lazy-static/thumbnails/"
        "c48085e8-1935-430a-9e0c-edf450c3220f.jpg");

  settings with;
  with.base_url = "https://framatube.org";
  what.username = "chatsceptique@skeptikon.fr";
  const auto found =
      test::listing_of(tube::read_lookup({what, with, rig.recording("channel__1.json"), "", ""}));
  const auto& user = std::get<freshet::user>(found.items.at(0));
  CHECK(user.id == "peertube:skeptikon.fr/chatsceptique");
  CHECK(user.display_name == "Chat Sceptique");
  CHECK(user.metrics.followers == 853);
  CHECK(user.avatar_url ==
        "https://framatube.org/lazy-static/avatars/803b3b21-1da5-4cbd-a14f-a005bce347b9.png");
}

TEST_CASE("peertube: every recorded error has its code") {
  if (!test::shared_has("recordings/peertube/error_404__1.json")) return;
  call what;
  what.username = "nobody";
  const auto missing = rig.recording("error_404__1.json");
  const auto again = test::follow_of(tube::read_lookup({what, {}, missing, "", ""}));
  CHECK(again.request.url == "https://framatube.org/api/v1/accounts/nobody");
  CHECK(again.state == "account");
  auto read = tube::read_lookup({what, {}, missing, "", again.state});
  REQUIRE(read.has_error());
  CHECK(read.error().code() == errc::not_found);
  CHECK(read.error().source_text == "Video not found");
  const auto videos = test::follow_of(tube::read_videos({what, {}, missing, "", ""}));
  CHECK(videos.request.url.find("/api/v1/accounts/nobody/videos?start=0") != std::string::npos);
  CHECK(tube::read_videos({what, {}, missing, "", videos.state}).error().code() == errc::not_found);
  read = tube::read_search({what, {}, rig.recording("error_400__1.json"), "", ""});
  CHECK(read.error().code() == errc::source_error);
  auto limited = test::answer_of(429, "{}");
  limited.headers.push_back({"X-RateLimit-Reset", "1793534380"});
  limited.headers.push_back({"Date", "Sun, 01 Nov 2026 11:59:30 GMT"});
  read = tube::read_search({what, {}, limited, "", ""});
  CHECK(read.error().code() == errc::source_unavailable);
  CHECK(read.error().retry_after == std::chrono::seconds{10});
}

TEST_CASE("peertube: long videos are skipped and no short one is lost between pages") {
  std::string body = R"({"total":7,"data":[)";
  for (int i = 0; i < 7; ++i) {
    if (i > 0) body += ',';
    body += R"({"uuid":"u)" + std::to_string(i) + R"(","url":"https://a.example/w/u)" +
            std::to_string(i) + R"(","duration":)" + (i % 2 == 0 ? "60" : "181") +
            R"(,"publishedAt":"2026-10-)" + std::to_string(30 - i) + R"(T00:00:00Z"})";
  }
  body += "]}";
  call what;
  what.op = operation::shortvideo_profiles_videos;
  what.username = "x";
  what.limit = 2;
  auto page = test::listing_of(tube::read_videos({what, {}, test::answer_of(200, body), "", ""}));
  CHECK(page.items.size() == 2);
  CHECK(page.next == "c3");
  page = test::listing_of(tube::read_videos({what, {}, test::answer_of(200, body), "a3", ""}));
  CHECK(page.next == "a6");
  what.limit = 20;
  what.since = base::parse_time("2026-10-28T00:00:00Z");
  page = test::listing_of(tube::read_videos({what, {}, test::answer_of(200, body), "", ""}));
  CHECK(page.items.size() == 2);
  CHECK(page.next.empty());
}

TEST_CASE("peertube: a page goes on over long videos until it has something, or the bound") {
  const auto page_of = [](int seconds) {
    std::string body;
    for (int i = 0; i < tube::max_page; ++i) {
      const auto number = std::to_string(i);
      body += std::string(i == 0 ? "" : ",") + R"({"uuid":"u)" + number +
              R"(","url":"https://a.example/w/u)" + number + R"(","duration":)" +
              std::to_string(seconds) + R"(,"publishedAt":"2026-10-30T00:00:00Z"})";
    }
    return test::answer_of(200, R"({"total":900,"data":[)" + body + "]}");
  };
  call what;
  what.op = operation::shortvideo_profiles_videos;
  what.username = "x";
  std::string state;
  int steps = 0;
  for (;; ++steps) {
    REQUIRE(steps < 20);
    const auto got = tube::read_videos({what, {}, page_of(600), "", state});
    REQUIRE(got);
    if (std::holds_alternative<listing>(*got)) break;
    const auto& further = std::get<follow>(*got);
    CHECK(further.request.url.find("?start=" + std::to_string((steps + 1) * 100)) !=
          std::string::npos);
    CHECK(test::listing_of(tube::read_videos({what, {}, page_of(60), "", further.state}))
              .items.size() == 20);
    state = further.state;
  }
  CHECK(steps == 4);
  CHECK(steps + 1 < max_follow_steps);  // one more where the name is an account's
  const auto last = test::listing_of(tube::read_videos({what, {}, page_of(600), "", state}));
  CHECK(last.items.empty());
  CHECK(last.next == "c500");
  // From there a later page goes on in the same way.
  const auto further = test::follow_of(tube::read_videos({what, {}, page_of(600), last.next, ""}));
  CHECK(further.state == "c600");
}

TEST_CASE("peertube: broken answers never break the reader") {
  if (!rig.has_recordings()) return;
  unsigned seed = 20261101;
  call what;
  what.username = "x";
  const std::map<operation, std::string> files = {
      {operation::shortvideo_search, "sepia_search_videos__1.json"},
      {operation::shortvideo_profiles_lookup, "channel__1.json"},
      {operation::shortvideo_profiles_videos, "channel_videos__1.json"}};
  for (const auto& how : tube::source.capabilities) {
    const auto file = files.find(how.op);
    if (file == files.end()) continue;
    what.op = how.op;
    rig.read_broken(what, rig.recording(file->second), {300, seed++});
  }
}

}  // namespace freshet::sources::peertube
