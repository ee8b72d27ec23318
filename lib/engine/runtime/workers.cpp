// A queue and its threads. The queue is bounded by what the gates admit: a few entries for each
// running call.
#include "engine/runtime/workers.hpp"

#include <base/clock.hpp>
#include <base/work.hpp>

namespace freshet::detail {
namespace {

/// What a piece of work is taken to cost until it is known: a small page.
constexpr double likely_cost_s = 0.001;

}  // namespace

workers::workers(worker_options options) : options_(options) {
  threads_.reserve(options.threads + options.short_threads);
  try {
    for (std::size_t i = 0; i < options.threads; ++i) threads_.emplace_back([this] { run(all_); });
    for (std::size_t i = 0; i < options.short_threads; ++i)
      threads_.emplace_back([this] { run(short_); });
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
  for (crew* each : {&all_, &short_}) each->wake->notify_all();
  for (auto& thread : threads_) thread.join();
}

void workers::post(std::function<void()> work, owner_id owner, std::size_t bytes) {
  std::unique_lock lock(mutex_);
  if (bytes > 0) bytes_of_.try_emplace(owner);  // so that a thread has nothing to allocate
  queue_.push(owner, {std::move(work), bytes});
  const auto sleeper = to_wake();
  lock.unlock();
  if (sleeper) sleeper->notify_one();
}

bool workers::may_run::operator()(owner_id owner, const piece& next) noexcept {
  // So little that it waits for no room.
  if (is_for_short) return next.bytes <= of.options_.short_bytes;
  const auto has_room = [&](std::size_t taken, std::size_t most) {
    return next.bytes == 0 || taken == 0 || most == 0 || taken + next.bytes <= most;
  };
  const auto own = of.bytes_of_.find(owner);
  if (own != of.bytes_of_.end() && !has_room(own->second, of.options_.bytes_per_owner))
    return false;
  // Who is first keeps the room for itself, or smaller ones would pass it forever.
  if (!has_room(of.bytes_, of.options_.bytes)) is_full = true;
  return next.bytes == 0 || !is_full;
}

// One at a time, and each that finds work wakes the next: a thread that is woken for what another
// takes meanwhile, or for an owner who has his threads, costs more than much of the work does.
std::shared_ptr<std::condition_variable> workers::to_wake() noexcept {
  for (crew* each : {&all_, &short_}) {
    if (each->waking || each->sleeping == 0) continue;
    may_run may{*this, each->is_for_short};
    if (!queue_.has_next(most_of_owner(*each), may)) continue;
    each->waking = true;
    return each->wake;  // who finds work looks for others
  }
  return nullptr;
}

std::optional<base::fair_queue<workers::piece>::taken_entry> workers::take(
    const crew& who) noexcept {
  may_run may{*this, who.is_for_short};
  auto next = queue_.pop_if(likely_cost_s, most_of_owner(who), may);
  if (next && next->entry.bytes > 0) {
    bytes_ += next->entry.bytes;
    bytes_of_.find(next->owner)->second += next->entry.bytes;
  }
  return next;
}

void workers::finish(owner_id owner, std::size_t bytes, double used_s) noexcept {
  queue_.done(owner, used_s - likely_cost_s);
  if (bytes == 0) return;
  bytes_ -= bytes;
  const auto own = bytes_of_.find(owner);
  own->second -= bytes;
  if (own->second == 0 && queue_.size_of(owner) == 0) bytes_of_.erase(own);
}

void workers::run(crew& own) {
  if (options_.yields) base::yield_to_answers();
  std::unique_lock lock(mutex_);
  while (true) {
    auto next = take(own);
    if (!next) {
      if (stopping_ && (own.is_for_short || queue_.empty())) return;
      // What this one has done may let the others begin something.
      if (const auto sleeper = to_wake()) {
        lock.unlock();
        sleeper->notify_one();
        lock.lock();
        continue;
      }
      ++own.sleeping;
      own.wake->wait(lock);
      --own.sleeping;
      own.waking = false;
      continue;
    }
    const auto sleeper = to_wake();
    lock.unlock();
    if (sleeper) sleeper->notify_one();
    const auto before = base::thread_processor_time();
    try {
      next->entry.work();
    } catch (const std::bad_alloc&) {
      // Calls answer for themselves; nothing else may take the thread with it.
    }
    next->entry.work = nullptr;  // it may hold the last of a call: let that go outside the lock
    const std::chrono::duration<double> used = base::thread_processor_time() - before;
    lock.lock();
    finish(next->owner, next->entry.bytes, used.count());
    if (stopping_)
      all_.wake->notify_all();  // another may have found nothing that was allowed to run
  }
}

}  // namespace freshet::detail
