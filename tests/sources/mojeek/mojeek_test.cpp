// Mojeek: what is asked of it, its pages of results, and how it refuses.
#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <sources/mojeek/wire.hpp>
#include <sources/ranked_results.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::mojeek {

using namespace test::web_calls;

namespace {

const settings defaults{"https://www.mojeek.com", {}};
const test::source_rig rig("mojeek", defaults);

http::response page_of(const std::string& body) {
  return test::answer_of(200, "<!doctype html><body>" + body, "text/html; charset=utf-8");
}

}  // namespace

TEST_CASE("Mojeek is asked without a start first") {
  auto what = search_for("climate \"tide gauge\" -bitcoin site:a.example");
  CHECK(rig.planned(what) ==
        "https://www.mojeek.com/search?q=climate%20%22tide%20gauge%22%20-bitcoin%20"
        "%22site%3Aa.example%22");
  what = search_for("x");
  what.lang = "de-AT";
  CHECK(rig.planned(what, "21:20") == "https://www.mojeek.com/search?q=x&s=21");
  what.country = "GB";
  CHECK(rig.planned(what) == "https://www.mojeek.com/search?q=x");
  CHECK(mojeek::plan_search(what, {"http://127.0.0.1:81/m", {}}, "")
            ->url.starts_with("http://127.0.0.1:81/m/search?q=x"));
  what.q = test::query_of(std::string(257, 'a'));
  CHECK(rig.planned(what) == "invalid_request");
  for (const auto* bad :
       {"x", "11", "1:10", "0:10", "11:", "11:-1", "11:9999", "2000:1", "11:1x"}) {
    INFO(bad);
    CHECK(rig.planned(search_for("x"), bad) == "invalid_cursor");
  }
}

TEST_CASE("Mojeek is told language and region by its own cookies, never in the URL") {
  const auto cookies = [](const call& what) {
    const auto planned = rig.plan(what);
    REQUIRE(planned);
    return std::string(http::find_header(planned->headers, "Cookie"));
  };
  auto what = search_for("x");
  CHECK(cookies(what).empty());
  what.lang = "de-AT";
  CHECK(cookies(what) == "lb=de; arc=at");
  what.country = "GB";
  CHECK(cookies(what) == "lb=de; arc=gb");
  what.lang.clear();
  CHECK(cookies(what) == "arc=gb");
  CHECK(rig.planned(what) == "https://www.mojeek.com/search?q=x");
}

TEST_CASE("Every recorded page of Mojeek is read") {
  if (!rig.has_recordings()) return;
  int count = 0;
  for (const auto& path : rig.recordings()) {
    INFO(path.filename().string());
    if (test::is_unused("mojeek", test::endpoint_of(path))) continue;
    ++count;
    const auto answer = test::recorded(path);
    const auto page = test::listing_of(rig.read(answer));
    test::check_page(page, "mojeek");
    CHECK_FALSE(page.items.empty());
    rig.read_broken(answer, {60, 4});
  }
  CHECK(count == 2);
}

TEST_CASE("A page of Mojeek loses no field") {
  if (!rig.has_recordings()) return;
  const auto page = test::listing_of(rig.read(rig.recording("search__1.html"), "11:10"));
  REQUIRE(page.items.size() == 10);
  CHECK(page.next == "21:20");
  const auto& first = std::get<web_result>(page.items[0]);
  CHECK(first.url == "https://javascript.info/");
  CHECK(first.title == "The Modern JavaScript Tutorial");
  CHECK(first.text ==
        "The Modern JavaScript Tutorial ... Main course contains 2 parts which cover JavaScript as "
        "a programming language and working with a browser.");
  CHECK(first.display_url == "javascript.info");
  CHECK(first.site_name == "javascript.info");
  CHECK(first.rank == 11);
  REQUIRE(first.engines.size() == 1);
  CHECK(first.engines[0].name == "mojeek");
  CHECK(first.engines[0].rank == 11);
  const auto& second = std::get<web_result>(page.items[1]);
  CHECK(second.title == "w3schools.com/js");
  CHECK(second.text.empty());
  CHECK(second.display_url == "www.w3schools.com › js");
  // From the first page, the next is the nearest that is linked.
  CHECK(test::listing_of(rig.read(rig.recording("search__1.html"))).next == "11:10");
  // What leads nowhere is no result.
  const auto invented = test::listing_of(rig.read(rig.recording("search__2.html")));
  CHECK(invented.items.size() == 3);
  CHECK(invented.next.empty());
}

TEST_CASE("Mojeek's refusals are no empty results") {
  CHECK(test::listing_of(rig.read(page_of("<div class=serp-results><p>No pages found</p></div>")))
            .items.empty());
  CHECK(rig.read(page_of("<p>Hello</p>")).error().code() == errc::source_error);
  const auto refused = rig.read(test::answer_of(403, "<html>Forbidden", "text/html"));
  CHECK(refused.error().code() == errc::source_blocked);
  CHECK(refused.error().retry_after);
  CHECK(rig.read(test::answer_of(429, "<html>slow", "text/html")).error().code() ==
        errc::source_unavailable);
  CHECK(rig.read(test::answer_of(200, "{}")).error().code() == errc::source_error);
  // A result that quotes a challenge is a result.
  CHECK(test::listing_of(
            rig.read(page_of("<ul class=results-standard><li><a class=title "
                             "href='https://a.example/'>Just</a><p class=s>Verify you are "
                             "human</p></li></ul>")))
            .items.size() == 1);
  CHECK(rig.read(page_of("<title>Just a moment...</title>")).error().code() ==
        errc::source_blocked);
}

TEST_CASE("The sandbox of Mojeek walks as the pipeline would") {
  test::sandbox box("mojeek");
  const auto& how = rig.source().capabilities[0];
  CHECK(test::walk_ranked(box, rig.source(), "climate", defaults) == test::ranked_walk{2, 15});
  CHECK(box.page(how, search_for("\"tide gauge\""), defaults, "")->items.size() == 2);
  CHECK(box.page(how, search_for("nothing-like-this"), defaults, "")->items.empty());
  CHECK(box.page(how, search_for("forbidden"), defaults, "").error().code() ==
        errc::source_blocked);
}

}  // namespace freshet::sources::mojeek
