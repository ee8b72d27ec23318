// NAME=VALUE words as a call's body, by the types that the program's own description gives.
#include <catch2/catch.hpp>
#include <freshet/engine.hpp>
#include <server/commands/call_body.hpp>
#include <string>
#include <support/print_result.hpp>
#include <vector>

using namespace freshet;
using server::call_body;

namespace {

std::string body(const std::vector<std::string>& words, std::string_view endpoint) {
  static const std::string described = openapi_document("http://localhost");
  const auto made = call_body(words, endpoint, described);
  return made ? *made : "error: " + made.error().detail();
}

}  // namespace

TEST_CASE("call: parameters are read by their types") {
  CHECK(body({}, "account/show").empty());
  CHECK(body({"q=climate", "limit=3"}, "news/search") == R"({"q":"climate","limit":3})");
  CHECK(body({"q=\"tide gauge\" -toy", "dry_run=true"}, "news/search") ==
        R"({"q":"\"tide gauge\" -toy","dry_run":true})");
  // A number where text is wanted stays text, and so does an equals sign.
  CHECK(body({"q=2026"}, "news/search") == R"({"q":"2026"})");
  CHECK(body({"url=https://example.com/?a=b&c"}, "scrape/markdown") ==
        R"({"url":"https://example.com/?a=b&c"})");
}

TEST_CASE("call: lists take commas, or their name several times") {
  const std::string two = R"({"sources":["hackernews","lemmy"]})";
  CHECK(body({"sources=hackernews,lemmy"}, "forum/search") == two);
  CHECK(body({"sources=hackernews", "sources=lemmy"}, "forum/search") == two);
  CHECK(body({R"(sources=["hackernews","lemmy"])"}, "forum/search") == two);
  CHECK(body({R"(schema={"type":"object"})"}, "scrape/extract") ==
        R"({"schema":{"type":"object"}})");
}

TEST_CASE("call: one JSON object stands as it is") {
  CHECK(body({R"({"q": "climate",})"}, "news/search") == R"({"q": "climate",})");
}

TEST_CASE("call: what does not fit its type is left for the catalogue to name") {
  CHECK(body({"limit=many"}, "news/search") == R"({"limit":"many"})");
  CHECK(body({"limit=99999999999999999999"}, "news/search") ==
        R"({"limit":"99999999999999999999"})");
  CHECK(body({"dry_run=yes"}, "news/search") == R"({"dry_run":"yes"})");
  CHECK(body({"lmit=3"}, "news/search") == R"({"lmit":"3"})");
  CHECK(body({"q=a"}, "no/such") == R"({"q":"a"})");
}

TEST_CASE("call: a word that is no parameter is refused with what to do") {
  CHECK(body({"climate"}, "news/search") ==
        "error: 'climate' is not NAME=VALUE; give each parameter so, or all of them as one JSON "
        "object");
  CHECK(body({"=climate"}, "news/search").starts_with("error: '=climate' is not NAME=VALUE"));
  CHECK(body({"q=a", "{}"}, "news/search").starts_with("error: '{}' is not NAME=VALUE"));
  CHECK(body({"q=a", "q=b"}, "news/search") == "error: 'q' is given twice");
}
