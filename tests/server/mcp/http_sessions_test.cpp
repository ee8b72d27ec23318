// Sessions by their keys: found, ended, expired and bounded.
#include <catch2/catch.hpp>
#include <server/mcp/http_sessions.hpp>
#include <set>
#include <string>
#include <vector>

#include "talk.hpp"

using namespace freshet;
using namespace freshet::server;
using namespace freshet::server::mcp;
using namespace std::chrono_literals;

namespace {

struct table {
  nobody behind;
  std::shared_ptr<const offers> offered = std::make_shared<const offers>();
  http_sessions::clock::time_point now{1000h};
  http_sessions sessions;

  explicit table(const session_limits& limits = {}) : sessions(limits) {}
  http_session* open(const std::string& key) { return open("of " + key, key); }
  http_session* open(const std::string& owner, const std::string& key) {
    return sessions.open(owner, key,
                         std::make_shared<session_core>(offered, behind, caller{key, false}), true,
                         now += 1ms);
  }
  bool has(const std::string& id, const std::string& key) {
    return sessions.find(id, key, now) != nullptr;
  }
  /// Somebody listens to it for good.
  std::shared_ptr<body_stream> listen(const http_session& to) {
    const auto body = sessions.make_body(to);
    REQUIRE(body != nullptr);
    to.log->listen(body);
    while (!body->take().bytes.empty()) continue;
    return body;
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

TEST_CASE("the keys of an account share its sessions, and its oldest idle one makes room") {
  session_limits limits;
  limits.of_account = 3;
  table of(limits);
  const std::string first = of.open("account", "k1")->id;
  const std::string second = of.open("account", "k2")->id;
  const std::string third = of.open("account", "k3")->id;
  for (int i = 0; i < 157; ++i) REQUIRE(of.open("account", "k" + std::to_string(100 + i)));
  CHECK(of.sessions.size() == 3);
  CHECK(!of.has(first, "k1"));
  CHECK(of.open("another", "k1") != nullptr);
  CHECK(of.sessions.size() == 4);
}

TEST_CASE("an account whose sessions are all in use gets no further one") {
  session_limits limits;
  limits.of_account = 2;
  table of(limits);
  const auto one = of.listen(*of.open("k")), two = of.listen(*of.open("k"));
  CHECK(of.open("k") == nullptr);
  CHECK(of.open("other") != nullptr);
  two->leave();
  CHECK(of.open("k") != nullptr);
}

TEST_CASE("where all is full the account with most sessions makes room, the longest idle first") {
  session_limits limits;
  limits.of_account = 4;
  limits.of_all = 6;
  table of(limits);
  const std::string modest = of.open("modest")->id;  // idle for longest of all
  std::vector<std::string> many;
  for (int i = 0; i < 4; ++i) many.push_back(of.open("many")->id);
  const std::string pair = of.open("pair")->id;
  REQUIRE(of.has(many[0], "many"));  // used, so the second is idle for longest
  for (const char* newcomer : {"n1", "n2"}) {
    REQUIRE(of.open(newcomer) != nullptr);
    CHECK(of.sessions.size() == 6);
  }
  CHECK(of.has(many[0], "many"));
  CHECK(!of.has(many[1], "many"));
  CHECK(!of.has(many[2], "many"));
  CHECK(of.has(modest, "modest"));
  CHECK(of.has(pair, "pair"));
}

TEST_CASE("sessions in use do not keep a newcomer out of what they have beyond their share") {
  session_limits limits;
  limits.of_account = 4;
  limits.of_all = 8;
  table of(limits);
  std::vector<std::shared_ptr<body_stream>> held;
  for (const char* hog : {"a", "b"}) {
    for (int i = 0; i < 4; ++i) held.push_back(of.listen(*of.open(hog)));
  }
  for (const char* newcomer : {"n1", "n2", "n3"}) {
    http_session* const made = of.open(newcomer);
    REQUIRE(made != nullptr);
    held.push_back(of.listen(*made));
  }
  CHECK(of.sessions.size() == 8);
  // One each in use: then it is full.
  table single([] {
    session_limits small;
    small.of_all = 2;
    return small;
  }());
  held.push_back(single.listen(*single.open("a")));
  held.push_back(single.listen(*single.open("b")));
  CHECK(single.open("c") == nullptr);
  held.clear();
}

TEST_CASE("sessions end with their key, and no others do") {
  table of;
  const std::string lost = of.open("account", "revoked")->id;
  http_session* const heard = of.open("account", "revoked");
  const auto listening = of.listen(*heard);
  const std::string kept = of.open("account", "good")->id;
  for (int i = 0; i < 2000; ++i) REQUIRE(of.open("k" + std::to_string(i)) != nullptr);
  std::size_t asked = 0;
  std::map<std::string, int> of_key;
  for (int turn = 0; turn < 5; ++turn) {
    const std::size_t now = of.sessions.end_revoked([&](std::string_view key) {
      ++of_key[std::string(key)];
      return key != "revoked";
    });
    CHECK(now <= 600);  // no turn takes long
    asked += now;
  }
  CHECK(asked >= 2002);
  CHECK(of_key.size() == 2002);  // all have had their turn
  CHECK(!of.has(lost, "revoked"));
  CHECK(of.has(kept, "good"));
  CHECK(of.sessions.size() == 2001);
  CHECK(listening->take().is_last);
}

TEST_CASE("unread streams of an account are bounded, over all of its sessions and their ends") {
  session_limits limits;
  limits.streams_of_account = 10;
  table of(limits);
  std::vector<std::shared_ptr<body_stream>> unread;
  for (int i = 0; i < 10; ++i) {
    http_session* const made = of.open("k");
    unread.push_back(of.sessions.make_body(*made));
    REQUIRE(unread.back() != nullptr);
    of.sessions.end(*made);
  }
  of.sessions.expire(of.now);
  CHECK(of.sessions.make_body(*of.open("k")) == nullptr);
  CHECK(of.sessions.make_body(*of.open("other")) != nullptr);
  unread.pop_back();
  CHECK(of.sessions.make_body(*of.open("k")) != nullptr);
}

TEST_CASE("many accounts that keep all they can leave room for one that comes") {
  session_limits limits;
  limits.events.bytes = 10'000;
  limits.events.bytes_of_account = 40'000;
  limits.events.bytes_of_all = 100'000;
  table of(limits);
  std::size_t kept = 0;
  for (int i = 0; i < 60; ++i) {
    http_session* const made = of.open("k" + std::to_string(i));
    const std::uint64_t id = made->log->open(std::make_shared<body_stream>());
    const std::size_t before = of.sessions.kept_bytes();
    for (int n = 0; n < 20; ++n) made->log->answer(id, std::string(1000, 'x'), std::to_string(n));
    kept = of.sessions.kept_bytes() - before;
    CHECK(kept > 5000);
    CHECK(of.sessions.kept_bytes() <= 100'000);
    of.sessions.share_space();
    CHECK(of.sessions.kept_bytes() <= 50'000);
  }
}
