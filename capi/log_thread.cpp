// The queue between the engine's threads and the callback.
#include "log_thread.hpp"

#include <cinttypes>
#include <cstdio>
#include <utility>

namespace freshet::capi {
namespace {

thread_local bool in_callback = false;

}  // namespace

log_thread::log_thread(freshet_log log, void* user_data) : to_(log), user_data_(user_data) {
  thread_ = std::thread([this] { run(); });
}

log_thread::~log_thread() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void log_thread::push(std::string_view level, std::string_view text) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    if (waiting_.size() < max_log_lines) {
      waiting_.push_back({std::string(level), std::string(text)});
    } else {
      ++dropped_;
    }
  } catch (...) {
    ++dropped_;
  }
  changed_.notify_one();
}

void log_thread::lose_line() noexcept {
  const std::lock_guard lock(mutex_);
  ++dropped_;
  changed_.notify_one();
}

bool log_thread::is_in_callback() noexcept { return in_callback; }

void log_thread::deliver(const char* level, const char* text) const noexcept {
  in_callback = true;
  try {
    to_(user_data_, level, text);
  } catch (...) {
    // A callback in C++ has thrown: the line was delivered, and nobody is there to catch.
  }
  in_callback = false;
}

void log_thread::tell_dropped(std::unique_lock<std::mutex>& lock) noexcept {
  const auto count = std::exchange(dropped_, 0);
  lock.unlock();
  char text[64];
  snprintf(text, sizeof text, "%" PRIu64 " log lines were dropped", count);
  deliver("warning", text);
  lock.lock();
}

void log_thread::run() noexcept {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopping_ || dropped_ > 0 || !waiting_.empty(); });
    if (!waiting_.empty()) {
      const line next = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      deliver(next.level.c_str(), next.text.c_str());
      lock.lock();
    } else if (dropped_ > 0) {
      tell_dropped(lock);
    } else {
      return;
    }
  }
}

}  // namespace freshet::capi
