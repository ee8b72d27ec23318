// Sessions by their keys: found, ended, expired and bounded.
#include <catch2/catch.hpp>
#include <server/mcp/http_sessions.hpp>
#include <set>

using namespace freshet;
using namespace freshet::server;
using namespace freshet::server::mcp;
using namespace std::chrono_literals;

namespace {

class nobody : public client {
 public:
  std::uint64_t submit(request, std::function<void(response)>) override { return 0; }
  void cancel(std::uint64_t) override {}
};

struct table {
  nobody behind;
  std::shared_ptr<const offers> offered = std::make_shared<const offers>();
  http_sessions::clock::time_point now{1000h};
  http_sessions sessions;

  explicit table(const session_limits& limits = {}) : sessions(limits) {}
  http_session* open(const std::string& key) {
    return sessions.open(key, std::make_shared<session_core>(offered, behind, caller{key, false}),
                         true, now);
  }
};

}  // namespace

TEST_CASE("a session is found by its id and its key, and by nothing else") {
  table of;
  std::set<std::string> ids;
  for (int i = 0; i < 50; ++i) ids.insert(of.open("k")->id);
  CHECK(ids.size() == 50);
  const std::string id = *ids.begin();
  REQUIRE(of.sessions.find(id, "k", of.now) != nullptr);
  CHECK(of.sessions.find(id, "other", of.now) == nullptr);
  CHECK(of.sessions.find("", "k", of.now) == nullptr);
  of.sessions.end(*of.sessions.find(id, "k", of.now));
  CHECK(of.sessions.find(id, "k", of.now) == nullptr);
  CHECK(of.sessions.size() == 49);
}

TEST_CASE("what is idle for too long ends, and what is listened to does not") {
  session_limits limits;
  limits.idle = 10s;
  table of(limits);
  const std::string idle = of.open("k")->id;
  const std::string used = of.open("k")->id;
  http_session* const heard = of.open("k");
  const std::string listened = heard->id;
  const auto body = std::make_shared<body_stream>();
  heard->log->listen(body);
  of.now += 6s;
  CHECK(of.sessions.find(used, "k", of.now) != nullptr);
  of.now += 6s;
  of.sessions.expire(of.now);
  CHECK(of.sessions.find(idle, "k", of.now) == nullptr);
  CHECK(of.sessions.find(used, "k", of.now) != nullptr);
  CHECK(of.sessions.find(listened, "k", of.now) != nullptr);
  body->leave();
  of.now += 11s;
  of.sessions.expire(of.now);
  CHECK(of.sessions.size() == 0);
}

TEST_CASE("a key's oldest idle session makes room, and others' never do") {
  session_limits limits;
  limits.of_one_key = 2;
  limits.of_all = 3;
  table of(limits);
  const std::string first = of.open("k")->id;
  const std::string second = of.open("k")->id;
  const std::string third = of.open("k")->id;
  CHECK(of.sessions.find(first, "k", of.now) == nullptr);
  CHECK(of.sessions.find(second, "k", of.now) != nullptr);
  of.sessions.find(second, "k", of.now)->log->listen(std::make_shared<body_stream>());
  of.sessions.find(third, "k", of.now)->log->listen(std::make_shared<body_stream>());
  CHECK(of.open("k") == nullptr);  // all of them are in use
  CHECK(of.open("other") != nullptr);
  CHECK(of.open("one more") == nullptr);  // there is no room for anybody
  CHECK(of.sessions.size() == 3);
}
