// What Dailymotion answers: recorded lists and users, refusals, broken copies.
#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <sources/dailymotion/wire.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::dailymotion {

using base::member;
using catalog::operation;
namespace dm = freshet::sources::dailymotion;

namespace {

const test::source_rig rig("dailymotion");

call call_for(operation op) {
  auto what = test::search_call(op, "python");
  what.username = "coastlab";
  what.limit = 100;
  return what;
}

}  // namespace

TEST_CASE("dailymotion: every recorded list is read without loss") {
  if (!rig.has_recordings()) return;
  std::size_t lists = 0, videos = 0;
  for (const auto& path : rig.recordings()) {
    const auto endpoint = test::endpoint_of(path);
    const auto answer = test::recorded(path);
    if (test::is_unused("dailymotion", endpoint) || answer.status != 200) continue;
    INFO(path.filename().string());
    const auto page = test::listing_of(
        dm::read_list({call_for(operation::shortvideo_search), {}, answer, "", ""}));
    test::check_page(page, "dailymotion");
    const auto body = test::parsed(answer.body);
    std::map<std::string, const boost::json::value*> by_id;
    std::size_t is_long = 0;
    for (const auto& one : base::array_of(member(body, "list"))) {
      by_id.emplace("dailymotion:" + base::text_of(member(one, "id")), &one);
      is_long += base::number_of(member(one, "duration")).value_or(0) > 180 ? 1 : 0;
    }
    CHECK(page.items.size() + is_long == by_id.size());
    for (const auto& any : page.items) {
      const auto& item = std::get<video>(any);
      const auto& from = *by_id.at(item.id);
      CHECK(item.title == base::text_of(member(from, "title")));
      CHECK(item.duration_s == base::number_of(member(from, "duration")));
      CHECK(item.metrics.views == base::integer_of(member(from, "views_total")));
      CHECK(item.created_at.has_value() ==
            base::number_of(member(from, "created_time")).has_value());
      CHECK(item.author.display_name == base::text_of(member(from, "owner.screenname")));
      CHECK(item.url.starts_with("https://www.dailymotion.com/video/"));
      ++videos;
    }
    CHECK(page.next.empty() != base::flag_of(member(body, "has_more")).value_or(false));
    ++lists;
  }
  CHECK(lists == 5);
  CHECK(videos == 20);
}

TEST_CASE("dailymotion: fields by hand") {
  if (!test::shared_has("recordings/dailymotion/videos_search__1.json")) return;
  const auto body = test::parsed(rig.recording("videos_search__1.json").body);
  const auto item = dm::read_video(base::array_of(member(body, "list")).front());
  REQUIRE(item.has_value());
  CHECK(item->id == "dailymotion:x3733ir");
  CHECK(item->url == "https://www.dailymotion.com/video/x3733ir");
  CHECK(item->title == "PYTHON PROGRAMMING BASIC");
  CHECK(item->duration_s == 883.0);
  CHECK(item->metrics.views == 120);
  CHECK(base::format_time(*item->created_at) == "2015-09-16T17:48:16Z");
  CHECK(item->thumbnail_url == "https://s1.dmcdn.net/v/BXOUJ1g50M8GhYETM/x360");
  const auto made = dm::read_video(test::parsed(
      R"({"id":"x1","description":"a<br />b &amp; c","owner.id":"x2","owner.username":"coastlab",
          "views_total":null,"likes_total":3,"language":"fr","tags":["a","a","b"]})"));
  REQUIRE(made.has_value());
  CHECK(made->text == "a\nb & c");
  CHECK(made->author.id == "dailymotion:x2");
  CHECK(made->author.url == "https://www.dailymotion.com/coastlab");
  CHECK(!made->metrics.views.has_value());
  CHECK(made->metrics.likes == 3);
  CHECK(made->lang == "fr");
  CHECK(made->tags == std::vector<std::string>{"a", "b"});
}

TEST_CASE("dailymotion: every error has its code") {
  const auto what = call_for(operation::shortvideo_profiles_lookup);
  const auto code = [&what](int status, std::string body, std::string type = "application/json") {
    const auto read = dm::read_lookup(
        {what, {}, test::answer_of(status, std::move(body), std::move(type)), "", "safe"});
    REQUIRE(read.has_error());
    return read.error().code();
  };
  if (test::shared_has("recordings/dailymotion/error_404__1.json")) {
    const auto missing = rig.recording("error_404__1.json");
    CHECK(code(404, missing.body) == errc::not_found);
    CHECK(dm::read_list({call_for(operation::shortvideo_profiles_videos), {}, missing, "", ""})
              .error()
              .code() == errc::not_found);
  }
  CHECK(code(403, R"({"error":{"code":403,"type":"access_forbidden","message":"x"}})") ==
        errc::source_auth_required);
  CHECK(code(403, "<html>no</html>", "text/html") == errc::source_blocked);
  CHECK(code(400, R"({"error":{"code":400,"type":"invalid_parameter","message":"x"}})") ==
        errc::source_error);
  CHECK(code(429, "{}") == errc::source_unavailable);
  CHECK(code(200, "[]") == errc::source_error);
  CHECK(code(200, "<!doctype html><p>hi", "text/html") == errc::source_error);
}

TEST_CASE("dailymotion: a withdrawn field costs one more request, not the call") {
  const auto what = call_for(operation::shortvideo_search);
  const auto refused =
      test::answer_of(400, R"({"error":{"code":400,"type":"invalid_parameter","message":"x"}})");
  const auto again = test::follow_of(dm::read_list({what, {}, refused, "2.20.0", ""}));
  CHECK(again.request.url.find("views_total") == std::string::npos);
  CHECK(again.request.url.find("comments_total") != std::string::npos);
  CHECK(again.request.url.find("page=2&limit=20") != std::string::npos);
  const auto last = test::follow_of(dm::read_list({what, {}, refused, "2.20.0", again.state}));
  CHECK(last.request.url.find("comments_total") == std::string::npos);
  const auto read = dm::read_list({what, {}, refused, "2.20.0", last.state});
  REQUIRE(read.has_error());
  CHECK(read.error().code() == errc::source_error);
}

TEST_CASE("dailymotion: without views_total everything else is there") {
  const auto what = call_for(operation::shortvideo_search);
  // As the API refuses a field that it does not know.
  const auto answer_to = [](const std::string& url) {
    if (url.find("views_total") != std::string::npos) {
      return test::answer_of(
          400, R"({"error":{"code":400,"type":"invalid_parameter","message":"views_total"}})");
    }
    return test::answer_of(
        200, R"({"list":[{"id":"a","duration":10,"title":"t","likes_total":3,"tags":["x"]}]})");
  };
  const auto refused = answer_to("views_total");
  const auto again = test::follow_of(dm::read_list({what, {}, refused, "", ""}));
  const auto page =
      test::listing_of(dm::read_list({what, {}, answer_to(again.request.url), "", again.state}));
  REQUIRE(page.items.size() == 1);
  const auto& one = std::get<video>(page.items[0]);
  CHECK_FALSE(one.metrics.views.has_value());
  CHECK(one.metrics.likes == 3);
  CHECK(one.tags == std::vector<std::string>{"x"});

  const auto who = call_for(operation::shortvideo_profiles_lookup);
  const auto fewer = test::follow_of(dm::read_lookup({who, {}, refused, "", ""}));
  CHECK(fewer.request.url.find("followers_total") == std::string::npos);
  CHECK(fewer.request.url.find("/user/coastlab?fields=id%2Cscreenname") != std::string::npos);
  const auto named = test::answer_of(200, R"({"id":"x1","screenname":"Coast"})");
  const auto found = test::listing_of(dm::read_lookup({who, {}, named, "", fewer.state}));
  CHECK(std::get<user>(found.items.at(0)).display_name == "Coast");
  CHECK(dm::read_lookup({who, {}, refused, "", fewer.state}).error().code() == errc::source_error);
}

TEST_CASE("dailymotion: pages go on exactly where they were left") {
  auto what = call_for(operation::shortvideo_search);
  what.limit = 2;
  const auto body =
      R"({"has_more":true,"list":[{"id":"a","duration":10},{"id":"b","duration":200},{"id":"c"},{"id":"d"}]})";
  auto page = test::listing_of(dm::read_list({what, {}, test::answer_of(200, body), "1.4.0", ""}));
  CHECK(page.items.size() == 2);
  CHECK(page.next == "1.4.3");
  page = test::listing_of(dm::read_list({what, {}, test::answer_of(200, body), page.next, ""}));
  CHECK(common(page.items.at(0)).id == "dailymotion:d");
  CHECK(page.next == "2.4.0");
  page = test::listing_of(dm::read_list({what, {}, test::answer_of(200, body), "250.4.3", ""}));
  CHECK(page.next.empty());
  CHECK(page.partial);
}

TEST_CASE("dailymotion: broken answers never break the reader") {
  test::sandbox sandbox("dailymotion");
  if (!rig.has_recordings()) return;
  unsigned seed = 20261101;
  for (const auto* file :
       {"videos_search__1.json", "user_videos__1.json", "channel_videos__1.json"}) {
    const auto answer = rig.recording(file);
    for (const auto& how : dm::source.capabilities)
      rig.read_broken(call_for(how.op), answer, {200, seed++});
  }
}

}  // namespace freshet::sources::dailymotion
