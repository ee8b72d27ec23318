// Reads what Linux says of the process, now and then.
#include "engine/runtime/memory_watch.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace freshet::detail {
namespace {

constexpr std::chrono::milliseconds look_interval{100};
/// Where the levels begin, in hundredths of the bound.
constexpr std::size_t caches_from = 70, calls_from = 85, connections_from = 95;

std::size_t page_size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

std::size_t machine_memory() {
  std::size_t least = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * page_size();
  std::ifstream limit("/sys/fs/cgroup/memory.max");  // "max" where there is none
  if (std::size_t bytes = 0; limit >> bytes) least = std::min(least, bytes);
  return least;
}

std::size_t resident_memory() {
  std::ifstream in("/proc/self/statm");
  std::size_t size = 0, resident = 0;
  in >> size >> resident;
  return resident * page_size();
}

}  // namespace

memory_watch::memory_watch(std::size_t bound, std::function<void(memory_level)> on_rise,
                           reading resident, const base::clock& clock)
    : bound_(bound == 0 ? machine_memory() / 2 : bound),
      on_rise_(std::move(on_rise)),
      resident_(resident ? std::move(resident) : resident_memory),
      clock_(clock) {}

memory_level memory_watch::level_of(std::size_t used) const noexcept {
  const auto hundredths = used / std::max<std::size_t>(bound_ / 100, 1);
  if (hundredths >= connections_from) return memory_level::no_connections;
  if (hundredths >= calls_from) return memory_level::no_calls;
  return hundredths >= caches_from ? memory_level::no_caches : memory_level::calm;
}

memory_level memory_watch::level() {
  const auto now = clock_.steady().time_since_epoch();
  auto due = next_look_.load(std::memory_order_relaxed);
  const auto next = (now + look_interval).count();
  // Who sets the next look is the one that looks.
  if (now.count() < due || !next_look_.compare_exchange_strong(due, next)) return level_;
  const auto seen = level_of(resident_());
  if (level_.exchange(seen) < seen && on_rise_) on_rise_(seen);
  return seen;
}

}  // namespace freshet::detail
