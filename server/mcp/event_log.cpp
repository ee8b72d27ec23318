// An event's id is "STREAM-NUMBER". A stream is forgotten when it has ended and none of its events
// is kept.
#include <server/mcp/event_log.hpp>
#include <server/number.hpp>
#include <utility>

namespace freshet::server::mcp {
namespace {

/// How soon a client whose connection has ended comes back.
constexpr std::string_view retry_ms = "1000";

std::string id_of(std::uint64_t stream, std::uint64_t number) {
  return std::to_string(stream) + "-" + std::to_string(number);
}

}  // namespace

event_log::event_log(bool primes, const event_limits& limits,
                     std::shared_ptr<std::atomic<std::size_t>> bytes_of_all)
    : primes_(primes), limits_(limits), bytes_of_all_(std::move(bytes_of_all)) {
  streams_[own_stream];
}

event_log::~event_log() { *bytes_of_all_ -= bytes_; }

std::uint64_t event_log::open(const std::shared_ptr<body_stream>& body) {
  const std::lock_guard guard(mutex_);
  const std::uint64_t id = ++last_stream_;
  stream& one = streams_[id];
  carry(id, one, body);
  if (primes_) body->put(priming(id, one));
  return id;
}

void event_log::listen(const std::shared_ptr<body_stream>& body) {
  const std::lock_guard guard(mutex_);
  stream& own = streams_[own_stream];
  carry(own_stream, own, body);
  if (primes_) body->put(priming(own_stream, own));
  if (own.finished) {
    body->finish();
    own.body = nullptr;
  }
}

bool event_log::resume(std::string_view last_event_id, const std::shared_ptr<body_stream>& body) {
  const std::size_t dash = last_event_id.find('-');
  if (dash == std::string_view::npos) return false;
  const auto id = parse_number<std::uint64_t>(last_event_id.substr(0, dash));
  const auto after = parse_number<std::uint64_t>(last_event_id.substr(dash + 1));
  if (!id || !after) return false;
  const std::lock_guard guard(mutex_);
  const auto found = streams_.find(*id);
  if (found == streams_.end()) return false;
  stream& one = found->second;
  if (*after > one.last || *after < one.lost) return false;
  carry(*id, one, body);
  // One piece, so that all of it finds room.
  std::string rest;
  for (const event& each : kept_) {
    if (each.stream == *id && each.number > *after) rest += each.frame;
  }
  if (rest.empty() && primes_) rest = priming(*id, one);
  if (!rest.empty()) body->put(std::move(rest));
  if (one.finished) {
    body->finish();
    one.body = nullptr;
  }
  return true;
}

void event_log::append(std::uint64_t id, std::string_view text) {
  const std::lock_guard guard(mutex_);
  const auto found = streams_.find(id);
  if (found == streams_.end() || found->second.finished) return;
  stream& one = found->second;
  std::string frame = "event: message\nid: " + id_of(id, ++one.last) + "\ndata: ";
  frame.append(text).append("\n\n");
  if (one.body && one.body->put(frame) != body_stream::put_result::taken) {
    one.body->finish();
    one.body = nullptr;
  }
  bytes_ += frame.size();
  *bytes_of_all_ += frame.size();
  ++one.kept;
  kept_.push_back({id, one.last, std::move(frame)});
  trim();
}

void event_log::finish(std::uint64_t id) {
  const std::lock_guard guard(mutex_);
  const auto found = streams_.find(id);
  if (found == streams_.end()) return;
  stream& one = found->second;
  one.finished = true;
  if (const auto body = std::exchange(one.body, nullptr)) body->finish();
  forget_if_done(found);
}

void event_log::interrupt(std::uint64_t id) {
  const std::lock_guard guard(mutex_);
  const auto found = streams_.find(id);
  if (found == streams_.end()) return;
  if (const auto body = std::exchange(found->second.body, nullptr)) body->finish();
}

void event_log::close() {
  const std::lock_guard guard(mutex_);
  for (auto& [id, one] : streams_) {
    one.finished = true;
    if (const auto body = std::exchange(one.body, nullptr)) body->finish();
  }
}

bool event_log::is_busy() const {
  const std::lock_guard guard(mutex_);
  for (const auto& [id, one] : streams_) {
    if (one.body || (id != own_stream && !one.finished)) return true;
  }
  return false;
}

void event_log::carry(std::uint64_t id, stream& one, const std::shared_ptr<body_stream>& body) {
  const auto before = std::exchange(one.body, body);
  if (before) before->finish();
  const std::weak_ptr<event_log> self = weak_from_this();
  body->when_gone([self, id, which = body.get()] {
    if (const auto log = self.lock()) log->let_go(id, which);
  });
  // Who only listens can come back to another process; a request is answered first.
  if (id != own_stream) return;
  body->when_draining([self] {
    if (const auto log = self.lock()) log->interrupt(own_stream);
  });
}

std::string event_log::priming(std::uint64_t id, const stream& one) const {
  return "id: " + id_of(id, one.last) + "\nretry: " + std::string(retry_ms) + "\ndata: \n\n";
}

void event_log::let_go(std::uint64_t id, const body_stream* body) {
  const std::lock_guard guard(mutex_);
  const auto found = streams_.find(id);
  if (found != streams_.end() && found->second.body.get() == body) found->second.body = nullptr;
}

void event_log::trim() {
  while (kept_.size() > 1 && (bytes_ > limits_.bytes || kept_.size() > limits_.events ||
                              *bytes_of_all_ > limits_.bytes_of_all)) {
    forget_oldest();
  }
}

void event_log::forget_oldest() {
  const event& oldest = kept_.front();
  bytes_ -= oldest.frame.size();
  *bytes_of_all_ -= oldest.frame.size();
  const auto found = streams_.find(oldest.stream);
  if (found != streams_.end()) {
    found->second.lost = oldest.number;
    --found->second.kept;
    forget_if_done(found);
  }
  kept_.pop_front();
}

void event_log::forget_if_done(std::map<std::uint64_t, stream>::iterator which) {
  const stream& one = which->second;
  if (which->first != own_stream && one.finished && one.kept == 0) streams_.erase(which);
}

}  // namespace freshet::server::mcp
