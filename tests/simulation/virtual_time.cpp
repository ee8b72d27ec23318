// The turns. A semaphore for each thread, which the simulation does not see, hands the turn over.
#include <sched.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <simulation/virtual_time.hpp>
#include <utility>

namespace freshet::simulation {
namespace {

world* running = nullptr;
thread_local world::thread* own = nullptr;
/// More than any seed takes.
constexpr std::uint64_t most_turns = 20'000'000;

}  // namespace

world::world(std::uint64_t seed) : random_(seed) {}

/// One processor: no two ever have something to do.
static void stay_here() {
  cpu_set_t here;
  CPU_ZERO(&here);
  CPU_SET(static_cast<std::size_t>(::sched_getcpu()), &here);
  static_cast<void>(::sched_setaffinity(0, sizeof here, &here));
}

void world::begin(std::uint64_t seed) {
  stay_here();
  auto* const made = new world(seed);  // NOLINT: end() deletes it
  own = made->add_thread();
  running = made;
}

void world::end() {
  for (const auto& one : running->threads_)
    if (one.get() != own && !one->has_ended) running->fail("a thread has not ended");
  delete std::exchange(running, nullptr);
  own = nullptr;
}

world* world::current() noexcept { return own == nullptr ? nullptr : running; }
world::thread* world::self() noexcept { return own; }
machine world::here() const noexcept { return own->of; }
void world::move_to(machine where) { own->of = where; }

bool world::is_paused(machine which) const {
  const auto found = paused_.find(which);
  return found != paused_.end() && found->second > now_;
}

moment world::skew_of(machine which) const {
  const auto found = skew_.find(which);
  return found == skew_.end() ? 0 : found->second;
}

void world::at(moment when, std::function<void()> event) {
  events_.emplace(std::pair(std::max(when, now_), ++events_made_), std::move(event));
}

void world::fail(const char* why) const {
  std::fprintf(stderr, "simulation: %s at %lld ms\n", why,
               static_cast<long long>(now_ / millisecond));
  std::abort();
}

/// Who has the next turn. Time passes where nobody is ready.
world::thread* world::choose() {
  for (;;) {
    if (++turns_ > most_turns) fail("it goes on for ever");
    while (!events_.empty() && events_.begin()->first.first <= now_) {
      const auto what = std::move(events_.begin()->second);
      events_.erase(events_.begin());
      what();
    }
    thread* chosen = nullptr;
    std::uint64_t ready = 0;
    moment next = events_.empty() ? never : events_.begin()->first.first;
    for (const auto& one : threads_) {
      if (one->has_ended) continue;
      if (one->is_waiting && one->until > now_) {
        next = std::min(next, one->until);
        continue;
      }
      const auto paused = paused_.find(one->of);
      if (paused != paused_.end() && paused->second > now_) {
        next = std::min(next, paused->second);
        continue;
      }
      if (chance(++ready) == 0) chosen = one.get();
    }
    if (chosen != nullptr) {
      if (std::exchange(chosen->is_waiting, false)) chosen->is_timed_out = chosen->until != never;
      return chosen;
    }
    if (next == never) fail("everybody waits");
    now_ = next;
  }
}

void world::switch_away() {
  thread* const next = choose();
  if (next == own) return;
  // Another one may end the world while this one ends.
  sem_t* const turn = own->has_ended ? nullptr : &own->turn;
  ::sem_post(&next->turn);
  if (turn == nullptr) return;
  while (::sem_wait(turn) != 0) {
  }
}

bool world::wait_on(const void* thing, moment until, const void* mutex) {
  own->on = thing;
  own->mutex = mutex;
  own->until = until;
  own->is_waiting = true;
  own->is_timed_out = false;
  switch_away();
  own->on = nullptr;
  return !own->is_timed_out;
}

void world::wake(const void* thing, bool all) {
  for (;;) {
    thread* chosen = nullptr;
    std::uint64_t found = 0;
    for (const auto& one : threads_)
      if (one->is_waiting && one->on == thing && thing != nullptr && chance(++found) == 0)
        chosen = one.get();
    if (chosen == nullptr) return;
    chosen->is_waiting = false;
    chosen->on = nullptr;
    if (all) continue;
    const auto owner = owners_.find(chosen->mutex);
    if (owner != owners_.end() && owner->second == own) ++woken_too_soon_;
    return;
  }
}

void world::sleep(moment how_long) { wait_on(nullptr, now_ + std::max<moment>(how_long, 0)); }

void world::give_way() {
  if (chance(16) == 0) sleep(0);
}

void world::lock(const void* mutex) {
  give_way();
  while (!try_lock(mutex)) wait_on(mutex);
}

bool world::try_lock(const void* mutex) { return owners_.emplace(mutex, own).second; }

void world::unlock(const void* mutex) {
  owners_.erase(mutex);
  wake(mutex, false);
}

world::thread* world::add_thread() {
  auto& made = threads_.emplace_back(std::make_unique<thread>());
  ::sem_init(&made->turn, 0, 0);
  if (own != nullptr) made->of = own->of;
  return made.get();
}

void world::run_thread(thread* self, const std::function<void()>& body) {
  own = self;
  while (::sem_wait(&self->turn) != 0) {
  }
  body();
  self->has_ended = true;
  running->wake(self, true);
  running->switch_away();
}

void world::await_end(const thread* other) {
  while (!other->has_ended) wait_on(other);
}

void world::forget(const thread* ended) {
  std::erase_if(threads_, [&](const auto& one) { return one.get() == ended; });
}

}  // namespace freshet::simulation
