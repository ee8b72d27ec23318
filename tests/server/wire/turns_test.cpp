// One piece a turn of the loop, and hosts in turn.
#include <boost/asio/post.hpp>
#include <catch2/catch.hpp>
#include <memory>
#include <server/wire/turns.hpp>
#include <string>

namespace freshet::server {

TEST_CASE("between two pieces of long work all has its turn that is ready, and hosts take turns") {
  boost::asio::io_context io;
  turns handshakes(io.get_executor());
  std::string order;
  const auto add = [&](const std::string& host, const std::string& name) {
    handshakes.post(host, [&order, &io, name] {
      order += name;
      // What has come meanwhile: two requests of others.
      for (int i = 0; i < 2; ++i) boost::asio::post(io, [&order] { order += '.'; });
    });
  };
  for (const char* each : {"A", "B", "C"}) add("10.0.0.1", each);
  add("10.0.0.2", "x");
  CHECK(order.empty());  // never within the call
  io.run();
  CHECK(order == "A..x..B..C..");
  CHECK(handshakes.networks() == 0);
  io.restart();
  add("10.0.0.1", "D");
  io.run();
  CHECK(order == "A..x..B..C..D..");
}

TEST_CASE("networks take turns, however many hosts are in one, and hosts in theirs") {
  boost::asio::io_context io;
  turns handshakes(io.get_executor());
  std::string order;
  const auto add = [&](const std::string& network, const std::string& host, char name) {
    handshakes.post(network, host, [&order, name] { order += name; });
  };
  for (int host = 0; host < 20; ++host) add("10.0.0", std::to_string(host), 'a');
  for (const char name : {'x', 'y', 'z'}) add("10.0.1", "1", name);
  add("10.0.1", "2", 'B');
  io.run();
  CHECK(order == "axaBayaz" + std::string(16, 'a'));
  CHECK(handshakes.networks() == 0);
}

TEST_CASE("who has left has no turn, and who is seen to stays until then") {
  boost::asio::io_context io;
  turns handshakes(io.get_executor());
  std::string order;
  auto leaves = std::make_shared<int>(), stays = std::make_shared<int>();
  for (int i = 0; i < 50; ++i) {
    handshakes.post("10.0.0", std::to_string(i), leaves, [&order] { order += 'l'; });
  }
  handshakes.post("10.0.0", "1", stays, [&] {
    const std::weak_ptr<const void> seen = stays;
    stays.reset();
    order += seen.expired() ? 'x' : 's';
  });
  leaves.reset();
  CHECK(io.run_one() == 1);  // as the first that is left
  CHECK(order == "s");
  io.run();
  CHECK(order == "s");
  CHECK(handshakes.networks() == 0);
}

TEST_CASE("a piece that fails for want of memory takes nobody's turn") {
  boost::asio::io_context io;
  turns handshakes(io.get_executor());
  std::string order;
  handshakes.post("10.0.0.1", [] { throw std::bad_alloc(); });
  for (const char* each : {"10.0.0.1", "10.0.0.2"}) {
    handshakes.post(each, [&order, each] { order += each; });
  }
  CHECK_THROWS_AS(io.run(), std::bad_alloc);
  io.run();
  CHECK(order == "10.0.0.210.0.0.1");
  CHECK(handshakes.networks() == 0);
}

}  // namespace freshet::server
