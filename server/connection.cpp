// The state machine. Every handler first asks whether the connection has been closed meanwhile; no
// handler starts a second read or a second write.
#include <linux/sockios.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <server/connection.hpp>
#include <server/listener.hpp>
#include <utility>
#include <variant>

namespace freshet::server {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;

/// How long and how much is read from a client that was answered and told to close.
constexpr milliseconds linger_timeout{2000};
constexpr std::size_t max_lingered_bytes = 1024 * 1024;
/// A reader that takes less than this in write_timeout loses the connection.
constexpr std::uint64_t min_progress_bytes = 16 * 1024;
/// What the kernel keeps beyond what is on its way, and what it is given at once.
constexpr int max_kernel_bytes = 128 * 1024;
constexpr std::size_t write_bytes = 64 * 1024;
/// Unacknowledged for so long, a connection is dead, and so is what the kernel keeps of it.
constexpr int max_unacknowledged_ms = 30'000;
/// Large answers of one thread that are compressed at once; each has a quarter of a megabyte of
/// zlib.
constexpr std::size_t max_packing = 16;
/// Who has no room is given this long to ask for the server's health.
constexpr milliseconds guest_timeout{2000};
/// The crowd counts what requests hold in steps of this.
constexpr std::size_t held_step_bytes = 4096;
constexpr int status_client_gone = 499;

/// Whoever makes a body in pieces hears that it has no reader; other answers are just dropped.
void drop_reply(const reply& made) {
  if (made.stream) made.stream->leave();
}
template <class Answer>
void drop_reply(const Answer&) {}

}  // namespace

connection::connection(tcp_socket socket, std::shared_ptr<listener_core> core, std::uint64_t id)
    : socket_(std::move(socket)),
      core_(std::move(core)),
      id_(id),
      reader_(core_->limits.reader, true),
      deadline_(clock::time_point::max()) {}

void connection::start(bool guest) {
  guest_ = guest;
  boost::system::error_code ignored;
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  using integer_option = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_NOTSENT_LOWAT>;
  using timeout_option = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_USER_TIMEOUT>;
  socket_.set_option(integer_option(max_kernel_bytes), ignored);
  socket_.set_option(timeout_option(max_unacknowledged_ms), ignored);
  const auto peer = socket_.remote_endpoint(ignored);
  if (!ignored) {
    address_ = plain_address(peer.address());
    peer_ = address_.to_string();
  }
  const clock::duration allowed = core_->limits.header_timeout;
  enter(phase::idle, guest_ ? std::min<clock::duration>(allowed, guest_timeout) : allowed);
  read_more();
}

void connection::enter(phase next, clock::duration allowed) {
  phase_ = next;
  deadline_ = clock::now() + allowed;
}

void connection::read_more() {
  if (reading_ || end_of_input_ || reader_.full()) return;
  reading_ = true;
  const std::span<char> room = reader_.prepare();
  socket_.async_read_some(
      asio::buffer(room.data(), room.size()),
      [self = shared_from_this()](boost::system::error_code failed, std::size_t bytes) {
        self->on_read(failed, bytes);
      });
}

void connection::on_read(boost::system::error_code failed, std::size_t bytes) {
  reading_ = false;
  if (phase_ == phase::closed) return;
  if (failed) return on_end_of_input(failed);
  reader_.commit(bytes);
  if (phase_ != phase::lingering && !hold_input()) return;
  switch (phase_) {
    case phase::lingering:
      lingered_bytes_ += bytes;
      reader_.discard();
      if (lingered_bytes_ > max_lingered_bytes) return close();
      return read_more();
    case phase::calling:
    case phase::writing:
    case phase::streaming:
      return read_more();
    default:
      return advance();
  }
}

void connection::on_end_of_input(boost::system::error_code why) {
  end_of_input_ = true;
  // An answer under way may still be read by a client that has only finished sending. During a
  // call, and between the pieces of a body, such a client is taken for gone, as proxies do: there
  // is no telling.
  if (phase_ == phase::writing && why == asio::error::eof) return;
  close();
}

void connection::advance() {
  using progress = request_reader::progress;
  progress reached = reader_.advance();
  if (reached == progress::headed) {
    heed(reader_.head());
    if (!judge()) return;
    reached = progress::body;
  }
  if (reached == progress::body) reached = reader_.advance();
  if (reached == progress::body && refused_) {
    keep_alive_ = false;
    return dispatch(core_->routes->refuse(reader_.head(), facts_));
  }
  if (reached == progress::complete) return handle(reader_.take());
  if (reached == progress::failed) return refuse(reader_.failure());
  if (end_of_input_) return close();
  if (reached == progress::idle) {
    if (phase_ != phase::idle) enter(phase::idle, core_->limits.idle_timeout);
  } else if (reached == progress::head) {
    if (phase_ != phase::head) enter(phase::head, core_->limits.header_timeout);
  } else if (phase_ != phase::body) {
    enter(phase::body, core_->limits.body_timeout);
    if (reader_.wants_continue()) send_continue();
  }
  if (phase_ != phase::closed) read_more();
}

void connection::send_continue() {
  // One small packet, tried once without waiting: nothing else is being written now. If the
  // client's window is shut, it does without, as RFC 9110, 10.1.1 lets it.
  static constexpr std::string_view interim = "HTTP/1.1 100 Continue\r\n\r\n";
  const ssize_t sent =
      ::send(socket_.native_handle(), interim.data(), interim.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (sent > 0 && static_cast<std::size_t>(sent) < interim.size()) close();
}

template <class Answer>
std::function<void(Answer)> connection::deliverer() {
  return [core = core_, id = id_, call = call_](Answer answered) {
    // No reference to the connection leaves the io thread, so it can only end there.
    asio::post(core->executor, [core, id, call, answered = std::move(answered)]() mutable {
      const auto found = core->connections.find(id);
      if (found == core->connections.end()) return drop_reply(answered);
      const std::shared_ptr<connection> self = found->second;
      self->deliver(call, std::move(answered));
    });
  };
}

void connection::heed(const request_head& head) {
  began_ = clock::now();
  facts_ = facts_of(head);
  facts_.peer = peer_;
  method_ = head.method();
  path_ = head.path();
  minor_version_ = head.minor_version();
  keep_alive_ = head.body().keep_alive && !guest_;
}

bool connection::judge() {
  const request_head& head = reader_.head();
  const head_verdict verdict = core_->routes->judge(head);
  refused_ = verdict.refused;
  crowd::leavers gone;
  core_->everybody->recognise(id_, verdict.owner);
  bool room = !guest_ || verdict.health;
  const auto& proxies = core_->calls.dashboard_http.proxies;
  if (room && !guest_ && proxies.hold(address_)) {
    room = core_->everybody->rename(id_, proxies.caller_of(head, address_), gone) || verdict.health;
  }
  core_->dismiss(gone);
  if (!room) {
    error why(errc::overloaded, "the server has as many connections as it takes");
    why.retry_after = std::chrono::seconds(1);
    keep_alive_ = false;
    send(core_->routes->problem(why, facts_.request_id));
    return false;
  }
  if (!verdict.small_body) return true;
  const auto fits = reader_.limit_body(keyless_body_bytes);
  if (fits) return true;
  keep_alive_ = false;
  send(core_->routes->problem(fits.error(), facts_.request_id));
  return false;
}

bool connection::hold_input() {
  const std::size_t held = reader_.held() / held_step_bytes * held_step_bytes;
  if (held == held_) return true;
  held_ = held;
  crowd::leavers gone;
  const bool fits = core_->everybody->hold(id_, held, gone);
  core_->dismiss(gone);
  if (fits) return true;
  // During a call, or an answer, it is only read no further ahead.
  if (phase_ != phase::idle && phase_ != phase::head && phase_ != phase::body) return true;
  error why(errc::overloaded, "too much of unfinished requests waits in the server");
  why.retry_after = std::chrono::seconds(1);
  refuse(why);
  return false;
}

void connection::stand(bool busy, bool streams) { core_->everybody->stand(id_, busy, streams); }

void connection::handle(http_request&& what) {
  static_cast<void>(hold_input());
  dispatch(core_->routes->route(std::move(what), facts_, core_->draining));
}

void connection::dispatch(router::outcome&& outcome) {
  if (reply* ready = std::get_if<reply>(&outcome)) return send(std::move(*ready));
  phase_ = phase::calling;
  deadline_ = clock::time_point::max();  // the engine keeps its own
  ++call_;
  ticket_ = 0;
  stand(true);
  if (const deferred* const later = std::get_if<deferred>(&outcome)) {
    on_client_gone_ = later->begin(deliverer<reply>());
  } else if (dashboard_request* const asked = std::get_if<dashboard_request>(&outcome)) {
    core_->calls.submit_dashboard(std::move(*asked), deliverer<dashboard_response>());
  } else {
    ticket_ = core_->calls.submit(std::get<request>(std::move(outcome)), deliverer<response>());
  }
  read_more();
}

void connection::deliver(std::uint64_t call, response&& answered) {
  if (phase_ != phase::calling || call != call_) return;
  if (answered.status == status_client_gone) {
    // The client is still here: it was our shutdown that cancelled the call.
    error why(errc::overloaded, "the server is shutting down");
    why.retry_after = std::chrono::seconds(1);
    return send(core_->routes->problem(why, facts_.request_id));
  }
  reply out = reply_of(std::move(answered));
  if (is_dashboard_api(path_)) mark_dashboard_reply(out);
  send(std::move(out));
}

void connection::deliver(std::uint64_t call, dashboard_response&& made) {
  if (phase_ != phase::calling || call != call_) return;
  send(core_->routes->reply_to(std::move(made)));
}

void connection::deliver(std::uint64_t call, reply&& made) {
  if (phase_ == phase::calling && call == call_) return send(std::move(made));
  drop_reply(made);
}

void connection::refuse(const error& why) {
  began_ = clock::now();
  facts_ = {make_request_id(), false, false, peer_};
  method_ = path_ = "-";
  minor_version_ = 1;
  keep_alive_ = false;
  send(core_->routes->problem(why, facts_.request_id));
}

void connection::send(reply&& what) {
  reply_ = std::move(what);
  on_client_gone_ = nullptr;
  if (!router::gains_by_gzip(reply_, facts_)) return write_reply();
  gzip_encoder* with = &core_->gzip;
  if (reply_.own_body.size() > gzip_slice_bytes) {
    // Where too many are at it, it goes as it is.
    if (core_->packing == max_packing) return write_reply();
    packer_ = std::make_unique<gzip_encoder>();
    ++core_->packing;
    with = packer_.get();
  }
  enter(phase::writing, core_->limits.write_timeout);
  with->begin(reply_.own_body);
  pack(*with);
}

void connection::pack(gzip_encoder& with) {
  if (phase_ == phase::closed) return;
  if (with.advance()) {
    asio::post(core_->executor, [self = shared_from_this(), &with] { self->pack(with); });
    return;
  }
  std::string smaller = with.take();
  stop_packing();
  if (!smaller.empty() && smaller.size() < reply_.own_body.size()) {
    reply_.own_body = std::move(smaller);
    reply_.gzipped = true;
  }
  write_reply();
}

void connection::stop_packing() {
  if (packer_) --core_->packing;
  packer_ = nullptr;
}

void connection::write_reply() {
  // In a drain what a client has pipelined is still answered.
  keep_alive_ = keep_alive_ && (!core_->draining || reader_.buffered() > 0);
  if (reply_.stream) return begin_stream();
  reply_head_ = render_head(reply_, {minor_version_, keep_alive_, core_->date});
  const bool bodiless = facts_.head_only || reply_.without_body;
  const std::string_view body = bodiless ? std::string_view() : reply_.body();
  enter(phase::writing, core_->limits.write_timeout);
  stand(false);
  begin_taking(reply_head_.size() + (body.data() == reply_.own_body.data() ? body.size() : 0));
  const std::array<asio::const_buffer, 2> buffers{asio::buffer(reply_head_),
                                                  asio::buffer(body.data(), body.size())};
  const auto goes_on = [self = shared_from_this()](boost::system::error_code failed,
                                                   std::size_t taken) {
    return failed ? 0 : self->on_taken(taken);
  };
  asio::async_write(socket_, buffers, goes_on,
                    [self = shared_from_this(), size = body.size()](
                        boost::system::error_code failed, std::size_t sent) {
                      static_cast<void>(self->on_taken(sent));
                      if (self->phase_ == phase::closed) return;
                      if (failed) return self->close();
                      self->log_answer(self->reply_.status, self->reply_.credits_used, size);
                      self->on_written();
                    });
}

void connection::begin_taking(std::size_t owned) {
  taken_ = 0;
  acknowledged_ = acknowledged();
  // What the kernel takes at once is never missed.
  owes_ = owned > write_bytes;
  if (!owes_) return;
  crowd::leavers gone;
  core_->everybody->owe(id_, owned, clock::now(), gone);
  core_->dismiss(gone);
}

std::size_t connection::on_taken(std::size_t bytes) {
  const std::size_t fresh = bytes - std::exchange(taken_, bytes);
  written_ += fresh;
  if (owes_ && fresh > 0) core_->everybody->pay(id_, fresh);
  return write_bytes;
}

std::uint64_t connection::acknowledged() const {
  int waiting = 0;
  tcp_socket::native_handle_type handle = const_cast<tcp_socket&>(socket_).native_handle();
  if (::ioctl(handle, SIOCOUTQ, &waiting) != 0 || waiting < 0) waiting = 0;
  const auto kept = static_cast<std::uint64_t>(waiting);
  return kept < written_ ? written_ - kept : 0;
}

bool connection::keeps_up(clock::time_point now) {
  const std::uint64_t now_acknowledged = acknowledged();
  const bool moved = now_acknowledged >= acknowledged_ + min_progress_bytes;
  acknowledged_ = now_acknowledged;
  deadline_ = now + core_->limits.write_timeout;
  return moved;
}

void connection::begin_stream() {
  // Without chunks the end of the connection is the end of the body.
  keep_alive_ = keep_alive_ && minor_version_ > 0;
  streamed_bytes_ = 0;
  ++call_;
  stand(true, true);
  reply_.stream->attach([core = core_, id = id_, call = call_] {
    asio::post(core->executor, [core, id, call] {
      const auto found = core->connections.find(id);
      if (found == core->connections.end()) return;
      const std::shared_ptr<connection> self = found->second;
      self->on_stream_changed(call);
    });
  });
  body_stream::taken first = reply_.stream->take();
  reply_head_ = render_head(reply_, {minor_version_, keep_alive_, core_->date});
  streamed_bytes_ += first.bytes.size();
  write_pieces(reply_head_ + frame_piece(std::move(first.bytes), first.is_last, minor_version_ > 0),
               first.is_last);
  read_more();
}

void connection::on_stream_changed(std::uint64_t call) {
  if (phase_ != phase::streaming || call != call_) return;
  if (reply_.stream->is_cut()) return close();
  if (!piece_under_way_) write_next_pieces();
}

void connection::write_next_pieces() {
  if (reply_.stream->is_cut()) return close();
  body_stream::taken next = reply_.stream->take();
  if (next.bytes.empty() && !next.is_last)
    return enter(phase::streaming, core_->limits.heartbeat_interval);
  streamed_bytes_ += next.bytes.size();
  write_pieces(frame_piece(std::move(next.bytes), next.is_last, minor_version_ > 0), next.is_last);
}

void connection::write_pieces(std::string bytes, bool is_last) {
  enter(phase::streaming, core_->limits.write_timeout);
  piece_under_way_ = true;
  reply_head_ = std::move(bytes);
  begin_taking(reply_head_.size());
  const auto goes_on = [self = shared_from_this()](boost::system::error_code failed,
                                                   std::size_t taken) {
    return failed ? 0 : self->on_taken(taken);
  };
  asio::async_write(
      socket_, asio::buffer(reply_head_), goes_on,
      [self = shared_from_this(), is_last](boost::system::error_code failed, std::size_t sent) {
        static_cast<void>(self->on_taken(sent));
        if (self->phase_ == phase::closed) return;
        self->piece_under_way_ = false;
        if (failed) return self->close();
        if (!is_last) return self->write_next_pieces();
        self->keep_alive_ = self->keep_alive_ && !self->core_->draining;
        self->log_answer(self->reply_.status, self->reply_.credits_used, self->streamed_bytes_);
        self->on_written();
      });
}

void connection::on_written() {
  reply_ = {};
  reply_head_ = {};
  stand(false);
  if (keep_alive_) return advance();
  linger();
}

void connection::linger() {
  boost::system::error_code failed;
  socket_.shutdown(tcp_socket::shutdown_send, failed);
  if (failed || end_of_input_) return close();
  // Closing with unread bytes would send a reset, which can overtake the answer.
  enter(phase::lingering, linger_timeout);
  reader_.discard();
  read_more();
}

void connection::sweep(clock::time_point now) {
  if (now < deadline_) return;
  if (phase_ == phase::writing || (phase_ == phase::streaming && piece_under_way_)) {
    return keeps_up(now) ? void() : dismiss();
  }
  if (phase_ == phase::body || (phase_ == phase::head && reader_.buffered() > 0)) {
    return refuse(error(errc::request_timeout, "the request did not arrive in time"));
  }
  if (phase_ == phase::streaming && !piece_under_way_) {
    if (reply_.heartbeat.empty()) return enter(phase::streaming, core_->limits.heartbeat_interval);
    return write_pieces(frame_piece(std::string(reply_.heartbeat), false, minor_version_ > 0),
                        false);
  }
  close();
}

void connection::retire() {
  if (phase_ == phase::idle) return linger();
  if (phase_ == phase::streaming) reply_.stream->drain();
}

void connection::abandon() {
  if (phase_ == phase::calling && !on_client_gone_) {
    core_->calls.cancel(ticket_);
  } else if (phase_ != phase::writing) {
    close();
  }
}

void connection::dismiss() {
  if (phase_ == phase::closed) return;
  boost::system::error_code ignored;
  if (phase_ != phase::idle) socket_.set_option(asio::socket_base::linger(true, 0), ignored);
  close();
}

void connection::close() {
  if (phase_ == phase::closed) return;
  const std::shared_ptr<connection> self = shared_from_this();
  if (phase_ == phase::calling) {
    if (on_client_gone_) {
      std::exchange(on_client_gone_, nullptr)();
    } else {
      core_->calls.cancel(ticket_);
    }
    log_answer(status_client_gone, 0, 0);
  } else if (phase_ == phase::writing) {
    log_answer(status_client_gone, reply_.credits_used, 0);
  } else if (phase_ == phase::streaming) {
    log_answer(status_client_gone, reply_.credits_used, streamed_bytes_);
  }
  const bool cut = phase_ == phase::streaming;
  phase_ = phase::closed;
  if (cut) reply_.stream->leave();
  stop_packing();
  deadline_ = clock::time_point::max();
  boost::system::error_code ignored;
  socket_.close(ignored);
  core_->connections.erase(id_);
  core_->everybody->leave(id_);
  if (core_->on_closed) core_->on_closed();
}

void connection::log_answer(int status, std::int64_t credits, std::size_t bytes) {
  const std::chrono::duration<double, std::milli> elapsed = clock::now() - began_;
  core_->log.access({facts_.request_id, method_, path_, status, elapsed.count(), credits, bytes});
}

}  // namespace freshet::server
