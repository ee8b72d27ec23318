#include <catch2/catch.hpp>
#include <sources/exchange.hpp>
#include <sources/read_answer.hpp>

using namespace freshet;
using namespace freshet::sources;
using freshet::base::member;
using std::chrono::seconds;

namespace {

http::response with(http::response answer, std::string name, std::string value) {
  answer.headers.push_back({std::move(name), std::move(value)});
  return answer;
}

errc code_of(int status, std::string body = "{}", std::string type = "application/json") {
  const auto failed = check_status(test::answer_of(status, std::move(body), std::move(type)));
  REQUIRE(failed.has_value());
  return failed->code();
}

constexpr auto date = "Sun, 01 Nov 2026 12:00:00 GMT";

}  // namespace

TEST_CASE("read_answer: every status has a code") {
  for (const int status : {200, 201, 204, 206})
    CHECK(!check_status(test::answer_of(status, "{}")).has_value());
  CHECK(code_of(301) == errc::source_error);
  CHECK(code_of(400) == errc::source_error);
  CHECK(code_of(401) == errc::source_auth_required);
  CHECK(code_of(402) == errc::source_unavailable);
  CHECK(code_of(403) == errc::source_blocked);
  CHECK(code_of(404) == errc::not_found);
  CHECK(code_of(404, "<!DOCTYPE html><p>no", "text/html") == errc::source_error);
  CHECK(code_of(410) == errc::not_found);
  CHECK(code_of(429) == errc::source_unavailable);
  CHECK(code_of(451) == errc::source_blocked);
  CHECK(code_of(500) == errc::source_error);
  CHECK(code_of(502) == errc::source_unavailable);
  CHECK(code_of(503) == errc::source_unavailable);
  CHECK(code_of(504) == errc::source_timeout);
  CHECK(code_of(522) == errc::source_unavailable);
  CHECK(code_of(0) == errc::source_error);
}

TEST_CASE("read_answer: block pages are recognised whatever their status") {
  const auto page = [](int status, std::string body) {
    return test::answer_of(status, std::move(body), "text/html; charset=UTF-8");
  };
  for (const int status : {200, 202, 403, 429, 503}) {
    CHECK(code_of(status, "<html><title>Just a moment...</title>", "text/html") ==
          errc::source_blocked);
  }
  CHECK(sniff(page(200, "<form action=\"//duckduckgo.com/anomaly.js?sv=html\">")).block_page);
  CHECK(!sniff(page(200, "<p>an ordinary page</p>")).block_page);
  // A post that quotes a block page is none.
  CHECK(!sniff(test::answer_of(200, R"({"text":"<title>Just a moment..."})")).block_page);
  CHECK(sniff(with(test::answer_of(403, ""), "cf-mitigated", "challenge")).block_page);
  auto wall = page(200, "<html><form>");
  wall.final_url = "https://forum.example/auth/sign_in?next=x";
  CHECK(check_status(wall)->code() == errc::source_auth_required);
}

TEST_CASE("read_answer: recorded block pages are recognised") {
  const std::map<std::string, std::string> pages = {
      {"duckduckgo/error_challenge__1.html", ""}, {"duckduckgo/error_persist__1.html", ""},
      {"google/error_captcha__1.html", ""},       {"google/error_captcha__2.html", ""},
      {"yandex/error_captcha__1.html", ""},       {"searxng/error_bot_check__1.html", ""},
      {"ecosia/error_captcha__1.html", ""},
  };
  for (const auto& [path, unused] : pages) {
    if (!test::shared_has("recordings/" + path)) continue;
    INFO(path);
    auto answer = test::recorded(test::shared_dir() / "recordings" / path);
    CHECK(sniff(answer).block_page);
  }
  for (const auto path :
       {"google/search__1.html", "bing/search__1.html", "mojeek/search__1.html"}) {
    if (!test::shared_has(std::string("recordings/") + path)) continue;
    INFO(path);
    CHECK(!sniff(test::recorded(test::shared_dir() / "recordings" / path)).block_page);
  }
}

TEST_CASE("read_answer: a wait is read from every convention") {
  const auto wait = [](std::string name, std::string value, int status = 429) {
    return retry_after_of(
        with(with(test::answer_of(status, ""), "Date", date), std::move(name), std::move(value)));
  };
  CHECK(wait("Retry-After", "120") == seconds{120});
  CHECK(wait("retry-after", " 7 ", 503) == seconds{7});
  CHECK(wait("Retry-After", "Sun, 01 Nov 2026 12:01:30 GMT") == seconds{90});
  CHECK(wait("Retry-After", "Sun, 01 Nov 2026 11:00:00 GMT") == seconds{0});
  CHECK(wait("Retry-After", "99999999") == max_retry_after);
  CHECK(!wait("Retry-After", "soon").has_value());
  CHECK(!wait("Retry-After", "-5").has_value());
  CHECK(!wait("Retry-After", std::string(400, '9')).has_value());
  CHECK(wait("RateLimit-Reset", "1793534460") == seconds{60});
  CHECK(wait("x-ratelimit-reset", "30") == seconds{30});
  CHECK(wait("x-ratelimit-reset", "599.0") == seconds{599});
  CHECK(wait("X-RateLimit-Reset", "2026-11-01T12:05:00.725062Z") > seconds{299});
  CHECK(!wait("X-RateLimit-Reset", "30", 200).has_value());
  auto undated = test::answer_of(429, "");
  undated.headers.push_back({"RateLimit-Reset", "1793534460"});
  CHECK(!retry_after_of(undated).has_value());
  undated.fetched_at = time_point{std::chrono::seconds{1793534450}};
  CHECK(retry_after_of(undated) == seconds{10});
}

TEST_CASE("read_answer: of several windows, the wait is that of the one used up") {
  const auto wait = [](std::string left, std::string reset) {
    return retry_after_of(with(with(test::answer_of(429, ""), "X-RateLimit-Remaining", left),
                               "X-RateLimit-Reset", reset));
  };
  CHECK(wait("0, 1990", "1, 1419704") == seconds{1});
  CHECK(wait("1, 0", "1, 3600") == seconds{3600});
  CHECK(wait("0, 0", "1, 1419704") == max_retry_after);
  CHECK(wait("5, 5", "2, 1419704") == seconds{2});
  CHECK(wait("0", "2, 1419704") == seconds{2});
  CHECK(wait("0, 0, 0", "2, 30") == seconds{2});
}

TEST_CASE("read_answer: what an upstream said is short, clean and kept apart") {
  const auto said = [](std::string body, std::string type = "application/json") {
    return source_text_of(test::answer_of(500, std::move(body), std::move(type)));
  };
  CHECK(said(R"({"error":"InvalidRequest","message":"Profile not found"})") == "Profile not found");
  CHECK(said(R"({"error":"Record not found"})") == "Record not found");
  CHECK(said(R"({"error":{"code":404,"message":"no"}})") == "no");
  CHECK(said(R"({"errors":["first","second"]})") == "first");
  CHECK(said(R"({"errors":[{"message":"m"}]})") == "m");
  CHECK(said(R"({"title":"Bad Request","detail":"d"})") == "d");
  CHECK(said("<html><title>502 Bad &amp; Gateway</title><p>x", "text/html") == "502 Bad & Gateway");
  CHECK(said("plain\r\n text\x01", "text/plain").starts_with("plain text"));
  CHECK(base::is_utf8(said("\xC3\x28\xFF", "text/plain")));
  CHECK(base::length(said(std::string(5000, 'x'), "text/plain")) == max_source_text);
  CHECK(said("").empty());
}

TEST_CASE("read_answer: JSON, and what is none") {
  CHECK(read_json(test::answer_of(200, "\xEF\xBB\xBF{\"a\":1}")).has_value());
  CHECK(read_json(test::answer_of(200, R"({"a":1})", "text/html")).has_value());
  const auto repaired = read_json(test::answer_of(200, "{\"a\":\"\xC3\x28\"}"));
  REQUIRE(repaired.has_value());
  CHECK(base::view_of(member(*repaired, "a")) == "\xEF\xBF\xBD(");
  for (const std::string body : {"", "{", "nul", "{\"a\":1e999}", "<html>x", "[1]]"}) {
    CAPTURE(body);
    const auto read = read_json(test::answer_of(200, body));
    REQUIRE(read.has_error());
    CHECK(read.error().code() == errc::source_error);
  }
  CHECK(read_json(test::answer_of(200, std::string(100000, '['))).has_error());
  CHECK(read_json(test::answer_of(429, "{}")).error().code() == errc::source_unavailable);
}

TEST_CASE("read_answer: links of a header") {
  auto answer = test::answer_of(200, "[]");
  answer.final_url = "https://a.example/api/list?x=1";
  answer.headers.push_back(
      {"link",
       "</api/list?max_id=1,2;3>; title=\"a, b; c\"; rel=\"next\", <https://b.example/p>; "
       "rel=prev"});
  CHECK(link_target(answer, "next") == "https://a.example/api/list?max_id=1,2;3");
  CHECK(link_target(answer, "prev") == "https://b.example/p");
  CHECK(link_target(answer, "last").empty());
  for (const auto broken :
       {"", "<", "<x", "x>; rel=next", "<x>; rel", "<x>; rel=\"next", ",,,;;;", "<x>;;;,<y>"}) {
    CAPTURE(broken);
    auto bad = test::answer_of(200, "[]");
    bad.headers.push_back({"Link", broken});
    CHECK(link_target(bad, "next").size() < 8);
  }
}

TEST_CASE("read_answer: a header block full of links stays linear") {
  auto answer = test::answer_of(200, "[]");
  std::string many;
  for (int i = 0; i < 20000; ++i) many += "<u>;x=\"y\",";
  answer.headers.push_back({"Link", many});
  CHECK(link_target(answer, "next").empty());
}
