// Runs what a thread of connections has to do, and measures how long one piece of it holds the
// thread: in developers' builds alone (FRESHET_MEASURE_IO), for it costs two calls of the system.
#pragma once

#include <sched.h>
#include <time.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace freshet::server {

/// Of several threads together. Thread-safe.
class io_work {
 public:
  /// Runs the context on this thread until it is stopped or has nothing more to do. Where it
  /// `yields`, others are let onto the processor between two pieces now and then, or who was woken
  /// meanwhile may wait until the kernel next looks whose turn it is: 4 ms, as most are built.
  void run(boost::asio::io_context& io, bool yields) {
    if (!is_measured && !yields) {
      io.run();
      return;
    }
    using steady = std::chrono::steady_clock;
    auto before = is_measured ? used() : nanoseconds(0);
    for (auto offered = steady::now(); io.run_one() != 0;) {
      if (is_measured) {
        const auto after = used();
        note(after - before);
        before = after;
      }
      if (!yields || steady::now() - offered < longest_turn) continue;
      ::sched_yield();
      offered = steady::now();
    }
  }

  /// A line for people; nothing where it is not measured.
  [[nodiscard]] std::optional<std::string> told() const {
    if (!is_measured) return std::nullopt;
    return "on the threads of connections: " + std::to_string(pieces_) +
           " pieces of work, the longest " + std::to_string(longest_ / 1000) + " us, " +
           std::to_string(long_ones_) + " above 1 ms";
  }

 private:
  using nanoseconds = std::chrono::nanoseconds;
#ifdef FRESHET_MEASURE_IO
  static constexpr bool is_measured = true;
#else
  static constexpr bool is_measured = false;
#endif
  static constexpr std::chrono::microseconds longest_turn{300};

  /// Processor time: what others do to the machine is no fault of the work.
  [[nodiscard]] static nanoseconds used() noexcept {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + nanoseconds(now.tv_nsec);
  }
  void note(nanoseconds took) noexcept {
    ++pieces_;
    if (took > std::chrono::milliseconds(1)) ++long_ones_;
    for (std::int64_t known = longest_; known < took.count();) {
      if (longest_.compare_exchange_weak(known, took.count())) break;
    }
  }

  std::atomic<std::int64_t> longest_{0}, pieces_{0}, long_ones_{0};
};

}  // namespace freshet::server
