// A queue and its threads. The queue is bounded by what the engine admits: one entry for each
// running fetch.
#include "engine/workers.hpp"

namespace freshet::detail {

workers::workers(std::size_t threads) {
  threads_.reserve(threads);
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
}

workers::~workers() {
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
    work();
    work = nullptr;  // what it holds may be the last owner of a call: let it go outside the lock
    lock.lock();
  }
}

}  // namespace freshet::detail
