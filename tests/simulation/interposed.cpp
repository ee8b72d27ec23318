// What the library and the C++ library ask of threads and clocks, in the place of the C library's.
// Outside of a simulation each does what it always did.
#include <dlfcn.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <cerrno>
#include <cstdarg>
#include <ctime>
#include <simulation/connections.hpp>
#include <simulation/virtual_time.hpp>

using namespace freshet::simulation;

namespace {

template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));  // NOLINT
}
#define REAL(name) static const auto real_##name = real<decltype(&::name)>(#name)

/// Midnight of 1 November 2026, when each simulation begins, in seconds.
constexpr std::int64_t first_day = 1'793'491'200;

/// What who polls a connection waits on.
const void* poll_of(int file) {
  static const char keys[1 << 16] = {};
  return &keys[static_cast<unsigned>(file) % sizeof keys];
}

timespec as_timespec(std::int64_t ns) { return {ns / second, ns % second}; }
moment as_moment(const timespec& at) { return at.tv_sec * second + at.tv_nsec; }
const char polls = 0;  ///< what those wait on that poll no connection

struct started {
  void* (*function)(void*);
  void* argument;
  world::thread* self;
};
std::map<pthread_t, world::thread*> handles;

int wait_on_condition(world& inside, const void* condition, pthread_mutex_t* mutex, moment until) {
  inside.unlock(mutex);
  const bool woken = inside.wait_on(condition, until, mutex);
  inside.lock(mutex);
  return woken ? 0 : ETIMEDOUT;
}

}  // namespace

void freshet::simulation::wake_polls(int file) { world::current()->wake(poll_of(file), true); }

extern "C" {

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  REAL(pthread_mutex_lock);
  if (world* const in = world::current()) return in->lock(mutex), 0;
  return real_pthread_mutex_lock(mutex);
}
int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  REAL(pthread_mutex_trylock);
  if (world* const in = world::current()) return in->try_lock(mutex) ? 0 : EBUSY;
  return real_pthread_mutex_trylock(mutex);
}
int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  REAL(pthread_mutex_unlock);
  if (world* const in = world::current()) return in->unlock(mutex), 0;
  return real_pthread_mutex_unlock(mutex);
}

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  REAL(pthread_cond_wait);
  if (world* const in = world::current()) return wait_on_condition(*in, condition, mutex, never);
  return real_pthread_cond_wait(condition, mutex);
}
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* until) {
  REAL(pthread_cond_clockwait);
  if (world* const in = world::current()) {
    moment at = as_moment(*until);
    if (clock == CLOCK_REALTIME) at -= first_day * second + in->skew();
    return wait_on_condition(*in, condition, mutex, at);
  }
  return real_pthread_cond_clockwait(condition, mutex, clock, until);
}
int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                           const timespec* until) {
  REAL(pthread_cond_timedwait);
  if (world::current() != nullptr)
    return pthread_cond_clockwait(condition, mutex, CLOCK_REALTIME, until);
  return real_pthread_cond_timedwait(condition, mutex, until);
}
int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  REAL(pthread_cond_signal);
  if (world* const in = world::current()) return in->wake(condition, false), 0;
  return real_pthread_cond_signal(condition);
}
int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  REAL(pthread_cond_broadcast);
  if (world* const in = world::current()) return in->wake(condition, true), 0;
  return real_pthread_cond_broadcast(condition);
}

int pthread_create(pthread_t* made, const pthread_attr_t* how, void* (*function)(void*),
                   void* argument) noexcept {
  REAL(pthread_create);
  world* const in = world::current();
  if (in == nullptr) return real_pthread_create(made, how, function, argument);
  auto* const passed = new started{function, argument, in->add_thread()};  // NOLINT
  const auto begin = +[](void* given) -> void* {
    const started what = *static_cast<started*>(given);
    delete static_cast<started*>(given);  // NOLINT
    world::run_thread(what.self, [&] { what.function(what.argument); });
    return nullptr;
  };
  const int failed = real_pthread_create(made, how, begin, passed);
  if (failed == 0) handles[*made] = passed->self;
  return failed;
}
int pthread_join(pthread_t other, void** given) {
  REAL(pthread_join);
  if (world* const in = world::current()) {
    world::thread* const ended = handles.at(other);
    in->await_end(ended);
    handles.erase(other);
    const int failed = real_pthread_join(other, given);
    in->forget(ended);
    return failed;
  }
  return real_pthread_join(other, given);
}

int nanosleep(const timespec* how_long, timespec* left) {
  REAL(nanosleep);
  if (world* const in = world::current()) return in->sleep(as_moment(*how_long)), 0;
  return real_nanosleep(how_long, left);
}
int clock_nanosleep(clockid_t clock, int flags, const timespec* how_long, timespec* left) {
  REAL(clock_nanosleep);
  world* const in = world::current();
  if (in != nullptr && flags == 0) return in->sleep(as_moment(*how_long)), 0;
  return real_clock_nanosleep(clock, flags, how_long, left);
}

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  REAL(clock_gettime);
  if (world* const in = world::current()) {
    *time = as_timespec(clock == CLOCK_REALTIME ? first_day * second + in->now() + in->skew()
                                                : in->now());
    return 0;
  }
  return real_clock_gettime(clock, time);
}

int poll(pollfd* files, nfds_t count, int timeout_ms) {
  REAL(poll);
  world* const in = world::current();
  if (in == nullptr) return real_poll(files, count, timeout_ms);
  const moment until = timeout_ms < 0 ? never : in->now() + timeout_ms * millisecond;
  const void* on = &polls;
  for (nfds_t i = 0; i < count; ++i)
    if (is_connection(files[i].fd)) on = poll_of(files[i].fd);
  for (;;) {
    int ready = 0;
    for (nfds_t i = 0; i < count; ++i) {
      if (is_connection(files[i].fd))
        files[i].revents = can_be_read(files[i].fd) ? POLLIN : 0;  // NOLINT
      else
        real_poll(&files[i], 1, 0);
      ready += files[i].revents != 0 ? 1 : 0;
    }
    if (ready > 0 || in->now() >= until) return ready;
    in->wait_on(on, until);
  }
}
int eventfd_write(int file, eventfd_t value) {
  REAL(eventfd_write);
  const int done = real_eventfd_write(file, value);
  world* const in = world::current();
  if (in == nullptr) return done;
  in->wake(&polls, true);
  for (const int each : connections()) wake_polls(each);
  return done;
}

/// What futures wait by.
long syscall(long number, ...) noexcept {  // NOLINT
  static const auto real_syscall = real<long (*)(long, ...)>("syscall");
  va_list given;
  va_start(given, number);
  long arguments[6];
  for (long& one : arguments) one = va_arg(given, long);
  va_end(given);
  world* const in = world::current();
  const auto* const word = reinterpret_cast<const int*>(arguments[0]);  // NOLINT
  const int operation = static_cast<int>(arguments[1]) & FUTEX_CMD_MASK;
  if (in == nullptr || number != SYS_futex || (operation != FUTEX_WAIT && operation != FUTEX_WAKE))
    return real_syscall(number, arguments[0], arguments[1], arguments[2], arguments[3],
                        arguments[4], arguments[5]);
  if (operation == FUTEX_WAKE) return in->wake(word, true), 0;
  if (*word != static_cast<int>(arguments[2])) return errno = EAGAIN, -1;
  in->wait_on(word);
  return 0;
}

}  // extern "C"
