// What a session keeps for clients that lose their connection, and what it no longer keeps.
#include <catch2/catch.hpp>
#include <server/mcp/event_log.hpp>
#include <string>

using namespace freshet::server;
using namespace freshet::server::mcp;

namespace {

struct logged {
  std::shared_ptr<std::atomic<std::size_t>> bytes = std::make_shared<std::atomic<std::size_t>>(0);
  std::shared_ptr<event_log> log;
  explicit logged(const event_limits& limits = {})
      : log(std::make_shared<event_log>(true, limits, bytes)) {}
};

std::shared_ptr<body_stream> body() { return std::make_shared<body_stream>(); }

}  // namespace

TEST_CASE("a stream begins with an event without data, and ends with its answer") {
  logged of;
  const auto first = body();
  const std::uint64_t id = of.log->open(first);
  CHECK(of.log->is_busy());
  of.log->append(id, "{}");
  of.log->finish(id);
  const auto told = first->take();
  CHECK(told.bytes == "id: 1-0\nretry: 1000\ndata: \n\nevent: message\nid: 1-1\ndata: {}\n\n");
  CHECK(told.is_last);
  CHECK(!of.log->is_busy());
}

TEST_CASE("what came after an event is told again, and a running stream goes on") {
  logged of;
  const auto first = body();
  const std::uint64_t id = of.log->open(first);
  of.log->append(id, "1");
  of.log->append(id, "2");
  first->leave();
  of.log->append(id, "3");
  const auto second = body();
  REQUIRE(of.log->resume("1-1", second));
  of.log->append(id, "4");
  of.log->finish(id);
  const auto told = second->take();
  CHECK(told.bytes.find("data: 1\n") == std::string::npos);
  CHECK(told.bytes.find("data: 2\n") < told.bytes.find("data: 3\n"));
  CHECK(told.bytes.ends_with("id: 1-4\ndata: 4\n\n"));
  CHECK(told.is_last);
  const auto third = body();
  REQUIRE(of.log->resume("1-4", third));
  CHECK(third->take().is_last);
  for (const char* wrong : {"", "-", "1", "1-", "-1", "1-5", "2-0", "a-b", "1-1x", "+1-1"}) {
    INFO(wrong);
    CHECK(!of.log->resume(wrong, body()));
  }
}

TEST_CASE("the oldest events go first, and what was lost is not passed over") {
  event_limits limits;
  limits.events = 3;
  logged of(limits);
  const std::uint64_t id = of.log->open(body());
  for (int i = 0; i < 5; ++i) of.log->append(id, std::to_string(i));
  CHECK(!of.log->resume("1-0", body()));
  CHECK(!of.log->resume("1-1", body()));
  CHECK(of.log->resume("1-2", body()));
  // A stream that has ended is forgotten with its last event.
  of.log->finish(id);
  const std::uint64_t next = of.log->open(body());
  for (int i = 0; i < 3; ++i) of.log->append(next, "x");
  CHECK(!of.log->resume("1-5", body()));
}

TEST_CASE("bytes are bounded, of one session and of all, but for the newest event") {
  event_limits limits;
  limits.bytes = 100;
  logged of(limits);
  const std::uint64_t id = of.log->open(body());
  of.log->append(id, std::string(1000, 'x'));
  CHECK(of.log->resume("1-0", body()));
  of.log->append(id, "y");
  CHECK(!of.log->resume("1-0", body()));
  CHECK(*of.bytes < 100);
  limits.bytes = 1000;
  limits.bytes_of_all = 200;
  const auto other = std::make_shared<event_log>(true, limits, of.bytes);
  const std::uint64_t more = other->open(body());
  for (int i = 0; i < 10; ++i) other->append(more, std::string(50, 'z'));
  CHECK(*of.bytes < 300);
}

TEST_CASE("what a session kept is no longer counted when it ends") {
  logged of;
  of.log->append(of.log->open(body()), "x");
  CHECK(*of.bytes > 0);
  of.log = nullptr;
  CHECK(*of.bytes == 0);
}

TEST_CASE("a client that reads too slowly loses the connection and not the messages") {
  logged of;
  const auto slow = std::make_shared<body_stream>(10);
  const std::uint64_t id = of.log->open(slow);
  of.log->append(id, "1");
  of.log->append(id, "2");
  CHECK(slow->take().is_last);
  const auto second = body();
  REQUIRE(of.log->resume("1-0", second));
  of.log->append(id, "3");
  const std::string told = second->take().bytes;
  CHECK(told.find("data: 1\n") != std::string::npos);
  CHECK(told.find("data: 3\n") != std::string::npos);
}

TEST_CASE("the newest listener ends the one before it, and a drain ends it") {
  logged of;
  const auto first = body(), second = body();
  of.log->listen(first);
  of.log->listen(second);
  CHECK(first->take().is_last);
  first->leave();  // late: it is not the second's
  CHECK(of.log->is_busy());
  second->drain();
  CHECK(second->take().is_last);
  CHECK(!of.log->is_busy());
  of.log->close();
  const auto late = body();
  of.log->listen(late);
  CHECK(late->take().is_last);
}
