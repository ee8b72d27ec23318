// The queue. A callback is moved out under the lock and called after it, so that it may come back.
#include <server/http/body_stream.hpp>
#include <utility>

namespace freshet::server {
namespace {

/// What may wait of a body that is superseded.
constexpr std::size_t little_bytes = 4096;

}  // namespace

body_stream::put_result body_stream::put(std::string piece) {
  std::function<void()> changed;
  {
    const std::lock_guard guard(mutex_);
    if (closed_ || finished_ || cut_) return put_result::closed;
    if (waiting_.size() >= max_bytes_) return put_result::full;
    if (waiting_.empty()) {
      waiting_ = std::move(piece);
      changed = changed_;
    } else {
      waiting_ += piece;
    }
  }
  if (changed) changed();
  return put_result::taken;
}

void body_stream::finish(std::string last) {
  std::function<void()> changed;
  {
    const std::lock_guard guard(mutex_);
    if (closed_ || finished_) return;
    finished_ = true;
    if (!cut_) waiting_ = waiting_.empty() ? std::move(last) : waiting_ + last;
    changed = changed_;
  }
  if (changed) changed();
}

void body_stream::cut() {
  std::function<void()> changed;
  {
    const std::lock_guard guard(mutex_);
    if (closed_ || finished_) return;
    cut_ = true;
    waiting_ = {};
    changed = changed_;
  }
  if (changed) changed();
}

void body_stream::supersede() {
  bool clean = false;
  {
    const std::lock_guard guard(mutex_);
    clean = waiting_.size() + writing_ <= little_bytes;
  }
  clean ? finish() : cut();
}

bool body_stream::has_room() const {
  const std::lock_guard guard(mutex_);
  return !closed_ && !finished_ && !cut_ && waiting_.size() < max_bytes_;
}

std::size_t body_stream::waiting() const {
  const std::lock_guard guard(mutex_);
  return waiting_.size();
}

bool body_stream::is_cut() const {
  const std::lock_guard guard(mutex_);
  return cut_;
}

void body_stream::when_gone(std::function<void()> gone) {
  const std::lock_guard guard(mutex_);
  gone_ = std::move(gone);
}

void body_stream::when_draining(std::function<void()> draining) {
  const std::lock_guard guard(mutex_);
  draining_ = std::move(draining);
}

void body_stream::when_room(std::function<void()> room) {
  const std::lock_guard guard(mutex_);
  room_ = std::move(room);
}

void body_stream::attach(std::function<void()> changed) {
  const std::lock_guard guard(mutex_);
  changed_ = std::move(changed);
}

body_stream::taken body_stream::take() {
  std::function<void()> room;
  taken out;
  {
    const std::lock_guard guard(mutex_);
    if (waiting_.size() >= max_bytes_ && !finished_) room = room_;
    out = {std::exchange(waiting_, {}), finished_};
    writing_ = out.bytes.size();
    if (finished_) {
      closed_ = true;
      gone_ = draining_ = changed_ = room_ = nullptr;
    }
  }
  if (room) room();
  return out;
}

void body_stream::leave() {
  std::function<void()> gone;
  {
    const std::lock_guard guard(mutex_);
    if (closed_) return;
    closed_ = true;
    waiting_ = {};
    gone = std::exchange(gone_, nullptr);
    draining_ = changed_ = room_ = nullptr;
  }
  if (gone) gone();
}

void body_stream::drain() {
  std::function<void()> draining;
  {
    const std::lock_guard guard(mutex_);
    draining = std::exchange(draining_, nullptr);
  }
  if (draining) draining();
}

}  // namespace freshet::server
