// NewsAPI: what is asked with a key, articles, and what a small plan still gives.
#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <sources/newsapi/wire.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::newsapi {

using namespace test::news_calls;

namespace {

const settings keyless{"https://newsapi.org", {}};
const settings keyed{"https://newsapi.org", {{"api_key", "k"}}};
const test::source_rig rig("newsapi", keyed);

}  // namespace

TEST_CASE("A search of NewsAPI demands every word; the key is a header") {
  auto what = search_for("climate \"tide gauge\" -fish");
  const auto plain = newsapi::plan_search(what, keyed, "");
  CHECK(plain->url ==
        "https://newsapi.org/v2/everything?q=climate%20AND%20%22tide%20gauge%22%20AND%20NOT%20fish"
        "&sortBy=publishedAt&pageSize=20&page=1");
  CHECK(http::find_header(plain->headers, "X-Api-Key") == "k");
  CHECK(http::find_header(newsapi::plan_search(what, keyless, "")->headers, "X-Api-Key").empty());
  what.since = sandbox_now - std::chrono::hours{24};
  what.lang = "de-AT";
  CHECK(newsapi::plan_search(what, keyed, "2:100")
            ->url.ends_with("&pageSize=100&page=2&from=2026-10-31T12%3A00%3A00Z&language=de"));
  what.lang = "nb";
  CHECK(newsapi::plan_search(what, keyed, "2:20:any")->url.ends_with("&page=2&language=no"));
  what.lang = "ja";
  CHECK(newsapi::plan_search(what, keyed, "").error().code() == errc::not_found);
  what.lang.clear();
  what.country = "US";
  CHECK(newsapi::plan_search(what, keyed, "").error().code() == errc::not_found);
  what.country.clear();
  for (const auto* bad :
       {"x", "1", "0:20", "1:101", "1:0", "1:20x", "9999:20", "1:20:all", ":any"}) {
    CHECK(newsapi::plan_search(what, keyed, bad).error().code() == errc::invalid_cursor);
  }
  CHECK(rig.source().settings[0].required);
}

TEST_CASE("Every recorded answer of NewsAPI is read") {
  if (!rig.has_recordings()) return;
  const std::map<std::string, errc> errors = {{"error_401", errc::source_auth_required},
                                              {"error_426", errc::source_error},
                                              {"error_429", errc::source_unavailable}};
  int count = 0;
  for (const auto& path : rig.recordings()) {
    INFO(path.filename().string());
    ++count;
    const auto answer = test::recorded(path);
    const auto got = rig.read(answer);
    if (const auto known = errors.find(test::endpoint_of(path)); known != errors.end()) {
      REQUIRE_FALSE(got.has_value());
      CHECK(got.error().code() == known->second);
      CHECK_FALSE(got.error().source_text.empty());
      CHECK(got.error().retry_after.has_value() == (answer.status == 429));
      continue;
    }
    const auto page = test::listing_of(got);
    CHECK_FALSE(page.items.empty());
    CHECK(page.next.empty());
    test::check_honest(page, "newsapi");
    rig.read_broken(answer, {60, 8});
  }
  CHECK(count == 7);
}

TEST_CASE("An article of NewsAPI loses no field") {
  if (!rig.has_recordings()) return;
  const auto page = test::listing_of(rig.read(rig.recording("top_headlines__1.json")));
  REQUIRE(page.items.size() == 20);
  const auto& one = std::get<article>(page.items[0]);
  CHECK(one.title ==
        "Stock futures are little changed as investors watch for debt ceiling updates, inflation "
        "data: Live updates");
  CHECK(one.url == "https://www.cnbc.com/2023/05/25/stock-market-today-live-updates.html");
  CHECK(one.id.size() == std::string("newsapi:").size() + 16);
  CHECK(one.text == "The moves followed a tech rally in Thursday's session");
  CHECK(base::format_time(*one.created_at) == "2023-05-25T22:03:00Z");
  CHECK(one.author.display_name == "Alex Harring");
  CHECK(one.site.name == "CNBC");
  CHECK(one.site.domain == "cnbc.com");
  CHECK(one.media.at(0).url.starts_with("https://image.cnbcfm.com/api/v1/image/101102460"));
}

TEST_CASE("What was taken back is left out; a summary may have to come from the content") {
  const auto page =
      test::listing_of(rig.read(test::answer_of(200, R"({"status":"ok","totalResults":90,
    "articles":[{"title":"[Removed]","url":"https://removed.com","publishedAt":"1970-01-01T00:00:00Z"},
    {"title":"A","url":"https://a.example/1","description":null,"content":"One &amp; two… [+99 chars]"},
    {"title":"B","url":"javascript:1"},{"title":"C","url":"https://a.example/2",
     "description":"d","author":", Bo Carr,Ada Byron","source":{"name":"C"}}, 7]})")));
  REQUIRE(page.items.size() == 2);
  CHECK(common(page.items[0]).text == "One & two…");
  CHECK(std::get<article>(page.items[0]).site.name == "a.example");
  CHECK(std::get<article>(page.items[0]).authors.empty());
  const auto& people = std::get<article>(page.items[1]).authors;
  REQUIRE(people.size() == 2);
  CHECK(people[0].display_name == "Bo Carr");
  CHECK(people[1].display_name == "Ada Byron");
  CHECK(common(page.items[1]).title == "C");
  CHECK(page.next == "2:20");
}

TEST_CASE("Errors of NewsAPI are told by their word, and a small plan gives what it can") {
  const auto code = [](int status, const char* word) {
    const auto body = std::string(R"({"status":"error","code":")") + word + R"(","message":"m"})";
    return rig.read(test::answer_of(status, body)).error().code();
  };
  CHECK(code(401, "apiKeyMissing") == errc::source_auth_required);
  CHECK(code(200, "apiKeyExhausted") == errc::source_unavailable);
  CHECK(code(400, "parametersMissing") == errc::source_error);
  CHECK(code(200, "unexpectedError") == errc::source_error);
  CHECK(code(500, "unexpectedError") == errc::source_error);
  CHECK(rig.read(test::answer_of(200, "{}")).error().code() == errc::source_error);

  const auto all = test::answer_of(426, R"({"status":"error","code":"maximumResultsReached"})");
  CHECK(rig.read(all).error().code() == errc::source_error);
  const auto end = test::listing_of(rig.read(all, "6:20"));
  CHECK(end.partial);
  CHECK(end.next.empty());

  auto what = search_for("x");
  what.since = sandbox_now - std::chrono::days{100};
  const auto old = test::answer_of(426, R"({"status":"error","code":"parameterInvalid"})");
  const auto again = test::follow_of(newsapi::read_search({what, keyed, old, "", ""}));
  CHECK(again.request.url.ends_with("&pageSize=20&page=1"));
  CHECK(http::find_header(again.request.headers, "X-Api-Key") == "k");
  CHECK(newsapi::read_search({what, keyed, old, "", again.state}).error().code() ==
        errc::source_error);
  const auto some = test::answer_of(200, R"({"status":"ok","totalResults":30,"articles":[
    {"title":"A","url":"https://a.example/1"}]})");
  const auto page = test::listing_of(newsapi::read_search({what, keyed, some, "", again.state}));
  CHECK(page.partial);
  CHECK(page.next == "2:20:any");
}

TEST_CASE("The sandbox of NewsAPI walks as the pipeline would") {
  test::sandbox box("newsapi");
  int pages = 0;
  const auto all = box.walk(rig.source(), search_for("climate"), keyless, pages);
  CHECK(pages == 2);
  CHECK(all.size() == 22);
  auto week = search_for("climate");
  week.since = sandbox_now - std::chrono::hours{168};
  CHECK(box.walk(rig.source(), week, keyless, pages).size() == 15);
  CHECK(box.walk(rig.source(), search_for("\"tide gauge\""), keyless, pages).size() == 2);
  auto old = search_for("tides");
  old.since = sandbox_now - std::chrono::days{60};
  CHECK(box.walk(rig.source(), old, keyless, pages).size() == 2);
  const auto quota = box.page(rig.source().capabilities[0], search_for("quota"), keyless, "");
  CHECK(quota.error().code() == errc::source_unavailable);
}

}  // namespace freshet::sources::newsapi
