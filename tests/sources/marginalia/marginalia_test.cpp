// Marginalia: pages that it has no number for, its results, and its sandbox to the end.
#include <catch2/catch.hpp>
#include <sources/marginalia/wire.hpp>
#include <sources/ranked_results.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::marginalia {

using namespace test::web_calls;

namespace {

const settings defaults{"https://api2.marginalia-search.com", {}};
const test::source_rig rig("marginalia", defaults);

}  // namespace

TEST_CASE("Marginalia is asked with the shared key unless there is another") {
  auto what = search_for("climate \"tide gauge\" -bitcoin site:a.example");
  what.lang = "de-AT";
  auto request = marginalia::plan_search(what, defaults, "");
  REQUIRE(request.has_value());
  CHECK(request->url ==
        "https://api2.marginalia-search.com/search?query=climate%20%22tide%20gauge%22%20-bitcoin"
        "%20%22site%3Aa.example%22&count=20&page=1");
  CHECK(http::find_header(request->headers, "api-key") == "public");
  CHECK(request->redirect_limit == 0);
  what.limit = 500;
  request = marginalia::plan_search(what, {"http://127.0.0.1:81/m", {{"api_key", "mine"}}}, "4:60");
  CHECK(request->url.starts_with("http://127.0.0.1:81/m/search?query=climate"));
  CHECK(request->url.ends_with("&count=100&page=4"));
  CHECK(http::find_header(request->headers, "api-key") == "mine");
  CHECK(marginalia::plan_search(what, defaults, "51:1").error().code() == errc::invalid_cursor);
}

TEST_CASE("Every recorded answer of Marginalia is read") {
  if (!rig.has_recordings()) return;
  int count = 0;
  for (const auto& path : rig.recordings()) {
    INFO(path.filename().string());
    if (test::is_unused("marginalia", test::endpoint_of(path))) continue;
    ++count;
    const auto answer = test::recorded(path);
    const auto page = test::listing_of(rig.read(answer, "2:20"));
    test::check_page(page, "marginalia");
    REQUIRE(page.items.size() == 2);  // neither the file by FTP nor what is no object
    CHECK(page.next == "3:22");
    const auto& first = std::get<web_result>(page.items[0]);
    CHECK(first.url == "https://tinkerer.example.org/sail-notes.html");
    CHECK(first.title == "Notes on building a desktop light-sail demo");
    CHECK(first.text == "Hobbyist writeup with vacuum-chamber measurements.");
    CHECK(first.display_url == "tinkerer.example.org/sail-notes.html");
    CHECK(first.rank == 21);
    REQUIRE(first.engines.size() == 1);
    CHECK(first.engines[0].name == "marginalia");
    CHECK(first.engines[0].rank == 21);
    rig.read_broken(answer, {300, 9});
  }
  CHECK(count == 1);
}

TEST_CASE("Marginalia's walk ends with an empty page, or where it counts its pages") {
  const std::string one = R"({"results":[{"url":"https://a.example/","title":"a"}])";
  CHECK(test::listing_of(rig.read(test::answer_of(200, one + "}"))).next == "2:1");
  CHECK(test::listing_of(rig.read(test::answer_of(200, one + "}"), "50:99")).next.empty());
  CHECK(test::listing_of(rig.read(test::answer_of(200, one + R"(,"pages":3})"), "2:9")).next ==
        "3:10");
  CHECK(
      test::listing_of(rig.read(test::answer_of(200, one + R"(,"pages":3})"), "3:9")).next.empty());
  CHECK(test::listing_of(rig.read(test::answer_of(200, R"({"results":[]})"), "2:9")).next.empty());
}

TEST_CASE("Marginalia's refusals have their codes") {
  const auto failed = [](int status, const std::string& body) {
    return rig.read(test::answer_of(status, body)).error();
  };
  CHECK(failed(503, R"({"message":"Slow down"})").code() == errc::source_unavailable);
  CHECK(failed(503, "").retry_after == std::chrono::seconds{60});
  CHECK(failed(429, "").code() == errc::source_unavailable);
  CHECK(failed(401, "").code() == errc::source_auth_required);
  CHECK(failed(403, "{}").code() == errc::source_auth_required);
  CHECK(failed(200, R"({"license":"x"})").code() == errc::source_error);
  CHECK(failed(200, "Rate limited").code() == errc::source_error);
  CHECK(rig.read(test::answer_of(403, "<html>no", "text/html")).error().code() ==
        errc::source_blocked);
}

TEST_CASE("The sandbox of Marginalia walks as the pipeline would") {
  test::sandbox box("marginalia");
  const auto& how = rig.source().capabilities[0];
  CHECK(test::walk_ranked(box, rig.source(), "climate", defaults) == test::ranked_walk{2, 9});
  CHECK(box.page(how, search_for("\"tide gauge\""), defaults, "")->items.size() == 1);
  CHECK(box.page(how, search_for("quota"), defaults, "").error().code() ==
        errc::source_unavailable);
}

}  // namespace freshet::sources::marginalia
