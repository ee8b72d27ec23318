// Crowds at a real listener on several threads: keys judged before bodies, room made for others,
// answers that nobody reads.
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <catch2/catch.hpp>
#include <chrono>
#include <future>
#include <server/io_pool.hpp>
#include <server/listener.hpp>
#include <string>
#include <thread>

#include "support/eventually.hpp"

using namespace freshet;
using namespace freshet::server;
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

/// Answers every call at once with a body of `answer_bytes`; the key "good" is an account's.
struct crowded_server {
  std::atomic<int> calls{0}, keyless_calls{0};  ///< and those among who has shown no key
  std::size_t answer_bytes = 10;
  backend behind;
  logger log{-1};
  asio::io_context io{1};
  io_work work;
  io_pool more;
  std::unique_ptr<listener> front;
  std::uint16_t port = 0;
  std::thread thread;

  explicit crowded_server(const listener_limits& limits, std::size_t threads = 3)
      : more(threads - 1, work) {
    behind.submit = [this](request, std::function<void(response)> done) {
      ++calls;
      if (io.get_executor().running_in_this_thread()) ++keyless_calls;
      response out;
      out.body = std::string(answer_bytes, 'x');
      out.request_id = "req_x";
      done(std::move(out));
      return std::uint64_t{1};
    };
    behind.cancel = [](std::uint64_t) {};
    behind.ready = [] { return true; };
    behind.owner_of = [](std::string_view key) -> result<std::string> {
      if (key.starts_with("good")) return std::string(key);
      return error(errc::invalid_api_key, "no such key");
    };
    behind.problem = [](const error& what, std::string_view request_id) {
      response out;
      out.status = describe(what.code()).http_status;
      out.retry_after = what.retry_after;
      out.body = "{}";
      out.request_id = request_id;
      return out;
    };
    behind.endpoints = {"a/b"};
    auto bound = bind_to(io, "127.0.0.1:0");
    REQUIRE(bound.has_value());
    port = bound->local_endpoint().port();
    front = std::make_unique<listener>(on_threads(), behind, log, limits);
    REQUIRE(front->start(std::move(*bound)).has_value());
    more.start();
    thread = std::thread([this] { io.run(); });
  }
  [[nodiscard]] io_threads on_threads() { return {{&io}, more.contexts()}; }
  ~crowded_server() {
    asio::post(io, [this] { front->drain([] {}); });
    thread.join();
    more.stop();
  }
};

struct visitor {
  asio::io_context io;
  asio::ip::tcp::socket socket{io};
  std::string buffer;
  explicit visitor(std::uint16_t port) { socket.connect({asio::ip::address_v4::loopback(), port}); }
  void send(const std::string& text) {
    boost::system::error_code failed;
    asio::write(socket, asio::buffer(text), failed);
  }
  bool hears() {
    return test::eventually([&] { return socket.available() > 0; });
  }
  std::string head() {
    boost::system::error_code failed;
    const std::size_t size =
        asio::read_until(socket, asio::dynamic_buffer(buffer), "\r\n\r\n", failed);
    return buffer.substr(0, size);
  }
  std::string rest() {
    boost::system::error_code end;
    asio::read(socket, asio::dynamic_buffer(buffer), end);
    return buffer;
  }
};

std::string head_of(const std::string& key, std::size_t length, const std::string& fields = "") {
  return "POST /v1/a/b HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n" +
         (key.empty() ? "" : "Authorization: Bearer " + key + "\r\n") + fields +
         "Content-Length: " + std::to_string(length) + "\r\n\r\n";
}
/// A thread that is at something else until this ends.
class held_thread {
 public:
  explicit held_thread(asio::io_context& io) {
    asio::post(io, [this, until = release_.get_future().share()] {
      held_.set_value();
      until.wait();
    });
    held_.get_future().wait();
  }
  held_thread(const held_thread&) = delete;
  held_thread& operator=(const held_thread&) = delete;
  ~held_thread() { release_.set_value(); }

 private:
  std::promise<void> held_, release_;
};

const std::string front_page = "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n";
const std::string health = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";

}  // namespace

TEST_CASE("a wrong key is refused before its body comes") {
  crowded_server server{listener_limits{}};
  for (const std::string key : {"", "bad"}) {
    for (const std::string fields : {"", "Expect: 100-continue\r\n"}) {
      visitor one(server.port);
      one.send(head_of(key, 1000, fields));
      const std::string got = one.rest();
      CHECK(got.starts_with("HTTP/1.1 401 "));
      CHECK(got.find("Connection: close\r\n") != std::string::npos);
    }
  }
  visitor good(server.port);
  good.send(head_of("good", 2, "Expect: 100-continue\r\nConnection: close\r\n"));
  CHECK(good.head().starts_with("HTTP/1.1 100 "));
  good.send("{}");
  CHECK(good.rest().find("HTTP/1.1 200 ") != std::string::npos);
  CHECK(server.calls == 1);
}

TEST_CASE("without a key a body is small, whatever the bound of others") {
  listener_limits limits;
  limits.reader.body_bytes = 1024 * 1024;
  crowded_server server{limits};
  visitor one(server.port);
  one.send("POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n");
  CHECK(one.rest().starts_with("HTTP/1.1 413 "));
  visitor chunked(server.port);
  chunked.send("POST /nowhere HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n186a0\r\n");
  CHECK(chunked.rest().starts_with("HTTP/1.1 413 "));
  visitor keyed(server.port);
  keyed.send(head_of("good", 100000, "Connection: close\r\n") + std::string(100000, ' '));
  CHECK(keyed.rest().starts_with("HTTP/1.1 200 "));
}

TEST_CASE("a crowd from one address makes room for itself, and one with a key stays") {
  listener_limits limits;
  limits.crowd.of_all = 40;
  limits.crowd.of_host = 20;
  crowded_server server{limits};
  visitor keyed(server.port);
  keyed.send(head_of("good", 2) + "{}");
  CHECK(keyed.head().starts_with("HTTP/1.1 200 "));
  std::vector<std::unique_ptr<visitor>> idle;
  for (int i = 0; i < 200; ++i) {
    idle.push_back(std::make_unique<visitor>(server.port));
    if (i % 2 == 0) idle.back()->send("GET /he");
  }
  visitor late(server.port);
  late.send(health);
  CHECK(late.head().starts_with("HTTP/1.1 200 "));
  CHECK(server.front->everybody().size() <= 20 + 1);
  keyed.buffer.clear();
  keyed.send(head_of("good", 2, "Connection: close\r\n") + "{}");
  CHECK(keyed.rest().find("HTTP/1.1 200 ") != std::string::npos);
  // On another thread some of the crowd may not have been let in when the late one was answered.
  CHECK(test::eventually([&] { return server.front->everybody().ended() >= 180; }));
}

TEST_CASE("answers that nobody reads are bounded for a key, and others are not touched") {
  listener_limits limits;
  limits.crowd.unsent_of_key = 64 * 1024 * 1024;
  crowded_server server{limits};
  server.answer_bytes = 16 * 1024 * 1024;
  visitor other(server.port);
  other.send(head_of("good other", 2) + "{}");
  CHECK(other.head().starts_with("HTTP/1.1 200 "));
  std::vector<std::unique_ptr<visitor>> unread;
  for (int i = 0; i < 20; ++i) {
    unread.push_back(std::make_unique<visitor>(server.port));
    unread.back()->send(head_of("good", 2) + "{}");
  }
  while (server.calls < 21 || server.front->everybody().ended() < 10) {
    std::this_thread::sleep_for(1ms);
  }
  CHECK(server.front->everybody().unsent() <= (64 + 16) * 1024 * 1024);
  while (other.buffer.size() < server.answer_bytes) {
    boost::system::error_code failed;
    asio::read(other.socket, asio::dynamic_buffer(other.buffer), asio::transfer_at_least(1),
               failed);
    REQUIRE(!failed);
  }
}

TEST_CASE("who has shown a key waits for nothing that is done for who has not") {
  crowded_server server{listener_limits{}, 2};
  visitor keyed(server.port);
  keyed.send(head_of("good", 2) + "{}");
  CHECK(keyed.head().starts_with("HTTP/1.1 200 "));
  {
    const held_thread none_without_key(server.io);
    for (int i = 0; i < 3; ++i) {
      keyed.buffer.clear();
      keyed.send(head_of("good", 2) + "{}");
      REQUIRE(keyed.hears());
      CHECK(keyed.head().starts_with("HTTP/1.1 200 "));
    }
  }
  CHECK(server.calls == 4);
}

TEST_CASE("who shows no key any more is answered among those who have none, and comes back") {
  crowded_server server{listener_limits{}, 2};
  visitor one(server.port);
  for (int round = 0; round < 2; ++round) {
    one.buffer.clear();
    one.send(head_of("good", 2) + "{}");
    CHECK(one.head().starts_with("HTTP/1.1 200 "));
    one.buffer.clear();
    one.send(front_page);
    CHECK(one.head().starts_with("HTTP/1.1 200 "));
    const held_thread none_with_key(*server.more.contexts().front());
    one.buffer.clear();
    one.send(front_page);
    REQUIRE(one.hears());
    CHECK(one.head().starts_with("HTTP/1.1 200 "));
  }
  CHECK(server.calls == 2);
  CHECK(server.front->everybody().size() == 1);
}

TEST_CASE("connections of an account that come too often are served where they have come") {
  listener_limits limits;
  limits.crowd.moves_at_once = 4;
  limits.crowd.move_interval = 1h;
  crowded_server server(limits);
  const auto called = [&](const std::string& key) {
    visitor once(server.port);
    once.send(head_of(key, 2, "Connection: close\r\n") + "{}");
    return once.rest().starts_with("HTTP/1.1 200 ");
  };
  visitor kept(server.port);
  for (int i = 0; i < 10; ++i) {
    kept.buffer.clear();
    kept.send(head_of("good", 2) + "{}");
    CHECK(kept.head().starts_with("HTTP/1.1 200 "));
  }
  for (int i = 0; i < 10; ++i) CHECK(called("good"));
  CHECK(server.keyless_calls == 7);
  CHECK(called("good2"));
  CHECK(server.keyless_calls == 7);
}

TEST_CASE("requests that are sent ahead are answered in order, whoever they are of") {
  crowded_server server{listener_limits{}, 4};
  constexpr int rounds = 40;
  visitor one(server.port);
  // All at once, and with a body that comes later than its head: a read is under way as it moves.
  std::thread sender([&] {
    for (int i = 0; i < rounds; ++i) {
      one.send(front_page + head_of("good", 2, "X-Request-Id: r" + std::to_string(i) + "\r\n") +
               "{");
      one.send("}" + health);
    }
    one.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  });
  const std::string got = one.rest();
  sender.join();
  CHECK(server.calls == rounds);
  std::string order;
  for (std::size_t at = 0; (at = got.find("HTTP/1.1 ", at)) != std::string::npos; ++at) {
    const std::string answer = got.substr(at, got.find("HTTP/1.1 ", at + 1) - at);
    REQUIRE(answer.starts_with("HTTP/1.1 200 "));
    order += answer.ends_with("xxxxxxxxxx")            ? 'k'
             : answer.ends_with("{\"status\":\"ok\"}") ? 'h'
                                                       : 'p';
  }
  std::string wanted;
  for (int i = 0; i < rounds; ++i) wanted += "pkh";
  CHECK(order == wanted + "p");
  CHECK(test::eventually([&] { return server.front->connections() == 0; }));
}

TEST_CASE("a client that leaves while its connection moves is forgotten") {
  crowded_server server{listener_limits{}, 3};
  for (int i = 0; i < 100; ++i) {
    visitor one(server.port);
    one.send(front_page + head_of("good", 2) + (i % 3 == 0 ? "" : "{}") +
             (i % 2 == 0 ? front_page : ""));
    if (i % 5 == 0) one.socket.shutdown(asio::ip::tcp::socket::shutdown_send);
    if (i % 7 == 0) CHECK(one.head().starts_with("HTTP/1.1 200 "));
  }
  CHECK(test::eventually([&] { return server.front->connections() == 0; }));
  CHECK(server.front->everybody().size() == 0);
}

TEST_CASE("connections come and go on several threads") {
  listener_limits limits;
  limits.crowd.of_all = 30;
  crowded_server server{limits, 4};
  std::vector<std::thread> crowd;
  std::atomic<int> answered{0};
  for (int t = 0; t < 4; ++t) {
    crowd.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        try {
          visitor one(server.port);
          one.send(t % 2 == 0 ? health : head_of("good", 2) + "{}");
          if (one.head().starts_with("HTTP/1.1 200 ")) ++answered;
        } catch (const boost::system::system_error&) {
          // Closed for another.
        }
      }
    });
  }
  for (std::thread& one : crowd) one.join();
  CHECK(answered > 150);
}

TEST_CASE("where memory is short, newcomers hear 503, and health is answered all the same") {
  std::atomic<bool> room{true};
  crowded_server server{listener_limits{}};
  asio::post(server.io, [&] { server.behind.has_room = [&room] { return room.load(); }; });
  visitor known(server.port);
  known.send(head_of("good", 2) + "{}");
  CHECK(known.head().starts_with("HTTP/1.1 200 "));
  room = false;
  visitor late(server.port);
  late.send(head_of("good", 2) + "{}");
  const std::string refused = late.rest();
  CHECK(refused.starts_with("HTTP/1.1 503 "));
  CHECK(refused.find("Retry-After: ") != std::string::npos);
  visitor asking(server.port);
  asking.send(health);
  CHECK(asking.head().starts_with("HTTP/1.1 200 "));
  CHECK(server.calls == 1);
}

TEST_CASE("how much memory there is is asked also where nobody comes") {
  std::atomic<int> asked{0};
  crowded_server server{listener_limits{}};
  asio::post(server.io, [&] { server.behind.has_room = [&asked] { return ++asked > 0; }; });
  CHECK(test::eventually([&] { return asked > 1; }));
}
