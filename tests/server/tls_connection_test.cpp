// Connections under TLS and behind proxies, over a backend of the test: what clients get, how they
// are ended, and that nobody who says nonsense is kept.
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <pthread.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <memory>
#include <random>
#include <server/listener.hpp>
#include <server/wire/tls_watch.hpp>
#include <string>
#include <support/certificate.hpp>
#include <support/eventually.hpp>
#include <thread>

using namespace freshet;
using namespace freshet::server;
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

/// More than the kernel takes at once.
const std::string large(3 * 1024 * 1024, 'x');

backend echo_backend() {
  backend made;
  made.submit = [](request what, std::function<void(response)> done) {
    response out;
    out.body = what.body == "{}" ? large : what.body;
    out.request_id = "req_x";
    done(std::move(out));
    return std::uint64_t{1};
  };
  made.cancel = [](std::uint64_t) {};
  made.ready = [] { return true; };
  made.problem = [](const error& what, std::string_view request_id) {
    response out;
    out.status = describe(what.code()).http_status;
    out.body = what.detail();
    out.request_id = request_id;
    return out;
  };
  made.endpoints = {"a/b"};
  return made;
}

/// A listener with TLS on a free port, on two threads.
struct tls_server {
  test::certificate pair;
  backend behind = echo_backend();
  logger log{-1};
  asio::io_context io{1}, more{1};
  std::unique_ptr<tls_watch> watch;
  std::unique_ptr<listener> front;
  std::uint16_t port = 0;
  std::vector<std::thread> threads;

  explicit tls_server(const listener_limits& limits = {}, bool with_proxies = false) {
    if (with_proxies) behind.dashboard_http.proxies = *trusted_proxies::of({"127.0.0.0/8"});
    auto opened = tls_watch::open(io, {pair.file, pair.key}, log);
    REQUIRE(opened.has_value());
    watch = std::move(*opened);
    auto bound = bind_to(io, "127.0.0.1:0");
    REQUIRE(bound.has_value());
    port = bound->local_endpoint().port();
    const std::vector<asio::io_context*> both{&io, &more};
    front = std::make_unique<listener>(io_threads{{&io}, {&more}}, behind, log, limits,
                                       entrance{watch.get(), with_proxies});
    REQUIRE(front->start(std::move(*bound)).has_value());
    for (asio::io_context* one : both) {
      threads.emplace_back([one] {
        const auto stays = asio::make_work_guard(*one);
        one->run();
      });
    }
  }
  ~tls_server() {
    asio::post(io, [this] { front->drain([this] { more.stop(), io.stop(); }); });
    for (std::thread& one : threads) one.join();
  }
  [[nodiscard]] bool comes_to(std::size_t connections) const {
    return test::eventually([&] { return front->connections() == connections; });
  }
};

/// A client that waits for everything.
class tls_client {
 public:
  asio::io_context io;
  asio::ip::tcp::socket socket{io};

  explicit tls_client(std::uint16_t port, int version = TLS1_3_VERSION, int receive_bytes = 0)
      : context_(SSL_CTX_new(TLS_client_method())) {
    SSL_CTX_set_min_proto_version(context_, version);
    SSL_CTX_set_max_proto_version(context_, version);
    socket.open(asio::ip::tcp::v4());
    if (receive_bytes > 0) {
      socket.set_option(asio::socket_base::receive_buffer_size(receive_bytes));
    }
    socket.connect({asio::ip::address_v4::loopback(), port});
  }
  tls_client(const tls_client&) = delete;
  tls_client& operator=(const tls_client&) = delete;
  ~tls_client() {
    SSL_free(session_);
    SSL_CTX_free(context_);
  }

  void send_plain(const std::string& text) { asio::write(socket, asio::buffer(text)); }
  std::string read_plain() {
    std::string out;
    boost::system::error_code end;
    asio::read(socket, asio::dynamic_buffer(out), end);
    return out;
  }
  bool handshake(const std::string& protocol = "http/1.1") {
    session_ = SSL_new(context_);
    const std::string offered = static_cast<char>(protocol.size()) + protocol;
    SSL_set_alpn_protos(session_, reinterpret_cast<const unsigned char*>(offered.data()),
                        static_cast<unsigned>(offered.size()));
    SSL_set_fd(session_, socket.native_handle());
    ERR_clear_error();
    return SSL_connect(session_) == 1;
  }
  [[nodiscard]] std::string chosen() const {
    const unsigned char* name = nullptr;
    unsigned size = 0;
    SSL_get0_alpn_selected(session_, &name, &size);
    return {reinterpret_cast<const char*>(name), size};
  }
  void send(const std::string& text) {
    REQUIRE(SSL_write(session_, text.data(), static_cast<int>(text.size())) ==
            static_cast<int>(text.size()));
  }
  /// Changes its keys so often; false once the other side has gone.
  bool change_keys(int times) {
    sigset_t pipe;  // OpenSSL writes to a socket that is gone, too
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
    bool stands = true;
    for (int i = 0; i < times && stands; ++i) {
      stands = SSL_key_update(session_, SSL_KEY_UPDATE_NOT_REQUESTED) == 1 &&
               SSL_do_handshake(session_) == 1;
    }
    return stands;
  }
  /// Up to `size` bytes, or to the end, which TLS must have said: else "cut" stands behind them.
  std::string read(std::size_t size = std::string::npos) {
    std::string out;
    while (out.size() < size) {
      std::array<char, 16384> part;
      ERR_clear_error();
      const int got = SSL_read(session_, part.data(),
                               static_cast<int>(std::min(part.size(), size - out.size())));
      if (got <= 0)
        return SSL_get_error(session_, got) == SSL_ERROR_ZERO_RETURN ? out : out + "cut";
      out.append(part.data(), static_cast<std::size_t>(got));
    }
    return out;
  }

 private:
  SSL_CTX* context_;
  SSL* session_ = nullptr;
};

std::string post_of(const std::string& body, const std::string& fields = "") {
  return "POST /v1/a/b HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
         "Authorization: Bearer k\r\n" +
         fields + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}
/// What a client says first.
std::string first_word() {
  SSL_CTX* const context = SSL_CTX_new(TLS_client_method());
  SSL* const session = SSL_new(context);
  SSL_set_bio(session, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
  SSL_connect(session);
  char* said = nullptr;
  const long size = BIO_get_mem_data(SSL_get_wbio(session), &said);
  std::string out(said, static_cast<std::size_t>(size));
  SSL_free(session);
  SSL_CTX_free(context);
  return out;
}
const std::string health = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
const std::string last_health = "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
bool ends_well(const std::string& answer) { return answer.ends_with("{\"status\":\"ok\"}"); }

}  // namespace

TEST_CASE("under TLS 1.2 and 1.3 requests are answered, and the end is said") {
  tls_server server;
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    tls_client client(server.port, version);
    REQUIRE(client.handshake());
    CHECK(client.chosen() == "http/1.1");
    client.send(health + post_of("{\"n\":1}") + last_health);  // pipelined
    const std::string got = client.read();
    CHECK(got.find("{\"n\":1}") != std::string::npos);
    CHECK(got.find("\r\nStrict-Transport-Security: max-age=31536000\r\n") != std::string::npos);
    CHECK(ends_well(got));
  }
  CHECK(server.comes_to(0));
}

TEST_CASE("a large answer is whole for a slow reader, and TLS says its end") {
  tls_server server;
  tls_client client(server.port, TLS1_3_VERSION, 4096);
  REQUIRE(client.handshake());
  client.send(post_of("{}", "Connection: close\r\n"));
  std::this_thread::sleep_for(300ms);  // the kernel is full
  const std::string got = client.read();
  CHECK((got.substr(got.find("\r\n\r\n") + 4) == large));
  CHECK(server.comes_to(0));
}

TEST_CASE("a reader that takes nothing is let go, under TLS, too") {
  listener_limits limits;
  limits.write_timeout = 200ms;
  tls_server server(limits);
  tls_client client(server.port, TLS1_3_VERSION, 4096);
  REQUIRE(client.handshake());
  client.send(post_of("{}"));
  CHECK(server.comes_to(1));
  CHECK(server.comes_to(0));
}

TEST_CASE("who waits for 100 Continue gets it under TLS") {
  tls_server server;
  tls_client client(server.port);
  REQUIRE(client.handshake());
  const std::string whole = post_of("{\"n\":2}", "Expect: 100-continue\r\nConnection: close\r\n");
  client.send(whole.substr(0, whole.size() - 7));
  const std::string interim = "HTTP/1.1 100 Continue\r\n\r\n";
  CHECK(client.read(interim.size()) == interim);
  client.send("{\"n\":2}");
  CHECK(client.read().ends_with("{\"n\":2}"));
}

TEST_CASE("plain HTTP on the port of TLS is told so, and other protocols are not spoken") {
  tls_server server;
  for (const std::string& said : {health, "PROXY TCP4 192.0.2.7 10.0.0.1 1 2\r\n" + health,
                                  std::string("\r\n\r\n\0\r\nQUIT\n\x20\0\0\0", 16)}) {
    tls_client plain(server.port);
    plain.send_plain(said);
    const std::string got = plain.read_plain();
    CHECK(got.starts_with("HTTP/1.1 400 Bad Request\r\n"));
    CHECK(got.find("Strict-Transport-Security") == std::string::npos);
    CHECK(got.find("https://") != std::string::npos);
  }
  CHECK(!tls_client(server.port).handshake("h2"));
  CHECK(!tls_client(server.port, TLS1_1_VERSION).handshake());
  CHECK(server.comes_to(0));
}

TEST_CASE("who does not come to the end of a handshake is let go") {
  listener_limits limits;
  limits.header_timeout = 300ms;
  tls_server server(limits);
  tls_client silent(server.port), slow(server.port);
  slow.send_plain(std::string("\x16\x03\x01\x02\x00\x01", 6));
  CHECK(server.comes_to(2));
  CHECK(server.comes_to(0));
}

TEST_CASE("who comes is taken in before those who have come get all their signatures") {
  constexpr std::size_t count = 96;
  const test::certificate pair;
  const backend behind = echo_backend();
  logger log(-1);
  asio::io_context io(1);
  const auto watch = tls_watch::open(io, {pair.file, pair.key}, log);
  REQUIRE(watch.has_value());
  auto bound = bind_to(io, "127.0.0.1:0");
  REQUIRE(bound.has_value());
  const std::uint16_t port = bound->local_endpoint().port();
  listener front(io, behind, log, {}, entrance{watch->get()});
  REQUIRE(front.start(std::move(*bound)).has_value());
  const std::string said = first_word();
  std::vector<std::unique_ptr<tls_client>> clients;
  for (std::size_t i = 0; i < count; ++i) {
    clients.push_back(std::make_unique<tls_client>(port));
    clients.back()->send_plain(said);
  }
  while (front.connections() < count) io.run_one();
  const auto answered = std::count_if(clients.begin(), clients.end(),
                                      [](const auto& one) { return one->socket.available() > 0; });
  CHECK(answered < static_cast<std::ptrdiff_t>(count / 4));
}

TEST_CASE("a first word under TLS of 130 KB is not waited for") {
  tls_server server;  // whose patience is longer than the test's
  tls_client vast(server.port);
  const std::string zeros(16 * 1024 - 6, '\0');
  vast.send_plain(std::string("\x16\x03\x01\x40\x00\x01\x01\xfb\x00\x03\x03", 11) + zeros);
  std::this_thread::sleep_for(100ms);
  CHECK(server.front->connections() == 1);
  const std::string record = std::string("\x16\x03\x01\x40\x00", 5) + zeros + std::string(6, '\0');
  vast.send_plain(record + record);
  CHECK(server.comes_to(0));
}

TEST_CASE("who changes keys again and again is let go, whatever is asked between") {
  listener_limits limits;
  limits.idle_timeout = 1h;
  tls_server server(limits);
  tls_client client(server.port);
  REQUIRE(client.handshake());
  for (int i = 0; i < 4; ++i) {
    CHECK(client.change_keys(25));
    client.send(health);
    CHECK(!client.read(1).empty());
  }
  client.change_keys(2);
  CHECK(server.comes_to(0));
}

TEST_CASE("no bytes at the beginning of a connection do harm") {
  listener_limits limits;
  limits.header_timeout = 500ms;
  tls_server server(limits);
  std::mt19937 random(11);
  for (int i = 0; i < 300; ++i) {
    std::string bytes(1 + random() % 600, '\0');
    for (char& one : bytes) one = static_cast<char>(random());
    if (i % 2 == 0) bytes.replace(0, 3, "\x16\x03\x01");
    tls_client client(server.port);
    boost::system::error_code ignored;
    asio::write(client.socket, asio::buffer(bytes), ignored);
  }
  tls_client good(server.port);
  REQUIRE(good.handshake());
  good.send(last_health);
  CHECK(ends_well(good.read()));
  CHECK(server.comes_to(0));
}

TEST_CASE("a trusted proxy says whose connection it is, before TLS and in pieces") {
  tls_server server({}, true);
  const std::string named = "PROXY TCP4 192.0.2.7 10.0.0.1 1 2\r\n";
  tls_client client(server.port);
  client.send_plain(named.substr(0, 9));
  std::this_thread::sleep_for(50ms);
  client.send_plain(named.substr(9));
  REQUIRE(client.handshake());
  client.send(last_health);
  CHECK(ends_well(client.read()));
  for (const std::string& wrong : {health, std::string("PROXY TCP9\r\n")}) {
    tls_client other(server.port);
    other.send_plain(wrong);
    CHECK(other.read_plain().empty());
  }
  CHECK(server.comes_to(0));
}

TEST_CASE("connections through a proxy have the room of whom it names") {
  listener_limits limits;
  limits.crowd.of_all = 4;
  limits.crowd.of_host = 2;
  tls_server server(limits, true);
  std::vector<std::unique_ptr<tls_client>> held;
  for (int i = 0; i < 2; ++i) {
    held.push_back(std::make_unique<tls_client>(server.port));
    held.back()->send_plain("PROXY TCP4 192.0.2.7 10.0.0.1 1 2\r\n");
    REQUIRE(held.back()->handshake());
    held.back()->send(health);
    CHECK(held.back()->read(20).starts_with("HTTP/1.1 200"));
  }
  tls_client other(server.port), third(server.port);
  other.send_plain("PROXY TCP4 192.0.2.8 10.0.0.1 1 2\r\n");
  REQUIRE(other.handshake());
  CHECK(server.comes_to(4));
  third.send_plain("PROXY TCP4 192.0.2.7 10.0.0.1 1 2\r\n");
  REQUIRE(third.handshake());
  CHECK(server.comes_to(3));  // the longest idle one of that address went
  third.send(last_health);
  CHECK(ends_well(third.read()));
}
