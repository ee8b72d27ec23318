// Connections over a backend that the test holds: what reaches it, what is cancelled, what is lost.
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <catch2/catch.hpp>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <server/listener.hpp>
#include <string>
#include <thread>

#include "http/gunzip.hpp"
#include "support/eventually.hpp"

using namespace freshet;
using namespace freshet::server;
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

response answer_of(const std::string& body) {
  response out;
  out.body = body;
  out.request_id = "req_x";
  out.credits_used = 2;
  out.rate = rate_info{10, 9, 1, 5};
  return out;
}

/// A backend that keeps calls until the test answers them, from the test's own thread.
struct held_backend {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::uint64_t, std::function<void(response)>> running;
  std::vector<request> seen;
  std::vector<std::uint64_t> cancelled;
  std::atomic<bool> echoes{false};  ///< the body at once, in place of keeping the call
  std::atomic<int> owners_asked{0};
  backend as_backend;

  held_backend() {
    as_backend.submit = [this](request what, std::function<void(response)> done) {
      if (echoes) return done(answer_of(what.body)), std::uint64_t{1};
      const std::lock_guard lock(mutex);
      seen.push_back(std::move(what));
      running[seen.size()] = std::move(done);
      changed.notify_all();
      return static_cast<std::uint64_t>(seen.size());
    };
    as_backend.cancel = [this](std::uint64_t ticket) {
      const std::lock_guard lock(mutex);
      cancelled.push_back(ticket);
      changed.notify_all();
    };
    as_backend.ready = [] { return true; };
    as_backend.problem = [](const error& what, std::string_view request_id) {
      response out;
      out.status = describe(what.code()).http_status;
      out.body = "{\"code\":\"" + std::string(describe(what.code()).name) + "\"}";
      out.request_id = request_id;
      return out;
    };
    as_backend.endpoints = {"a/b"};
  }

  template <class Condition>
  bool wait(Condition condition) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, test::patience, condition);
  }
  void answer(std::uint64_t ticket, response response) {
    std::unique_lock lock(mutex);
    const auto done = std::move(running.at(ticket));
    running.erase(ticket);
    lock.unlock();
    done(std::move(response));
  }
};

/// A listener on a free port, run by a thread of its own.
struct running_listener {
  held_backend behind;
  logger log{-1};
  asio::io_context io{1};
  std::unique_ptr<listener> front;
  std::uint16_t port = 0;
  std::thread thread;
  bool drained = false;

  explicit running_listener(const std::function<void(backend&, held_backend&)>& prepare =
                                [](auto&, auto&) {}) {
    prepare(behind.as_backend, behind);
    auto bound = bind_to(io, "127.0.0.1:0");
    REQUIRE(bound.has_value());
    port = bound->local_endpoint().port();
    listener_limits limits;
    limits.drain_timeout = 500ms;
    limits.heartbeat_interval = 500ms;
    front = std::make_unique<listener>(io, behind.as_backend, log, limits);
    REQUIRE(front->start(std::move(*bound)).has_value());
    thread = std::thread([this] { io.run(); });
  }
  void drain() {
    asio::post(io, [this] { front->drain([this] { drained = true; }); });
  }
  void join() {
    if (thread.joinable()) thread.join();
  }
  ~running_listener() {
    drain();
    join();
    CHECK(drained);
  }
};

struct client_socket {
  asio::io_context io;
  asio::ip::tcp::socket socket{io};
  client_socket() = default;
  explicit client_socket(std::uint16_t port) {
    socket.connect({asio::ip::address_v4::loopback(), port});
  }
  /// Whether it is let in within `time`.
  bool reaches(std::uint16_t port, std::chrono::milliseconds time) {
    bool reached = false;
    socket.async_connect({asio::ip::address_v4::loopback(), port},
                         [&](boost::system::error_code failed) { reached = !failed; });
    io.run_for(time);
    return reached;
  }
  bool is_answered(const std::string& text) {
    boost::system::error_code failed;
    asio::write(socket, asio::buffer(text), failed);
    return !failed && read_all().starts_with("HTTP/1.1 ");
  }
  void send(const std::string& text) { asio::write(socket, asio::buffer(text)); }
  std::string read_all() {
    std::string out;
    boost::system::error_code end;
    asio::read(socket, asio::dynamic_buffer(out), end);
    return out;
  }
};

std::string post_of(const std::string& fields, const std::string& body = "{}") {
  return "POST /v1/a/b HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n" + fields +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}
const std::string with_key = "Authorization: Bearer k\r\n";
const std::string closing = "Connection: close\r\n";

}  // namespace

TEST_CASE("a call reaches the backend with what the request said, and its answer goes back") {
  running_listener server;
  client_socket client(server.port);
  client.send(
      post_of(with_key + closing + "Idempotency-Key: i 1\r\nX-Request-Id: mine\r\n", "{\"q\":1}"));
  REQUIRE(server.behind.wait([&] { return server.behind.seen.size() == 1; }));
  const request& seen = server.behind.seen[0];
  CHECK(seen.endpoint == "a/b");
  CHECK(seen.body == "{\"q\":1}");
  CHECK(seen.api_key == "k");
  CHECK(seen.idempotency_key == "i 1");
  CHECK(seen.request_id == "mine");
  CHECK(!seen.in_process);
  server.behind.answer(1, answer_of("{\"data\":[]}"));
  const std::string got = client.read_all();
  CHECK(got.starts_with("HTTP/1.1 200 OK\r\n"));
  CHECK(got.ends_with("\r\n\r\n{\"data\":[]}"));
  CHECK(got.find("X-Service-Credits-Used: 2\r\n") != std::string::npos);
  CHECK(got.find("RateLimit: \"default\";r=9;t=1\r\n") != std::string::npos);
  CHECK(got.find("RateLimit-Policy: \"default\";q=10;w=5\r\n") != std::string::npos);
  CHECK(got.find("Connection: close\r\n") != std::string::npos);
}

TEST_CASE("MCP is told whose the key of a request is, whatever the one before it had") {
  std::vector<std::string> owners;
  running_listener server([&](backend& of, held_backend&) {
    of.owner_of = [](std::string_view key) -> result<std::string> {
      if (key.starts_with("key of ")) return std::string(key.substr(7));
      return error(errc::invalid_api_key, "the key is unknown");
    };
    of.mcp = [&](http_request, const request_facts& facts) {
      owners.push_back(facts.owner);
      return deferred_reply{[](const std::function<void(reply)>& give) {
        give({});
        return std::function<void()>();
      }};
    };
  });
  client_socket client(server.port);
  const auto asked = [](const std::string& key, const std::string& fields = "") {
    return "GET /mcp HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + key + "\r\n" + fields +
           "\r\n";
  };
  client.send(asked("key of 1") + asked("key of 1") + asked("key of 2") + asked("other", closing));
  CHECK(client.read_all().starts_with("HTTP/1.1 200"));
  CHECK(owners == std::vector<std::string>{"1", "1", "2", ""});
}

TEST_CASE("what a call ends with runs on its connection's thread, and gives the answer there") {
  running_listener server;
  client_socket client(server.port);
  client.send(post_of(with_key + closing));
  REQUIRE(server.behind.wait([&] { return server.behind.seen.size() == 1; }));
  const auto there = server.behind.seen[0].answered_on;
  REQUIRE(there);
  std::thread::id ran;
  REQUIRE(there->post([&] {
    ran = std::this_thread::get_id();
    server.behind.answer(1, answer_of("{}"));
  }));
  CHECK(client.read_all().ends_with("\r\n\r\n{}"));
  CHECK(ran == server.thread.get_id());
}

TEST_CASE("what calls end with is run when the listener goes, and nothing more is taken then") {
  std::shared_ptr<answering_thread> there;
  int ran = 0;
  {
    running_listener server;
    client_socket client(server.port);
    client.send(post_of(with_key));
    REQUIRE(server.behind.wait([&] { return server.behind.seen.size() == 1; }));
    there = server.behind.seen[0].answered_on;
    server.behind.answer(1, answer_of("{}"));
    server.drain();
    server.join();
    CHECK(there->post([&] { ++ran; }));
    CHECK(ran == 0);
  }
  CHECK(ran == 1);
  CHECK_FALSE(there->post([&] { ++ran; }));
  CHECK(ran == 1);
}

TEST_CASE("an answer that is there at once goes out, and so do those of requests sent ahead") {
  running_listener server;
  server.behind.echoes = true;
  client_socket client(server.port);
  std::string all;
  constexpr int count = 300;
  for (int i = 0; i < count; ++i) {
    all += post_of(with_key + (i + 1 == count ? closing : ""), "{\"n\":" + std::to_string(i) + "}");
  }
  client.send(all);
  const std::string answers = client.read_all();
  std::size_t at = 0;
  for (int i = 0; i < count; ++i) {
    at = answers.find("{\"n\":" + std::to_string(i) + "}", at);
    REQUIRE(at != std::string::npos);
  }
}

TEST_CASE("whose a key is, is asked once for heads that come again, and anew for any other") {
  running_listener server([](backend& of, held_backend& behind) {
    of.owner_of = [&behind](std::string_view key) -> result<std::string> {
      ++behind.owners_asked;
      if (key == "bad") return error(errc::invalid_api_key, "");
      return std::string("7");
    };
  });
  server.behind.echoes = true;
  const auto ask = [&](std::initializer_list<const char*> keys) {
    const int before = server.behind.owners_asked;
    std::string all;
    std::size_t left = keys.size();
    for (const char* const key : keys) {
      const std::string field = std::string("Authorization: Bearer ") + key + "\r\n";
      all += post_of(field + (--left == 0 ? closing : ""), R"({"n":1})");
    }
    client_socket client(server.port);
    client.send(all);
    const std::string answers = client.read_all();
    std::size_t count = 0;
    for (std::size_t at = 0; (at = answers.find("HTTP/1.1 ", at)) != answers.npos; ++at) ++count;
    CHECK(count == keys.size());
    // The last head says that it is the last.
    return server.behind.owners_asked - before;
  };
  CHECK(ask({"k"}) == 1);
  CHECK(ask({"k", "k", "k", "k", "k"}) == 2);
  CHECK(ask({"k", "other", "k", "k"}) == 4);
}

TEST_CASE("a large answer is compressed, too, and others are answered between its slices") {
  running_listener server;
  std::string body = "{\"data\":[";
  while (body.size() < 1'000'000) body += std::to_string(body.size() * 2'654'435'761) + ",";
  std::vector<std::unique_ptr<client_socket>> clients;
  for (std::uint64_t i = 1; i <= 20; ++i) {  // more than are compressed at once
    clients.push_back(std::make_unique<client_socket>(server.port));
    clients.back()->send(post_of(with_key + closing + "Accept-Encoding: gzip\r\n"));
    REQUIRE(server.behind.wait([&] { return server.behind.seen.size() == i; }));
  }
  for (std::uint64_t i = 1; i <= 20; ++i) server.behind.answer(i, answer_of(body));
  client_socket between(server.port);
  between.send("GET /healthz HTTP/1.1\r\nHost: a\r\n" + closing + "\r\n");
  CHECK(between.read_all().starts_with("HTTP/1.1 200 OK\r\n"));
  clients.pop_back();  // goes away, whatever becomes of its answer
  std::size_t packed = 0;
  for (const auto& one : clients) {
    const std::string got = one->read_all();
    const std::string rest = got.substr(got.find("\r\n\r\n") + 4);
    if (got.find("Content-Encoding: gzip\r\n") == std::string::npos) {
      CHECK((rest == body));  // not to be printed
      continue;
    }
    ++packed;
    CHECK((gunzip(rest) == body));
  }
  CHECK(packed > 0);
}

TEST_CASE("nothing without a key reaches the backend") {
  running_listener server;
  for (const std::string field : {"", "Authorization:\r\n", "Authorization: Bearer\r\n",
                                  "Authorization: Bearer \t \r\n", "Authorization: k\r\n"}) {
    client_socket client(server.port);
    client.send(post_of(field + closing));
    CHECK(client.read_all().starts_with("HTTP/1.1 401 "));
  }
  CHECK(server.behind.seen.empty());
}

TEST_CASE("pipelined calls run one after another and are answered in order") {
  running_listener server;
  client_socket client(server.port);
  client.send(post_of(with_key, "{\"n\":1}") + post_of(with_key + closing, "{\"n\":2}"));
  REQUIRE(server.behind.wait([&] { return server.behind.seen.size() == 1; }));
  server.behind.answer(1, answer_of("first"));
  REQUIRE(server.behind.wait([&] { return server.behind.seen.size() == 2; }));
  CHECK(server.behind.seen[1].body == "{\"n\":2}");
  server.behind.answer(2, answer_of("second"));
  const std::string got = client.read_all();
  CHECK(got.find("first") < got.find("second"));
}

TEST_CASE("a client that goes away cancels its call, and the late answer does no harm") {
  running_listener server;
  {
    client_socket client(server.port);
    client.send(post_of(with_key));
    REQUIRE(server.behind.wait([&] { return server.behind.seen.size() == 1; }));
  }
  CHECK(server.behind.wait([&] { return server.behind.cancelled.size() == 1; }));
  server.behind.answer(1, answer_of("late"));
  client_socket next(server.port);
  next.send("GET /healthz HTTP/1.1\r\nHost: a\r\n" + closing + "\r\n");
  CHECK(next.read_all().find("{\"status\":\"ok\"}") != std::string::npos);
}

TEST_CASE("a client that has only finished sending is told that somebody works, and is answered") {
  running_listener server;
  client_socket client(server.port);
  client.send(post_of(with_key, "{\"n\":1}") + post_of(with_key, "{\"n\":2}"));
  client.socket.shutdown(asio::ip::tcp::socket::shutdown_send);
  std::string got;
  for (std::uint64_t i = 1; i <= 2; ++i) {
    REQUIRE(server.behind.wait([&] { return server.behind.seen.size() == i; }));
    got.erase(0,
              asio::read_until(client.socket, asio::dynamic_buffer(got), " 100 Continue\r\n\r\n"));
    server.behind.answer(i, answer_of("answer"));
    got.erase(0, asio::read_until(client.socket, asio::dynamic_buffer(got), "\r\n\r\nanswer"));
  }
  CHECK(client.read_all().empty());
  CHECK(server.behind.cancelled.empty());
}

TEST_CASE("a client that has finished sending, and then leaves, cancels its call") {
  running_listener server;
  {
    client_socket client(server.port);
    client.send(post_of(with_key));
    client.socket.shutdown(asio::ip::tcp::socket::shutdown_send);
    std::string interim;
    CHECK(asio::read_until(client.socket, asio::dynamic_buffer(interim), "\r\n\r\n") > 0);
    CHECK(server.behind.cancelled.empty());
  }
  CHECK(server.behind.wait([&] { return server.behind.cancelled.size() == 1; }));
  server.behind.answer(1, answer_of("late"));
}

TEST_CASE("a drain waits for running calls, then cancels them") {
  running_listener server;
  client_socket quick(server.port);
  client_socket stuck(server.port);
  quick.send(post_of(with_key));
  REQUIRE(server.behind.wait([&] { return server.behind.seen.size() == 1; }));
  stuck.send(post_of(with_key));
  REQUIRE(server.behind.wait([&] { return server.behind.seen.size() == 2; }));
  server.drain();
  server.behind.answer(1, answer_of("in time"));
  CHECK(quick.read_all().find("in time") != std::string::npos);
  REQUIRE(server.behind.wait([&] { return server.behind.cancelled.size() == 1; }));
  response ended = answer_of("{}");
  ended.status = 499;
  server.behind.answer(2, ended);
  CHECK(stuck.read_all().starts_with("HTTP/1.1 503 "));
  server.join();
  CHECK(server.drained);
  boost::system::error_code refused;
  asio::ip::tcp::socket late(quick.io);
  late.connect({asio::ip::address_v4::loopback(), server.port}, refused);
  CHECK(refused);
}

TEST_CASE("who comes as a drain begins is answered or refused, and not cut off") {
  std::atomic<int> cut_off{0}, answered{0};
  for (int round = 0; round < 5; ++round) {
    running_listener server;
    std::vector<std::thread> newcomers;
    for (int i = 0; i < 4; ++i) {
      newcomers.emplace_back([&] {
        for (bool refused = false; !refused;) {
          client_socket one;
          // Nobody takes the first packet any more: it would come again after a second.
          refused = !one.reaches(server.port, 100ms);
          if (!refused)
            ++(one.is_answered("GET /healthz HTTP/1.1\r\nHost: a\r\n" + closing + "\r\n")
                   ? answered
                   : cut_off);
        }
      });
    }
    REQUIRE(test::eventually([&] { return answered > 20 * round; }));
    server.drain();
    for (std::thread& one : newcomers) one.join();
  }
  CHECK(cut_off == 0);
}

TEST_CASE("an answer that comes after everything has gone finds nobody") {
  held_backend outliving;
  std::function<void(response)> late;
  asio::io_context io(1);
  {
    logger log(-1);
    auto bound = bind_to(io, "127.0.0.1:0");
    REQUIRE(bound.has_value());
    const std::uint16_t port = bound->local_endpoint().port();
    listener front(io, outliving.as_backend, log, {});
    REQUIRE(front.start(std::move(*bound)).has_value());
    client_socket client(port);
    client.send(post_of(with_key));
    while (outliving.seen.empty()) io.run_one_for(100ms);
    late = outliving.running.at(1);
  }
  late(answer_of("late"));
  outliving.running.clear();
}

TEST_CASE("addresses to listen on") {
  asio::io_context io(1);
  for (const char* bad : {"8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536",
                          "example.invalid:80", "127.0.0.1:-1", ":8080", "[::1]"}) {
    INFO(bad);
    const auto bound = bind_to(io, bad);
    REQUIRE(!bound.has_value());
    CHECK(bound.error().code() == errc::invalid_configuration);
  }
  CHECK(bind_to(io, "localhost:0").has_value());
}

TEST_CASE("a port that the system chose is nobody else's, also before it is listened to") {
  asio::io_context io(1);
  const auto bound = bind_to(io, "127.0.0.1:0");
  REQUIRE(bound.has_value());
  asio::ip::tcp::acceptor other(io);
  other.open(asio::ip::tcp::v4());
  other.set_option(asio::ip::tcp::acceptor::reuse_address(true));
  boost::system::error_code failed;
  other.bind(bound->local_endpoint(), failed);
  CHECK(failed == asio::error::address_in_use);
}
