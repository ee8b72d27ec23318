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
/// Memory is given back so often, while that brings something and where it does not.
constexpr std::chrono::seconds shortest_pause{5}, longest_pause{60};
/// And where it is short.
constexpr std::chrono::seconds pause_when_short{1};
/// What is worth to be given back, and the share of the bound that is, where that is less.
constexpr std::size_t worth_bytes = std::size_t{64} << 20, worth_share = 16;

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

bool return_rule::is_due(std::size_t resident, bool is_short, time now) noexcept {
  least_ = std::min(least_, resident);
  if (!is_short && resident < least_ + worth_) return false;
  const bool has_grown = resident >= last_ + worth_;
  const auto pause = is_short    ? pause_when_short
                     : has_grown ? shortest_pause
                                 : std::max(pause_, shortest_pause);
  if (now < begun_ + pause) return false;
  begun_ = now;
  last_ = resident;
  return true;
}

void return_rule::judge(std::size_t resident) noexcept {
  const bool was_worth_it = resident + worth_ / 2 <= last_;
  pause_ =
      was_worth_it ? shortest_pause : std::clamp(2 * pause_, 2 * shortest_pause, longest_pause);
  last_ = resident;
  least_ = std::min(least_, resident);
}

memory_watch::memory_watch(std::size_t bound, memory_actions actions, reading resident,
                           const base::clock& clock)
    : bound_(bound == 0 ? machine_memory() / 2 : bound),
      actions_(std::move(actions)),
      resident_(resident ? std::move(resident) : resident_memory),
      clock_(clock),
      returns_(std::min(worth_bytes, bound_ / worth_share)) {}

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
  const std::unique_lock lock(looking_, std::try_to_lock);
  if (!lock) return level_;
  const std::size_t resident = resident_();
  const auto seen = level_of(resident);
  if (level_.exchange(seen) < seen && actions_.on_rise) actions_.on_rise(seen);
  const bool is_short = seen > memory_level::calm;
  if (actions_.give_back && returns_.is_due(resident, is_short, return_rule::time(now))) {
    actions_.give_back();
  }
  return seen;
}

void memory_watch::on_given_back() {
  const std::lock_guard lock(looking_);
  returns_.judge(resident_());
}

}  // namespace freshet::detail
