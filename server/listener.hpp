// The listening socket, the connections and their deadlines, on as many threads as it is given
// contexts. It survives running out of descriptors, lets the crowd choose who goes when there is no
// room, and drains on request: no more connections, every request that was sent is answered, up to
// a deadline.
#pragma once

#include <atomic>
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
#include <server/crowd.hpp>
#include <server/http/compression.hpp>
#include <server/letter_box.hpp>
#include <server/log.hpp>
#include <server/routes.hpp>
#include <server/traffic.hpp>
#include <server/wire/tls_watch.hpp>
#include <string>
#include <unordered_map>
#include <vector>

namespace freshet::server {

struct listener_limits {
  std::chrono::milliseconds header_timeout{10'000};
  std::chrono::milliseconds body_timeout{30'000};
  std::chrono::milliseconds write_timeout{10'000};
  std::chrono::milliseconds idle_timeout{60'000};
  std::chrono::milliseconds drain_timeout{10'000};
  /// How long a body that comes in pieces is silent before a heartbeat.
  std::chrono::milliseconds heartbeat_interval{15'000};
  crowd_limits crowd;
  reader_limits reader;
};

/// The contexts that connections live on, each run by one thread.
struct io_threads {
  /// Of those who have shown no valid key; of everybody, where `keyed` has none. The first accepts.
  std::vector<boost::asio::io_context*> keyless;
  std::vector<boost::asio::io_context*> keyed;
};

/// Who lives on a thread of connections.
enum class clientele : std::uint8_t { everybody, keyless, keyed };

/// How connections come in. A value; what it points to outlives the listener.
struct entrance {
  const tls_watch* tls = nullptr;  ///< null: plain HTTP
  bool proxy_protocol = false;     ///< whether trusted proxies say whose connection it is

  /// How a connection stands before its first request.
  [[nodiscard]] crowd::standing first_standing() const noexcept {
    return tls != nullptr || proxy_protocol ? crowd::standing::opening : crowd::standing::keyless;
  }
};

/// Letters from whatever threads, and those of them that the io thread has taken out.
template <class Letter>
struct mail {
  letter_box<Letter> box;
  std::vector<Letter> taken;
  std::size_t next = 0;  ///< of those, the first that waits
};

/// What the connections of one io thread share. Calls of the engine hold it too, so that an answer
/// that comes after everything else has gone finds nobody and does no harm.
struct listener_core : answering_thread, std::enable_shared_from_this<listener_core> {
  listener_core(boost::asio::io_context& io, const backend& behind, logger& log_to,
                const listener_limits& listener_limits, const entrance& entrance)
      : executor(io.get_executor()),
        calls(behind),
        log(log_to),
        limits(listener_limits),
        entered_by(entrance),
        keyless_turns(executor),
        packing_turns(executor),
        is_https(entrance.tls != nullptr || behind.dashboard_http.is_https) {}

  [[nodiscard]] bool post(std::function<void()> step) override;

  boost::asio::io_context::executor_type executor;
  const backend& calls;
  logger& log;
  listener_limits limits;
  entrance entered_by;
  turns keyless_turns;  ///< handshakes, and requests without a key
  turns packing_turns;  ///< slices of large answers that are compressed, by whose they are
  bool is_https;        ///< whether clients come by TLS, ours or that of a proxy
  std::shared_ptr<const router> routes;
  std::shared_ptr<crowd> everybody;
  std::shared_ptr<traffic> answers;
  std::size_t lane = 0;  ///< which of the threads
  clientele who = clientele::everybody;
  std::atomic<std::size_t> population{0};  ///< connections, with those that are on their way here
  /// The one for who does not belong here; nothing where everybody does.
  std::function<std::shared_ptr<listener_core>()> beyond;
  gzip_encoder gzip;        ///< for small answers
  std::size_t packing = 0;  ///< large ones that are being compressed
  std::unordered_map<std::uint64_t, std::shared_ptr<connection>> connections;
  mail<delivery> answered;            ///< for connections of this thread
  mail<std::function<void()>> steps;  ///< that calls end with
  bool ends_calls = false;            ///< such a step is under way
  /// Of the call that is being submitted the connection and number, and its answer if that is there
  /// already; {0, 0}: none is.
  std::pair<std::uint64_t, std::uint64_t> submits{};
  std::optional<delivery> answered_at_once;
  std::string date;  ///< of the current second
  std::string head;  ///< of the answer that is being written
  bool draining = false;
  bool abandoned = false;
  bool finished = false;
  std::chrono::steady_clock::time_point drain_began;
  std::function<void(const crowd::leavers&)> dismiss;  ///< on whatever thread they are
  std::function<void()> on_closed;                     ///< after a connection has gone
};

/// Used on the first context's thread only. A connection begins among those without a key, and
/// moves when it shows one. The contexts must outlive the engine behind the listener, the backend
/// and the log the listener, and they must be at rest when it ends.
class listener {
 public:
  listener(boost::asio::io_context& io, const backend& behind, logger& log,
           const listener_limits& limits, const entrance& entrance = {})
      : listener(io_threads{{&io}, {}}, behind, log, limits, entrance) {}
  listener(const io_threads& threads, const backend& behind, logger& log,
           const listener_limits& limits, const entrance& entrance = {});
  ~listener();

  using acceptor = boost::asio::basic_socket_acceptor<boost::asio::ip::tcp,
                                                      boost::asio::io_context::executor_type>;
  /// Takes a bound socket, listens on it and accepts.
  [[nodiscard]] result<void> start(acceptor bound);
  /// Stops accepting and answers what has been sent; `drained` is called once, when the last
  /// connection is gone or the deadline has passed.
  void drain(std::function<void()> drained);
  /// From any thread.
  [[nodiscard]] std::size_t connections() const noexcept { return open_; }
  [[nodiscard]] bool is_draining() const noexcept { return draining_; }
  [[nodiscard]] crowd& everybody() const noexcept { return *everybody_; }
  [[nodiscard]] const traffic& answers() const noexcept { return *answers_; }
  /// Null: plain HTTP.
  [[nodiscard]] const tls_watch* tls() const noexcept { return tls_; }

 private:
  using timer =
      boost::asio::basic_waitable_timer<std::chrono::steady_clock,
                                        boost::asio::wait_traits<std::chrono::steady_clock>,
                                        boost::asio::io_context::executor_type>;
  struct lane {
    explicit lane(boost::asio::io_context& io) : sweep_timer(io.get_executor()) {}
    std::shared_ptr<listener_core> core;
    timer sweep_timer;
  };

  [[nodiscard]] lane& idlest_lane();
  void add_lane(boost::asio::io_context& io, clientele who, const backend& behind, logger& log,
                const listener_limits& limits, const entrance& entrance);
  void prepare(std::size_t index);
  void join(listener_core& core);
  void accept();
  void on_accept(boost::system::error_code failed, lane& lane, tcp_socket&& socket);
  void hand_over(lane& lane, tcp_socket&& socket);
  static void take_in(lane& lane, std::uint64_t id, tcp_socket&& socket);
  void on_closed();
  void pause_accepting();
  void accept_ready();
  void accept_backlog();
  void sweep(lane& which);
  void sweep_drain(listener_core& core, std::chrono::steady_clock::time_point now);
  void report_ended();
  void finish_drain();

  boost::asio::io_context& io_;
  const tls_watch* tls_;
  std::shared_ptr<crowd> everybody_;
  std::shared_ptr<traffic> answers_ = std::make_shared<traffic>();
  std::vector<std::unique_ptr<lane>> lanes_;
  acceptor acceptor_;
  timer accept_timer_;
  std::uint64_t next_connection_ = 1;
  std::uint64_t ended_said_ = 0;
  int sweeps_unsaid_ = 0;
  std::atomic<std::size_t> open_{0};
  std::atomic<bool> draining_{false};
  bool accept_failing_ = false;
  std::function<void()> drained_;
};

/// Binds "HOST:PORT" ("[::1]:8080", "localhost:0"); port 0 takes a free one. Does not listen yet.
/// Error: invalid_configuration, which names the setting.
[[nodiscard]] result<listener::acceptor> bind_to(boost::asio::io_context& io,
                                                 const std::string& address,
                                                 std::string_view setting = "server.listen");

}  // namespace freshet::server
