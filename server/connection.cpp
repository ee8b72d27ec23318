// The state machine. Every handler first asks whether the connection has been closed meanwhile; no
// handler starts a second read or a second write.
#include <sys/socket.h>

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
/// A reader slower than this loses the connection; on top of write_timeout.
constexpr std::size_t min_write_bytes_per_ms = 16;
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
      reader_(core_->limits.reader),
      deadline_(clock::time_point::max()) {}

void connection::start() {
  boost::system::error_code ignored;
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  const auto peer = socket_.remote_endpoint(ignored);
  if (!ignored) peer_ = peer.address().to_string();
  enter(phase::idle, core_->limits.header_timeout);
  read_more();
}

void connection::shed() {
  error why(errc::overloaded, "the server has as many connections as it takes");
  why.retry_after = std::chrono::seconds(1);
  refuse(why);
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
  const progress reached = reader_.advance();
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

void connection::handle(http_request&& what) {
  began_ = clock::now();
  facts_ = facts_of(what.head);
  facts_.peer = peer_;
  method_ = what.head.method();
  path_ = what.head.path();
  minor_version_ = what.head.minor_version();
  keep_alive_ = what.head.body().keep_alive;
  router::outcome outcome = core_->routes.route(std::move(what), facts_, core_->draining);
  if (reply* ready = std::get_if<reply>(&outcome)) return send(std::move(*ready));
  phase_ = phase::calling;
  deadline_ = clock::time_point::max();  // the engine keeps its own
  ++call_;
  ticket_ = 0;
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
    return send(core_->routes.problem(why, facts_.request_id));
  }
  reply out = reply_of(std::move(answered));
  if (is_dashboard_api(path_)) mark_dashboard_reply(out);
  send(std::move(out));
}

void connection::deliver(std::uint64_t call, dashboard_response&& made) {
  if (phase_ != phase::calling || call != call_) return;
  send(core_->routes.reply_to(std::move(made)));
}

void connection::deliver(std::uint64_t call, reply&& made) {
  if (phase_ == phase::calling && call == call_) return send(std::move(made));
  drop_reply(made);
}

void connection::refuse(const error& why) {
  began_ = clock::now();
  facts_ = {make_request_id(), false, false, {}};
  method_ = path_ = "-";
  minor_version_ = 1;
  keep_alive_ = false;
  send(core_->routes.problem(why, facts_.request_id));
}

void connection::send(reply&& what) {
  reply_ = std::move(what);
  on_client_gone_ = nullptr;
  core_->routes.compress(reply_, facts_);
  // In a drain what a client has pipelined is still answered.
  keep_alive_ = keep_alive_ && (!core_->draining || reader_.buffered() > 0);
  if (reply_.stream) return begin_stream();
  reply_head_ = render_head(reply_, {minor_version_, keep_alive_, core_->date});
  const bool bodiless = facts_.head_only || reply_.without_body;
  const std::string_view body = bodiless ? std::string_view() : reply_.body();
  enter(phase::writing, core_->limits.write_timeout + milliseconds(static_cast<std::int64_t>(
                                                          body.size() / min_write_bytes_per_ms)));
  const std::array<asio::const_buffer, 2> buffers{asio::buffer(reply_head_),
                                                  asio::buffer(body.data(), body.size())};
  asio::async_write(socket_, buffers,
                    [self = shared_from_this(), size = body.size()](
                        boost::system::error_code failed, std::size_t) {
                      if (self->phase_ == phase::closed) return;
                      if (failed) return self->close();
                      self->log_answer(self->reply_.status, self->reply_.credits_used, size);
                      self->on_written();
                    });
}

void connection::begin_stream() {
  // Without chunks the end of the connection is the end of the body.
  keep_alive_ = keep_alive_ && minor_version_ > 0;
  streamed_bytes_ = 0;
  ++call_;
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
  enter(phase::streaming,
        core_->limits.write_timeout +
            milliseconds(static_cast<std::int64_t>(bytes.size() / min_write_bytes_per_ms)));
  piece_under_way_ = true;
  reply_head_ = std::move(bytes);
  asio::async_write(
      socket_, asio::buffer(reply_head_),
      [self = shared_from_this(), is_last](boost::system::error_code failed, std::size_t) {
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
  reply_head_.clear();
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
  deadline_ = clock::time_point::max();
  boost::system::error_code ignored;
  socket_.close(ignored);
  core_->connections.erase(id_);
  if (core_->on_closed) core_->on_closed();
}

void connection::log_answer(int status, std::int64_t credits, std::size_t bytes) {
  const std::chrono::duration<double, std::milli> elapsed = clock::now() - began_;
  const bool flush_due = core_->log.access(
      {facts_.request_id, method_, path_, status, elapsed.count(), credits, bytes});
  // Posted, so that the answers of one turn of the loop share one write.
  if (flush_due) asio::post(core_->executor, [core = core_] { core->log.flush(); });
}

}  // namespace freshet::server
