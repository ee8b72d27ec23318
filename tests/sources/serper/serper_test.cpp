// Serper: what is posted to it, its results and its refusals.
#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <sources/ranked_results.hpp>
#include <sources/serper/wire.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::serper {

using namespace test::web_calls;

namespace {

const settings defaults{"https://google.serper.dev", {{"api_key", "s3cret"}}};
const test::source_rig rig("serper", defaults);

}  // namespace

TEST_CASE("Serper is asked for ten results a page, the key in a header") {
  auto what = search_for("climate \"tide gauge\" -bitcoin site:a.example");
  const auto request = serper::plan_search(what, defaults, "");
  REQUIRE(request.has_value());
  CHECK(request->method == "POST");
  CHECK(request->url == "https://google.serper.dev/search");
  CHECK(request->body ==
        R"({"q":"climate \"tide gauge\" -bitcoin \"site:a.example\"","num":10,"page":1,)"
        R"("autocorrect":false})");
  CHECK(http::find_header(request->headers, "x-api-key") == "s3cret");
  CHECK(request->redirect_limit == 0);
  CHECK(request->repeatable);
  what = search_for("x");
  what.lang = "pt-BR";
  CHECK(rig.planned_body(what, "3:20") ==
        R"({"q":"x","num":10,"page":3,"autocorrect":false,"gl":"br","hl":"pt-br"})");
  what.lang = "zh-Hant";
  what.country = "HK";
  CHECK(rig.planned_body(what).find(R"("gl":"hk","hl":"zh-tw")") != std::string::npos);
  what.lang = "nb";
  CHECK(rig.planned_body(what).find(R"("hl":"no")") != std::string::npos);
  CHECK(rig.planned_body(what, "41:400") == "invalid_cursor");
  CHECK(serper::plan_search(what, {"http://127.0.0.1:81/s", {}}, "")->url ==
        "http://127.0.0.1:81/s/search");
}

TEST_CASE("Every recorded answer of Serper is read or refused") {
  if (!rig.has_recordings()) return;
  int count = 0;
  for (const auto& path : rig.recordings()) {
    INFO(path.filename().string());
    const auto name = test::endpoint_of(path);
    if (test::is_unused("serper", name)) continue;
    ++count;
    const auto answer = test::recorded(path);
    const auto got = rig.read(answer);
    if (name.starts_with("error")) {
      REQUIRE_FALSE(got.has_value());
      const bool spent = name == "error_400";
      CHECK(got.error().code() == (spent ? errc::source_unavailable : errc::source_auth_required));
      CHECK(got.error().retry_after.has_value() == spent);
      CHECK_FALSE(got.error().source_text.empty());
      continue;
    }
    const auto page = test::listing_of(got);
    test::check_page(page, "serper");
    rig.read_broken(answer, {300, 7});
  }
  CHECK(count == 3);
}

TEST_CASE("A result of Serper loses no field, and what is no result is none") {
  if (!rig.has_recordings()) return;
  const auto page = test::listing_of(rig.read(rig.recording("search__1.json"), "2:10"));
  REQUIRE(page.items.size() == 2);  // no answer box, story, question or knowledge graph
  CHECK(page.next == "3:12");
  const auto& first = std::get<web_result>(page.items[0]);
  CHECK(first.url == "https://www.apple.com/");
  CHECK(first.title == "Apple");
  CHECK(first.rank == 11);
  CHECK(first.links == std::vector<std::string>{"https://support.apple.com/"});
  REQUIRE(first.engines.size() == 1);
  CHECK(first.engines[0].name == "google");
  CHECK(first.engines[0].rank == 11);
  CHECK_FALSE(first.created_at);
  const auto& second = std::get<web_result>(page.items[1]);
  CHECK(base::format_time(*second.created_at) == "2026-04-01T00:00:00Z");
  CHECK(second.site_name == "en.wikipedia.org");
}

TEST_CASE("Serper's walk goes on over short pages and ends with an empty one") {
  const auto one = test::answer_of(
      200,
      R"({"organic":[{"title":"a","link":"https://www.google.com/url?q=https://a.example/"}]})");
  const auto page = test::listing_of(rig.read(one, "39:300"));
  CHECK(common(page.items[0]).url == "https://a.example/");
  CHECK(page.next == "40:301");
  CHECK(test::listing_of(rig.read(one, "40:301")).next.empty());
  CHECK(test::listing_of(rig.read(test::answer_of(200, R"({"organic":[]})"), "2:9")).next.empty());
  CHECK(test::listing_of(rig.read(test::answer_of(200, R"({"searchParameters":{"q":"x"}})")))
            .items.empty());
}

TEST_CASE("Serper's refusals have their codes") {
  const auto code = [](int status, const std::string& body) {
    return rig.read(test::answer_of(status, body)).error().code();
  };
  CHECK(code(400, R"({"message":"Query is required","statusCode":400})") == errc::source_error);
  CHECK(code(401, "{}") == errc::source_auth_required);
  CHECK(code(429, R"({"message":"Too many"})") == errc::source_unavailable);
  CHECK(code(200, R"({"message":"hello"})") == errc::source_error);
  CHECK(code(200, "[]") == errc::source_error);
  CHECK(rig.read(test::answer_of(403, "<html>no", "text/html")).error().code() ==
        errc::source_blocked);
}

TEST_CASE("The sandbox of Serper walks as the pipeline would") {
  test::sandbox box("serper");
  const settings keyless{"https://google.serper.dev", {}};
  const auto& how = rig.source().capabilities[0];
  CHECK(test::walk_ranked(box, rig.source(), "climate", keyless) == test::ranked_walk{3, 16});
  CHECK(box.page(how, search_for("\"tide gauge\""), keyless, "")->items.size() == 2);
  CHECK(box.page(how, search_for("quota"), keyless, "").error().code() == errc::source_unavailable);
  CHECK(box.page(how, search_for("forbidden"), keyless, "").error().code() ==
        errc::source_auth_required);
}

}  // namespace freshet::sources::serper
