// The Guardian: what is asked with and without a key, its articles and its refusals.
#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <sources/guardian/wire.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::guardian {

using namespace test::news_calls;

namespace {

const settings keyless{"https://content.guardianapis.com", {}};
const settings keyed{"https://content.guardianapis.com", {{"api_key", "k+1"}}};
const test::source_rig rig("guardian", keyed);

}  // namespace

TEST_CASE("A search of the Guardian demands every word, and sends since and the key") {
  auto what = search_for("climate \"tide gauge\" -fish a:b");
  CHECK(guardian::plan_search(what, keyless, "")->url ==
        "https://content.guardianapis.com/search?q=climate%20AND%20%22tide%20gauge%22%20AND%20"
        "%22a%3Ab%22%20AND%20NOT%20fish&order-by=newest&use-date=published&page=1&page-size=20"
        "&show-fields=trailText%2Cbyline%2Cthumbnail&show-tags=keyword");
  what.since = sandbox_now - std::chrono::hours{24};
  CHECK(guardian::plan_search(what, keyed, "3:50")
            ->url.ends_with("&page=3&page-size=50&show-fields=trailText%2Cbyline%2Cthumbnail"
                            "&show-tags=keyword&from-date=2026-10-31T12%3A00%3A00Z&api-key=k%2B1"));
  CHECK(guardian::plan_search(what, keyed, "")->wait_in_body == guardian::refusal_wait);
  for (const auto* bad : {"x", "1", "0:20", "1:201", "1:0", "1:20x", "9999:20"}) {
    CHECK(guardian::plan_search(what, keyed, bad).error().code() == errc::invalid_cursor);
  }
  what.lang = "en-US";
  what.country = "gb";
  CHECK(guardian::plan_search(what, keyed, "").has_value());
  what.country = "US";
  CHECK(guardian::plan_search(what, keyed, "").error().code() == errc::not_found);
  what.country.clear();
  what.lang = "de";
  CHECK(guardian::plan_search(what, keyed, "").error().code() == errc::not_found);
  CHECK(rig.source().settings[0].required);
}

TEST_CASE("Every recorded answer of the Guardian is read") {
  if (!rig.has_recordings()) return;
  int count = 0;
  for (const auto& path : rig.recordings()) {
    INFO(path.filename().string());
    const auto name = test::endpoint_of(path);
    if (test::is_unused("guardian", name)) continue;
    ++count;
    const auto answer = test::recorded(path);
    const auto got = rig.read(answer);
    if (name.starts_with("error")) {
      REQUIRE_FALSE(got.has_value());
      const bool quota = name == "error_429";
      CHECK(got.error().code() == (quota ? errc::source_unavailable : errc::source_error));
      CHECK(got.error().source_text == (quota ? "API rate limit exceeded" : "Uh oh spaghetti-o!"));
      CHECK(got.error().retry_after.has_value() == quota);
      if (quota) CHECK(guardian::refusal_wait(answer) == std::chrono::hours{1});
      continue;
    }
    const auto page = test::listing_of(got);
    CHECK(page.items.size() == (path.filename() == "search__4.json" ? 2 : 10));
    CHECK(page.next == (path.filename() == "search__4.json" ? "" : "2:20"));
    test::check_honest(page, "guardian");
    rig.read_broken(answer, {40, 8});
  }
  CHECK(count == 6);
}

TEST_CASE("An article of the Guardian loses no field") {
  const auto page = test::listing_of(rig.read(test::answer_of(200, R"({"response":{"status":"ok",
    "pages":1,"results":[{"id":"world/2026/a","webTitle":"A &amp; B","sectionName":"World",
    "webUrl":"https://www.theguardian.com/world/2026/a?utm_source=x",
    "webPublicationDate":"2026-10-31T10:00:00Z","fields":{"trailText":"<p>One <b>two</b></p>",
    "byline":"Ines Ward in Skerry Bay and Jon Elm","thumbnail":"https://media.guim.co.uk/1/500.jpg"},
    "tags":[{"webTitle":"Coasts"},{"webTitle":"World"}]},{"id":"x"},{"webUrl":"https://a.example"}
    ]}})")));
  REQUIRE(page.items.size() == 1);
  CHECK(page.next.empty());
  const auto& one = std::get<article>(page.items[0]);
  CHECK(one.id == "guardian:world/2026/a");
  CHECK(one.url == "https://www.theguardian.com/world/2026/a");
  CHECK(one.title == "A & B");
  CHECK(one.text == "One two");
  CHECK(one.author.display_name == "Ines Ward");
  REQUIRE(one.authors.size() == 2);
  CHECK(one.authors[0].display_name == "Ines Ward");
  CHECK(one.authors[1].display_name == "Jon Elm");
  CHECK(one.tags == std::vector<std::string>{"World", "Coasts"});
  CHECK(one.media.at(0).url == "https://media.guim.co.uk/1/500.jpg");
  CHECK(one.site.name == "The Guardian");
  CHECK(one.site.country == "GB");
  CHECK(one.lang == "en");
  if (!rig.has_recordings()) return;
  const auto old = test::listing_of(rig.read(rig.recording("search__1.json")));
  CHECK(common(old.items[0]).title == "County cricket – live!");
  CHECK(base::format_time(*common(old.items[0]).created_at) == "2014-09-10T16:10:21Z");
}

TEST_CASE("Refusals of the Guardian are told apart, and a page behind the last is the end") {
  const auto code = [](int status, const char* body, std::string_view position = "") {
    return rig.read(test::answer_of(status, body), position).error().code();
  };
  CHECK(code(401, R"({"message":"No API key found in request"})") == errc::source_auth_required);
  CHECK(code(403, R"({"message":"Invalid authentication credentials"})") ==
        errc::source_auth_required);
  CHECK(code(200, R"({"response":{"status":"error","message":"m"}})") == errc::source_error);
  CHECK(code(200, R"({"response":{"status":"ok"}})") == errc::source_error);
  CHECK(code(200, "[]") == errc::source_error);
  CHECK(code(503, "") == errc::source_unavailable);
  const char* past = R"({"response":{"status":"error",
    "message":"requested page is beyond the number of available pages"}})";
  CHECK(code(400, past) == errc::source_error);
  const auto end = test::listing_of(rig.read(test::answer_of(400, past), "2:20"));
  CHECK(end.items.empty());
  CHECK(end.next.empty());
  const auto minute = test::answer_of(429, "{}");
  CHECK(rig.read(minute).error().retry_after == std::chrono::seconds{60});
  CHECK(guardian::refusal_wait(test::answer_of(200, "{}")) == std::chrono::seconds{0});
}

TEST_CASE("The sandbox of the Guardian walks as the pipeline would") {
  test::sandbox box("guardian");
  int pages = 0;
  const auto all = box.walk(rig.source(), search_for("climate"), keyless, pages);
  CHECK(pages == 2);
  CHECK(all.size() == 24);
  auto week = search_for("climate");
  week.since = sandbox_now - std::chrono::hours{168};
  CHECK(box.walk(rig.source(), week, keyless, pages).size() == 17);
  CHECK(box.walk(rig.source(), search_for("\"tide gauge\""), keyless, pages).size() == 2);
  const auto quota = box.page(rig.source().capabilities[0], search_for("quota"), keyless, "");
  CHECK(quota.error().code() == errc::source_unavailable);
  CHECK(quota.error().retry_after == std::chrono::hours{1});
}

}  // namespace freshet::sources::guardian
