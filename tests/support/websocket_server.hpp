// A WebSocket server on 127.0.0.1 and a free port, for tests: one thread a connection. A handler
// gets the upgraded stream and does with it what a test asks for, also below the frames. Beast
// reads and writes those, in websocket_server.cpp alone: no other code takes as much memory to
// compile.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace freshet::test {

class certificate;

class websocket_server {
 public:
  /// What has asked for a stream.
  struct request {
    std::string target;  ///< path and query
    std::vector<std::pair<std::string, std::string>> headers;
    /// The value of a header as it is spelt; "" if absent.
    [[nodiscard]] std::string header(std::string_view name) const;
  };

  /// A connection below its frames. Once the other side is gone each call throws, which ends the
  /// connection.
  class wire {
   public:
    virtual void send_raw(std::string_view bytes) = 0;
    /// Waits until a byte has come.
    virtual void wait_for_byte() = 0;

   protected:
    ~wire() = default;
  };

  /// A connection that was upgraded; it ends as a `wire` does.
  class stream : public wire {
   public:
    virtual void send(std::string_view text) = 0;
    virtual void send_binary(std::string_view bytes) = 0;
    /// A fragment of a text.
    virtual void send_part(std::string_view text, bool last) = 0;
    virtual void ping(std::string_view payload) = 0;
    /// Says that it is going away, or nothing at all.
    virtual void close() = 0;
    virtual void drop() = 0;
    /// Waits until the other side has closed, whose frames must be masked, and answers its pings.
    /// The code that it gave, 0 without one.
    virtual int wait_for_end(const std::function<void()>& on_pong = nullptr) = 0;

   protected:
    ~stream() = default;
  };

  /// Called for each connection that was upgraded; the connection ends with it.
  using handler = std::function<void(const request&, stream&)>;
  /// Answers a request instead of upgrading it; false to upgrade.
  using refusal = std::function<bool(const request&, wire&)>;

  /// With a certificate under TLS.
  explicit websocket_server(handler handler, refusal refuse = nullptr,
                            const certificate* tls = nullptr);
  websocket_server(const websocket_server&) = delete;
  websocket_server& operator=(const websocket_server&) = delete;
  ~websocket_server();

  [[nodiscard]] int port() const;
  /// "ws://127.0.0.1:PORT" + path
  [[nodiscard]] std::string url(const std::string& path = "/") const;

 private:
  class listener;
  std::unique_ptr<listener> listener_;
};

}  // namespace freshet::test
