// Accepting, sweeping and draining.
#include <linux/filter.h>
#include <sys/socket.h>

#include <algorithm>
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
/// In a drain a connection may still bring the request that was on its way.
constexpr auto idle_grace = 1000ms;
/// After the drain's deadline cancelled calls have this long to be answered.
constexpr auto abandon_grace = 1000ms;
/// So many that have come are taken in before anything else goes on: one at a time, a newcomer
/// would wait in the kernel for a signature of each one before it.
constexpr std::size_t accepted_at_once = 16;
/// At most this many connections are taken from the backlog when a drain begins.
constexpr std::size_t max_backlog_taken = 4096;
/// So long the last packet of a connection that has begun may be on its way then.
constexpr auto handshake_grace = 20ms;
/// Those who had to go are said so often, not one by one.
constexpr int sweeps_between_reports = 10;

/// What the kernel accepts between the last look at the backlog and the socket's end would be reset
/// with its request in it. So first packets are dropped from here on: they come again after a
/// second, and are then refused, or taken by who listens here next. A kernel that cannot filter
/// leaves it at that.
void drop_first_packets(int listening) {
  constexpr std::uint32_t flags_at = 13, syn = 0x02, ack = 0x10, all = 0xffffffff;
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_B | BPF_ABS, flags_at),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, syn | ack),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, syn, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, 0),
      BPF_STMT(BPF_RET | BPF_K, all),
  };
  const sock_fprog filter{std::size(program), program};
  static_cast<void>(setsockopt(listening, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter));
}

}  // namespace

listener::listener(const io_threads& threads, const backend& behind, logger& log,
                   const listener_limits& limits, const entrance& entrance)
    : io_(*threads.keyless.front()),
      tls_(entrance.tls),
      everybody_(std::make_shared<crowd>(limits.crowd, behind.dashboard_http.proxies)),
      acceptor_(io_.get_executor()),
      accept_timer_(io_.get_executor()) {
  const bool apart = !threads.keyed.empty();
  for (asio::io_context* const one : threads.keyless) {
    add_lane(*one, apart ? clientele::keyless : clientele::everybody, behind, log, limits,
             entrance);
  }
  for (asio::io_context* const one : threads.keyed) {
    add_lane(*one, clientele::keyed, behind, log, limits, entrance);
  }
  const auto routes = std::make_shared<const router>(behind);
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    lanes_[i]->core->routes = routes;
    prepare(i);
    if (apart) join(*lanes_[i]->core);
  }
}

void listener::add_lane(asio::io_context& io, clientele who, const backend& behind, logger& log,
                        const listener_limits& limits, const entrance& entrance) {
  auto& made = *lanes_.emplace_back(std::make_unique<lane>(io));
  made.core = std::make_shared<listener_core>(io, behind, log, limits, entrance);
  made.core->who = who;
  made.core->everybody = everybody_;
  made.core->answers = answers_;
  made.core->date = http_date(std::chrono::system_clock::now());
}

/// Where those go from there who belong elsewhere.
void listener::join(listener_core& core) {
  std::vector<std::weak_ptr<listener_core>> others;
  for (const auto& one : lanes_) {
    if (one->core->who != core.who) others.push_back(one->core);
  }
  core.beyond = [others] {
    std::shared_ptr<listener_core> idlest;
    for (const auto& one : others) {
      auto each = one.lock();
      if (each && (!idlest || each->population < idlest->population)) idlest = std::move(each);
    }
    return idlest;
  };
}

void listener::prepare(std::size_t index) {
  std::vector<std::weak_ptr<listener_core>> cores;
  for (const auto& one : lanes_) cores.push_back(one->core);
  lane& of = *lanes_[index];
  of.core->lane = index;
  of.core->dismiss = [cores](const crowd::leavers& gone) {
    // Posted, also to one's own thread: who chose is in the middle of something.
    for (const crowd::leaver& one : gone) {
      const auto core = cores[one.lane].lock();
      if (!core) continue;
      asio::post(core->executor, [core, id = one.id] {
        const auto found = core->connections.find(id);
        if (found == core->connections.end()) return;
        const std::shared_ptr<connection> leaving = found->second;
        leaving->dismiss();
      });
    }
  };
  of.core->on_closed = [this, &of, index] {
    --of.core->population;
    --open_;
    if (index == 0) return on_closed();
    asio::post(io_, [this] { on_closed(); });
  };
}

listener::~listener() {
  for (const auto& one : lanes_) {
    one->core->on_closed = nullptr;
    one->core->keyless_turns.clear();
    one->core->packing_turns.clear();
    const auto left = std::exchange(one->core->connections, {});
    for (const auto& [id, connection] : left) connection->close();
    // Calls whose clients have gone end all the same.
    one->core->steps.box.close();
    connection::end_waiting(*one->core);
  }
}

void listener::on_closed() {
  if (draining_) return finish_drain();
  // A descriptor is free again: an expiry now ends a pause of accepting.
  accept_timer_.cancel();
}

result<void> listener::start(acceptor bound) {
  acceptor_ = std::move(bound);
  error_code failed;
  acceptor_.listen(tcp::acceptor::max_listen_connections, failed);
  if (!failed) acceptor_.non_blocking(true, failed);
  if (failed) return error(errc::invalid_configuration, "cannot listen: " + failed.message());
  accept();
  for (const auto& one : lanes_) {
    asio::post(one->core->executor, [this, which = one.get()] { sweep(*which); });
  }
  return {};
}

listener::lane& listener::idlest_lane() {
  const auto keyed =
      std::ranges::find(lanes_, clientele::keyed, [](const auto& one) { return one->core->who; });
  return **std::min_element(lanes_.begin(), keyed, [](const auto& a, const auto& b) {
    return a->core->population < b->core->population;
  });
}

void listener::accept() {
  lane& to = idlest_lane();
  acceptor_.async_accept(to.core->executor, [this, &to](error_code failed, tcp_socket socket) {
    if (failed == asio::error::operation_aborted) return;
    on_accept(failed, to, std::move(socket));
  });
}

void listener::on_accept(error_code failed, lane& lane, tcp_socket&& socket) {
  if (!failed) hand_over(lane, std::move(socket));
  if (draining_) return;
  if (!failed) accept_ready();
  const bool fleeting = !failed || failed == asio::error::connection_aborted;
  // Said once: the line would come five times a second.
  if (!fleeting && !std::exchange(accept_failing_, true)) {
    lanes_.front()->core->log.line("warn", "accept: " + failed.message());
  }
  if (!failed) accept_failing_ = false;
  if (fleeting) return accept();
  // Out of descriptors: asking again at once would spin. One that only waits makes room.
  crowd::leavers gone;
  everybody_->make_room(gone);
  lanes_.front()->core->dismiss(gone);
  pause_accepting();
}

/// What fails here fails again where it is waited for.
void listener::accept_ready() {
  error_code failed;
  for (std::size_t taken = 1; taken < accepted_at_once; ++taken) {
    lane& to = idlest_lane();
    tcp_socket socket(to.core->executor);
    acceptor_.accept(socket, failed);
    if (failed) return;
    hand_over(to, std::move(socket));
  }
}

void listener::pause_accepting() {
  accept_timer_.expires_after(accept_pause);
  accept_timer_.async_wait([this](error_code failed) {
    // Cancelled means that a connection closed; a listener that is going has no acceptor.
    if (failed && failed != asio::error::operation_aborted) return;
    if (draining_ || !acceptor_.is_open()) return;
    accept();
  });
}

void listener::hand_over(lane& lane, tcp_socket&& socket) {
  const std::uint64_t id = next_connection_++;
  ++lane.core->population;
  ++open_;
  if (&lane == lanes_.front().get()) return take_in(lane, id, std::move(socket));
  asio::post(lane.core->executor, [&lane, id, moved = std::move(socket)]() mutable {
    take_in(lane, id, std::move(moved));
  });
}

void listener::take_in(lane& lane, std::uint64_t id, tcp_socket&& socket) {
  listener_core& core = *lane.core;
  error_code failed;
  const auto peer = socket.remote_endpoint(failed);
  crowd::leavers gone;
  const bool entered = core.everybody->enter(id, core.lane, failed ? ip_address() : peer.address(),
                                             gone, core.entered_by.first_standing());
  // Where memory is short a newcomer may ask for the server's health alone.
  const bool room = entered && (!core.calls.has_room || core.calls.has_room());
  core.dismiss(gone);
  const auto made = std::make_shared<connection>(std::move(socket), lane.core, id);
  core.connections.emplace(id, made);
  made->start(!room);
}

void listener::sweep(lane& which) {
  listener_core& core = *which.core;
  const auto now = clock::now();
  core.date = http_date(std::chrono::system_clock::now());
  std::vector<std::shared_ptr<connection>> due;
  for (const auto& [id, connection] : core.connections) {
    if (connection->is_due(now)) due.push_back(connection);
  }
  for (const auto& connection : due) connection->sweep(now);
  // Where there was no memory to be woken with.
  connection::deliver_waiting(which.core);
  if (&which == lanes_.front().get()) {
    report_ended();
    // Memory that was let go of is given back also where nobody comes any more.
    if (core.calls.has_room) static_cast<void>(core.calls.has_room());
  }
  if (core.draining) sweep_drain(core, now);
  if (core.finished) return;
  which.sweep_timer.expires_after(sweep_interval);
  which.sweep_timer.async_wait([this, &which](error_code failed) {
    if (!failed) sweep(which);
  });
}

void listener::report_ended() {
  if (++sweeps_unsaid_ < sweeps_between_reports) return;
  sweeps_unsaid_ = 0;
  const std::uint64_t ended = everybody_->ended();
  if (ended == ended_said_) return;
  const std::uint64_t fresh = ended - std::exchange(ended_said_, ended);
  lanes_.front()->core->log.line(
      "warn", std::to_string(fresh) + " connections were closed to make room for others");
}

void listener::drain(std::function<void()> drained) {
  if (draining_.exchange(true)) return;
  drained_ = std::move(drained);
  drop_first_packets(acceptor_.native_handle());
  // What the kernel has accepted for us may have its request in it already.
  accept_backlog();
  for (const auto& one : lanes_) {
    asio::post(one->core->executor, [core = one->core, began = clock::now()] {
      core->draining = true;
      core->drain_began = began;
    });
  }
  accept_timer_.expires_after(handshake_grace);
  accept_timer_.async_wait([this](error_code failed) {
    if (failed) return;
    accept_backlog();
    acceptor_.close(failed);
    // After the handlers that are queued: one of them may be an accepted connection.
    asio::post(io_, [this] { finish_drain(); });
  });
}

void listener::accept_backlog() {
  error_code failed;
  lane& to = *lanes_.front();
  for (std::size_t taken = 0; taken < max_backlog_taken; ++taken) {
    tcp_socket socket(io_.get_executor());
    acceptor_.accept(socket, failed);
    if (!failed) hand_over(to, std::move(socket));
    if (failed && failed != asio::error::connection_aborted) return;
  }
}

void listener::sweep_drain(listener_core& core, clock::time_point now) {
  std::vector<std::shared_ptr<connection>> all;
  for (const auto& [id, connection] : core.connections) all.push_back(connection);
  const auto elapsed = now - core.drain_began;
  if (elapsed >= core.limits.drain_timeout + abandon_grace) {
    for (const auto& connection : all) connection->close();
  } else if (elapsed >= core.limits.drain_timeout) {
    if (!std::exchange(core.abandoned, true) && !all.empty()) {
      core.log.line("warn", "drain: ending " + std::to_string(all.size()) + " connections");
      for (const auto& connection : all) connection->abandon();
    }
  } else if (elapsed >= idle_grace) {
    for (const auto& connection : all) connection->retire();
  }
}

void listener::finish_drain() {
  if (acceptor_.is_open() || open_ > 0) return;
  for (const auto& one : lanes_) {
    asio::post(one->core->executor, [which = one.get()] {
      which->core->finished = true;
      which->sweep_timer.cancel();
    });
  }
  if (!drained_) return;
  asio::post(io_, std::exchange(drained_, nullptr));
}

result<listener::acceptor> bind_to(asio::io_context& io, const std::string& address,
                                   std::string_view setting) {
  const auto bad_address = [&](const std::string& why) {
    return error(errc::invalid_configuration, std::string(setting) + ": '" + address + "' " + why);
  };
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos) return bad_address("is not HOST:PORT");
  std::string host = address.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  }
  if (host == "localhost") host = "127.0.0.1";
  const std::string_view digits = std::string_view(address).substr(colon + 1);
  const auto port = parse_number<std::uint16_t>(digits);
  if (!port) return bad_address("has no port of 0 to 65535");
  error_code failed;
  const auto ip = asio::ip::make_address(host, failed);
  if (failed) return bad_address("has no IP address; give one, or localhost");
  const tcp::endpoint endpoint(ip, *port);
  listener::acceptor bound(io.get_executor());
  bound.open(endpoint.protocol(), failed);
  // Of a port that is given to be had again at once. One that the system chooses would be one of
  // those that somebody else has who does not listen yet, where both allow that.
  if (!failed && *port != 0) bound.set_option(tcp::acceptor::reuse_address(true), failed);
  if (!failed) bound.bind(endpoint, failed);
  if (failed == asio::error::address_in_use) {
    return bad_address("is taken by another program; end that one, or give another port (0: any)");
  }
  if (failed) return bad_address("cannot be bound: " + failed.message());
  return bound;
}

}  // namespace freshet::server
