// A server that streams texts over WebSocket, on 127.0.0.1 and a free port, for tests that want
// what arrives and not how: websocket_server without its frames.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace freshet::test {

class stream_server {
 public:
  /// Sends one text; throws once the other side is gone.
  using sender = std::function<void(std::string_view)>;
  /// Called for each connection, in a thread of its own, with the path and query that were asked
  /// for; the connection ends with it.
  using handler = std::function<void(const std::string& target, const sender& send)>;

  explicit stream_server(handler what);
  stream_server(const stream_server&) = delete;
  stream_server& operator=(const stream_server&) = delete;
  ~stream_server();

  /// "ws://127.0.0.1:PORT" + path
  [[nodiscard]] std::string url(const std::string& path = "/") const;
  /// True once the server is being destroyed: endless handlers ask it.
  [[nodiscard]] bool stopping() const;

 private:
  struct listener;
  std::unique_ptr<listener> listener_;
};

}  // namespace freshet::test
