// The threads beside the main one that connections live on, a context each. It knows nothing of
// what runs there.
#pragma once

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <memory>
#include <new>
#include <server/io_work.hpp>
#include <thread>
#include <vector>

namespace freshet::server {

/// From here on the calling thread has the processor behind those that do not yield. On Linux the
/// niceness is the thread's own; threads that it starts have it, too.
inline void yield_to_others() noexcept {
  constexpr int steps = 5;
  ::setpriority(PRIO_PROCESS, 0, ::getpriority(PRIO_PROCESS, 0) + steps);
}

/// From here on the calling thread has the processor for a short while at a time, and therefore
/// soon: it does not wait for the turn of a thread that computes to end. Its part of the processor
/// stays what it was. Where the kernel knows no such turns (Linux before 6.12), nothing changes.
inline void take_short_turns() noexcept {
  // As of sched_setattr(2); the C library does not have it everywhere.
  struct {
    std::uint32_t size, policy;
    std::uint64_t flags;
    std::int32_t niceness;
    std::uint32_t priority;
    std::uint64_t runtime_ns, deadline_ns, period_ns;
  } asked{};
  constexpr std::uint64_t turn_ns = 100'000;
  asked.size = sizeof asked;
  asked.policy = SCHED_OTHER;
  asked.niceness = ::getpriority(PRIO_PROCESS, 0);
  asked.runtime_ns = turn_ns;
  ::syscall(SYS_sched_setattr, 0, &asked, 0);
}

/// Used on one thread.
class io_pool {
 public:
  /// `work` must outlive it. `yields`: to all that is not below it.
  io_pool(std::size_t threads, io_work& work, bool yields = false) : work_(work), yields_(yields) {
    while (contexts_.size() < threads) {
      contexts_.push_back(std::make_unique<boost::asio::io_context>(1));
    }
  }
  ~io_pool() { stop(); }
  io_pool(const io_pool&) = delete;
  io_pool& operator=(const io_pool&) = delete;

  [[nodiscard]] std::vector<boost::asio::io_context*> contexts() const {
    std::vector<boost::asio::io_context*> all;
    for (const auto& one : contexts_) all.push_back(one.get());
    return all;
  }

  void start() {
    for (const auto& one : contexts_) {
      threads_.emplace_back([this, &io = *one] {
        if (yields_) yield_to_others();
        take_short_turns();
        const auto stays = boost::asio::make_work_guard(io);
        while (!io.stopped()) {
          try {
            work_.run(io, yields_);
          } catch (const std::bad_alloc&) {
            // What wanted the memory is lost; the sweep ends whose it was.
          }
        }
      });
    }
  }

  /// Nothing of it runs any more; the contexts stay, for what is late.
  void stop() {
    for (const auto& one : contexts_) one->stop();
    for (std::thread& one : threads_) one.join();
    threads_.clear();
  }

 private:
  io_work& work_;
  bool yields_;
  std::vector<std::unique_ptr<boost::asio::io_context>> contexts_;
  std::vector<std::thread> threads_;
};

}  // namespace freshet::server
