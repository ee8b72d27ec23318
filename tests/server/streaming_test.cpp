// Answers whose bodies come in pieces: the queue by itself, then over connections, with clients
// that read slowly, leave in the middle or never come back.
#include <algorithm>
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
#include <server/listener.hpp>
#include <string>
#include <thread>

#include "support/eventually.hpp"

using namespace freshet;
using namespace freshet::server;
namespace asio = boost::asio;
using namespace std::chrono_literals;
using put_result = body_stream::put_result;

namespace {

/// A listener whose /mcp answers with the body that the test fills.
struct streaming_server {
  std::shared_ptr<body_stream> body = std::make_shared<body_stream>(8 * 1024);
  std::atomic<bool> holds_back{false};  // begin() keeps the answer
  std::atomic<bool> client_gone{false};
  std::promise<void> begun;
  std::promise<void> gone;
  std::function<void(reply)> answer;
  backend behind;
  logger log{-1};
  asio::io_context io{1};
  std::unique_ptr<listener> front;
  std::uint16_t port = 0;
  std::thread thread;

  explicit streaming_server(listener_limits limits = {}) {
    body->when_gone([this] { gone.set_value(); });
    behind.ready = [] { return true; };
    behind.cancel = [](std::uint64_t) {};
    behind.mcp = [this](http_request, const request_facts& facts) {
      return deferred_reply{[this, id = facts.request_id](std::function<void(reply)> give) {
        answer = [give, id, stream = body] {
          reply out;
          out.request_id = id;
          out.content_type = "text/event-stream";
          out.heartbeat = ": alive\n\n";
          out.stream = stream;
          return [give, out](reply) { give(out); };
        }();
        if (!holds_back) answer({});
        begun.set_value();
        return [this] { client_gone = true; };
      }};
    };
    auto bound = bind_to(io, "127.0.0.1:0");
    REQUIRE(bound.has_value());
    port = bound->local_endpoint().port();
    front = std::make_unique<listener>(io, behind, log, limits);
    REQUIRE(front->start(std::move(*bound)).has_value());
    thread = std::thread([this] { io.run(); });
  }
  void drain() {
    asio::post(io, [this] { front->drain([] {}); });
  }
  ~streaming_server() {
    body->finish();
    drain();
    thread.join();
  }
  bool was_left() {
    return gone.get_future().wait_for(test::patience) == std::future_status::ready;
  }
};

struct stream_client {
  asio::io_context io;
  asio::ip::tcp::socket socket{io};
  std::string buffer;
  explicit stream_client(std::uint16_t port, const std::string& version = "1.1",
                         const std::string& fields = "") {
    socket.connect({asio::ip::address_v4::loopback(), port});
    asio::write(socket,
                asio::buffer("GET /mcp HTTP/" + version + "\r\nHost: a\r\n" + fields + "\r\n"));
  }
  std::string until(const std::string& mark) {
    const std::size_t size = asio::read_until(socket, asio::dynamic_buffer(buffer), mark);
    std::string out = buffer.substr(0, size);
    buffer.erase(0, size);
    return out;
  }
  std::string rest() {
    boost::system::error_code end;
    asio::read(socket, asio::dynamic_buffer(buffer), end);
    return buffer;
  }
};

}  // namespace

TEST_CASE("a queue of pieces takes what it has room for, and one piece of any size") {
  body_stream queue(10);
  int changed = 0;
  queue.attach([&] { ++changed; });
  CHECK(queue.put(std::string(100, 'a')) == put_result::taken);
  CHECK(queue.put("b") == put_result::full);
  CHECK(changed == 1);
  CHECK(queue.take().bytes == std::string(100, 'a'));
  CHECK(queue.put("12345") == put_result::taken);
  CHECK(queue.put("67890") == put_result::taken);
  CHECK(queue.put("!") == put_result::full);
  queue.finish();
  CHECK(queue.put("late") == put_result::closed);
  const body_stream::taken last = queue.take();
  CHECK(last.bytes == "1234567890");
  CHECK(last.is_last);
}

TEST_CASE("who leaves is told once, and not after the end") {
  int left = 0;
  body_stream queue;
  queue.when_gone([&] { ++left; });
  queue.leave();
  queue.leave();
  CHECK(left == 1);
  CHECK(queue.put("x") == put_result::closed);
  body_stream ended;
  ended.when_gone([&] { ++left; });
  ended.finish();
  CHECK(ended.take().is_last);
  ended.leave();
  CHECK(left == 1);
}

TEST_CASE(
    "between pieces, who has only finished sending gets the rest, and who has left does not") {
  for (const bool leaves : {false, true}) {
    streaming_server server;
    stream_client client(server.port);
    server.begun.get_future().wait();
    CHECK(client.until("\r\n\r\n").starts_with("HTTP/1.1 200 "));
    server.body->put("first");
    CHECK(client.until("first\r\n").ends_with("first\r\n"));
    if (leaves) {
      client.socket.close();
      CHECK(server.was_left());
      continue;
    }
    client.socket.shutdown(asio::ip::tcp::socket::shutdown_send);
    CHECK(client.until(": alive\n\n").ends_with(": alive\n\n"));
    server.body->put("second");
    server.body->finish();
    const std::string rest = client.rest();
    CHECK(rest.find("second") != std::string::npos);
    CHECK(rest.ends_with("0\r\n\r\n"));
  }
}

TEST_CASE("pieces go out as chunks as they come, and the connection goes on after the last") {
  streaming_server server;
  stream_client client(server.port);
  const std::string head = client.until("\r\n\r\n");
  CHECK(head.find("Transfer-Encoding: chunked\r\n") != std::string::npos);
  CHECK(head.find("Content-Length") == std::string::npos);
  CHECK(server.body->put("one") == put_result::taken);
  CHECK(client.until("\r\n") == "3\r\n");
  CHECK(client.until("\r\n") == "one\r\n");
  CHECK(server.body->put("twenty-six characters long") == put_result::taken);
  CHECK(client.until("long\r\n") == "1a\r\ntwenty-six characters long\r\n");
  server.body->finish();
  CHECK(client.until("\r\n\r\n") == "0\r\n\r\n");
  asio::write(client.socket, asio::buffer(std::string("GET /healthz HTTP/1.1\r\nHost: a\r\n"
                                                      "Connection: close\r\n\r\n")));
  CHECK(client.rest().find("{\"status\":\"ok\"}") != std::string::npos);
}

TEST_CASE("under HTTP/1.0 the end of the connection ends the body") {
  streaming_server server;
  stream_client client(server.port, "1.0", "Connection: keep-alive\r\n");
  const std::string head = client.until("\r\n\r\n");
  CHECK(head.find("Transfer-Encoding") == std::string::npos);
  server.body->put("piece");
  server.body->finish();
  CHECK(client.rest() == "piece");
}

TEST_CASE("a client that leaves in the middle is noticed while nothing is written") {
  streaming_server server;
  {
    stream_client client(server.port);
    client.until("\r\n\r\n");
  }
  CHECK(server.was_left());
  CHECK(server.body->put("late") == put_result::closed);
}

TEST_CASE("a client that leaves before the answer is noticed, and the answer then has no reader") {
  streaming_server server;
  server.holds_back = true;
  {
    stream_client client(server.port);
    server.begun.get_future().wait();
  }
  while (!server.client_gone) std::this_thread::sleep_for(1ms);
  server.answer({});
  CHECK(server.was_left());
}

TEST_CASE("a client that does not read holds the maker back and loses its connection") {
  listener_limits limits;
  limits.write_timeout = 1ms;
  streaming_server server(limits);
  stream_client client(server.port);
  client.until("\r\n\r\n");
  const std::string piece(8 * 1024, 'x');
  // The kernel's buffers take a few megabytes; then there is no room, and then no connection.
  put_result last = put_result::taken;
  bool was_full = false;
  while (last != put_result::closed) {
    last = server.body->put(piece);
    if (last != put_result::full) continue;
    was_full = true;
    std::this_thread::sleep_for(1ms);
  }
  CHECK(was_full);
  CHECK(server.was_left());
}

TEST_CASE("what waits behind a piece counts as unread, too", "[alone]") {
  constexpr std::size_t much = 10 * 1024 * 1024;
  for (const bool has_room : {true, false}) {
    listener_limits limits;
    limits.crowd.unsent_of_key = has_room ? 3 * much : much + much / 2;
    streaming_server server(limits);
    stream_client client(server.port, "1.1", "connection: close\r\n");
    server.begun.get_future().wait();
    CHECK(server.body->put(std::string(much, 'a')) == put_result::taken);
    crowd& everybody = server.front->everybody();
    REQUIRE(test::eventually([&] { return everybody.unsent() > much / 2; }));
    CHECK(server.body->put(std::string(much, 'b')) == put_result::taken);
    if (!has_room) {
      CHECK(server.was_left());
      continue;
    }
    CHECK(test::eventually([&] { return everybody.unsent() > much; }));
    server.body->finish(std::string(much / 2, 'c'));
    const std::string rest = client.rest();
    CHECK(std::count(rest.begin(), rest.end(), 'c') >= static_cast<long>(much / 2));
    CHECK(test::eventually([&] { return everybody.unsent() == 0; }));
  }
}

TEST_CASE("a body that is cut ends the connection without its end") {
  streaming_server server;
  stream_client client(server.port);
  client.until("\r\n\r\n");
  server.body->cut();
  CHECK(server.body->put("late") == put_result::closed);
  CHECK(client.rest().empty());
  CHECK(server.was_left());
}

TEST_CASE("a silent body has a heartbeat") {
  listener_limits limits;
  limits.heartbeat_interval = 1ms;
  streaming_server server(limits);
  stream_client client(server.port);
  client.until("\r\n\r\n");
  CHECK(client.until("\n\n\r\n") == "9\r\n: alive\n\n\r\n");
}

TEST_CASE("a drain asks a body to end, and cuts it at the deadline") {
  streaming_server willing;
  willing.body->when_draining([body = willing.body] {
    body->put("bye");
    body->finish();
  });
  stream_client first(willing.port);
  first.until("\r\n\r\n");
  willing.drain();
  CHECK(first.rest() == "3\r\nbye\r\n0\r\n\r\n");
  listener_limits limits;
  limits.drain_timeout = 500ms;
  streaming_server stubborn(limits);
  stream_client second(stubborn.port);
  second.until("\r\n\r\n");
  stubborn.drain();
  CHECK(second.rest().empty());
  CHECK(stubborn.was_left());
}
