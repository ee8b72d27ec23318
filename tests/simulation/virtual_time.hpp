// Threads of the real code, one at a time and in virtual time. This program has the functions of
// pthreads, clocks and waits in the place of the C library's (interposed.cpp): whoever waits gives
// way here, chance says who is next, and where nobody can go on the clock jumps to the next moment
// at which somebody can. So minutes pass in milliseconds, and a seed does the same each time.
#pragma once

#include <semaphore.h>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace freshet::simulation {

/// Nanoseconds since the simulation began.
using moment = std::int64_t;
inline constexpr moment never = std::numeric_limits<moment>::max();
inline constexpr moment millisecond = 1'000'000, second = 1'000 * millisecond;

/// What stands still or has another time of day as a whole: a server. 0: what drives the test.
using machine = std::size_t;

class world {
 public:
  /// Of the calling thread, which is that of machine 0.
  static void begin(std::uint64_t seed);
  /// All threads but this one have ended.
  static void end();
  /// Null outside of a simulation, and on threads that are not of it.
  [[nodiscard]] static world* current() noexcept;

  [[nodiscard]] moment now() const noexcept { return now_; }
  [[nodiscard]] machine here() const noexcept;
  /// The calling thread's, and of those that it starts from now on.
  void move_to(machine where);
  void pause(machine which, moment until) { paused_[which] = until; }
  [[nodiscard]] bool is_paused(machine which) const;
  void set_skew(machine which, moment ahead) { skew_[which] = ahead; }
  [[nodiscard]] moment skew() const { return skew_of(here()); }
  [[nodiscard]] moment skew_of(machine which) const;

  /// Runs on whatever thread is at hand; must not wait.
  void at(moment when, std::function<void()> event);
  void after(moment how_long, std::function<void()> event) {
    at(now_ + how_long, std::move(event));
  }

  /// Waits until somebody wakes who waits on `thing`; false if that was not before `until`. Who
  /// waits needs `mutex` then, if it is one.
  bool wait_on(const void* thing, moment until = never, const void* mutex = nullptr);
  void wake(const void* thing, bool all);
  void sleep(moment how_long);
  /// Lets others go first, if chance says so.
  void give_way();

  /// Below `end`, evenly.
  [[nodiscard]] std::uint64_t chance(std::uint64_t end) { return end == 0 ? 0 : random_() % end; }
  [[nodiscard]] moment between(moment least, moment most) {
    return least + static_cast<moment>(chance(static_cast<std::uint64_t>(most - least + 1)));
  }

  // For interposed.cpp.
  void lock(const void* mutex);
  [[nodiscard]] bool try_lock(const void* mutex);
  void unlock(const void* mutex);
  /// Gives the handle of a new thread, which runs when it is its turn.
  struct thread;
  thread* add_thread();
  static void run_thread(thread* self, const std::function<void()>& body);
  void await_end(const thread* other);
  void forget(const thread* ended);
  [[nodiscard]] static thread* self() noexcept;
  /// How often somebody else had a turn: what stands for ever is found by it.
  [[nodiscard]] std::uint64_t turns() const noexcept { return turns_; }
  /// How often who alone was woken needed a mutex that who woke it had.
  [[nodiscard]] std::uint64_t woken_too_soon() const noexcept { return woken_too_soon_; }

 private:
  explicit world(std::uint64_t seed);
  void switch_away();
  thread* choose();
  [[noreturn]] void fail(const char* why) const;

  std::mt19937_64 random_;
  moment now_ = 0;
  std::uint64_t turns_ = 0, events_made_ = 0, woken_too_soon_ = 0;
  std::vector<std::unique_ptr<thread>> threads_;
  std::map<std::pair<moment, std::uint64_t>, std::function<void()>> events_;
  std::map<machine, moment> paused_, skew_;
  std::map<const void*, const thread*> owners_;  ///< of mutexes that are locked
};

struct world::thread {
  sem_t turn;
  machine of = 0;
  bool is_waiting = false, has_ended = false, is_timed_out = false;
  const void *on = nullptr, *mutex = nullptr;
  moment until = never;
};

}  // namespace freshet::simulation
