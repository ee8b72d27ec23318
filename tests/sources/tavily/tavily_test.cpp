// Tavily: what is posted to it, its one page of results, and its refusals.
#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <sources/ranked_results.hpp>
#include <sources/source_rig.hpp>
#include <sources/tavily/wire.hpp>

namespace freshet::sources::tavily {

using namespace test::web_calls;

namespace {

const settings defaults{"https://api.tavily.com", {{"api_key", "tvly-s3cret"}}};
const test::source_rig rig("tavily", defaults);

}  // namespace

TEST_CASE("Tavily is asked once for all it gives, the key in a header") {
  auto what = search_for("climate \"tide gauge\" -bitcoin");
  auto request = tavily::plan_search(what, defaults, "");
  REQUIRE(request.has_value());
  CHECK(request->method == "POST");
  CHECK(request->url == "https://api.tavily.com/search");
  CHECK(request->body ==
        R"({"query":"climate \"tide gauge\"","topic":"general","search_depth":"basic",)"
        R"("max_results":20})");
  CHECK(http::find_header(request->headers, "authorization") == "Bearer tvly-s3cret");
  CHECK(http::find_header(request->headers, "x-tavily-access-mode").empty());
  CHECK(request->redirect_limit == 0);
  what = search_for("x");
  what.lang = "de-AT";
  request = tavily::plan_search(what, {"http://127.0.0.1:81/t", {}}, "");
  CHECK(request->url == "http://127.0.0.1:81/t/search");
  CHECK(request->body.ends_with(R"("country":"austria"})"));
  CHECK(http::find_header(request->headers, "authorization").empty());
  CHECK(http::find_header(request->headers, "x-tavily-access-mode") == "keyless");
  CHECK(tavily::country_name("US") == "united states");
  CHECK(tavily::country_name("XX").empty());
  CHECK(tavily::country_name("").empty());
  CHECK(tavily::plan_search(what, defaults, "2").error().code() == errc::invalid_cursor);
  what.q = test::query_of(std::string(401, 'a'));
  CHECK(tavily::plan_search(what, defaults, "").error().code() == errc::invalid_request);
}

TEST_CASE("Every recorded answer of Tavily is read or refused") {
  if (!rig.has_recordings()) return;
  int count = 0;
  for (const auto& path : rig.recordings()) {
    INFO(path.filename().string());
    const auto name = test::endpoint_of(path);
    if (test::is_unused("tavily", name)) continue;
    ++count;
    const auto answer = test::recorded(path);
    const auto got = rig.read(answer);
    if (name.starts_with("error")) {
      REQUIRE_FALSE(got.has_value());
      const bool spent = name == "error_432";
      CHECK(got.error().code() == (spent ? errc::source_unavailable : errc::source_auth_required));
      CHECK(got.error().retry_after.has_value() == spent);
      CHECK(got.error().source_text.starts_with(spent ? "This request exceeds" : "Unauthorized:"));
      continue;
    }
    const auto page = test::listing_of(got);
    test::check_honest(page, "tavily");
    CHECK(page.next.empty());
    const auto& only = std::get<web_result>(page.items.at(0));
    CHECK(only.url == "https://example.com/");
    CHECK(only.title == "T");
    CHECK(only.text == "snippet …");
    CHECK(base::format_time(*only.created_at) == "2026-11-20T09:00:00Z");
    CHECK(only.rank == 1);
    REQUIRE(only.engines.size() == 1);
    CHECK(only.engines[0].name == "tavily");
    CHECK(only.engines[0].rank == 1);
    rig.read_broken(answer, {300, 8});
  }
  CHECK(count == 3);
}

TEST_CASE("Tavily's refusals have their codes") {
  const auto code = [](int status, const std::string& body) {
    return rig.read(test::answer_of(status, body)).error().code();
  };
  CHECK(code(433, "{}") == errc::source_unavailable);
  CHECK(code(429, R"({"detail":{"error":"slow"}})") == errc::source_unavailable);
  CHECK(code(400, R"({"detail":{"error":"Query is too long"}})") == errc::source_error);
  CHECK(code(403, "{}") == errc::source_auth_required);
  CHECK(code(200, R"({"detail":{"error":"x"}})") == errc::source_error);
  CHECK(code(500, "oops") == errc::source_error);
  CHECK(rig.read(test::answer_of(403, "<html>no", "text/html")).error().code() ==
        errc::source_blocked);
  CHECK(test::listing_of(rig.read(test::answer_of(200, R"({"results":[]})"))).items.empty());
}

TEST_CASE("The sandbox of Tavily walks as the pipeline would") {
  test::sandbox box("tavily");
  const settings keyless{"https://api.tavily.com", {}};
  const auto& how = rig.source().capabilities[0];
  const auto page = box.page(how, search_for("climate"), keyless, "");
  REQUIRE(page.has_value());
  test::check_page(*page, "tavily");
  CHECK(page->items.size() == 8);
  CHECK(page->next.empty());
  CHECK(box.page(how, search_for("\"tide gauge\""), keyless, "")->items.size() == 2);
  CHECK(box.page(how, search_for("quota"), keyless, "").error().code() == errc::source_unavailable);
  CHECK(box.page(how, search_for("forbidden"), keyless, "").error().code() ==
        errc::source_auth_required);
}

}  // namespace freshet::sources::tavily
