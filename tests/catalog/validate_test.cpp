#include <catalog/validate.hpp>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <new>
#include <random>
#include <string>
#include <vector>

using namespace freshet;
using namespace freshet::catalog;
using namespace std::chrono_literals;

namespace {

std::size_t allocations = 0;  // of the whole program, which has one thread

}  // namespace

// Work is counted, not timed: what is made of a body's names is made on the heap.
__attribute__((noinline)) void* operator new(std::size_t size) {
  ++allocations;
  void* const made = std::malloc(size);
  if (made == nullptr) throw std::bad_alloc();
  return made;
}
__attribute__((noinline)) void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size);
}
__attribute__((noinline)) void operator delete(void* memory) noexcept { std::free(memory); }
__attribute__((noinline)) void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace {

result<arguments> call(std::string_view path, std::string_view body) {
  const auto* of = find_endpoint(path);
  REQUIRE(of != nullptr);
  return validate(*of, body);
}

/// "pointer code; pointer code"
std::string errors(std::string_view path, std::string_view body) {
  const auto checked = call(path, body);
  if (checked) return "accepted";
  CHECK(checked.error().code() == errc::invalid_request);
  CHECK_FALSE(checked.error().detail().empty());
  std::string out;
  for (const auto& one : checked.error().parameters) {
    CHECK_FALSE(one.detail.empty());
    if (!out.empty()) out += "; ";
    out += one.pointer + " " + one.code;
  }
  return out;
}

std::string detail(std::string_view path, std::string_view body) {
  const auto checked = call(path, body);
  return checked ? "accepted" : checked.error().detail();
}

}  // namespace

TEST_CASE("a search is parsed and its defaults are filled in") {
  const auto checked = call("microblog/search", R"({"q":"\"tide gauge\" -toy","since":"24h"})");
  REQUIRE(checked.has_value());
  CHECK(checked->text("q") == "\"tide gauge\" -toy");
  CHECK(checked->q.terms.size() == 2);
  CHECK(checked->since == 24h);
  CHECK(checked->integer("limit") == 20);
  CHECK_FALSE(checked->given("limit"));
  CHECK(checked->given("since"));
  CHECK_FALSE(checked->flag("dry_run"));
  CHECK(checked->list("sources").empty());
  CHECK(checked->text("no such parameter").empty());
}

TEST_CASE("every wrong parameter is reported at once, in the body's order") {
  CHECK(errors("microblog/search",
               R"({"since":"24x","limit":500,"sinse":"1d","fields":"url","cursor":7})") ==
        "/since invalid_format; /limit out_of_bounds; /sinse unknown_parameter; "
        "/fields wrong_type; /cursor wrong_type; /q missing");
}

TEST_CASE("the error's detail repeats the first parameter errors") {
  CHECK(detail("microblog/search", R"({"q":"a","since":"24x"})") ==
        "since: '24x' has an unknown unit; use m, h, d or w");
  CHECK(detail("microblog/search", R"({"q":"a","sinse":"1d"})") ==
        "sinse: unknown parameter; did you mean 'since'?");
  const auto many = detail("microblog/search", R"({"a1":1,"b2":1,"c3":1,"d4":1,"e5":1})");
  CHECK(many.find("a1: ") == 0);
  CHECK(many.find("; and 3 more") != std::string::npos);
  CHECK(many.find("d4") == std::string::npos);
}

TEST_CASE("the number of reported errors is bounded, their count is not lost") {
  std::string body = "{";
  for (int at = 0; at < 1000; ++at) body += "\"zz" + std::to_string(at) + "\":1,";
  body += "\"q\":\"a\"}";
  const auto checked = call("microblog/search", body);
  REQUIRE_FALSE(checked.has_value());
  CHECK(checked.error().parameters.size() == max_parameter_errors);
  CHECK(checked.error().detail().find("and 997 more") != std::string::npos);
}

TEST_CASE("beyond what is listed, a wrong parameter is counted and nothing is made of it") {
  const auto allocations_for = [](int unknown) {
    std::string body = "{";
    for (int at = 0; at < unknown; ++at) body += "\"limits" + std::to_string(at) + "\":1,";
    body += "\"q\":\"a\"}";
    const auto before = allocations;
    const auto checked = call("microblog/search", body);
    const auto made = allocations - before;
    REQUIRE_FALSE(checked.has_value());
    CHECK(checked.error().parameters.size() == max_parameter_errors);
    return made;
  };
  const auto few = allocations_for(200);
  constexpr int more = 6'000;
  // What is left is the key that the parser keeps, and its table as it grows.
  CHECK(allocations_for(200 + more) - few < 3 * more / 2);
}

TEST_CASE("names of unknown parameters are escaped in pointers and shortened in sentences") {
  CHECK(errors("account/show", R"({"a/b~c":1})") == "/a~1b~0c unknown_parameter");
  const auto long_name = std::string(50'000, 'x');
  CHECK(detail("account/show", "{\"" + long_name + "\":1}").size() < 400);
}

TEST_CASE("bodies that are no JSON object") {
  for (const auto* body : {"[]", "1", "\"q\"", "null", "{", "{\"q\":\"a\"} x", "{'q':'a'}",
                           "{\"q\":\"\xff\"}", "{\"q\":\"a\",\"q\":\"b\"}", "{\"limit\":1e999}"}) {
    INFO(body);
    const auto checked = call("microblog/search", body);
    REQUIRE_FALSE(checked.has_value());
    CHECK(checked.error().code() == errc::invalid_json);
    CHECK_FALSE(checked.error().detail().empty());
  }
  CHECK(call("account/show", "").has_value());
  CHECK(call("account/show", " \n").has_value());
  CHECK(errors("microblog/search", "") == "/q missing");
}

TEST_CASE("types are never converted") {
  CHECK(errors("microblog/search", R"({"q":1})") == "/q wrong_type");
  CHECK(errors("scrape/extract", R"({"url":"https://a.example/","schema":"{}"})") ==
        "/schema wrong_type");
  CHECK(errors("scrape/extract", R"({"url":"https://a.example/","schema":{"a":")" +
                                     std::string(32'768, 'x') + "\"}}") == "/schema out_of_bounds");
  CHECK(errors("microblog/search", R"({"q":null})") == "/q wrong_type");
  CHECK(errors("microblog/search", R"({"q":["a"]})") == "/q wrong_type");
  CHECK(errors("microblog/search", R"({"q":"a","limit":"10"})") == "/limit wrong_type");
  CHECK(errors("microblog/search", R"({"q":"a","limit":1.5})") == "/limit wrong_type");
  CHECK(errors("microblog/search", R"({"q":"a","dry_run":"true"})") == "/dry_run wrong_type");
  CHECK(errors("microblog/search", R"({"q":"a","dry_run":1})") == "/dry_run wrong_type");
  CHECK(errors("microblog/search", R"({"q":"a","sources":"bluesky"})") == "/sources wrong_type");
  CHECK(errors("microblog/search", R"({"q":"a","sources":["x",1,{}]})") ==
        "/sources/1 wrong_type; /sources/2 wrong_type");
  CHECK(call("microblog/search", R"({"q":"a","limit":10.0})")->integer("limit") == 10);
}

TEST_CASE("passages are asked for by a query of their own, else by that of the call") {
  CHECK_FALSE(call("news/search", R"({"q":"tide"})")->highlights);
  const auto own = call("news/search", R"({"q":"tide","highlights":{}})");
  REQUIRE(own->highlights);
  CHECK(own->highlights->query.raw == "tide");
  CHECK(own->highlights->max_tokens == 200);
  const auto other =
      call("news/search", R"({"q":"tide","highlights":{"query":"\"a gauge\"","max_tokens":50}})");
  CHECK(other->highlights->query.terms.at(0).words.size() == 2);
  CHECK(other->highlights->max_tokens == 50);
  CHECK(other->q.raw == "tide");
  CHECK(own->query_identity() == other->query_identity());  // a walk goes on with others
  CHECK(own->canonical_body() != other->canonical_body());
  CHECK_FALSE(own->highlights->instead_of_text);
  CHECK(call("news/search", R"({"q":"tide","highlights":{"instead_of_text":true}})")
            ->highlights->instead_of_text);
  CHECK(errors("news/search", R"({"q":"tide","highlights":{"instead_of_text":"yes"}})") ==
        "/highlights/instead_of_text wrong_type");

  const std::string page = R"({"url":"https://a.example/","highlights":)";
  CHECK(errors("scrape/markdown", page + R"({"query":"a"}})") == "accepted");
  CHECK(errors("scrape/markdown", page + R"({"query":"a","instead_of_text":true}})") ==
        "/highlights/instead_of_text unknown_parameter");
  CHECK(errors("scrape/markdown", page + "{}}") == "/highlights/query missing");
  CHECK(errors("news/headlines", R"({"highlights":{"max_tokens":9}})") ==
        "/highlights/query missing");
  CHECK(errors("scrape/markdown", page + "true}") == "/highlights wrong_type");
  CHECK(errors("scrape/markdown",
               page + R"({"query":"\"a","max_tokens":10001,"max_token":1,"x~/y":2}})") ==
        "/highlights/query invalid_format; /highlights/max_tokens out_of_bounds; "
        "/highlights/max_token unknown_parameter; /highlights/x~0~1y unknown_parameter");
  CHECK(detail("scrape/markdown", page + R"({"query":"a","max_token":1}})") ==
        "highlights/max_token: unknown parameter; did you mean 'max_tokens'?");
  CHECK(errors("scrape/markdown", page + "{\"query\":\"" + std::string(513, 'a') + "\"}}")
            .starts_with("/highlights/query "));
  CHECK(errors("microblog/users/lookup", R"({"username":"a","highlights":{}})") ==
        "/highlights unknown_parameter");
}

TEST_CASE("bounds are inclusive") {
  CHECK(errors("microblog/search", R"({"q":"a","limit":0})") == "/limit out_of_bounds");
  CHECK(errors("microblog/search", R"({"q":"a","limit":1})") == "accepted");
  CHECK(errors("microblog/search", R"({"q":"a","limit":100})") == "accepted");
  CHECK(errors("microblog/search", R"({"q":"a","limit":101})") == "/limit out_of_bounds");
  CHECK(errors("microblog/search", R"({"q":"a","limit":-1})") == "/limit out_of_bounds");
  CHECK(errors("microblog/search", R"({"q":"a","limit":18446744073709551615})") ==
        "/limit out_of_bounds");
  CHECK(errors("microblog/search", R"({"q":"a","limit":1e300})") == "/limit out_of_bounds");
  CHECK(errors("microblog/search", R"({"q":"a","max_credits":0})") == "accepted");
  CHECK(errors("microblog/search", R"({"q":"a","sources":[]})") == "/sources out_of_bounds");
  CHECK(errors("microblog/search", R"({"q":"a","sources":[""]})") == "/sources/0 out_of_bounds");
  const auto q_of = [](std::size_t size) { return "{\"q\":\"" + std::string(size, 'a') + "\"}"; };
  CHECK(errors("microblog/search", q_of(512)) == "accepted");
  CHECK(errors("microblog/search", q_of(513)).find("/q ") == 0);
  CHECK(errors("microblog/search", q_of(0)).find("/q ") == 0);
  // Code points count, not bytes.
  std::string wide;
  for (int at = 0; at < 512; ++at) wide += "é";
  CHECK(errors("microblog/search", "{\"q\":\"" + wide + "\"}") == "accepted");
  CHECK(errors("scrape/markdown", R"({"url":"https://a.example/","timeout_ms":999})") ==
        "/timeout_ms out_of_bounds");
  CHECK(errors("scrape/markdown", R"({"url":"https://a.example/","timeout_ms":120000})") ==
        "accepted");
}

TEST_CASE("control characters are refused everywhere") {
  CHECK(errors("microblog/search", R"({"q":"a\u0000b"})") == "/q invalid_format");
  CHECK(errors("microblog/users/lookup", R"({"username":"a\u001bb"})") ==
        "/username invalid_format");
}

TEST_CASE("a handle loses its @") {
  CHECK(call("microblog/users/lookup", R"({"username":"@alice@example.org"})")->text("username") ==
        "alice@example.org");
  CHECK(call("microblog/users/lookup", R"({"username":" alice "})")->text("username") == "alice");
  CHECK(errors("microblog/users/lookup", R"({"username":"@@a"})") == "/username invalid_format");
  CHECK(errors("microblog/users/lookup", R"({"username":"@"})") == "/username invalid_format");
  CHECK(errors("microblog/users/lookup", R"({"username":"a b"})") == "/username invalid_format");
  CHECK(errors("microblog/users/lookup", R"({"username":"../a"})") == "/username invalid_format");
}

TEST_CASE("a hashtag loses its #") {
  const auto hashtag = [](std::string_view body) {
    return call("shortvideo/hashtags/videos", body)->text("hashtag");
  };
  CHECK(hashtag(R"({"hashtag":"#tides"})") == "tides");
  CHECK(hashtag(R"({"hashtag":"＃潮"})") == "潮");
  CHECK(errors("shortvideo/hashtags/videos", R"({"hashtag":"#a #b"})") ==
        "/hashtag invalid_format");
  CHECK(errors("shortvideo/hashtags/videos", R"({"hashtag":"#"})") == "/hashtag invalid_format");
}

TEST_CASE("a URL is absolute http(s) and canonical") {
  const auto url = [](std::string_view body) { return call("scrape/markdown", body)->text("url"); };
  CHECK(url(R"({"url":" HTTPS://Example.ORG "})") == "https://example.org/");
  for (const auto* wrong : {"example.org", "/path", "ftp://a.example/", "file:///etc/passwd",
                            "javascript:alert(1)", "http://", "mailto:a@b.example"}) {
    INFO(wrong);
    CHECK(errors("scrape/markdown", std::string("{\"url\":\"") + wrong + "\"}") ==
          "/url invalid_format");
  }
}

TEST_CASE("a country is written in capitals, a language as BCP 47 does") {
  const auto checked = call("news/search", R"({"q":"a","country":"gb","lang":"ZH-hant-tw"})");
  REQUIRE(checked.has_value());
  CHECK(checked->text("country") == "GB");
  CHECK(checked->text("lang") == "zh-Hant-TW");
  CHECK(errors("news/search", R"({"q":"a","country":"GBR","lang":"e_n"})") ==
        "/country out_of_bounds; /lang invalid_format");
  CHECK(errors("news/search", R"({"q":"a","country":"1a"})") == "/country invalid_format");
  const auto named = call("news/search", R"({"q":"a","lang":"English"})");
  REQUIRE_FALSE(named.has_value());
  CHECK(named.error().detail() ==
        "lang: 'English' is not a BCP 47 language tag such as en or pt-BR; did you mean 'en'?");
  for (const auto* wrong : {"en-", "-en", "en--GB", "1a", "en-abcdefghi", "engl", "tide"}) {
    INFO(wrong);
    CHECK(errors("news/search", std::string("{\"q\":\"a\",\"lang\":\"") + wrong + "\"}") ==
          "/lang invalid_format");
  }
}

TEST_CASE("id or url: one of them, not both") {
  CHECK(errors("forum/posts/comments", "{}") == "/id missing");
  CHECK(errors("forum/posts/comments", R"({"id":"hackernews:1","url":"https://a.example/"})") ==
        "/url not_allowed");
  CHECK(errors("forum/posts/comments", R"({"id":"hackernews:1"})") == "accepted");
  CHECK(errors("microblog/posts/replies", R"({"url":"https://a.example/1"})") == "accepted");
  CHECK(errors("forum/posts/comments", R"({"id":"8863"})") == "/id invalid_format");
  CHECK(errors("microblog/posts/replies",
               R"({"id":"bluesky:at://did:plc:abc/app.bsky.feed.post/3k"})") == "accepted");
}

TEST_CASE("choices are exact, and fields are the item's keys") {
  CHECK(errors("scrape/markdown",
               R"({"url":"https://a.example/","mode":"Article","links":"","render":"auto"})") ==
        "/mode not_allowed; /links not_allowed");
  CHECK(errors("microblog/search", R"({"q":"a","fields":["url","txt"]})") ==
        "/fields/1 not_allowed");
  CHECK(detail("microblog/search", R"({"q":"a","fields":["txt"]})") ==
        "fields/0: 'txt' is not a key of post; did you mean 'text'?");
  CHECK(errors("account/keys/create", R"({"scopes":["read","write"]})") == "/scopes/1 not_allowed");
}

TEST_CASE("parameters belong to their endpoints") {
  CHECK(errors("web-serp/suggest", R"({"q":"a","since":"1d"})") == "/since unknown_parameter");
  CHECK(errors("microblog/search", R"({"q":"a","country":"GB"})") == "/country unknown_parameter");
  CHECK(errors("microblog/search", R"({"q":"a","timeout_ms":1000})") ==
        "/timeout_ms unknown_parameter");
  CHECK(errors("microblog/users/lookup", R"({"username":"a","limit":1})") ==
        "/limit unknown_parameter");
}

TEST_CASE("the account calls have their own parameters and defaults") {
  const auto usage = call("account/usage", "{}");
  REQUIRE(usage.has_value());
  CHECK(usage->since == std::chrono::days(30));
  CHECK(usage->text("group_by") == "day");
  CHECK(usage->text("time_zone") == "UTC");
  CHECK_FALSE(usage->flag("empty_days"));
  CHECK(call("account/usage", R"({"time_zone":" Europe/Berlin "})")->text("time_zone") ==
        "Europe/Berlin");
  CHECK(detail("account/usage", R"({"time_zone":"Europe/Berln"})") ==
        "time_zone: 'Europe/Berln' is not an IANA time zone such as Europe/Berlin or UTC");
  CHECK(errors("account/usage", R"({"time_zone":"","group_by":"endpoint,day"})") ==
        "/time_zone out_of_bounds; /group_by not_allowed");
  const auto create = call("account/keys/create", R"({"expires":"30d"})");
  REQUIRE(create.has_value());
  CHECK(create->list("scopes") == std::vector<std::string>{"read"});
  CHECK(create->text("mode") == "live");
  CHECK(create->duration("expires") == std::chrono::days(30));
  CHECK_FALSE(create->since.has_value());
  CHECK_FALSE(create->duration("grace").has_value());
  CHECK(errors("account/keys/create", R"({"expires":"soon","monthly_budget":0})") ==
        "/expires invalid_format; /monthly_budget out_of_bounds");
  const auto rotate = call("account/keys/rotate", R"({"id":"key_01ABC"})");
  REQUIRE(rotate.has_value());
  CHECK(rotate->duration("grace") == 1h);
  CHECK(errors("account/keys/revoke", R"({"id":"acc_01ABC"})") == "/id invalid_format");
  CHECK(errors("account/keys/revoke", "{}") == "/id missing");
}

TEST_CASE("whatever is accepted is canonical: it is accepted again, unchanged") {
  const std::vector<std::string> values = {"1",
                                           "0",
                                           "-1",
                                           "20.0",
                                           "1e2",
                                           "9223372036854775807",
                                           "null",
                                           "true",
                                           "false",
                                           "[]",
                                           "{}",
                                           R"("")",
                                           R"("a")",
                                           R"("@a")",
                                           R"(" @a@b.example ")",
                                           R"("#a")",
                                           R"("!a@b")",
                                           R"("24h")",
                                           R"("0007d")",
                                           R"("article")",
                                           R"("all")",
                                           R"("gb")",
                                           R"("pt-br")",
                                           R"("\"x y\" -z")",
                                           R"("x\ud83d\ude00")",
                                           R"("\u0000")",
                                           R"("https://A.example:443/%7e/../b?x=1#y")",
                                           R"("http://[::1]/")",
                                           R"("hackernews:1")",
                                           R"("key_1")",
                                           R"(["read"])",
                                           R"(["url","id"])",
                                           R"(["a","a"])",
                                           R"([""])",
                                           R"([" p > a "])",
                                           R"([1])",
                                           R"([["a"]])"};
  std::mt19937_64 random(5);
  const auto below = [&](std::size_t bound) { return random() % bound; };
  int accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    const auto& of = endpoints()[below(endpoints().size())];
    std::string body = "{";
    const auto add = [&](std::string_view name) {
      if (body.find("\"" + std::string(name) + "\":") != std::string::npos) return;
      body += (body.size() > 1 ? ",\"" : "\"") + std::string(name) +
              "\":" + values[below(values.size())];
    };
    for (const auto& one : of.own) {
      if (one.required || below(4) == 0) add(one.name);
    }
    if (below(3) == 0) add(of.common[below(of.common.size())].name);
    body += '}';
    const auto checked = validate(of, body);
    if (!checked) {
      REQUIRE_FALSE(checked.error().detail().empty());
      continue;
    }
    ++accepted;
    const auto again = validate(of, checked->canonical_body());
    INFO(body);
    REQUIRE(again.has_value());
    CHECK(again->canonical_body() == checked->canonical_body());
    CHECK(again->query_identity() == checked->query_identity());
  }
  CHECK(accepted > 500);
}
