// Each call of curl that a call of the engine takes fails once: the caller has one answer, is
// charged for nothing but a page, holds no credits when it is over, and is served the next time. In
// tests/http the same is done to an exchange alone, and in call_faults_test to exchanges.
#include <catch2/catch.hpp>
#include <engine/paying_caller.hpp>
#include <set>
#include <support/failing_curl.hpp>
#include <support/print_result.hpp>

using namespace freshet;

TEST_CASE("each call of curl fails that a call takes, and none of them is charged") {
  test::paying_caller on;
  REQUIRE(on.ask().status == 200);
  std::set<std::string> failed;
  int refused = 0;
  for (int n = 1;; ++n) {
    REQUIRE(n < 300);
    const auto before = on.books_now();
    test::fail_curl_call(n);
    const auto answer = on.ask();
    const std::string which = test::failed_curl_call();
    INFO("call " << n << ", " << which << ": " << answer.body);
    const auto after = on.books_now();
    CHECK(before.balance - after.balance == answer.credits_used);
    CHECK(after.reserved == 0);
    if (answer.status != 200) {
      ++refused;
      CHECK(answer.credits_used == 0);
      CHECK((answer.status == 502 || answer.status == 503));
    }
    const auto next = on.ask();
    INFO(next.body);
    REQUIRE(next.status == 200);
    CHECK(next.credits_used == 1);
    if (which.empty()) {
      CHECK(answer.status == 200);
      break;
    }
    failed.insert(which);
  }
  // Some are tried again below, and no caller hears of them.
  CHECK(refused > 0);
  for (const char* each : {"curl_easy_setopt", "curl_multi_add_handle", "curl_multi_perform"}) {
    INFO(each);
    CHECK(failed.contains(each));
  }
  on.verify();
}
