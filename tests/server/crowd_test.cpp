// Who goes when there is no room, and whose bytes are counted with whose.
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <mutex>
#include <server/crowd.hpp>
#include <string>
#include <thread>
#include <vector>

using namespace freshet::server;

namespace freshet::server {

/// Somebody is at the crowd's mutex, and has no turn to finish.
class crowd_halt {
 public:
  explicit crowd_halt(crowd& of) : held_(of.mutex_) {}

 private:
  std::unique_lock<std::mutex> held_;
};

}  // namespace freshet::server

namespace {

crowd_limits small() {
  crowd_limits limits;
  limits.of_all = 8;
  limits.of_host = 4;
  limits.of_network = 6;
  limits.guests = 3;
  limits.guests_of_host = 2;
  limits.held_of_all = 1000;
  limits.held_of_host = 400;
  limits.unsent_of_all = 1000;
  limits.unsent_of_key = 400;
  return limits;
}

struct square {
  crowd everybody;
  std::uint64_t next = 1;
  crowd::leavers gone;
  bool room = false;
  crowd::time now{};

  explicit square(const crowd_limits& limits = small())
      : everybody(limits, *trusted_proxies::of({"10.0.0.0/8"})) {}
  std::uint64_t enter(const std::string& from) {
    room = everybody.enter(next, 0, *parse_address(from), gone);
    return next++;
  }
  std::uint64_t enter_with_key(const std::string& address, const std::string& account) {
    const std::uint64_t id = enter(address);
    everybody.recognise(id, account, gone);
    everybody.stand(id, false);
    return id;
  }
  std::uint64_t begin_handshake(const std::string& from) {
    room = everybody.enter(next, 0, *parse_address(from), gone, crowd::standing::opening);
    return next++;
  }
  bool has_gone(std::uint64_t id) const {
    return std::any_of(gone.begin(), gone.end(), [&](const auto& one) { return one.id == id; });
  }
};

}  // namespace

TEST_CASE("connections of an account move among those with a key so often, each account's apart") {
  square of(crowd_limits{});
  const auto moved = [&](std::uint64_t who) { return of.everybody.may_move(who, of.now); };
  const auto one = of.enter_with_key("192.0.2.1", "one");
  const auto other = of.enter_with_key("192.0.2.2", "other");
  int times = 0;
  while (times < 1000 && moved(one)) ++times;
  CHECK(times == 64);
  CHECK(moved(other));
  of.now += std::chrono::milliseconds(40);
  CHECK(moved(one));
  CHECK(moved(one));
  CHECK_FALSE(moved(one));
  // What began earlier and is judged only now brings nothing back.
  CHECK_FALSE(of.everybody.may_move(one, of.now - std::chrono::seconds(5)));
  of.now += std::chrono::hours(1);
  for (times = 0; times < 1000 && moved(one);) ++times;
  CHECK(times == 64);
  CHECK(moved(of.enter("192.0.2.3")));  // without a key there is nothing to count by
}

TEST_CASE(
    "who lives on another thread is told there, and who had to go meanwhile does not arrive") {
  square of;
  const auto first = of.enter("192.0.2.1");
  CHECK(of.everybody.change_lane(first, 7));
  for (int i = 0; i < 4; ++i) of.enter("192.0.2.1");
  REQUIRE(of.gone.size() == 1);
  CHECK(of.gone.front().id == first);
  CHECK(of.gone.front().lane == 7);
  CHECK(!of.everybody.change_lane(first, 0));
}

TEST_CASE("a host that has its share makes room among its own") {
  square of;
  const auto other = of.enter("192.0.2.9");
  const auto first = of.enter("192.0.2.1");
  for (int i = 0; i < 3; ++i) of.enter("192.0.2.1");
  CHECK(of.gone.empty());
  of.enter("192.0.2.1");
  CHECK(of.room);
  CHECK(of.has_gone(first));
  CHECK(!of.has_gone(other));
  CHECK(of.everybody.size() == 5);
}

TEST_CASE("half of the places are anybody's, until others come") {
  crowd_limits limits = small();
  limits.of_all = 40;
  square of(limits);
  const auto first = of.enter("192.0.2.1");
  for (int i = 1; i < 20; ++i) of.enter("192.0.2.1");
  CHECK(of.gone.empty());
  // No more of its own, and none of those who come: it makes room for all of them.
  of.enter("192.0.2.1");
  CHECK(of.has_gone(first));
  CHECK(of.everybody.size() == 20);
  std::vector<std::uint64_t> others;
  for (int i = 0; i < 30; ++i) others.push_back(of.enter("198.51." + std::to_string(i) + ".1"));
  CHECK(of.room);
  CHECK(std::ranges::none_of(others, [&](std::uint64_t id) { return of.has_gone(id); }));
  CHECK(of.everybody.size() == 4 + 30);
}

TEST_CASE("those with a key are their account's alone, wherever many share an address") {
  square of;
  const auto first = of.enter_with_key("192.0.2.1", "1");
  for (int i = 0; i < 3; ++i) of.enter_with_key("192.0.2.1", "2");
  CHECK(of.gone.empty());
  const auto keyless = of.enter("192.0.2.1");
  for (int i = 0; i < 20; ++i) of.enter("192.0.2.1");
  CHECK(of.has_gone(keyless));
  CHECK(of.gone.size() == 17);
  CHECK(of.everybody.size() == 8);
  CHECK_FALSE(of.has_gone(first));
  // Whose key is none any more is one of the address again.
  of.everybody.recognise(first, "", of.gone);
  CHECK(of.gone.size() == 18);
}

TEST_CASE("a network that has its share makes room among its own") {
  square of;
  const auto elsewhere = of.enter("198.51.100.1");
  for (int i = 0; i < 20; ++i) of.enter("192.0.2." + std::to_string(i));
  CHECK(of.room);
  CHECK(of.everybody.size() == 7);
  CHECK(!of.has_gone(elsewhere));
}

TEST_CASE("an account has half of the places, from however many networks, and others come in") {
  square of;
  const auto other = of.enter_with_key("198.51.100.1", "2");
  const auto first = of.enter_with_key("192.0.2.1", "1");
  const auto streams = of.enter_with_key("192.0.3.1", "1");
  of.everybody.stand(streams, true, true);
  for (int i = 4; i < 6; ++i) of.enter_with_key("192.0." + std::to_string(i) + ".1", "1");
  CHECK(of.gone.empty());
  const auto fifth = of.enter_with_key("192.0.6.1", "1");
  CHECK(of.has_gone(first));
  for (int i = 7; i < 50; ++i) of.enter_with_key("192.0." + std::to_string(i) + ".1", "1");
  CHECK(of.has_gone(fifth));
  CHECK_FALSE(of.has_gone(other));
  CHECK(of.everybody.size() == 5);
  const auto keyless = of.enter("203.0.113.1");
  of.enter_with_key("192.0.2.1", "1");
  CHECK_FALSE(of.has_gone(keyless));
  of.everybody.recognise(other, "1", of.gone);
  of.everybody.leave(other);
  CHECK(of.everybody.size() == 4);
}

TEST_CASE("from however many networks, who shows a key stays and who waits without one goes") {
  square of;
  const auto keyed = of.enter_with_key("192.0.2.1", "1");
  std::uint64_t last = 0;
  for (int i = 0; i < 100; ++i) {
    last = of.enter("198.51." + std::to_string(i) + ".1");
    CHECK(of.room);
  }
  CHECK(of.everybody.size() == 8);
  CHECK(!of.has_gone(keyed));
  CHECK(!of.has_gone(last));
  CHECK(of.everybody.ended() == 93);
}

TEST_CASE("accounts that hold all places leave who comes the time to show a key") {
  crowd_limits limits = small();
  limits.of_all = 64;
  limits.of_host = limits.of_network = 64;
  square of(limits);
  std::vector<std::uint64_t> crowders;
  for (int i = 0; i < 62; ++i)
    crowders.push_back(
        of.enter_with_key("192.0.2." + std::to_string(1 + i), i % 2 == 0 ? "1" : "2"));
  const auto neighbour = of.enter_with_key("198.51.100.1", "3");
  const auto streams = of.enter_with_key("198.51.100.2", "4");
  of.everybody.stand(crowders[0], true);
  const auto first = of.enter("203.0.113.1");
  // It is not the next that goes for those who come, nor is who has few connections.
  for (int i = 2; i < 9; ++i) of.enter("203.0.113." + std::to_string(i));
  CHECK(of.room);
  CHECK_FALSE(of.has_gone(first));
  CHECK(of.gone.size() == 8);
  CHECK(of.has_gone(crowders[1]));
  CHECK(of.has_gone(crowders[2]));
  CHECK_FALSE(of.has_gone(crowders[0]));  // it is busy
  CHECK_FALSE(of.has_gone(neighbour));
  CHECK_FALSE(of.has_gone(streams));
  // There are as many newcomers as have places of their own.
  of.enter("203.0.113.9");
  CHECK(of.has_gone(first));
  CHECK(of.everybody.size() == 64);
}

TEST_CASE("bytes that trickle make nobody younger, an answer does") {
  square of;
  const auto trickles = of.enter("192.0.2.1");
  const auto asks = of.enter("192.0.3.1");
  static_cast<void>(of.everybody.hold(trickles, 100, of.gone));
  of.everybody.stand(trickles, true);
  of.everybody.stand(trickles, false);
  for (int i = 0; i < 7; ++i) of.enter("198.51." + std::to_string(i) + ".1");
  CHECK(of.has_gone(asks));
  CHECK(!of.has_gone(trickles));
}

TEST_CASE("where all work, one more may ask for the health alone, and a host not for all of it") {
  square of;
  for (int i = 0; i < 8; ++i) {
    of.everybody.stand(of.enter_with_key("198.51." + std::to_string(i) + ".1", "1"), true);
  }
  const auto guest = of.enter("192.0.2.1");
  CHECK(!of.room);
  CHECK(of.gone.empty());
  const auto neighbour = of.enter("192.0.2.1");
  of.enter("192.0.2.1");
  CHECK(of.has_gone(guest));
  CHECK(!of.has_gone(neighbour));
  for (int i = 0; i < 50; ++i) of.enter("203.0." + std::to_string(i) + ".1");
  CHECK(of.everybody.size() == 8 + 3);
}

TEST_CASE("unfinished handshakes have places of their own, and go by whose network has the most") {
  crowd_limits limits;
  limits.opening = 8;
  square of(limits);
  const auto finished = of.enter("192.0.2.9");
  const auto first = of.begin_handshake("192.0.2.1");
  const auto honest = of.begin_handshake("203.0.113.1");
  const auto neighbour = of.begin_handshake("192.0.2.2");
  const auto second = of.begin_handshake("192.0.2.1");
  for (int i = 0; i < 4; ++i) of.begin_handshake("198.51.100." + std::to_string(i));
  CHECK(of.gone.empty());
  // From hosts of one network as many as there is room for, and more: they go for each other.
  for (int i = 4; i < 100; ++i) of.begin_handshake("198.51.100." + std::to_string(i));
  CHECK(of.room);
  CHECK(of.everybody.size() == 1 + 8);
  for (const auto stays : {finished, first, second, neighbour, honest}) CHECK(!of.has_gone(stays));
  // Of a network it is the host with the most.
  for (int i = 0; i < 100; ++i) of.begin_handshake("192.0.2.1");
  CHECK(of.has_gone(first));
  CHECK(of.has_gone(second));
  for (const auto stays : {finished, neighbour, honest}) CHECK(!of.has_gone(stays));
  // Who has finished is none of them any more.
  of.everybody.opened(honest);
  of.everybody.opened(neighbour);
  for (int i = 0; i < 500; ++i) of.begin_handshake("203.0." + std::to_string(i % 250) + ".1");
  for (const auto stays : {finished, neighbour, honest}) CHECK(!of.has_gone(stays));
  CHECK(of.everybody.size() == 3 + 8);
}

TEST_CASE("of unfinished handshakes those go that wait for their client, whoever trickles") {
  crowd_limits limits;
  limits.opening = 4;
  square of(limits);
  const auto trickles = of.begin_handshake("192.0.2.1");
  const auto waits_for_us = of.begin_handshake("192.0.3.1");
  of.everybody.stand(waits_for_us, true);
  for (int i = 0; i < 2; ++i) of.begin_handshake("198.51." + std::to_string(i) + ".1");
  of.everybody.stand(trickles, true);
  of.everybody.stand(trickles, false);
  of.everybody.opened(of.begin_handshake("203.0.1.1"));
  CHECK(of.has_gone(trickles));
  CHECK(of.gone.size() == 1);
}

TEST_CASE("where each network has one handshake, and we are behind, nobody goes but of many") {
  crowd_limits limits;
  limits.opening = 8;
  square of(limits);
  const auto begin = [&] { return of.begin_handshake("198.51." + std::to_string(of.next) + ".1"); };
  const auto first = begin();
  of.everybody.stand(first, true);
  for (int i = 0; i < 20; ++i) of.everybody.stand(begin(), true);
  // Who has got his signature has a while to answer it.
  of.everybody.stand(first, false);
  for (int i = 0; i < 3; ++i) begin();
  CHECK(of.gone.empty());
  CHECK(of.room);
  begin();
  CHECK(of.has_gone(first));
}

TEST_CASE("a key that waits goes only after all without one, and one that works never") {
  square of;
  const auto works = of.enter_with_key("192.0.2.1", "1");
  of.everybody.stand(works, true);
  const auto waits = of.enter_with_key("192.0.3.1", "1");
  for (int i = 0; i < 6; ++i) {
    of.everybody.stand(of.enter_with_key("198.51." + std::to_string(i) + ".1", "1"), true);
  }
  of.enter("203.0.113.1");
  CHECK(of.room);
  CHECK(of.has_gone(waits));
  CHECK(!of.has_gone(works));
}

TEST_CASE("a proxy's connections count for whom it names") {
  square of;
  std::uint64_t last = 0;
  for (int i = 0; i < 6; ++i) last = of.enter("10.0.0.1");
  CHECK(of.gone.empty());
  for (std::uint64_t id = 1; id <= 6; ++id) {
    CHECK(of.everybody.rename(id, *parse_address("192.0.2.1"), of.gone));
  }
  CHECK(of.everybody.size() == 4);
  CHECK(of.has_gone(1));
  CHECK(!of.has_gone(last));
}

TEST_CASE("unfinished requests have a bound for a host and in all") {
  square of;
  const auto a = of.enter("192.0.2.1");
  const auto b = of.enter("192.0.2.1");
  CHECK(of.everybody.hold(a, 300, of.gone));
  CHECK(!of.everybody.hold(b, 200, of.gone));
  CHECK(of.everybody.hold(b, 100, of.gone));
  const auto c = of.enter("192.0.3.1");
  const auto d = of.enter("192.0.4.1");
  CHECK(of.everybody.hold(c, 400, of.gone));
  CHECK(of.everybody.hold(d, 200, of.gone));
  CHECK(!of.everybody.hold(d, 400, of.gone));
  CHECK(of.everybody.hold(d, 100, of.gone));
  CHECK(of.gone.empty());
  // One with a key takes the room of the keyless one that has waited for longest.
  const auto keyed = of.enter_with_key("192.0.5.1", "1");
  CHECK(of.everybody.hold(keyed, 300, of.gone));
  CHECK(of.has_gone(a));
  // One without takes that of a network which holds more than its own.
  const auto late = of.enter("192.0.6.1");
  CHECK(of.everybody.hold(late, 150, of.gone));
  CHECK(of.has_gone(c));
  for (const auto id : {a, b, c, d, keyed, late}) of.everybody.leave(id);
  CHECK(of.everybody.held() == 0);
}

TEST_CASE(
    "an account's unfinished requests have a bound, and a network's, from however many hosts") {
  square of;
  const auto one = of.enter_with_key("192.0.2.1", "1");
  const auto further = of.enter_with_key("192.0.3.1", "1");
  CHECK(of.everybody.hold(one, 300, of.gone));
  CHECK_FALSE(of.everybody.hold(further, 200, of.gone));
  of.everybody.leave(further);
  const auto stranger = of.enter("192.0.4.1"), neighbour = of.enter("192.0.4.2");
  CHECK(of.everybody.hold(stranger, 100, of.gone));
  CHECK_FALSE(of.everybody.hold(neighbour, 350, of.gone));
  of.everybody.leave(neighbour);
  // What was held without a key is the account's as soon as there is one.
  of.everybody.recognise(stranger, "1", of.gone);
  CHECK_FALSE(of.everybody.hold(stranger, 150, of.gone));
  CHECK(of.gone.empty());
  for (const auto id : {one, stranger}) of.everybody.leave(id);
  CHECK(of.everybody.held() == 0);
}

TEST_CASE("the more is held unfinished, the less an account or a network has of it") {
  square of;
  const auto first = of.enter_with_key("192.0.2.1", "1");
  CHECK(of.everybody.hold(first, 400, of.gone));
  const auto second = of.enter_with_key("192.0.3.1", "2");
  CHECK(of.everybody.hold(second, 150, of.gone));
  // Half is taken: an eighth of a share each, beside one request.
  const auto third = of.enter_with_key("192.0.3.2", "2");
  CHECK_FALSE(of.everybody.hold(third, 20, of.gone));
  of.everybody.leave(third);
  const auto little = of.enter_with_key("192.0.4.1", "3"),
             more = of.enter_with_key("192.0.4.2", "3");
  CHECK(of.everybody.hold(little, 20, of.gone));
  CHECK(of.everybody.hold(more, 20, of.gone));
  CHECK(of.everybody.hold(second, 350, of.gone));
  // Three quarters are: one request each.
  CHECK_FALSE(of.everybody.hold(more, 21, of.gone));
  const auto stranger = of.enter("192.0.5.1");
  CHECK(of.everybody.hold(stranger, 100, of.gone));
  CHECK(of.gone.empty());
}

TEST_CASE("the slowest reader of a key goes when its answers wait beyond its bound") {
  using namespace std::chrono_literals;
  square of;
  const auto slow = of.enter_with_key("192.0.2.1", "1");
  const auto quick = of.enter_with_key("192.0.3.1", "1");
  const auto other = of.enter_with_key("192.0.4.1", "2");
  of.everybody.owe(slow, 200, of.now, of.gone);
  of.everybody.owe(quick, 200, of.now, of.gone);
  of.everybody.owe(other, 300, of.now, of.gone);
  of.everybody.pay(quick, 50);
  CHECK(of.gone.empty());
  const auto more = of.enter_with_key("192.0.5.1", "1");
  of.everybody.owe(more, 100, of.now + 1s, of.gone);
  CHECK(of.has_gone(slow));
  CHECK(of.gone.size() == 1);
  CHECK(of.everybody.unsent() == 150 + 100 + 300);
  of.everybody.pay(other, 1000);
  CHECK(of.everybody.unsent() == 250);
}

TEST_CASE("beyond the bound of all it is a reader of whoever has the most who goes") {
  square of;
  const auto small_one = of.enter_with_key("192.0.2.1", "1");
  of.everybody.owe(small_one, 100, of.now, of.gone);
  for (int i = 2; i < 5; ++i) {
    const auto id = of.enter_with_key("192.0." + std::to_string(i) + ".1", std::to_string(i));
    of.everybody.owe(id, 330, of.now, of.gone);
  }
  CHECK(of.gone.size() == 1);
  CHECK(!of.has_gone(small_one));
  CHECK(of.everybody.unsent() <= 1000);
}

TEST_CASE("who tells what a connection does waits for nobody, and is heard before anything else") {
  square of;
  const auto idle = of.enter_with_key("192.0.2.1", "one"), other = of.enter("192.0.2.9");
  const auto told = of.enter_with_key("192.0.2.2", "two");
  const auto tells = [&](const auto& what) {
    const crowd_halt halt(of.everybody);
    std::thread([&] { what(); }).join();
  };
  crowd::leavers gone;
  tells([&] {
    of.everybody.leave(other);
    CHECK(of.everybody.hold(told, 399, gone));
    of.everybody.owe(told, 300, of.now, gone);
    of.everybody.pay(told, 100);
    of.everybody.owe_more(told, 50, of.now, gone);
    of.everybody.stand(told, true);
  });
  CHECK(of.everybody.size() == 2);
  CHECK(of.everybody.held() == 399);
  CHECK(of.everybody.unsent() == 250);
  CHECK(gone.empty());
  // What was too much is told of by the next.
  tells([&] {
    CHECK(of.everybody.hold(told, 500, gone));
    of.everybody.owe(told, 500, of.now, gone);
  });
  CHECK_FALSE(of.everybody.hold(told, 501, gone));
  CHECK(gone.empty());
  of.everybody.owe_more(told, 1, of.now, gone);
  REQUIRE(gone.size() == 1);
  CHECK(gone.front().id == told);
  CHECK(of.everybody.size() == 1);
  tells([&] { of.everybody.stand(idle, true); });
  of.everybody.make_room(of.gone);
  CHECK_FALSE(of.has_gone(idle));  // it works
  tells([&] {
    of.everybody.stand(idle, false);
    of.everybody.leave(idle);
    of.everybody.stand(idle, true);  // which nobody is any more
  });
  CHECK(of.everybody.size() == 0);
}

TEST_CASE("what is written down has a bound, behind which it is waited for whoever is heard") {
  square of;
  const auto told = of.enter_with_key("192.0.2.1", "one");
  std::atomic<std::size_t> said = 0;
  std::thread teller;
  {
    const crowd_halt halt(of.everybody);
    teller = std::thread([&] {
      while (said < 3000) of.everybody.owe_more(told, ++said == 3000 ? 7 : 0, of.now, of.gone);
    });
    while (said < 1025) std::this_thread::yield();
    CHECK(said == 1025);
  }
  teller.join();
  CHECK(of.everybody.unsent() == 7);
}
