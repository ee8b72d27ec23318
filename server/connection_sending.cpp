// What a connection sends: an answer at once or in pieces, compressed where that pays, and how fast
// its client takes it.
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <server/connection.hpp>
#include <server/listener.hpp>
#include <utility>

namespace freshet::server {
namespace {

namespace asio = boost::asio;

/// How long a client that was answered and told to close is listened to.
constexpr std::chrono::milliseconds linger_timeout{2000};
/// A reader that takes less than this in write_timeout loses the connection.
constexpr std::uint64_t min_progress_bytes = 16 * 1024;
/// What the kernel is given at once.
constexpr std::size_t write_bytes = 64 * 1024;
/// Large answers of one thread that are compressed at once; each has a quarter of a megabyte of
/// zlib.
constexpr std::size_t max_packing = 16;

}  // namespace

void connection::send(reply&& what) {
  reply_ = std::move(what);
  on_client_gone_ = nullptr;
  const bool packs = facts_.wants_gzip && reply_.gains_by_gzip();
  if (!packs || take_packed_lead()) return write_reply();
  gzip_encoder* with = &core_->gzip;
  const std::string& text = reply_.lead ? reply_.lead->bytes : reply_.own_body;
  if (text.size() > gzip_slice_bytes) {
    // Where too many are at it, it goes as it is.
    if (core_->packing == max_packing) return write_reply();
    packer_ = std::make_unique<gzip_encoder>();
    ++core_->packing;
    with = packer_.get();
  }
  enter(phase::writing, core_->limits.write_timeout);
  with->begin(text, reply_.lead != nullptr);
  if (packer_ == nullptr) return pack(*with);
  pack_in_turn();
}

/// A slice at a time, between others' requests, and behind the slices of others.
void connection::pack_in_turn() {
  const std::string& whose = verdict_.owner.empty() ? peer_ : verdict_.owner;
  core_->packing_turns.post(whose, whose, weak_from_this(), [this] {
    if (packer_) pack(*packer_);
  });
}

/// Whether it is known how the lead is packed: in a form that this reply takes, or not at all.
bool connection::take_packed_lead() {
  if (reply_.lead == nullptr) return false;
  const auto packed = reply_.lead->packed();
  if (packed == nullptr || packed->empty()) return packed != nullptr;
  reply_.own_body = end_gzip(*packed, reply_.lead->bytes.size(), reply_.own_body);
  reply_.packed_lead = packed;
  reply_.gzipped = true;
  return true;
}

void connection::pack(gzip_encoder& with) {
  if (phase_ == phase::closed) return;
  if (with.advance()) return pack_in_turn();
  std::string smaller = with.take();
  stop_packing();
  if (reply_.lead) {
    const bool pays = smaller.size() <= reply_.lead->bytes.size() / 2;
    reply_.lead->set_packed(pays ? std::move(smaller) : std::string());
    take_packed_lead();
  } else if (!smaller.empty() && smaller.size() < reply_.own_body.size()) {
    reply_.own_body = std::move(smaller);
    reply_.gzipped = true;
  }
  write_reply();
}

void connection::stop_packing() {
  if (packer_) --core_->packing;
  packer_ = nullptr;
}

connection_facts connection::facts_of_answer() const {
  // Where TLS is ours, who does not speak it is told so in plain, and nothing else.
  const bool is_https = core_->is_https && (wire_.is_sealed() || core_->entered_by.tls == nullptr);
  return {minor_version_, keep_alive_, core_->date, is_https};
}

void connection::write_reply() {
  // In a drain what a client has pipelined is still answered.
  keep_alive_ = keep_alive_ && (!core_->draining || reader_.buffered() > 0);
  if (reply_.stream) return begin_stream();
  std::string& head = core_->head;
  render_head(reply_, facts_of_answer(), head);
  const bool bodiless = facts_.head_only || reply_.without_body;
  const body_parts body = bodiless ? body_parts() : reply_.body();
  stand(false);
  reply_buffers buffers{asio::buffer(head), asio::buffer(body.shared.data(), body.shared.size()),
                        asio::buffer(body.own.data(), body.own.size())};
  if (write_at_once(buffers)) return on_reply_written(body.size());
  enter(phase::writing, core_->limits.write_timeout);
  reply_head_ = head;
  buffers[0] = asio::buffer(reply_head_) + (head.size() - buffers[0].size());
  // A lead may have left its shelf, and is then kept by its readers alone.
  begin_taking(reply_head_.size() + body.own.size() + (reply_.lead ? body.shared.size() : 0));
  const auto goes_on = [self = shared_from_this()](boost::system::error_code failed,
                                                   std::size_t taken) {
    return failed ? 0 : self->on_taken(taken);
  };
  asio::async_write(wire_, buffers, goes_on,
                    [self = shared_from_this(), size = body.size()](
                        boost::system::error_code failed, std::size_t sent) {
                      static_cast<void>(self->on_taken(sent));
                      if (self->phase_ == phase::closed) return;
                      if (failed) return self->close();
                      self->on_reply_written(size);
                    });
}

/// Offers a small answer to the kernel, which mostly has room for it: whether that was all. What it
/// did not take stays in `from`.
bool connection::write_at_once(reply_buffers& from) {
  const std::size_t size = asio::buffer_size(from);
  // Not from within itself: who has sent many requests ahead must not deepen the stack.
  if (is_finishing_ || size > write_bytes) return false;
  std::size_t sent = wire_.write_now(from);
  written_ += sent;
  if (sent == size) return true;
  for (asio::const_buffer& part : from) {
    const std::size_t of_part = std::min(sent, part.size());
    part += of_part;
    sent -= of_part;
  }
  return false;
}

void connection::on_reply_written(std::size_t body_size) {
  log_answer(reply_.status, reply_.credits_used, body_size);
  is_finishing_ = true;
  on_written();
  is_finishing_ = false;
}

void connection::begin_taking(std::size_t owned) {
  taken_ = 0;
  acknowledged_ = wire_.acknowledged(written_);
  // Also what is small: it comes here because the kernel has no room for it, or behind much else.
  owes_ = owned > 0 || behind_ > 0;
  behind_ = 0;
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

bool connection::keeps_up(clock::time_point now) {
  const std::uint64_t now_acknowledged = wire_.acknowledged(written_);
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
  render_head(reply_, facts_of_answer(), reply_head_);
  streamed_bytes_ += first.bytes.size();
  write_pieces(reply_head_ + frame_piece(std::move(first.bytes), first.is_last, minor_version_ > 0),
               first.is_last);
  listen();
}

void connection::on_stream_changed(std::uint64_t call) {
  if (phase_ != phase::streaming || call != call_) return;
  if (reply_.stream->is_cut()) return close();
  piece_under_way_ ? owe_what_waits() : write_next_pieces();
}

/// Who does not read is not to hold more memory by pieces that wait than by an answer.
void connection::owe_what_waits() {
  const std::size_t waits = reply_.stream->waiting();
  if (waits <= behind_) return;
  crowd::leavers gone;
  core_->everybody->owe_more(id_, waits - std::exchange(behind_, waits), clock::now(), gone);
  core_->dismiss(gone);
}

void connection::write_next_pieces() {
  if (reply_.stream->is_cut()) return close();
  body_stream::taken next = reply_.stream->take();
  if (next.bytes.empty() && !next.is_last)
    return enter(phase::streaming, core_->limits.heartbeat_interval);
  streamed_bytes_ += next.bytes.size();
  write_pieces(frame_piece(std::move(next.bytes), next.is_last, minor_version_ > 0), next.is_last);
}

void connection::send_heartbeat() {
  if (reply_.heartbeat.empty()) return enter(phase::streaming, core_->limits.heartbeat_interval);
  write_pieces(frame_piece(std::string(reply_.heartbeat), false, minor_version_ > 0), false);
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
      wire_, asio::buffer(reply_head_), goes_on,
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
  // What is written whole stands since it began: a client that has its answer is counted already.
  if (reply_.stream) stand(false);
  reply_.drop_body();
  std::string().swap(reply_head_);
  enter(phase::idle, core_->limits.idle_timeout);
  if (keep_alive_) return advance();
  linger();
}

void connection::linger() {
  if (!wire_.is_sealed()) return half_close();
  // Behind what the kernel still has, for which there may be no room yet.
  enter(phase::parting, core_->limits.write_timeout);
  reader_.discard();
  wire_.async_finish([self = shared_from_this()](boost::system::error_code failed, std::size_t) {
    if (self->phase_ == phase::closed) return;
    return failed ? self->close() : self->half_close();
  });
  read_more();
}

void connection::half_close() {
  boost::system::error_code failed;
  wire_.socket().shutdown(tcp_socket::shutdown_send, failed);
  if (failed || end_of_input_) return close();
  // Closing with unread bytes would send a reset, which can overtake the answer.
  enter(phase::lingering, linger_timeout);
  reader_.discard();
  read_more();
}

}  // namespace freshet::server
