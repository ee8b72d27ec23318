// Accepts connections on 127.0.0.1 and a free port, for test servers: one thread a connection. All
// end with it.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <list>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

namespace freshet::test {

class loopback_listener {
 public:
  /// `serve` is called for each connection, on its thread, and leaves its socket open.
  explicit loopback_listener(std::function<void(int socket)> serve) : serve_(std::move(serve)) {
    socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    if (bind(socket_, reinterpret_cast<sockaddr*>(&at), size) != 0 || listen(socket_, 512) != 0 ||
        getsockname(socket_, reinterpret_cast<sockaddr*>(&at), &size) != 0) {
      throw std::runtime_error("no loopback port");
    }
    port_ = ntohs(at.sin_port);
    acceptor_ = std::thread([this] { accept_all(); });
  }
  loopback_listener(const loopback_listener&) = delete;
  loopback_listener& operator=(const loopback_listener&) = delete;
  ~loopback_listener() {
    stopping_ = true;
    ::shutdown(socket_, SHUT_RDWR);
    acceptor_.join();
    {
      const std::lock_guard lock(mutex_);
      for (const session& each : sessions_) ::shutdown(each.socket, SHUT_RDWR);
    }
    for (session& each : sessions_) each.thread.join();
    // Not before, so that no other session gets its number.
    for (const session& each : sessions_) ::close(each.socket);
    ::close(socket_);
  }

  [[nodiscard]] int port() const { return port_; }
  /// Connections accepted so far.
  [[nodiscard]] int accepted() const { return accepted_; }
  /// True once it is being destroyed.
  [[nodiscard]] bool stopping() const { return stopping_; }

 private:
  struct session {
    int socket;
    std::thread thread;
  };

  void accept_all() {
    while (!stopping_) {
      const int socket = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
      if (socket < 0) continue;
      ++accepted_;
      const std::lock_guard lock(mutex_);
      sessions_.push_back({socket, {}});
      sessions_.back().thread = std::thread([this, socket] {
        serve_(socket);
        ::shutdown(socket, SHUT_RDWR);
      });
    }
  }

  std::function<void(int)> serve_;
  int socket_ = -1;
  int port_ = 0;
  std::atomic<bool> stopping_ = false;
  std::atomic<int> accepted_ = 0;
  std::mutex mutex_;
  std::list<session> sessions_;
  std::thread acceptor_;
};

}  // namespace freshet::test
