// Each call of curl that an exchange or a stream takes fails once, from the first option to the
// last wakeup: there is one answer, in time, nobody else's exchange is lost for it, and the next
// one is served as ever.
#include <algorithm>
#include <catch2/catch.hpp>
#include <http/stack.hpp>
#include <http/websocket_stream.hpp>
#include <set>
#include <support/eventually.hpp>
#include <support/failing_curl.hpp>
#include <support/loopback_server.hpp>
#include <support/stream_server.hpp>

#include "waiting.hpp"

using namespace freshet;
using namespace freshet::http;
using namespace freshet::test;
using namespace std::chrono_literals;

namespace {

result<std::unique_ptr<stack_transport>> impolite_stack() {
  stack_options options;
  options.user_agent = "Freshet/test";
  options.allow_private = {"127.0.0.0/8"};
  options.polite = false;  // what fails is said, and not tried again
  return make_stack(std::move(options));
}

bool is_excuse(const std::string& code) {
  return code == "ok" || code == "overloaded" || code == "source_unavailable" ||
         code == "source_error";
}

request posting(std::string url) {
  request out = get(std::move(url));
  out.method = "POST";
  out.headers = {{"Content-Type", "text/plain"}, {"X-Empty", ""}};
  out.body = "a body";
  return out;
}

}  // namespace

TEST_CASE("each call of curl fails that an exchange takes") {
  loopback_server server;
  server.reply("/", 200, "whole");
  constexpr const char* calls[] = {
      "curl_easy_init",     "curl_easy_setopt",      "curl_easy_getinfo",
      "curl_slist_append",  "curl_multi_add_handle", "curl_multi_remove_handle",
      "curl_multi_perform", "curl_multi_poll",       "curl_multi_wakeup"};
  std::set<std::string> failed;
  // How often curl is asked to wait differs from time to time, so that one number may be another
  // call the next time: what was passed over comes in a further round.
  const auto all_failed = [&] {
    return std::ranges::all_of(calls, [&](const char* each) { return failed.contains(each); });
  };
  for (int round = 0; round < 2 || (round < 10 && !all_failed()); ++round) {
    const bool with_body = round % 2 == 1;
    for (int n = 1;; ++n) {
      REQUIRE(n < 300);
      const auto stack = impolite_stack();
      REQUIRE(stack.has_value());
      fail_curl_call(n);
      const auto got = fetch(**stack, with_body ? posting(server.url("/")) : get(server.url("/")),
                             test::patience);
      const std::string which = failed_curl_call();
      INFO("call " << n << ", " << which << ": " << code_of(got));
      CHECK(is_excuse(code_of(got)));  // which a deadline is not
      const auto next = fetch(**stack, get(server.url("/")));
      REQUIRE(next.has_value());
      CHECK(next->body == "whole");
      if (which.empty()) {
        CHECK(got.has_value());
        break;
      }
      failed.insert(which);
    }
  }
  for (const char* each : calls) {
    INFO(each);
    CHECK(failed.count(each) == 1);
  }
}

TEST_CASE("whose handle curl refuses fails alone") {
  loopback_server server;
  std::atomic<bool> may_answer = false;
  server.on("/slow", [&](const auto&, loopback_server::connection& to) {
    while (!may_answer && to.is_open()) std::this_thread::sleep_for(1ms);
    to.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nslow");
  });
  server.reply("/", 200, "whole");
  const auto stack = impolite_stack().value();
  auto other = start(*stack, get(server.url("/slow")));
  REQUIRE(other.wait_for(100ms) == std::future_status::timeout);
  int refusals = 0;
  for (int n = 1; n < 60; ++n) {
    fail_curl_call(n);
    static_cast<void>(fetch(*stack, posting(server.url("/"))));
    const std::string which = failed_curl_call();
    // Curl's own loop may fail for everybody; what one exchange asks for does not.
    if (which == "curl_multi_perform") break;
    refusals += which == "curl_easy_setopt" || which == "curl_slist_append";
    INFO(n << ", " << which);
    REQUIRE(other.wait_for(0ms) == std::future_status::timeout);
  }
  CHECK(refusals > 10);
  may_answer = true;
}

TEST_CASE("a stack is made whole or not at all, whichever call of curl fails") {
  loopback_server server;
  server.reply("/", 200, "whole");
  for (int n = 1;; ++n) {
    REQUIRE(n < 100);
    fail_curl_call(n);
    const auto stack = impolite_stack();
    const std::string which = failed_curl_call();
    INFO("call " << n << ", " << which);
    if (stack) CHECK(code_of(fetch(**stack, get(server.url("/")))) == "ok");
    if (stack && which != "curl_multi_poll" && which != "curl_multi_perform") {
      CHECK(which.empty());
      break;
    }
  }
}

TEST_CASE("each call of curl fails that a stream takes") {
  const stream_server server(
      [](const std::string&, const stream_server::sender& send) { send("first"); });
  websocket_options options;
  options.user_agent = "Freshet/test";
  options.guard = *address_guard::make({"127.0.0.0/8"}, false);
  options.open_time = 3s;
  int failures = 0;
  for (int n = 1;; ++n) {
    REQUIRE(n < 200);
    fail_curl_call(n);
    websocket_stream stream(options);
    const auto opened = stream.open(server.url(), {});
    result<std::optional<std::string>> message = std::optional<std::string>();
    if (opened) message = stream.read(2s);
    const std::string which = failed_curl_call();
    INFO("call " << n << ", " << which);
    if (opened && message) CHECK(message->value_or("") == "first");
    if (which.empty()) {
      CHECK((opened && message));
      break;
    }
    ++failures;
  }
  CHECK(failures > 20);
}
