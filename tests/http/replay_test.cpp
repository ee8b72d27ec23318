// Reading HAR texts and finding answers in them.
#include <base/json.hpp>
#include <catch2/catch.hpp>
#include <http/credentials.hpp>
#include <http/har.hpp>
#include <http/stack.hpp>
#include <support/print_result.hpp>

#include "waiting.hpp"

using namespace freshet;
using namespace freshet::http;
using namespace freshet::test;

namespace {

std::string entry(const std::string& url, const std::string& body, int status = 200,
                  const std::string& method = "GET", const std::string& post = "") {
  request asked = get(url);
  asked.method = method;
  asked.body = post;
  response got;
  got.status = status;
  got.body = body;
  return har_entry(asked, got, time_point(std::chrono::days(20'000)));
}

std::string har(const std::vector<std::string>& entries) {
  std::string out(har_head);
  for (const auto& each : entries) out += (&each == &entries.front() ? "" : ",") + each;
  return out + std::string(har_tail);
}

std::unique_ptr<transport> replay_of(const std::vector<std::string>& entries, replay_match match) {
  const std::string text = har(entries);
  return make_replay({text}, match, nullptr).value();
}

}  // namespace

TEST_CASE("an entry is valid JSON whatever the bodies hold") {
  for (const std::string& body : {std::string("\xFF\xFE"), std::string("a\0b", 3),
                                  std::string("\"\\\n\x01</script>"), std::string()}) {
    const std::string text = har({entry("http://a.test/?q=\"", body)});
    CHECK(base::parse_json(text, true));
    const auto read = read_har(text);
    REQUIRE(read);
    CHECK(read->at(0).answer.body == body);
  }
  const std::string failed =
      har({har_entry(get("http://a.test/"), error(errc::source_timeout, "slow"), time_point())});
  CHECK(read_har(failed)->at(0).failure->code() == errc::source_timeout);
}

TEST_CASE("equal requests are answered in the recorded order, the last answer stays") {
  const auto over = replay_of({entry("http://a.test/x", "one"), entry("http://a.test/x", "", 304),
                               entry("http://a.test/x", "two")},
                              replay_match::exact);
  CHECK(fetch(*over, get("http://a.test/x#f"))->body == "one");
  CHECK(fetch(*over, get("http://a.test/x"))->body == "two");
  CHECK(fetch(*over, get("http://A.test:80/x"))->body == "two");
}

TEST_CASE("exact is exact, and says what is missing without secrets") {
  const auto over = replay_of({entry("http://a.test/x?a=1", "one")}, replay_match::exact);
  const auto missing = fetch(*over, get("http://a.test/x?a=2&api_key=hush"));
  CHECK(code_of(missing) == "source_error");
  CHECK(missing.error().detail().find("a=2") != std::string::npos);
  CHECK(missing.error().detail().find("hush") == std::string::npos);
  CHECK(fetch(*over, get("http://a.test/robots.txt"))->status == 404);
}

TEST_CASE("nearest takes the fewest differing parameters of the same page") {
  const auto over = replay_of(
      {entry("http://a.test/s?q=cat&n=10", "cat"), entry("http://a.test/s?q=dog&n=10&p=2", "dog"),
       entry("http://a.test/s?q=dog&n=10", "posted", 200, "POST", "a"),
       entry("http://a.test/t", "t")},
      replay_match::nearest);
  CHECK(fetch(*over, get("http://a.test/s?n=10&q=cat"))->body == "cat");
  CHECK(fetch(*over, get("http://a.test/s?q=dog&n=20&p=2"))->body == "dog");
  CHECK(fetch(*over, get("http://a.test/s?q=cow"))->body == "cat");
  CHECK(code_of(fetch(*over, get("http://a.test/u"))) == "not_found");
  CHECK(code_of(fetch(*over, get("http://b.test/t"))) == "not_found");
  request post = get("http://a.test/s?q=x");
  post.method = "POST";
  CHECK(fetch(*over, post)->body == "posted");
}

TEST_CASE("nearest counts what a posted form or JSON object asks for") {
  const auto over =
      replay_of({entry("http://a.test/form", "first", 200, "POST", "q=cat&b="),
                 entry("http://a.test/form", "second", 200, "POST", "q=cat&s=10&vqd=4-1"),
                 entry("http://a.test/json", "one", 200, "POST", R"({"q":"cat","page":1})"),
                 entry("http://a.test/json", "two", 200, "POST", R"({"q":"cat","page":2})")},
                replay_match::nearest);
  const auto post = [&](const std::string& path, const std::string& body) {
    request what = get("http://a.test/" + path);
    what.method = "POST";
    what.body = body;
    return fetch(*over, what)->body;
  };
  CHECK(post("form", "q=dog&b=") == "first");
  CHECK(post("form", "q=dog&s=10&vqd=4-1") == "second");
  CHECK(post("json", R"({"q":"dog","page":1})") == "one");
  CHECK(post("json", R"({"page":2,"q":"dog"})") == "two");
  CHECK(post("json", R"({"page":2,)") == "one");
}

TEST_CASE("what is no HAR is refused") {
  for (const char* text : {"", "{}", "[]", "{\"log\":{}}", "{\"log\":{\"entries\":[{}]}}"}) {
    INFO(text);
    const auto made = make_replay({text}, replay_match::exact, nullptr);
    REQUIRE_FALSE(made);
    CHECK(made.error().code() == errc::invalid_configuration);
  }
}

TEST_CASE("secrets are found by their names") {
  CHECK(redact_url("https://u:p@a.test/x?API-Key=1&q=key&key=2#f") ==
        "https://u:REDACTED@a.test/x?API-Key=REDACTED&q=key&key=REDACTED#f");
  CHECK(redact_url("https://a.test/s.rss?q=x&feed=abc&user=me") ==
        "https://a.test/s.rss?q=x&feed=REDACTED&user=me");
  CHECK(redact_url("https://a.test/?feed=rss2") == "https://a.test/?feed=rss2");
  CHECK(public_url("https://u:p@a.test:81/x.rss?token=1#f") == "https://a.test:81/x.rss");
  CHECK(public_url("https://u@a.test") == "https://a.test");
  CHECK(public_url("https://a.test/@b") == "https://a.test/@b");
  CHECK(redact_url("https://a.test/x?q=a@b:c") == "https://a.test/x?q=a@b:c");
  CHECK(redact_body("grant_type=x&client_secret=s&scope=a") ==
        "grant_type=x&client_secret=REDACTED&scope=a");
  CHECK(redact_body("{\"a\": {\"access_token\" : \"s\\\"x\", \"key\":\"kept\"}}") ==
        "{\"a\": {\"access_token\" : \"REDACTED\", \"key\":\"kept\"}}");
  CHECK(redact_body("{\"password\":\"unterminated") == "{\"password\":\"REDACTED");
  CHECK(redact_body("{\"password\":12}") == "{\"password\":12}");
  CHECK(redact_body("<a href=\"?key=1\">") == "<a href=\"?key=1\">");
  CHECK(is_credential_header("X-Subscription-Token"));
  CHECK(is_credential_header("x-api-key"));
  CHECK_FALSE(is_credential_header("Content-Type"));
}
