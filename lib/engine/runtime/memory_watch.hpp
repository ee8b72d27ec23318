// How near the process is to its bound of memory, and what it does without then: first what it
// keeps only to be quicker, then new work, then new connections. Health is always answered. And
// when what was let go of is worth giving back to the system: a process does not by itself.
#pragma once

#include <atomic>
#include <base/clock.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>

namespace freshet::detail {

/// In the order in which things are given up.
enum class memory_level : std::uint8_t {
  calm,
  no_caches,       ///< what is kept is dropped
  no_calls,        ///< calls of platforms are refused
  no_connections,  ///< connections are refused
};

/// When memory that was let go of is worth giving back: where there is so much more than there was,
/// and the less often the less that brings, for it costs who wants it again. Not thread-safe.
class return_rule {
 public:
  using time = std::chrono::steady_clock::time_point;

  /// `worth`: bytes that are.
  explicit return_rule(std::size_t worth) : worth_(worth) {}
  /// Whether to begin now, with so much in memory. `is_short`: it may be what is missing.
  [[nodiscard]] bool is_due(std::size_t resident, bool is_short, time now) noexcept;
  /// What it came to.
  void judge(std::size_t resident) noexcept;

 private:
  const std::size_t worth_;
  std::size_t least_ = std::numeric_limits<std::size_t>::max();  ///< that there has been
  std::size_t last_ = 0;  ///< when it was begun, and then what it came to
  time begun_{};
  std::chrono::seconds pause_{0};
};

struct memory_actions {
  // Both later and elsewhere: who looks may be a thread of connections.
  /// The level was found higher than before.
  std::function<void(memory_level)> on_rise;
  /// Gives back what was let go of, and then calls on_given_back().
  std::function<void()> give_back;
};

/// Thread-safe.
class memory_watch {
 public:
  using reading = std::function<std::size_t()>;

  /// `bound` in bytes; 0: half of what the machine, or its container, has. The actions are called
  /// by one thread at a time.
  explicit memory_watch(std::size_t bound = 0, memory_actions actions = {}, reading resident = {},
                        const base::clock& clock = base::system_clock());

  /// Looks at most ten times a second; between, and while another looks, what was seen last.
  [[nodiscard]] memory_level level();
  /// What was let go of has been given back.
  void on_given_back();
  [[nodiscard]] std::size_t bound() const noexcept { return bound_; }
  /// What the process has now, in bytes.
  [[nodiscard]] std::size_t used() const { return resident_(); }

 private:
  [[nodiscard]] memory_level level_of(std::size_t used) const noexcept;

  const std::size_t bound_;
  const memory_actions actions_;
  const reading resident_;
  const base::clock& clock_;
  std::atomic<std::int64_t> next_look_ = 0;  ///< of the steady clock, in its ticks
  std::atomic<memory_level> level_ = memory_level::calm;
  std::mutex looking_;
  return_rule returns_;  ///< guarded
};

}  // namespace freshet::detail
