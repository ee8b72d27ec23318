// A queue and its threads. The queue is bounded by what the engine admits: one entry for each
// running fetch.
#include "engine/runtime/workers.hpp"

namespace freshet::detail {

workers::workers(std::size_t threads) {
  threads_.reserve(threads);
  try {
    for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
  } catch (...) {  // the destructor is not called for what was never made
    stop();
    throw;
  }
}

workers::~workers() { stop(); }

void workers::stop() noexcept {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void workers::post(std::function<void()> work) {
  // Woken under the lock: the work may be the last of the engine, whose owner then destroys this
  // while a caller outside of the lock would still be waking.
  const std::lock_guard lock(mutex_);
  queue_.push_back(std::move(work));
  wake_.notify_one();
}

void workers::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    if (queue_.empty()) return;
    auto work = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    try {
      work();
    } catch (const std::bad_alloc&) {
      // Calls answer for themselves; nothing else may take the thread with it.
    }
    work = nullptr;  // what it holds may be the last owner of a call: let it go outside the lock
    lock.lock();
  }
}

}  // namespace freshet::detail
