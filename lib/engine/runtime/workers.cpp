// A queue and its threads. The queue is bounded by what the gates admit: a few entries for each
// running call.
#include "engine/runtime/workers.hpp"

#include <sys/resource.h>

namespace freshet::detail {
namespace {

/// What a piece of work is taken to cost until it is known: a small page.
constexpr double likely_cost_s = 0.001;
/// Enough that a thread at the usual level hardly waits for one at this.
constexpr int yielding_niceness = 5;

}  // namespace

workers::workers(worker_options options) : options_(options) {
  threads_.reserve(options.threads);
  try {
    for (std::size_t i = 0; i < options.threads; ++i) threads_.emplace_back([this] { run(); });
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

void workers::post(std::function<void()> work, owner_id owner) {
  // Woken under the lock: the work may be the last of the engine, whose owner then destroys this
  // while a caller outside of the lock would still be waking.
  const std::lock_guard lock(mutex_);
  queue_.push(owner, std::move(work));
  wake_one();
}

// One at a time, and each that finds work wakes the next: a thread that is woken for what another
// takes meanwhile, or for an owner who has his threads, costs more than much of the work does.
void workers::wake_one() noexcept {
  if (waking_ || sleeping_ == 0 || !queue_.has_next(options_.threads_per_owner)) return;
  waking_ = true;
  wake_.notify_one();
}

void workers::run() {
  // On Linux the niceness is the thread's own. Where it is refused, all are equal.
  if (options_.yields) setpriority(PRIO_PROCESS, 0, yielding_niceness);
  std::unique_lock lock(mutex_);
  while (true) {
    auto next = queue_.pop(likely_cost_s, options_.threads_per_owner);
    if (!next) {
      if (stopping_ && queue_.empty()) return;
      ++sleeping_;
      wake_.wait(lock);
      --sleeping_;
      waking_ = false;
      continue;
    }
    wake_one();
    lock.unlock();
    const auto before = base::thread_processor_time();
    try {
      next->entry();
    } catch (const std::bad_alloc&) {
      // Calls answer for themselves; nothing else may take the thread with it.
    }
    next->entry = nullptr;  // it may hold the last of a call: let that go outside the lock
    const std::chrono::duration<double> used = base::thread_processor_time() - before;
    lock.lock();
    queue_.done(next->owner, used.count() - likely_cost_s);
    if (stopping_) wake_.notify_all();  // another may have found nothing that was allowed to run
  }
}

}  // namespace freshet::detail
