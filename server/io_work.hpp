// How long a thread of connections is held by one piece of work. Measured in developers' builds
// alone (FRESHET_MEASURE_IO): it costs two calls of the system for each.
#pragma once

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
  /// Runs the context on this thread until it is stopped or has nothing more to do.
  void run(boost::asio::io_context& io) {
#ifdef FRESHET_MEASURE_IO
    for (auto before = used(); io.run_one() != 0;) {
      const auto after = used();
      note(after - before);
      before = after;
    }
#else
    io.run();
#endif
  }

  /// A line for people; nothing where it is not measured.
  [[nodiscard]] std::optional<std::string> told() const {
#ifdef FRESHET_MEASURE_IO
    return "on the threads of connections: " + std::to_string(pieces_) +
           " pieces of work, the longest " + std::to_string(longest_ / 1000) + " us, " +
           std::to_string(long_ones_) + " above 1 ms";
#else
    return std::nullopt;
#endif
  }

 private:
  using nanoseconds = std::chrono::nanoseconds;

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
