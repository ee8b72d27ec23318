#include <catalog/validate.hpp>
#include <catch2/catch.hpp>

using namespace freshet;
using namespace freshet::catalog;

namespace {

arguments of(std::string_view path, std::string_view body) {
  auto checked = validate(*find_endpoint(path), body);
  REQUIRE(checked.has_value());
  return *checked;
}

}  // namespace

TEST_CASE("the identity of a query holds what decides, sorted, defaults included") {
  CHECK(of("forum/search", R"({"since":"7d","q":"a"})").query_identity() ==
        R"(["forum/search",{"community":"all","q":"a","since":"7d"}])");
}

TEST_CASE("what shapes the answer is not part of the query") {
  const auto plain = of("microblog/search", R"({"q":"a"})").query_identity();
  CHECK(of("microblog/search",
           R"({"limit":5,"q":"a","cursor":"c1.x","max_tokens":10,"max_credits":1,
               "dry_run":true,"fields":["url"]})")
            .query_identity() == plain);
  CHECK(of("microblog/search", R"({"q":"b"})").query_identity() != plain);
  CHECK(of("microblog/search", R"({"q":"a","lang":"en"})").query_identity() != plain);
  CHECK(of("microblog/search", R"({"q":"a","sources":["bluesky"]})").query_identity() != plain);
  CHECK(of("news/search", R"({"q":"a"})").query_identity() != plain);
}

TEST_CASE("a default that is given is the same query") {
  CHECK(of("forum/search", R"({"q":"a","community":"all"})").query_identity() ==
        of("forum/search", R"({"q":"a"})").query_identity());
  CHECK(
      of("scrape/markdown", R"({"url":"https://A.example","images":true,"mode":"article"})")
          .query_identity() ==
      of("scrape/markdown", R"({"url":"https://a.example/","timeout_ms":5000})").query_identity());
}

TEST_CASE("the canonical body holds what was given, and nothing else") {
  CHECK(of("microblog/search", R"( { "sources" : ["b","a","b"], "q":"x\ny" , "limit":5.0 } )")
            .canonical_body() == R"({"limit":5,"q":"x\ny","sources":["b","a"]})");
  CHECK(of("account/show", R"({"dry_run":false})").canonical_body() == R"({"dry_run":false})");
  CHECK(of("account/show", "").canonical_body() == "{}");
}

TEST_CASE("objects are the same question in any order, and are handed on in the caller's") {
  const auto one = of("scrape/extract", R"({"url":"https://a.example/","schema":{"b":{"d":[1,{"y":2,
      "x":null}],"c":1.5},"a":true}})");
  const auto other = of("scrape/extract", R"({"schema":{"a":true,"b":{"c":1.5,"d":[1,{"x":null,
      "y":2}]}},"url":"https://a.example/"})");
  CHECK(one.query_identity() == other.query_identity());
  CHECK(
      one.canonical_body() ==
      R"({"schema":{"a":true,"b":{"c":1.5,"d":[1,{"x":null,"y":2}]}},"url":"https://a.example/"})");
  CHECK(one.object("schema").find("\"b\"") < one.object("schema").find("\"a\""));
  CHECK(of("scrape/map", R"({"url":"https://a.example/"})").object("schema").empty());
}

TEST_CASE("lists are read whole, defaults split at commas") {
  CHECK(of("scrape/markdown", R"({"url":"https://a.example/","include":["a, b","c"]})")
            .list("include") == std::vector<std::string>{"a, b", "c"});
  CHECK(of("account/keys/create", "{}").list("scopes") == std::vector<std::string>{"read"});
}
