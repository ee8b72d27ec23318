// What a session keeps for clients that lose their connection, and what it no longer keeps.
#include <catch2/catch.hpp>
#include <server/mcp/event_log.hpp>
#include <string>
#include <vector>

using namespace freshet::server;
using namespace freshet::server::mcp;

namespace {

struct logged {
  std::shared_ptr<event_space> all;
  std::shared_ptr<account_space> account;
  std::shared_ptr<event_log> log;
  explicit logged(const event_limits& limits = {})
      : all(std::make_shared<event_space>(limits)),
        account(std::make_shared<account_space>(all)),
        log(another()) {}
  /// Of the same account.
  [[nodiscard]] std::shared_ptr<event_log> another() const {
    return std::make_shared<event_log>(true, account);
  }
};

/// All that is told of a stream after its event `id`.
std::string resumed(event_log& log, std::string_view id) {
  const auto again = std::make_shared<body_stream>();
  REQUIRE(log.resume(id, again));
  std::string told;
  for (auto part = again->take(); !part.bytes.empty(); part = again->take()) told += part.bytes;
  return told;
}

std::size_t times_in(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

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

TEST_CASE("the oldest events go first, and how many were lost is told") {
  event_limits limits;
  limits.events = 3;
  logged of(limits);
  const std::uint64_t id = of.log->open(body());
  for (int i = 0; i < 5; ++i) of.log->append(id, std::to_string(i));
  const std::string all = resumed(*of.log, "1-0");
  CHECK(all.find(R"("code":"events_lost","events":2)") < all.find("id: 1-3\ndata: 2\n"));
  CHECK(all.ends_with("id: 1-5\ndata: 4\n\n"));
  CHECK(resumed(*of.log, "1-2").find("lost") == std::string::npos);
  // A stream that has ended is forgotten with its last event.
  of.log->finish(id);
  const std::uint64_t next = of.log->open(body());
  for (int i = 0; i < 3; ++i) of.log->append(next, "x");
  CHECK(!of.log->resume("1-5", body()));
}

TEST_CASE("an answer that is too large to be kept leaves an error in its place") {
  event_limits limits;
  limits.bytes = 1000;
  logged of(limits);
  const auto live = body();
  const std::uint64_t id = of.log->open(live);
  of.log->append(id, "note");
  of.log->answer(id, std::string(2000, 'x'), "\"seven\"");
  of.log->finish(id);
  CHECK(times_in(live->take().bytes, std::string(2000, 'x')) == 1);  // who listens gets it
  CHECK(of.all->used() <= 1000);
  const std::string told = resumed(*of.log, "1-0");
  CHECK(told.find("data: note\n") < told.find(R"("id":"seven","error":)"));
  CHECK(told.find(R"("code":"event_lost")") != std::string::npos);
  CHECK(told.find("xxxx") == std::string::npos);
  // An older answer makes room for newer ones by becoming a mark.
  const std::uint64_t more = of.log->open(body());
  of.log->answer(more, std::string(700, 'y'), "8");
  of.log->answer(more, std::string(700, 'z'), "9");
  const std::string newer = resumed(*of.log, "2-0");
  CHECK(newer.find(R"("id":8,"error":)") < newer.find("data: zzzz"));
  CHECK(newer.find("yyyy") == std::string::npos);
  CHECK(of.all->used() <= 1000);
}

TEST_CASE("bytes are bounded for a session, for an account and for all, each leaving room") {
  event_limits limits;
  limits.bytes = 10'000;
  limits.bytes_of_account = 40'000;
  limits.bytes_of_all = 100'000;
  logged of(limits);
  const auto fill = [](event_log& log) {
    const std::uint64_t id = log.open(body());
    for (int i = 0; i < 100; ++i) log.answer(id, std::string(1000, 'x'), std::to_string(i));
    // Even the newest obeys.
    log.answer(id, std::string(200'000, 'x'), "100");
  };
  std::vector<std::shared_ptr<event_log>> logs;
  for (int i = 0; i < 20; ++i) {
    logs.push_back(of.another());
    fill(*logs.back());
    CHECK(of.account->used() <= 40'000);
  }
  CHECK(of.account->used() > 30'000);
  // What others hold leaves half of the rest to whoever comes.
  const auto other = std::make_shared<account_space>(of.all);
  logs.push_back(std::make_shared<event_log>(true, other));
  fill(*logs.back());
  CHECK(other->used() > 8'000);
  CHECK(of.all->used() <= 100'000);
  logs.clear();
  of.log = nullptr;
  CHECK(of.all->used() == 0);
}

TEST_CASE("what a session kept is no longer counted when it ends") {
  logged of;
  of.log->append(of.log->open(body()), "x");
  CHECK(of.all->used() > 0);
  of.log = nullptr;
  CHECK(of.all->used() == 0);
}

TEST_CASE("a client that reads slowly gets all of it, later") {
  logged of;
  const auto slow = std::make_shared<body_stream>(10);
  const std::uint64_t id = of.log->open(slow);
  for (int i = 0; i < 50; ++i) of.log->answer(id, std::to_string(1000 + i), std::to_string(i));
  of.log->finish(id);
  std::string told;
  int parts = 0;
  for (auto part = slow->take();; part = slow->take(), ++parts) {
    told += part.bytes;
    if (part.is_last) break;
    REQUIRE(parts < 100);
    CHECK(part.bytes.size() < 100);  // no more than one beyond what may wait
  }
  for (int i = 0; i < 50; ++i) {
    CHECK(times_in(told, "data: " + std::to_string(1000 + i) + "\n") == 1);
  }
  CHECK(!of.log->is_busy());
}

TEST_CASE("who waits for room hears of it when the client has read, has gone, or comes back") {
  logged of;
  const auto slow = std::make_shared<body_stream>(10);
  const std::uint64_t id = of.log->open(slow);
  int heard = 0;
  const auto waits = [&] { return of.log->wait_for_room(id, [&] { ++heard; }); };
  REQUIRE(waits());
  static_cast<void>(slow->take());
  CHECK(heard == 1);
  CHECK(!waits());
  of.log->append(id, std::string(5000, 'x'));
  REQUIRE(waits());
  slow->leave();
  CHECK(heard == 2);
  CHECK(!waits());  // nobody reads
  const auto second = std::make_shared<body_stream>(10);
  REQUIRE(of.log->resume("1-0", second));
  REQUIRE(waits());
  REQUIRE(of.log->resume("1-1", std::make_shared<body_stream>()));
  CHECK(heard == 3);
  CHECK(second->is_cut());  // nothing is kept for whoever does not read it
  of.log->close();
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
