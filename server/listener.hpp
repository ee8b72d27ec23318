// The listening socket, the connections and their deadlines. It survives running out of
// descriptors, sheds what is above the cap with a 503, and drains on request: no more connections,
// every request that was sent is answered, up to a deadline.
#pragma once

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstdint>
#include <freshet/result.hpp>
#include <functional>
#include <memory>
#include <server/backend.hpp>
#include <server/connection.hpp>
#include <server/log.hpp>
#include <server/routes.hpp>
#include <string>
#include <unordered_map>
#include <vector>

namespace freshet::server {

struct listener_limits {
  std::chrono::milliseconds header_timeout{10'000};
  std::chrono::milliseconds body_timeout{30'000};
  std::chrono::milliseconds write_timeout{30'000};
  std::chrono::milliseconds idle_timeout{60'000};
  std::chrono::milliseconds drain_timeout{10'000};
  /// How long a body that comes in pieces is silent before a heartbeat.
  std::chrono::milliseconds heartbeat_interval{15'000};
  std::size_t max_connections = 4096;
  reader_limits reader;
};

/// What the connections share. Calls of the engine hold it too, so that an answer that comes after
/// everything else has gone finds nobody and does no harm.
struct listener_core {
  listener_core(boost::asio::io_context& io, const backend& behind, logger& log_to,
                const listener_limits& listener_limits)
      : executor(io.get_executor()),
        calls(behind),
        log(log_to),
        limits(listener_limits),
        routes(behind) {}

  boost::asio::io_context::executor_type executor;
  const backend& calls;
  logger& log;
  listener_limits limits;
  router routes;
  std::unordered_map<std::uint64_t, std::shared_ptr<connection>> connections;
  std::string date;  ///< of the current second
  bool draining = false;
  std::function<void()> on_closed;  ///< after a connection has gone
};

/// Used on the io thread only. The io context must outlive the engine behind it, and
/// the backend and the log must outlive the listener.
class listener {
 public:
  listener(boost::asio::io_context& io, const backend& behind, logger& log,
           const listener_limits& limits);
  ~listener();

  using acceptor = boost::asio::basic_socket_acceptor<boost::asio::ip::tcp,
                                                      boost::asio::io_context::executor_type>;
  /// Takes a bound socket, listens on it and accepts.
  [[nodiscard]] result<void> start(acceptor bound);
  /// Stops accepting and answers what has been sent; `drained` is called once, when the last
  /// connection is gone or the deadline has passed.
  void drain(std::function<void()> drained);
  [[nodiscard]] std::size_t connections() const noexcept { return core_->connections.size(); }

 private:
  using timer =
      boost::asio::basic_waitable_timer<std::chrono::steady_clock,
                                        boost::asio::wait_traits<std::chrono::steady_clock>,
                                        boost::asio::io_context::executor_type>;
  void accept();
  void on_accept(boost::system::error_code failed, tcp_socket&& socket);
  void take_in(tcp_socket&& socket);
  void pause_accepting();
  void accept_backlog();
  void sweep();
  void sweep_drain(std::chrono::steady_clock::time_point now);
  void finish_drain();

  boost::asio::io_context& io_;
  std::shared_ptr<listener_core> core_;
  acceptor acceptor_;
  timer sweep_timer_, accept_timer_;
  std::uint64_t next_connection_ = 1;
  std::chrono::steady_clock::time_point drain_began_;
  bool accept_failing_ = false;
  bool abandoned_ = false;
  std::function<void()> drained_;
};

/// Binds "HOST:PORT" ("[::1]:8080", "localhost:0"); port 0 takes a free one. Does not listen yet.
/// Error: invalid_configuration.
[[nodiscard]] result<listener::acceptor> bind_to(boost::asio::io_context& io,
                                                 const std::string& address);

}  // namespace freshet::server
