// The queue. A callback is moved out under the lock and called after it, so that it may come back.
#include <server/http/body_stream.hpp>
#include <utility>

namespace freshet::server {

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

void body_stream::finish() {
  std::function<void()> changed;
  {
    const std::lock_guard guard(mutex_);
    if (closed_ || finished_) return;
    finished_ = true;
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

void body_stream::attach(std::function<void()> changed) {
  const std::lock_guard guard(mutex_);
  changed_ = std::move(changed);
}

body_stream::taken body_stream::take() {
  const std::lock_guard guard(mutex_);
  taken out{std::exchange(waiting_, {}), finished_};
  if (finished_) {
    closed_ = true;
    gone_ = draining_ = changed_ = nullptr;
  }
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
    draining_ = changed_ = nullptr;
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
