// Places, and whose they are.
#include "engine/dashboard/dashboard_lane.hpp"

#include <algorithm>

namespace freshet::detail {
namespace {

/// One owner holds all threads but one, so that nobody waits for the end of another's long work.
worker_options threads_of(const dashboard_lane_limits& limits) {
  worker_options out;
  out.threads = limits.threads;
  out.threads_per_owner = std::max<std::size_t>(1, limits.threads - 1);
  return out;
}

}  // namespace

dashboard_lane::dashboard_lane(const dashboard_lane_limits& limits)
    : limits_(limits), threads_(threads_of(limits)) {}

bool dashboard_lane::take_place(owner_id owner) {
  const std::lock_guard lock(mutex_);
  const std::size_t open = owner < 0 ? limits_.places - limits_.places / 4 : limits_.places;
  if (taken_by_all_ >= open) return false;
  std::size_t& own = taken_[owner];
  if (own >= limits_.places_of_owner) return false;
  ++own;
  ++taken_by_all_;
  return true;
}

void dashboard_lane::give_back(owner_id owner) noexcept {
  const std::lock_guard lock(mutex_);
  const auto own = taken_.find(owner);
  if (--own->second == 0) taken_.erase(own);
  --taken_by_all_;
}

bool dashboard_lane::post(owner_id owner, std::function<void()> work, std::function<void()> then) {
  if (!take_place(owner)) return false;
  try {
    threads_.post(
        [this, owner, work = std::move(work), then = std::move(then)] {
          work();
          give_back(owner);
          then();
        },
        owner);
  } catch (...) {  // no memory: it was not taken
    give_back(owner);
    throw;
  }
  return true;
}

}  // namespace freshet::detail
