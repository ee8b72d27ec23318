// How near the process is to its bound of memory, and what it does without then: first what it
// keeps only to be quicker, then new work, then new connections. Health is always answered.
#pragma once

#include <atomic>
#include <base/clock.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace freshet::detail {

/// In the order in which things are given up.
enum class memory_level : std::uint8_t {
  calm,
  no_caches,       ///< what is kept is dropped
  no_calls,        ///< calls of platforms are refused
  no_connections,  ///< connections are refused
};

/// Thread-safe.
class memory_watch {
 public:
  using reading = std::function<std::size_t()>;

  /// `bound` in bytes; 0: half of what the machine, or its container, has. `on_change` is called
  /// whenever the level was found higher than before; by one thread at a time, which waits.
  explicit memory_watch(std::size_t bound = 0, std::function<void(memory_level)> on_rise = {},
                        reading resident = {}, const base::clock& clock = base::system_clock());

  /// Looks at most ten times a second; between, what it saw last.
  [[nodiscard]] memory_level level();
  [[nodiscard]] std::size_t bound() const noexcept { return bound_; }
  /// What the process has now, in bytes.
  [[nodiscard]] std::size_t used() const { return resident_(); }

 private:
  [[nodiscard]] memory_level level_of(std::size_t used) const noexcept;

  const std::size_t bound_;
  const std::function<void(memory_level)> on_rise_;
  const reading resident_;
  const base::clock& clock_;
  std::atomic<std::int64_t> next_look_ = 0;  ///< of the steady clock, in its ticks
  std::atomic<memory_level> level_ = memory_level::calm;
};

}  // namespace freshet::detail
