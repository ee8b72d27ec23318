// What was given last is written, whatever was given while the one before was.
#include <base/whole_file.hpp>
#include <http/quota_file.hpp>
#include <new>
#include <system_error>
#include <utility>

namespace freshet::http {

quota_file::quota_file(std::string path, log_function log)
    : path_(std::move(path)), log_(std::move(log)) {}

quota_file::~quota_file() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
    wake_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

std::string quota_file::read() const { return base::read_whole(path_); }

std::uint64_t quota_file::put(std::string text) {
  std::unique_lock lock(mutex_);
  text_ = std::move(text);
  ++given_;
  wake_.notify_all();
  if (thread_.joinable()) return given_;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {  // no thread is to be had: it is written here
    write(lock);
  }
  return given_;
}

bool quota_file::has_written(std::uint64_t number, std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  if (done_ >= number || is_failing_) return done_ >= number;
  written_.wait_for(lock, patience, [&] { return done_ >= number || is_failing_; });
  return done_ >= number;
}

void quota_file::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return is_stopping_ || taken_ != given_; });
    if (taken_ == given_) return;
    write(lock);
  }
}

void quota_file::write(std::unique_lock<std::mutex>& lock) {
  const std::string text = std::move(text_);
  const std::uint64_t number = taken_ = given_;
  const bool was_failing = is_failing_;
  text_.clear();
  lock.unlock();
  bool is_good = false;
  try {
    is_good = base::replace_whole(path_, text);
  } catch (const std::bad_alloc&) {  // the next one may be luckier
  }
  if (!is_good && !was_failing && log_) {
    log_("warning", path_ + " cannot be written: daily quotas are not kept over a restart");
  }
  lock.lock();
  if (is_good) done_ = number;
  is_failing_ = !is_good;
  written_.notify_all();
}

}  // namespace freshet::http
