// An event's id is "STREAM-NUMBER". A stream is forgotten when it has ended, nobody reads it and
// none of its events is kept.
#include <algorithm>
#include <boost/json/parse.hpp>
#include <server/mcp/event_log.hpp>
#include <server/mcp/message.hpp>
#include <server/number.hpp>
#include <utility>

namespace freshet::server::mcp {
namespace {

namespace json = boost::json;

/// How soon a client whose connection has ended comes back.
constexpr std::string_view retry_ms = "1000";
/// An answer up to this is hardly larger than a mark in its place.
constexpr std::size_t max_unmarked_bytes = 512;

std::string id_of(std::uint64_t stream, std::uint64_t number) {
  return std::to_string(stream) + "-" + std::to_string(number);
}

std::string frame_of(std::uint64_t stream, std::uint64_t number, std::string_view text) {
  std::string out = "event: message\nid: " + id_of(stream, number) + "\ndata: ";
  out.reserve(out.size() + text.size() + 2);
  return out.append(text).append("\n\n");
}

/// In place of an answer, so that nobody waits for it.
std::string lost_answer(std::string_view id, std::size_t bytes) {
  boost::system::error_code failed;
  return error_text(json::parse(id, failed), rpc_error{-32000},
                    "The answer was given, and is no longer kept to be given again",
                    json::object{{"code", "event_lost"}, {"bytes", bytes}});
}

/// In place of notifications.
std::string lost_events(std::uint64_t count) {
  return notification_text("notifications/message",
                           {{"level", "warning"},
                            {"logger", "freshet"},
                            {"data", json::object{{"code", "events_lost"}, {"events", count}}}});
}

}  // namespace

event_log::event_log(bool primes, std::shared_ptr<account_space> space)
    : primes_(primes), space_(std::move(space)) {
  streams_[own_stream];
}

event_log::~event_log() { space_->give_back(bytes_); }

std::uint64_t event_log::open(const std::shared_ptr<body_stream>& body) {
  const std::lock_guard guard(mutex_);
  const std::uint64_t id = ++last_stream_;
  stream& one = streams_[id];
  carry(id, one, body);
  if (primes_) body->put(priming(id, 0));
  return id;
}

void event_log::listen(const std::shared_ptr<body_stream>& body) {
  const std::lock_guard guard(mutex_);
  const auto own = streams_.find(own_stream);
  carry(own_stream, own->second, body);
  own->second.sent = own->second.last;
  if (primes_) body->put(priming(own_stream, own->second.last));
  pump(own);
}

bool event_log::resume(std::string_view last_event_id, const std::shared_ptr<body_stream>& body) {
  const std::size_t dash = last_event_id.find('-');
  if (dash == std::string_view::npos) return false;
  const auto id = parse_number<std::uint64_t>(last_event_id.substr(0, dash));
  const auto after = parse_number<std::uint64_t>(last_event_id.substr(dash + 1));
  if (!id || !after) return false;
  {
    const std::lock_guard guard(mutex_);
    const auto found = streams_.find(*id);
    if (found == streams_.end() || *after > found->second.last) return false;
    stream& one = found->second;
    carry(*id, one, body);
    one.sent = *after;
    if (primes_ && one.sent == one.last) body->put(priming(*id, one.last));
  }
  on_room(*id);
  return true;
}

void event_log::append(std::uint64_t id, std::string_view text) { add(id, text, {}); }

void event_log::answer(std::uint64_t id, std::string_view text, std::string request_id) {
  add(id, text, std::move(request_id));
}

void event_log::add(std::uint64_t id, std::string_view text, std::string request_id) {
  const std::lock_guard guard(mutex_);
  const auto found = streams_.find(id);
  if (found == streams_.end() || found->second.finished) return;
  stream& one = found->second;
  event made{id, one.last + 1, frame_of(id, one.last + 1, text), std::move(request_id)};
  const bool is_next = one.sent == one.last;
  ++one.last;
  if (one.body && is_next && one.body->put(made.frame) == body_stream::put_result::taken) {
    one.sent = one.last;
  }
  const std::size_t size = made.frame.size();
  const std::string answered = made.id;
  if (keep(std::move(made)) || answered.empty()) return;
  static_cast<void>(keep({id, one.last, frame_of(id, one.last, lost_answer(answered, size)), {}}));
}

void event_log::finish(std::uint64_t id) {
  const std::lock_guard guard(mutex_);
  const auto found = streams_.find(id);
  if (found == streams_.end()) return;
  found->second.finished = true;
  found->second.body ? pump(found) : forget_if_done(found);
}

void event_log::interrupt(std::uint64_t id) {
  std::function<void()> room;
  {
    const std::lock_guard guard(mutex_);
    const auto found = streams_.find(id);
    if (found == streams_.end()) return;
    if (const auto body = std::exchange(found->second.body, nullptr)) body->finish();
    room = std::exchange(found->second.room, nullptr);
  }
  if (room) room();
}

void event_log::close() {
  std::vector<std::function<void()>> dropped;  // they may hold the last of us
  const std::lock_guard guard(mutex_);
  for (auto& [id, one] : streams_) {
    one.finished = true;
    if (one.room) dropped.push_back(std::exchange(one.room, nullptr));
    if (const auto body = std::exchange(one.body, nullptr)) body->supersede();
  }
}

std::size_t event_log::give_up(std::size_t bytes) {
  const std::lock_guard guard(mutex_);
  const std::size_t before = bytes_;
  while (!kept_.empty() && before - bytes_ < bytes) shrink_oldest();
  return before - bytes_;
}

bool event_log::is_busy() const {
  const std::lock_guard guard(mutex_);
  return std::ranges::any_of(streams_, [](const auto& each) {
    return each.second.body || (each.first != own_stream && !each.second.finished);
  });
}

bool event_log::keeps_up(std::uint64_t id) const {
  const std::lock_guard guard(mutex_);
  const auto found = streams_.find(id);
  return found != streams_.end() && has_room(found->second);
}

bool event_log::wait_for_room(std::uint64_t id, std::function<void()> room) {
  const std::lock_guard guard(mutex_);
  const auto found = streams_.find(id);
  if (found == streams_.end() || has_room(found->second)) return false;
  found->second.room = std::move(room);
  return true;
}

bool event_log::has_room(const stream& one) {
  return !one.body || (one.sent == one.last && one.body->has_room());
}

void event_log::carry(std::uint64_t id, stream& one, const std::shared_ptr<body_stream>& body) {
  const auto before = std::exchange(one.body, body);
  if (before) before->supersede();
  const std::weak_ptr<event_log> self = weak_from_this();
  body->when_gone([self, id, which = body.get()] {
    if (const auto log = self.lock()) log->let_go(id, which);
  });
  body->when_room([self, id] {
    if (const auto log = self.lock()) log->on_room(id);
  });
  // Who only listens can come back to another process; a request is answered first.
  if (id != own_stream) return;
  body->when_draining([self] {
    if (const auto log = self.lock()) log->interrupt(own_stream);
  });
}

std::string event_log::priming(std::uint64_t id, std::uint64_t number) const {
  return "id: " + id_of(id, number) + "\nretry: " + std::string(retry_ms) + "\ndata: \n\n";
}

void event_log::on_room(std::uint64_t id) {
  std::function<void()> room;
  {
    const std::lock_guard guard(mutex_);
    auto found = streams_.find(id);
    if (found == streams_.end()) return;
    pump(found);
    found = streams_.find(id);
    if (found == streams_.end() || !has_room(found->second)) return;
    room = std::exchange(found->second.room, nullptr);
  }
  if (room) room();
}

void event_log::let_go(std::uint64_t id, const body_stream* body) {
  std::function<void()> room;
  {
    const std::lock_guard guard(mutex_);
    const auto found = streams_.find(id);
    if (found == streams_.end() || found->second.body.get() != body) return;
    found->second.body = nullptr;
    room = std::exchange(found->second.room, nullptr);
    forget_if_done(found);
  }
  if (room) room();
}

/// Gives the body what comes next, as far as it has room: the kept events, and a word on those that
/// are not.
void event_log::pump(streams::iterator which) {
  auto& [id, one] = *which;
  if (!one.body) return;
  const auto tell_lost = [&, stream = id, &to = one](std::uint64_t next) {
    if (next <= to.sent + 1) return;
    to.body->put(frame_of(stream, next - 1, lost_events(next - 1 - to.sent)));
  };
  for (const event& each : kept_) {
    if (each.stream != id || each.number <= one.sent) continue;
    if (!one.body->has_room()) return;
    tell_lost(each.number);
    one.body->put(each.frame);
    one.sent = each.number;
  }
  if (one.sent < one.last) {
    if (!one.body->has_room()) return;
    tell_lost(one.last + 1);
    one.sent = one.last;
  }
  if (!one.finished) return;
  std::exchange(one.body, nullptr)->finish();
  forget_if_done(which);
}

bool event_log::keep(event&& one) {
  const std::size_t bytes = one.frame.size() + one.id.size();
  while (kept_.size() >= space_->limits().events) forget(kept_.begin());
  if (!make_space(bytes)) return false;
  bytes_ += bytes;
  ++streams_[one.stream].kept;
  kept_.push_back(std::move(one));
  return true;
}

bool event_log::make_space(std::size_t bytes) {
  while (!space_->take(bytes_, bytes)) {
    // Nothing goes for what would not fit without it either.
    if (kept_.empty() || !space_->could_take(bytes_, bytes)) return false;
    shrink_oldest();
  }
  return true;
}

/// The oldest answer of a size becomes a mark; when there are only marks, they go.
void event_log::shrink_oldest() {
  for (auto at = kept_.begin(); at != kept_.end(); ++at) {
    if (at->id.empty() || at->frame.size() <= max_unmarked_bytes) continue;
    std::string mark = frame_of(at->stream, at->number, lost_answer(at->id, at->frame.size()));
    const std::size_t before = at->frame.size() + at->id.size();
    if (mark.size() >= before) continue;
    at->frame = std::move(mark);
    at->id.clear();
    bytes_ -= before - at->frame.size();
    return space_->give_back(before - at->frame.size());
  }
  forget(kept_.begin());
}

void event_log::forget(std::deque<event>::iterator which) {
  const std::size_t bytes = which->frame.size() + which->id.size();
  bytes_ -= bytes;
  space_->give_back(bytes);
  const auto found = streams_.find(which->stream);
  kept_.erase(which);
  if (found == streams_.end()) return;
  --found->second.kept;
  forget_if_done(found);
}

void event_log::forget_if_done(streams::iterator which) {
  const stream& one = which->second;
  if (which->first == own_stream || !one.finished || one.kept > 0 || one.body) return;
  streams_.erase(which);
}

}  // namespace freshet::server::mcp
