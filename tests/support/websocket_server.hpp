// A WebSocket server on 127.0.0.1 and a free port, for tests: Beast, one thread a connection. A
// handler gets the upgraded stream and does with it what a test asks for, also below the frames.
#pragma once

#include <sys/socket.h>

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace freshet::test {

namespace beast = boost::beast;
using tcp = boost::asio::ip::tcp;

class websocket_server {
 public:
  using stream = beast::websocket::stream<tcp::socket>;
  using request = beast::http::request<beast::http::string_body>;
  /// Called for each connection that was upgraded; the connection ends with it.
  using handler = std::function<void(const request&, stream&)>;
  /// Answers a request instead of upgrading it; false to upgrade.
  using refusal = std::function<bool(const request&, tcp::socket&)>;

  explicit websocket_server(handler handler, refusal refuse = nullptr)
      : handler_(std::move(handler)),
        refuse_(std::move(refuse)),
        acceptor_(context_, {boost::asio::ip::make_address("127.0.0.1"), 0}),
        port_(acceptor_.local_endpoint().port()),
        thread_([this] { accept_all(); }) {}
  websocket_server(const websocket_server&) = delete;
  websocket_server& operator=(const websocket_server&) = delete;
  ~websocket_server() {
    stopping_ = true;
    ::shutdown(acceptor_.native_handle(), SHUT_RDWR);
    thread_.join();
    drop_all();
    for (auto& each : sessions_) each.thread.join();
  }

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] std::string url(const std::string& path = "/") const {
    return "ws://127.0.0.1:" + std::to_string(port_) + path;
  }
  [[nodiscard]] bool stopping() const { return stopping_; }
  /// Breaks every connection.
  void drop_all() {
    const std::lock_guard lock(mutex_);
    for (auto& each : sessions_) {
      if (each.socket >= 0) ::shutdown(each.socket, SHUT_RDWR);
    }
  }
  /// Waits until the other side has closed, answering its pings.
  static void wait_for_end(stream& on) {
    beast::error_code code;
    beast::flat_buffer ignored;
    while (!code) on.read(ignored, code);
  }

 private:
  struct session {
    int socket = -1;
    std::thread thread;
  };

  void accept_all() {
    while (!stopping_) {
      beast::error_code code;
      tcp::socket socket = acceptor_.accept(code);
      if (code) continue;
      const std::lock_guard lock(mutex_);
      auto& made = sessions_.emplace_back();
      made.socket = socket.native_handle();
      made.thread = std::thread([this, &made, socket = std::move(socket)]() mutable {
        serve(std::move(socket));
        const std::lock_guard held(mutex_);
        made.socket = -1;
      });
    }
  }

  void serve(tcp::socket socket) {
    beast::error_code code;
    beast::flat_buffer buffer;
    request asked;
    beast::http::read(socket, buffer, asked, code);
    if (code || (refuse_ && refuse_(asked, socket))) return;
    stream upgraded(std::move(socket));
    upgraded.accept(asked, code);
    if (code) return;
    try {
      handler_(asked, upgraded);
    } catch (const boost::system::system_error&) {
      // The other side has gone in the middle of it.
    }
  }

  handler handler_;
  refusal refuse_;
  boost::asio::io_context context_;
  tcp::acceptor acceptor_;
  int port_ = 0;
  std::mutex mutex_;
  std::list<session> sessions_;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace freshet::test
