// Brings a client's log lines to the caller's function, on a thread of its own: the engine's
// threads never run foreign code, so that a callback may call, wait and take its time.
#pragma once

#include <freshet.h>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace freshet::capi {

/// Lines that may wait for the callback; more are dropped and counted.
inline constexpr std::size_t max_log_lines = 1024;

class log_thread {
 public:
  /// Starts the thread. Throws std::system_error if the system has none to give.
  log_thread(freshet_log log, void* user_data);
  log_thread(const log_thread&) = delete;
  log_thread& operator=(const log_thread&) = delete;
  /// Delivers what waits, then ends the thread.
  ~log_thread();

  /// From any thread; never waits for the callback. A line for which there is no room or no memory
  /// is counted instead.
  void push(std::string_view level, std::string_view line) noexcept;
  /// Counts a line for which there was no memory before it came here.
  void lose_line() noexcept;

  /// Whether this thread runs a callback just now, of whichever client.
  [[nodiscard]] static bool is_in_callback() noexcept;

 private:
  struct line {
    std::string level, text;
  };
  void run() noexcept;
  void deliver(const char* level, const char* text) const noexcept;
  void tell_dropped(std::unique_lock<std::mutex>& lock) noexcept;

  freshet_log to_;
  void* user_data_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<line> waiting_;
  std::uint64_t dropped_ = 0;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace freshet::capi
