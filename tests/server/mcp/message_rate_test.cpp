// The bucket of each account for its messages.
#include <catch2/catch.hpp>
#include <server/mcp/message_rate.hpp>

using namespace freshet::server::mcp;
using namespace std::chrono_literals;

TEST_CASE("an account has a burst and then its rate, whatever others do") {
  message_rate rate({2, 10});
  message_rate::clock::time_point now{1000h};
  int passed = 0;
  for (int i = 0; i < 100; ++i) passed += rate.take("1", 1, now) ? 0 : 1;
  CHECK(passed == 10);
  CHECK(rate.take("1", 1, now) == 1s);
  CHECK(rate.take("1", 10, now) == 5s);
  CHECK(!rate.take("2", 1, now));
  now += 1s;
  CHECK(!rate.take("1", 2, now));
  CHECK(rate.take("1", 1, now));
}

TEST_CASE("a batch takes a token for each message, and none if it does not pass") {
  message_rate rate({2, 10});
  const message_rate::clock::time_point now{1000h};
  CHECK(!rate.take("1", 8, now));
  CHECK(rate.take("1", 3, now));
  CHECK(!rate.take("1", 2, now));
  // What is larger than any burst passes when there is a whole one.
  CHECK(!rate.take("2", 32, now));
  CHECK(rate.take("2", 1, now));
}

TEST_CASE("who has all of his tokens is forgotten") {
  message_rate rate({2, 10});
  message_rate::clock::time_point now{1000h};
  static_cast<void>(rate.take("1", 10, now));
  static_cast<void>(rate.take("2", 1, now));
  now += 1s;
  rate.forget_full(now);
  CHECK(rate.size() == 1);
  CHECK(rate.take("1", 3, now));
  now += 10s;
  rate.forget_full(now);
  CHECK(rate.size() == 0);
}
