// A connection that could not be opened is not kept.
#include <account/store/sqlite/reader_pool.hpp>

namespace freshet::account {

result<std::unique_ptr<sqlite::database>> reader_pool::take() {
  {
    std::unique_lock guard(mutex_);
    freed_.wait(guard, [this] { return taken_ < most; });
    ++taken_;
    if (!free_.empty()) {
      auto one = std::move(free_.back());
      free_.pop_back();
      return one;
    }
  }
  auto made = std::make_unique<sqlite::database>();
  if (auto opened = made->open(path_, sqlite::database_use::read); !opened) {
    give_back(nullptr);
    return opened.error();
  }
  return made;
}

void reader_pool::give_back(std::unique_ptr<sqlite::database> one) {
  {
    const std::lock_guard guard(mutex_);
    --taken_;
    if (one != nullptr) free_.push_back(std::move(one));
  }
  freed_.notify_one();
}

result<void> reader_pool::read(const std::function<result<void>(sqlite::database&)>& reading) {
  auto taken = take();
  if (!taken) return taken.error();
  try {
    auto done = reading(**taken);
    give_back(std::move(*taken));
    return done;
  } catch (...) {  // no memory for what was read
    give_back(std::move(*taken));
    throw;
  }
}

}  // namespace freshet::account
