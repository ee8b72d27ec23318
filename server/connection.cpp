// The state machine but for what it judges of a head (connection_judging.cpp) and what it sends
// (connection_sending.cpp). Every handler first asks whether the connection has been closed
// meanwhile; no handler starts a second read or a second write.
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <server/callers.hpp>
#include <server/connection.hpp>
#include <server/listener.hpp>
#include <utility>
#include <variant>

namespace freshet::server {
namespace {

namespace asio = boost::asio;
using std::chrono::milliseconds;

/// How much is read from a client that was answered and told to close.
constexpr std::size_t max_lingered_bytes = 1024 * 1024;
/// What the kernel keeps beyond what is on its way.
constexpr int max_kernel_bytes = 128 * 1024;
/// Unacknowledged for so long, a connection is dead, and so is what the kernel keeps of it.
constexpr int max_unacknowledged_ms = 30'000;
/// Who has no room is given this long to ask for the server's health.
constexpr milliseconds guest_timeout{2000};
constexpr int status_client_gone = 499;

/// Answers that are delivered before other handlers of the thread have their turn, and steps, with
/// each of which several calls may end.
constexpr int letters_at_once = 16, steps_at_once = 1;

/// Whoever makes a body in pieces hears that it has no reader; other answers are just dropped.
void drop_reply(const reply& made) {
  if (made.stream) made.stream->leave();
}
template <class Answer>
void drop_reply(const Answer&) {}

void wake(const std::shared_ptr<listener_core>& core) {
  try {
    asio::post(core->executor, [core] { connection::deliver_waiting(core); });
  } catch (const std::bad_alloc&) {
    core->steps.box.untell();
    core->answered.box.untell();
    throw;
  }
}

/// Whether there may be more.
template <class Letter, class Use>
bool work_off(mail<Letter>& letters, int at_once, const Use& use) {
  for (int i = 0; i < at_once; ++i) {
    if (letters.next == letters.taken.size()) {
      letters.next = 0;
      if (!letters.box.take(letters.taken)) return false;
    }
    Letter one = std::move(letters.taken[letters.next++]);
    try {
      use(std::move(one));
    } catch (const std::bad_alloc&) {
      // What wanted the memory is lost; the sweep ends whose it was.
    }
  }
  return true;
}

}  // namespace

connection::connection(tcp_socket socket, std::shared_ptr<listener_core> core, std::uint64_t id)
    : wire_(std::move(socket)),
      core_(std::move(core)),
      id_(id),
      reader_(core_->limits.reader, true),
      deadline_(clock::time_point::max()) {}

void connection::start(bool guest) {
  guest_ = guest;
  boost::system::error_code ignored;
  tcp_socket& socket = wire_.socket();
  socket.set_option(asio::ip::tcp::no_delay(true), ignored);
  using integer_option = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_NOTSENT_LOWAT>;
  using timeout_option = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_USER_TIMEOUT>;
  socket.set_option(integer_option(max_kernel_bytes), ignored);
  socket.set_option(timeout_option(max_unacknowledged_ms), ignored);
  const auto peer = socket.remote_endpoint(ignored);
  if (!ignored) {
    address_ = plain_address(peer.address());
    peer_ = address_.to_string();
  }
  enter(phase::opening, first_timeout());
  open();
}

connection::clock::duration connection::first_timeout() const {
  const clock::duration allowed = core_->limits.header_timeout;
  return guest_ ? std::min<clock::duration>(allowed, guest_timeout) : allowed;
}

void connection::enter(phase next, clock::duration allowed) {
  phase_ = next;
  deadline_ = clock::now() + allowed;
}

void connection::read_more() {
  if (reading_ || end_of_input_ || reader_.full()) return;
  reading_ = true;
  const std::span<char> room = reader_.prepare();
  wire_.async_read_some(
      asio::buffer(room.data(), room.size()),
      [self = shared_from_this()](boost::system::error_code failed, std::size_t bytes) {
        self->on_read(failed, bytes);
      });
}

void connection::listen() {
  if (phase_ != phase::closed) end_of_input_ ? call_out() : read_more();
}

void connection::on_read(boost::system::error_code failed, std::size_t bytes) {
  reading_ = false;
  if (phase_ == phase::closed) return;
  const bool is_moving = phase_ == phase::crossing;
  if (failed && !(is_moving && failed == asio::error::operation_aborted)) {
    on_end_of_input(failed);
    if (is_moving && phase_ == phase::crossing) post_crossing();
    return;
  }
  reader_.commit(bytes);
  if (is_moving) return post_crossing();
  const bool is_over = phase_ == phase::lingering || phase_ == phase::parting;
  if (!is_over && !hold_input()) return;
  switch (phase_) {
    case phase::parting:
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
  if (why != asio::error::eof) return close();
  switch (phase_) {
    case phase::writing:
    case phase::parting:
    case phase::crossing:
      return;  // what is under way may still be read
    case phase::calling:
    case phase::streaming:
      return call_out();
    default:
      return close();
  }
}

/// A client that has finished sending waits for its answer, or has gone: there is no telling but by
/// what becomes of a word to it. Where nobody is left the socket fails.
void connection::call_out() {
  if (!std::exchange(awaits_failure_, true)) {
    wire_.async_wait_failed([self = shared_from_this()](boost::system::error_code ended) {
      if (!ended) self->close();
    });
  }
  if (phase_ == phase::streaming) {
    if (!piece_under_way_) send_heartbeat();
  } else if (phase_ == phase::calling && minor_version_ > 0) {
    // Which a client that has not asked for it passes over (RFC 9110, 15.2.1). HTTP/1.0 has no such
    // answers.
    deadline_ = clock::now() + core_->limits.heartbeat_interval;
    send_continue();
  }
}

void connection::advance() {
  using progress = request_reader::progress;
  progress reached = reader_.advance();
  if (reached == progress::headed) {
    heed(reader_.head());
    if (!judge()) return;
    if (belongs_elsewhere()) {
      if (core_->everybody->may_move(id_, began_)) return set_out();
      waits_turn_ = true;
    }
    reached = progress::body;
  }
  go_on(reached);
}

void connection::go_on(request_reader::progress reached) {
  using progress = request_reader::progress;
  if (reached == progress::body) reached = reader_.advance();
  if (reached == progress::body && refused_) return answer_in_turn(&connection::refuse_by_head);
  if (reached == progress::complete) return answer_in_turn(&connection::handle);
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
  if (!wire_.send_at_once(interim)) close();
}

template <class Answer>
std::function<void(Answer)> connection::deliverer() {
  return [core = core_, id = id_, call = call_](Answer&& answered) {
    delivery made{id, call, std::move(answered)};
    if (core->executor.running_in_this_thread()) {
      if (core->submits == std::pair(id, call) && !core->answered_at_once) {
        core->answered_at_once = std::move(made);
        return;
      }
      // Nobody else is in the middle of anything.
      if (core->ends_calls && core->submits.first == 0) return deliver_now(*core, std::move(made));
    }
    // No reference to the connection leaves the io thread, so it can only end there.
    if (core->answered.box.put(std::move(made)) == posting::first) wake(core);
  };
}

bool listener_core::post(std::function<void()> step) {
  switch (steps.box.put(std::move(step))) {
    case posting::refused:
      return false;
    case posting::waits:
      return true;
    case posting::first:
      break;
  }
  try {
    wake(shared_from_this());
  } catch (const std::bad_alloc&) {
    // The sweep comes by.
  }
  return true;
}

/// Where there is no memory for it, it is lost, and the sweep ends whose it was: the call has
/// ended.
void connection::deliver_now(const listener_core& core, delivery&& delivery) noexcept {
  try {
    deliver(core, std::move(delivery));
  } catch (const std::bad_alloc&) {
  }
}

void connection::deliver_waiting(const std::shared_ptr<listener_core>& core) {
  core->ends_calls = true;
  const bool more_calls =
      work_off(core->steps, steps_at_once, [](std::function<void()>&& step) { step(); });
  core->ends_calls = false;
  const bool more_answers = work_off(core->answered, letters_at_once,
                                     [&](delivery&& next) { deliver(*core, std::move(next)); });
  if (more_calls || more_answers) wake(core);
}

void connection::end_waiting(listener_core& core) {
  while (work_off(core.steps, steps_at_once, [](std::function<void()>&& step) { step(); }))
    continue;
}

/// Hands a call to the engine. Its answer may be there at once.
void connection::submit(request&& what) {
  listener_core& core = *core_;
  what.answered_on = core_;
  core.answered_at_once.reset();
  core.submits = {id_, call_};
  ticket_ = core.calls.submit(std::move(what), deliverer<response>());
  core.submits = {};
  if (!core.answered_at_once) return listen();
  auto answered = std::exchange(core.answered_at_once, std::nullopt);
  deliver(call_, std::move(std::get<response>(answered->answer)));
}

void connection::deliver(const listener_core& core, delivery&& delivery) {
  std::visit(
      [&](auto& answer) {
        const auto found = core.connections.find(delivery.to);
        if (found == core.connections.end()) return drop_reply(answer);
        const std::shared_ptr<connection> self = found->second;
        self->deliver(delivery.call, std::move(answer));
      },
      delivery.answer);
}

void connection::stand(bool busy, bool streams) { core_->everybody->stand(id_, busy, streams); }

void connection::handle() {
  http_request what = reader_.take();
  static_cast<void>(hold_input());
  dispatch(core_->routes->route(std::move(what), facts_, core_->draining));
}

void connection::refuse_by_head() {
  keep_alive_ = false;
  dispatch(core_->routes->refuse(reader_.head(), facts_));
}

/// Who lives among those with a key is answered at once. The others take turns by their hosts, so
/// that thousands of their requests that are ready at a time hold up nobody else's.
void connection::answer_in_turn(void (connection::*step)()) {
  if (!waits_turn_) return (this->*step)();
  phase_ = phase::calling;
  deadline_ = clock::time_point::max();
  ++call_;
  on_client_gone_ = [] {};  // there is no call to be cancelled
  core_->keyless_turns.post(network_part(address_), peer_, weak_from_this(),
                            [this, call = call_, step] {
                              if (phase_ != phase::calling || call_ != call) return;
                              on_client_gone_ = nullptr;
                              (this->*step)();
                            });
}

void connection::dispatch(router::outcome&& outcome) {
  if (reply* ready = std::get_if<reply>(&outcome)) return send(std::move(*ready));
  phase_ = phase::calling;
  deadline_ = clock::time_point::max();  // the engine keeps its own
  ++call_;
  ticket_ = 0;
  stand(true);
  if (const deferred_reply* const later = std::get_if<deferred_reply>(&outcome)) {
    on_client_gone_ = later->begin(deliverer<reply>());
  } else if (dashboard_request* const asked = std::get_if<dashboard_request>(&outcome)) {
    core_->calls.submit_dashboard(std::move(*asked), deliverer<dashboard_response>());
  } else {
    return submit(std::get<request>(std::move(outcome)));
  }
  listen();
}

void connection::deliver(std::uint64_t call, response&& answered) {
  if (phase_ != phase::calling || call != call_) return;
  if (answered.status == status_client_gone) {
    // The client is still here: it was our shutdown that cancelled the call.
    error why(errc::overloaded, "the server is shutting down");
    why.retry_after = std::chrono::seconds(1);
    return send(core_->routes->problem(why, facts_.request_id));
  }
  const bool may_read = answered.origin_allowed;
  reply out = reply_of(std::move(answered));
  if (may_read) let_read(out, facts_.origin);
  if (is_dashboard_api(path_)) mark_dashboard_reply(out);
  send(std::move(out));
}

void connection::deliver(std::uint64_t call, dashboard_response&& made) {
  if (phase_ != phase::calling || call != call_) return;
  send(core_->routes->reply_to(std::move(made)));
}

void connection::deliver(std::uint64_t call, reply&& made) {
  if (phase_ != phase::calling || call != call_) return drop_reply(made);
  if (is_dashboard_api(path_)) mark_dashboard_reply(made);
  send(std::move(made));
}

void connection::refuse(const error& why) {
  began_ = clock::now();
  heeded_ = {};
  facts_ = {make_request_id(), false, false, peer_, {}, {}};
  method_ = path_ = "-";
  minor_version_ = 1;
  keep_alive_ = false;
  send(core_->routes->problem(why, facts_.request_id));
}

void connection::sweep(clock::time_point now) {
  if (now < deadline_) return;
  if (phase_ == phase::calling) return call_out();
  if (phase_ == phase::writing || phase_ == phase::parting ||
      (phase_ == phase::streaming && piece_under_way_)) {
    return keeps_up(now) ? void() : dismiss();
  }
  if (phase_ == phase::body || (phase_ == phase::head && reader_.buffered() > 0)) {
    return refuse(error(errc::request_timeout, "the request did not arrive in time"));
  }
  if (phase_ == phase::streaming && !piece_under_way_) return send_heartbeat();
  close();
}

void connection::retire() {
  if (phase_ == phase::opening) return close();
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
  if (phase_ != phase::idle) {
    wire_.socket().set_option(asio::socket_base::linger(true, 0), ignored);
  }
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
  const bool cut = phase_ == phase::streaming, well = phase_ == phase::idle;
  phase_ = phase::closed;
  if (cut) reply_.stream->leave();
  stop_packing();
  deadline_ = clock::time_point::max();
  wire_.close(well);
  core_->connections.erase(id_);
  core_->everybody->leave(id_);
  if (core_->on_closed) core_->on_closed();
}

void connection::log_answer(int status, std::int64_t credits, std::size_t bytes) {
  const std::chrono::duration<double, std::milli> elapsed = clock::now() - began_;
  core_->answers->answered(status, clock::now() - began_, bytes);
  core_->log.access({facts_.request_id, method_, path_, status, elapsed.count(), credits, bytes});
}

}  // namespace freshet::server
