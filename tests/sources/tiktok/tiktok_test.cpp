// TikTok: the client's token, queries over windows of thirty days, videos with ids longer than 64
// bits, and the sandbox.
#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <sources/item_text.hpp>
#include <sources/source_rig.hpp>
#include <sources/tiktok/wire.hpp>

namespace freshet::sources::tiktok {

using catalog::operation;
using test::code_of;
using namespace test::shortvideo_calls;
using base::member;

namespace {

const settings with_client{"", {{"client_key", "ck"}, {"client_secret", "c&s"}}};
const test::source_rig rig("tiktok", with_client);
const std::string token = "-use:clt.1";  // the answer to a query that carried clt.1

result<step> read_as(const call& call, const http::response& answer, std::string_view state = token,
                     std::string_view position = "") {
  return rig.read(call, answer, position, state);
}

/// The query that follows the token.
http::request query_for(const call& call, std::string_view position = "") {
  return test::follow_of(
             read_as(call, test::answer_of(200, R"({"access_token":"clt.1"})"), "", position))
      .request;
}

std::string error_body(std::string code) {
  return R"({"error":{"code":")" + code + R"(","message":"m","log_id":"l"},"data":{}})";
}

}  // namespace

TEST_CASE("tiktok: every call begins with the client's token, which is kept") {
  for (const auto& how : tiktok::source.capabilities) {
    auto what = call_for(how.op);
    what.native_id = "7580000002469135782";
    const auto asked = how.plan(what, with_client, "");
    REQUIRE(asked.has_value());
    CHECK(asked->method == "POST");
    CHECK(asked->url == "https://open.tiktokapis.com/v2/oauth/token/");
    CHECK(asked->body == "client_key=ck&client_secret=c%26s&grant_type=client_credentials");
    CHECK(asked->keep_for == tiktok::token_kept);
    CHECK(asked->redirect_limit == 0);
    const auto query = query_for(what);
    CHECK(http::find_header(query.headers, "authorization") == "Bearer clt.1");
    CHECK(query.repeatable);
    CHECK(query.keep_for.count() == 0);
  }
  settings other = with_client;
  other.values["token_url"] = "http://127.0.0.1:9/token";
  other.base_url = "http://127.0.0.1:8/x/v2";
  const auto what = call_for(operation::shortvideo_search);
  const auto& how = rig.capability_for(what.op);
  CHECK(how.plan(what, other, "")->url == "http://127.0.0.1:9/token");
  CHECK(test::follow_of(
            how.read({what, other, test::answer_of(200, R"({"access_token":"t"})"), "", ""}))
            .request.url.starts_with("http://127.0.0.1:8/x/v2/research/video/query/?fields=id%2C"));
}

TEST_CASE("tiktok: queries are conditions over a window of thirty days") {
  auto what = call_for(operation::shortvideo_search);
  what.q = test::query_of("storm \"tide gauge\" -rain");
  what.country = "NL";
  const std::string lengths =
      R"({"operation":"IN","field_name":"video_length","field_values":["SHORT","MID","LONG"]})";
  const auto equal = [](std::string field, std::string value) {
    return R"({"operation":"EQ","field_name":")" + field + R"(","field_values":[")" + value +
           R"("]})";
  };
  CHECK(query_for(what).body ==
        R"({"query":{"and":[)" + equal("keyword", "storm") + "," + equal("keyword", "tide gauge") +
            "," + equal("region_code", "NL") + "," + lengths + R"(],"not":[)" +
            equal("keyword", "rain") +
            R"(]},"start_date":"20261003","end_date":"20261101","max_count":20})");
  what = call_for(operation::shortvideo_hashtags_videos);
  what.limit = 500;
  what.since = base::parse_time("2026-10-20T17:00:00Z");
  CHECK(query_for(what).body == R"({"query":{"and":[)" + equal("hashtag_name", "tides") + "," +
                                    lengths +
                                    R"(]},"start_date":"20261020","end_date":"20261101",)"
                                    R"("max_count":100})");
  what = call_for(operation::shortvideo_profiles_videos);
  CHECK(query_for(what, "20261002.100.7354367454467855403").body ==
        R"({"query":{"and":[)" + equal("username", "coastlab") + "," + lengths +
            R"(]},"start_date":"20260903","end_date":"20261002","max_count":20,"cursor":100,)"
            R"("search_id":"7354367454467855403"})");
  for (const auto* bad : {"20261002", "20261002.100", "20261302.0.", "2026102.0.", "20261002.-1.",
                          "20261002.x.", "20261002.1.x", "20260230.0."})
    CHECK(rig.capability_for(what.op).plan(what, with_client, bad).error().code() ==
          errc::invalid_cursor);
  what = call_for(operation::shortvideo_profiles_lookup);
  CHECK(query_for(what).body == R"({"username":"coastlab"})");
  for (const auto* bad : {"", "a b", "a@b", "a/b", "a\"b"}) {
    what.username = bad;
    CHECK(rig.capability_for(what.op).plan(what, with_client, "").error().code() ==
          errc::not_found);
  }
}

TEST_CASE("tiktok: every recorded answer is read without loss, ids digit by digit") {
  if (!rig.has_recordings()) return;
  std::size_t videos = 0;
  bool beyond_64_bits = false;
  for (const auto& path : rig.recordings()) {
    const auto endpoint = test::endpoint_of(path);
    INFO(path.filename().string());
    if (test::is_unused("tiktok", endpoint)) continue;
    const auto answer = test::recorded(path);
    if (endpoint == "error_400_invalid_cursor") {
      const auto what = call_for(operation::shortvideo_search);
      CHECK(code_of(read_as(what, answer)) == errc::source_error);
      const auto anew = test::follow_of(read_as(what, answer, token, "20261101.100.735"));
      CHECK(anew.request.body.find("cursor") == std::string::npos);
      CHECK(anew.request.body.find("search_id") == std::string::npos);
      CHECK(code_of(read_as(what, answer, anew.state, "20261101.100.735")) == errc::source_error);
      continue;
    }
    if (endpoint == "research_user_info") {
      const auto page =
          test::listing_of(read_as(call_for(operation::shortvideo_profiles_lookup), answer));
      test::check_page(page, "tiktok");
      const auto& one = std::get<user>(page.items.at(0));
      CHECK(one.id == "tiktok:coastlab");
      CHECK(one.url == "https://www.tiktok.com/@coastlab");
      CHECK(one.display_name == "my nick name");
      CHECK(one.text == "my_bio");
      CHECK(one.metrics.followers == 232);
      CHECK(one.metrics.following == 45);
      CHECK(one.metrics.posts == 44);
      CHECK(one.verified == false);
      continue;
    }
    const auto page = test::listing_of(read_as(call_for(operation::shortvideo_search), answer));
    test::check_page(page, "tiktok");
    const auto body = test::parsed(tiktok::with_ids_as_text(answer.body));
    const auto& list = base::array_of(member(body, "data", "videos"));
    REQUIRE(page.items.size() == list.size());
    const auto& data = member(body, "data");
    const bool more = base::flag_of(member(data, "has_more")).value_or(false);
    CHECK(page.next == (more ? "20261101." + base::text_of(member(data, "cursor")) + "." +
                                   base::text_of(member(data, "search_id"))
                             : "20261002.0."));
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto& one = std::get<video>(page.items[i]);
      const auto& from = list[i];
      auto id = base::text_of(member(from, "id"));
      if (id.empty()) id = base::text_of(member(from, "video_id"));
      CHECK(one.id == "tiktok:" + id);
      CHECK(answer.body.find(id) != std::string::npos);
      beyond_64_bits = beyond_64_bits || id.size() > 19;
      CHECK(one.text == clean_text(member(from, "video_description")));
      CHECK(one.metrics.views == base::integer_of(member(from, "view_count")));
      CHECK(one.metrics.likes == base::integer_of(member(from, "like_count")));
      CHECK(one.author.handle == clean_text(member(from, "username")));
      CHECK((one.author.handle.empty() || one.url.ends_with("/video/" + id)));
      CHECK(one.created_at ==
            base::from_unix_seconds(*base::number_of(member(from, "create_time"))));
      CHECK(one.tags.size() <= base::array_of(member(from, "hashtag_names")).size());
      ++videos;
    }
    rig.read_broken(call_for(operation::shortvideo_search), answer, {200, 41, "", token});
  }
  CHECK(videos > 50);
  CHECK(beyond_64_bits);
}

TEST_CASE("tiktok: long numbers become text, and nothing else") {
  CHECK(tiktok::with_ids_as_text(R"({"id":73207681965695992750,"n":[7320768196569599275,12]})") ==
        R"({"id":"73207681965695992750","n":["7320768196569599275",12]})");
  for (const auto* same :
       {R"({"a":"73207681965695992750 \" 73207681965695992750"})",
        R"([0.73207681965695992750,1e73207681965695992750])",
        R"([73207681965695992750.5,73207681965695992750e2,-73207681965695992750])",
        R"({"at":1704499196,"unfinished":"7320768196569599275)", ""})
    CHECK(tiktok::with_ids_as_text(same) == same);
}

TEST_CASE("tiktok: refusals") {
  const auto what = call_for(operation::shortvideo_search);
  for (const int status : {200, 400, 401}) {
    CHECK(code_of(read_as(what, test::answer_of(status, R"({"error":"invalid_client",
                                                      "error_description":"d","log_id":"l"})"),
                          "")) == errc::source_auth_required);
  }
  CHECK(code_of(read_as(what, test::answer_of(200, "{}"), "")) == errc::source_error);
  CHECK(code_of(read_as(what, test::answer_of(200, R"({"access_token":"a b"})"), "")) ==
        errc::source_error);
  CHECK(code_of(read_as(what, test::answer_of(429, R"({"error":"slow"})"), "")) ==
        errc::source_unavailable);

  const auto daily = read_as(what, test::answer_of(429, error_body("daily_quota_limit_exceeded")));
  CHECK(code_of(daily) == errc::source_unavailable);
  CHECK(daily.error().retry_after == std::chrono::hours{12});
  const auto often = read_as(what, test::answer_of(429, error_body("rate_limit_exceeded")));
  CHECK(often.error().retry_after == std::chrono::seconds{60});
  CHECK(code_of(read_as(what, test::answer_of(401, error_body("scope_not_authorized")))) ==
        errc::source_auth_required);
  CHECK(code_of(read_as(what, test::answer_of(200, error_body("odd")))) == errc::source_error);
  CHECK(code_of(read_as(what, test::answer_of(200, R"({"data":7,"error":{"code":"ok"}})"))) ==
        errc::source_error);
  CHECK(code_of(read_as(what, test::answer_of(403, "<html>Access denied", "text/html"))) ==
        errc::source_blocked);
  const auto lookup = call_for(operation::shortvideo_profiles_lookup);
  CHECK(code_of(read_as(lookup, test::answer_of(200, R"({"data":{},"error":{"code":"ok"}})"))) ==
        errc::source_error);
  CHECK(code_of(read_as(lookup, test::answer_of(400, R"({"error":{"code":"invalid_params",
                                                         "message":"Cannot find the user"}})"))) ==
        errc::not_found);
}

TEST_CASE("tiktok: a refused token is renewed, a random failure asked again, each once") {
  const auto fresh = test::answer_of(200, R"({"access_token":"clt.2"})");
  for (const auto op : {operation::shortvideo_search, operation::shortvideo_profiles_lookup}) {
    const auto what = call_for(op);
    const auto refusal = test::answer_of(401, error_body("access_token_invalid"));
    const auto renew = test::follow_of(read_as(what, refusal));
    CHECK(renew.request.refused == "clt.1");
    CHECK(renew.request.keep_for == tiktok::token_kept);
    const auto again = test::follow_of(read_as(what, fresh, renew.state));
    CHECK(http::find_header(again.request.headers, "authorization") == "Bearer clt.2");
    CHECK(again.request.body == query_for(what).body);
    CHECK(code_of(read_as(what, refusal, again.state)) == errc::source_auth_required);

    const auto failure = test::answer_of(500, error_body("internal_error"));
    const auto retried = test::follow_of(read_as(what, failure));
    CHECK(retried.request.body == query_for(what).body);
    CHECK(http::find_header(retried.request.headers, "authorization") == "Bearer clt.1");
    CHECK(code_of(read_as(what, failure, retried.state)) == errc::source_unavailable);
  }
}

TEST_CASE("tiktok: windows follow one another to since, or to a bound that is told") {
  const auto none = test::answer_of(200, R"({"data":{"videos":[],"has_more":false},
                                             "error":{"code":"ok"}})");
  auto what = call_for(operation::shortvideo_search);
  const auto walk = [&] {
    std::vector<std::string> places;
    listing page;
    do {
      page = test::listing_of(read_as(what, none, token, page.next));
      places.push_back(page.next);
    } while (!page.next.empty() && places.size() < 50);
    CHECK(page.partial == (places.size() == (what.since ? 13U : 3U)));
    return places;
  };
  CHECK(walk() == std::vector<std::string>{"20261002.0.", "20260902.0.", ""});
  what.since = what.now - std::chrono::days{40};
  CHECK(walk() == std::vector<std::string>{"20261002.0.", ""});
  CHECK(query_for(what, "20261002.0.").body.find(R"("start_date":"20260922")") !=
        std::string::npos);
  what.since = what.now - std::chrono::days{3000};
  CHECK(walk().size() == 13);
  what.since = what.now - std::chrono::hours{1};
  CHECK(walk().size() == 1);
}

TEST_CASE("tiktok: the sandbox holds every operation") {
  test::sandbox sandbox("tiktok");
  int pages = 0;
  auto what = call_for(operation::shortvideo_search);
  CHECK(sandbox.walk(tiktok::source, what, {}, pages).size() == 4);
  CHECK(pages == 4);
  what.q = test::query_of("\"tide gauge\"");
  const auto found = sandbox.walk(tiktok::source, what, {}, pages);
  REQUIRE(found.size() == 2);
  for (const auto& one : found) CHECK(query::matches(what.q, one));
  const auto& one = std::get<video>(found[0]);
  CHECK(one.id == "tiktok:7580000001234567891");
  CHECK(one.url == "https://www.tiktok.com/@coastlab/video/7580000001234567891");
  CHECK(one.title == "The tide gauge hut at dawn #tides #coast");
  CHECK(one.duration_s == 21);
  CHECK(one.music.id == "7100000000000000000");
  CHECK(sandbox.walk(tiktok::source, call_for(operation::shortvideo_hashtags_videos), {}, pages)
            .size() == 4);
  CHECK(sandbox.walk(tiktok::source, call_for(operation::shortvideo_profiles_videos), {}, pages)
            .size() == 5);
  const auto& how = rig.capability_for(operation::shortvideo_profiles_lookup);
  auto lookup = call_for(how.op);
  const auto who = sandbox.page(how, lookup, {}, "");
  REQUIRE(who.has_value());
  test::check_page(*who, "tiktok");
  CHECK(std::get<user>(who->items.at(0)).metrics.followers == 9100);
  lookup.username = "nobody";
  const auto nobody = sandbox.page(how, lookup, {}, "");
  REQUIRE(nobody.has_error());
  CHECK(nobody.error().code() == errc::not_found);
}

}  // namespace freshet::sources::tiktok
