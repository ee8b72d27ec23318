// Accepting, sweeping and draining.
#include <sys/socket.h>

#include <boost/asio/error.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <server/listener.hpp>
#include <server/number.hpp>
#include <utility>

namespace freshet::server {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto sweep_interval = 1000ms;
/// How long accepting rests when there are no descriptors; a connection that closes ends the rest.
constexpr auto accept_pause = 200ms;
/// Connections above the cap that may hear a 503 at the same time; beyond, they wait in the
/// backlog.
constexpr std::size_t max_shedding = 64;
/// In a drain a connection may still bring the request that was on its way.
constexpr auto idle_grace = 1000ms;
/// After the drain's deadline cancelled calls have this long to be answered.
constexpr auto abandon_grace = 1000ms;
/// At most this many connections are taken from the backlog when a drain begins.
constexpr std::size_t max_backlog_taken = 4096;

error bad_address(const std::string& address, const std::string& why) {
  return error(errc::invalid_configuration, "server.listen: '" + address + "' " + why);
}

}  // namespace

listener::listener(asio::io_context& io, const backend& behind, logger& log,
                   const listener_limits& limits)
    : io_(io),
      core_(std::make_shared<listener_core>(io, behind, log, limits)),
      acceptor_(io.get_executor()),
      sweep_timer_(io.get_executor()),
      accept_timer_(io.get_executor()) {
  core_->date = http_date(std::chrono::system_clock::now());
  core_->on_closed = [this] {
    if (core_->draining && core_->connections.empty()) return finish_drain();
    // A descriptor is free again: an expiry now ends a pause of accepting.
    accept_timer_.cancel();
  };
}

listener::~listener() {
  core_->on_closed = nullptr;
  const auto left = std::exchange(core_->connections, {});
  for (const auto& [id, connection] : left) connection->close();
}

result<void> listener::start(acceptor bound) {
  acceptor_ = std::move(bound);
  error_code failed;
  acceptor_.listen(tcp::acceptor::max_listen_connections, failed);
  if (failed) return error(errc::invalid_configuration, "cannot listen: " + failed.message());
  accept();
  sweep();
  return {};
}

void listener::accept() {
  acceptor_.async_accept([this](error_code failed, tcp_socket socket) {
    if (failed == asio::error::operation_aborted) return;
    on_accept(failed, std::move(socket));
  });
}

void listener::on_accept(error_code failed, tcp_socket&& socket) {
  if (core_->draining) {
    if (!failed) take_in(std::move(socket));
    return;
  }
  if (!failed) take_in(std::move(socket));
  const bool fleeting = !failed || failed == asio::error::connection_aborted;
  // Said once: the line would come five times a second.
  if (!fleeting && !std::exchange(accept_failing_, true)) {
    core_->log.line("warn", "accept: " + failed.message());
  }
  if (!failed) accept_failing_ = false;
  const bool crowded = core_->connections.size() >= core_->limits.max_connections + max_shedding;
  if (fleeting && !crowded) return accept();
  // Out of descriptors, or of room: asking again at once would spin.
  pause_accepting();
}

void listener::pause_accepting() {
  accept_timer_.expires_after(accept_pause);
  accept_timer_.async_wait([this](error_code failed) {
    // Cancelled means that a connection closed; a listener that is going has no acceptor.
    if (failed && failed != asio::error::operation_aborted) return;
    if (core_->draining || !acceptor_.is_open()) return;
    accept();
  });
}

void listener::take_in(tcp_socket&& socket) {
  const bool crowded = core_->connections.size() >= core_->limits.max_connections;
  const std::uint64_t id = next_connection_++;
  const auto made = std::make_shared<connection>(std::move(socket), core_, id);
  core_->connections.emplace(id, made);
  crowded ? made->shed() : made->start();
}

void listener::sweep() {
  const auto now = clock::now();
  core_->date = http_date(std::chrono::system_clock::now());
  std::vector<std::shared_ptr<connection>> due;
  for (const auto& [id, connection] : core_->connections) {
    if (connection->is_due(now)) due.push_back(connection);
  }
  for (const auto& connection : due) connection->sweep(now);
  if (core_->draining) sweep_drain(now);
  if (core_->draining && !drained_) return;
  sweep_timer_.expires_after(sweep_interval);
  sweep_timer_.async_wait([this](error_code failed) {
    if (!failed) sweep();
  });
}

void listener::drain(std::function<void()> drained) {
  if (core_->draining) return;
  core_->draining = true;
  drain_began_ = clock::now();
  drained_ = std::move(drained);
  // What the kernel has accepted for us may have its request in it already.
  accept_backlog();
  error_code ignored;
  acceptor_.close(ignored);
  accept_timer_.cancel();
  // After the handlers that are queued: one of them may be an accepted connection.
  asio::post(io_, [this] {
    if (core_->connections.empty()) finish_drain();
  });
}

void listener::accept_backlog() {
  error_code failed;
  acceptor_.non_blocking(true, failed);
  for (std::size_t taken = 0; !failed && taken < max_backlog_taken; ++taken) {
    tcp_socket socket(io_.get_executor());
    acceptor_.accept(socket, failed);
    if (!failed) take_in(std::move(socket));
  }
}

void listener::sweep_drain(clock::time_point now) {
  std::vector<std::shared_ptr<connection>> all;
  for (const auto& [id, connection] : core_->connections) all.push_back(connection);
  const auto elapsed = now - drain_began_;
  if (elapsed >= core_->limits.drain_timeout + abandon_grace) {
    for (const auto& connection : all) connection->close();
  } else if (elapsed >= core_->limits.drain_timeout) {
    if (!std::exchange(abandoned_, true)) {
      core_->log.line("warn", "drain: ending " + std::to_string(all.size()) + " connections");
      for (const auto& connection : all) connection->abandon();
    }
  } else if (elapsed >= idle_grace) {
    for (const auto& connection : all) connection->retire();
  }
}

void listener::finish_drain() {
  sweep_timer_.cancel();
  if (!drained_) return;
  asio::post(io_, std::exchange(drained_, nullptr));
}

result<listener::acceptor> bind_to(asio::io_context& io, const std::string& address) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos) return bad_address(address, "is not HOST:PORT");
  std::string host = address.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  }
  if (host == "localhost") host = "127.0.0.1";
  const std::string_view digits = std::string_view(address).substr(colon + 1);
  const auto port = parse_number<std::uint16_t>(digits);
  if (!port) return bad_address(address, "has no port of 0 to 65535");
  error_code failed;
  const auto ip = asio::ip::make_address(host, failed);
  if (failed) return bad_address(address, "has no IP address; give one, or localhost");
  const tcp::endpoint endpoint(ip, *port);
  listener::acceptor bound(io.get_executor());
  bound.open(endpoint.protocol(), failed);
  if (!failed) bound.set_option(tcp::acceptor::reuse_address(true), failed);
  if (!failed) bound.bind(endpoint, failed);
  if (failed) return bad_address(address, "cannot be bound: " + failed.message());
  return bound;
}

}  // namespace freshet::server
