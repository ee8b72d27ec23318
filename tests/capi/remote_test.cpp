// Calls and walks to a server that answers well, badly or not at all.
#include <catch2/catch.hpp>
#include <thread>

#include "capi/handles.hpp"
#include "capi/scripted_server.hpp"

using namespace freshet::test;
using steps = std::vector<scripted_server::step>;

namespace {

scripted_server::step page_step(int first, int count, const std::string& next) {
  return scripted_server::answers(200, envelope(first, count, next));
}

scripted_server::step fails(const std::string& code, int status) {
  return scripted_server::answers(status, problem(code, status));
}

/// What a walk gives: `data` of each page or the name of its error.
std::vector<std::string> walk(const pages_handle& over) {
  std::vector<std::string> given;
  while (const auto one = next(over)) {
    given.push_back(freshet_result_error(one.get()) == 0 ? data_of(one) : error_of(one));
  }
  return given;
}

}  // namespace

TEST_CASE("a result tells what the server's headers and body say") {
  const scripted_server server(
      {scripted_server::answers(200, envelope(1, 2, "c1.x"),
                                {{"X-Service-Credits-Used", "1"},
                                 {"X-Service-Credits-Remaining", "41"},
                                 {"X-Request-Id", "req_theirs"}}),
       scripted_server::answers(429, problem("rate_limited", 429), {{"Retry-After", "7"}})});
  const auto client = connect_to(server.url());
  const auto good = call(client, "news/search", R"({"q":"tides"})",
                         R"({"idempotency_key":"once","request_id":"mine","tracestate":"a=1, b=2",
                             "traceparent":"00-12345678901234567890123456789012-1234567890123456-01"})");
  CHECK(error_of(good).empty());
  CHECK(data_of(good) == "[1,2]");
  CHECK(freshet_result_credits(good.get()) == 1);
  CHECK(freshet_result_credits_remaining(good.get()) == 41);
  CHECK(freshet_result_request_id(good.get(), nullptr) == std::string("req_theirs"));
  CHECK(freshet_result_next_cursor(good.get(), nullptr) == std::string("c1.x"));
  const auto sent = server.seen().front();
  CHECK(sent.body == R"({"q":"tides"})");
  CHECK(sent.header("Authorization") == "Bearer frs_test_x");
  CHECK(sent.header("Idempotency-Key") == "once");
  CHECK(sent.header("X-Request-Id") == "mine");
  CHECK(sent.header("traceparent") == "00-12345678901234567890123456789012-1234567890123456-01");
  CHECK(sent.header("tracestate") == "a=1,b=2");

  const auto limited = call(client, "news/search", {},
                            R"({"api_key":"another","traceparent":"no trace","tracestate":"a=1"})");
  CHECK(error_of(limited) == "rate_limited");
  CHECK(freshet_result_status(limited.get()) == 429);
  CHECK(freshet_result_retry_after_s(limited.get()) == 7);
  CHECK(freshet_result_retryable(limited.get()) == 1);
  CHECK(data_of(limited).empty());
  CHECK(server.seen().back().header("Authorization") == "Bearer another");
  CHECK(server.seen().back().header("traceparent").empty());
  CHECK(server.seen().back().header("tracestate").empty());
}

TEST_CASE("what no Freshet server says is an error, never an empty success") {
  const std::string html = "<html>hello</html>";
  const auto [status, body] = GENERATE_COPY(table<int, std::string>(
      {{200, html}, {200, "{}"}, {200, ""}, {200, "[1]"}, {502, html}, {404, ""}, {302, html}}));
  INFO(status << " " << body);
  const scripted_server server(
      {[text = loopback_server::answer(status, body)](
           const loopback_server::seen&, loopback_server::connection& to) { to.send(text); }});
  const auto told = call(connect_to(server.url()), "news/search");
  CHECK(error_of(told) == "source_error");
  CHECK(body_of(told).find(R"("code":"source_error")") != std::string::npos);
}

TEST_CASE("a server that goes away is an error with an id, and no signal") {
  const auto breaks = GENERATE(as<scripted_server::step>(), scripted_server::resets(),
                               scripted_server::breaks_off());
  const scripted_server server({breaks});
  const auto client = connect_to(server.url());
  const std::string large(200'000, ' ');  // more than a socket takes at once
  for (int i = 0; i < 3; ++i) {
    const auto told = call(client, "news/search", large + "{}");
    CHECK(error_of(told) == "source_unavailable");
    CHECK(std::string(freshet_result_request_id(told.get(), nullptr)).starts_with("req_"));
  }
}

TEST_CASE("a walk follows the cursors to the end") {
  const scripted_server server(
      {page_step(1, 2, "c1.a"), page_step(3, 2, "c1.b"), page_step(5, 1, "")});
  const auto client = connect_to(server.url());
  CHECK(walk(pages(client, "news/search", R"({"q":"tides", "limit":2})",
                   R"({"idempotency_key":"key"})")) ==
        std::vector<std::string>{"[1,2]", "[3,4]", "[5]"});
  const auto seen = server.seen();
  REQUIRE(seen.size() == 3);
  CHECK(seen[0].body == R"({"q":"tides", "limit":2})");
  CHECK(seen[1].body == R"({"q":"tides","limit":2,"cursor":"c1.a"})");
  CHECK(seen[2].body == R"({"q":"tides","limit":2,"cursor":"c1.b"})");
  CHECK(seen[0].header("Idempotency-Key") == "key.1");
  CHECK(seen[2].header("Idempotency-Key") == "key.3");
}

TEST_CASE("a walk ends at its limit of items with a page that is just as long") {
  const scripted_server server(
      {page_step(1, 2, "c1.a"), page_step(3, 2, "c1.b"), page_step(5, 1, "c1.c")});
  const auto client = connect_to(server.url());
  const auto over = pages(client, "news/search", R"({"limit":"2"})", {}, 0, 5);
  CHECK(walk(over) == std::vector<std::string>{"[1,2]", "[3,4]", "[5]"});
  CHECK(server.seen().back().body == R"({"limit":1,"cursor":"c1.b"})");
  CHECK(walk(pages(client, "news/search", {}, {}, 2, 0)).size() == 2);
}

TEST_CASE("an error in the middle of a walk takes nothing back and can be tried again") {
  const scripted_server server({page_step(1, 2, "c1.a"), fails("source_unavailable", 503),
                                scripted_server::breaks_off(), page_step(3, 2, "")});
  const auto over = pages(connect_to(server.url()), "news/search");
  // The client is freed already: the walk has to say so, and no more.
  CHECK(walk(over) == std::vector<std::string>{"cancelled"});
  const auto client = connect_to(server.url());
  CHECK(walk(pages(client, "news/search")) ==
        std::vector<std::string>{"[1,2]", "source_unavailable", "source_unavailable", "[3,4]"});
  const auto seen = server.seen();
  CHECK(seen.at(1).body == seen.at(3).body);
}

TEST_CASE("a walk ends with an error that stays, and after five in a row") {
  const scripted_server refusing({page_step(1, 2, "c1.a"), fails("invalid_cursor", 400)});
  const auto first = connect_to(refusing.url());
  CHECK(walk(pages(first, "news/search")) == std::vector<std::string>{"[1,2]", "invalid_cursor"});
  const scripted_server failing({fails("source_timeout", 504)});
  const auto second = connect_to(failing.url());
  CHECK(walk(pages(second, "news/search")) == std::vector<std::string>(5, "source_timeout"));
}

TEST_CASE("a lookup is a walk of one page, and what is no JSON goes to the server as it is") {
  const scripted_server server({scripted_server::answers(200, R"({"data":{"id":"x"},"meta":{}})"),
                                fails("invalid_json", 400)});
  const auto client = connect_to(server.url());
  CHECK(walk(pages(client, "news/search", {}, {}, 0, 50)) ==
        std::vector<std::string>{R"({"id":"x"})"});
  CHECK(walk(pages(client, "news/search", "{", {}, 0, 5)) ==
        std::vector<std::string>{"invalid_json"});
  CHECK(server.seen().back().body == "{");
}

TEST_CASE("a call that hangs can be waited for in steps, cancelled, and outlives its client") {
  scripted_server server({[](const loopback_server::seen&, loopback_server::connection&) {}});
  auto client = connect_to(server.url());
  const auto first = start(client, "news/search");
  CHECK(wait(first, 0) == nullptr);
  CHECK(wait(first, 20) == nullptr);
  freshet_call_cancel(first.get());
  CHECK(error_of(wait(first)) == "cancelled");
  freshet_call_cancel(first.get());
  const auto second = start(client, "news/search");
  const auto over = pages(client, "news/search");
  std::string waited, walked;
  std::thread waiter([&] { waited = error_of(wait(second)); });
  std::thread walker([&] { walked = error_of(next(over)); });
  while (server.seen().size() < 3) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  client.reset();
  waiter.join();
  walker.join();
  CHECK(waited == "cancelled");
  CHECK(walked == "cancelled");
  CHECK(next(over) == nullptr);
  freshet_call_cancel(second.get());
  freshet_pages_cancel(over.get());
}

TEST_CASE("a walk that is cancelled says so once") {
  scripted_server server({[](const loopback_server::seen&, loopback_server::connection&) {}});
  const auto client = connect_to(server.url());
  const auto over = pages(client, "news/search");
  std::vector<std::string> given;
  std::thread walker([&] { given = walk(over); });
  while (server.seen().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  freshet_pages_cancel(over.get());
  walker.join();
  CHECK(given == std::vector<std::string>{"cancelled"});
  const auto later = pages(client, "news/search");
  freshet_pages_cancel(later.get());
  CHECK(walk(later) == std::vector<std::string>{"cancelled"});
}
