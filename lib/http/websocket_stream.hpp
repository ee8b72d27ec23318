// One WebSocket that is read: connects through the address guard, answers pings, and gives whole
// text messages one after another. It neither sends messages nor connects again by itself.
#pragma once

#include <atomic>
#include <chrono>
#include <freshet/result.hpp>
#include <http/address_guard.hpp>
#include <http/message.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace freshet::http {

struct websocket_options {
  std::string user_agent;
  address_guard guard;  ///< by default nothing but public hosts on 80 and 443
  /// The same for other hosts, to which a redirect leads: nobody has named them.
  address_guard guard_elsewhere{};
  /// Certificates (PEM) trusted beside the system's; "" for none.
  std::string ca_file;
  std::size_t max_message_bytes = 1u << 20;
  /// For the name, the connection, TLS and the upgrade together.
  std::chrono::milliseconds open_time{20'000};
  /// Silence after which the connection is given up; half of it earlier a ping is sent.
  std::chrono::milliseconds idle_time{60'000};
};

/// For one thread, except stop().
class websocket_stream {
 public:
  explicit websocket_stream(websocket_options options);
  websocket_stream(const websocket_stream&) = delete;
  websocket_stream& operator=(const websocket_stream&) = delete;
  ~websocket_stream();

  /// Connects to ws://, wss://, http:// or https://, and where that redirects to, at most
  /// max_redirects times; credentials go along to the same host or one below it, if that is not
  /// less secure. `instead`, where it is not empty, is the address that the server of `url` has
  /// named for its streams, and stands for a redirect. What was open is dropped. Errors:
  /// invalid_request (no such address), target_forbidden, source_unavailable (refused, no name,
  /// 429, 5xx), source_timeout, source_auth_required (401), source_blocked (403), source_error (no
  /// upgrade, TLS), cancelled.
  [[nodiscard]] result<void> open(const std::string& url, const headers& fields,
                                  const std::string& instead = "");
  /// The next message, or null when none has come in `wait`. After an error the stream is closed.
  /// Errors: source_unavailable (closed by the other side), source_timeout (silence), source_error
  /// (too large, not UTF-8, binary, against the protocol), cancelled.
  [[nodiscard]] result<std::optional<std::string>> read(std::chrono::milliseconds wait);
  /// Drops the connection without a word.
  void close();
  /// From any thread: open() and read(), under way or later, answer `cancelled`.
  void stop();

 private:
  struct connection;
  using moment = std::chrono::steady_clock::time_point;

  /// `moved`: set where the answer is a redirect, which is an error, too.
  result<void> connect(const std::string& url, const headers& fields, const address_guard& guard,
                       std::string& moved);
  result<void> establish(moment by);
  result<void> send_request(std::string_view request, moment deadline);
  result<std::string> receive_head(moment by);
  result<bool> receive();
  result<void> send_waiting();
  void drop_rest();
  result<void> keep_alive();
  result<void> advance(moment until);
  /// Sleeps until the connection has something for us (poll's `events`), or stop(), or `until`.
  void wait_for(short events, moment until) const;
  [[nodiscard]] result<void> check_time(moment deadline, std::string_view doing) const;

  websocket_options options_;
  std::atomic<bool> stopping_ = false;
  int wake_ = -1;          ///< an eventfd: readable from stop() on
  void* multi_ = nullptr;  ///< CURLM; the header of curl stays out of this one
  std::unique_ptr<connection> connection_;
};

}  // namespace freshet::http
