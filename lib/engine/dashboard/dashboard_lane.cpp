// Places, and whose they are.
#include "engine/dashboard/dashboard_lane.hpp"

#include <algorithm>

namespace freshet::detail {
namespace {

/// One may mistype.
constexpr int turns_of_who_had_some = 2;
constexpr std::chrono::minutes turn_memory{10};
constexpr std::size_t most_remembered = 100'000;

/// One owner holds all threads but one, so that nobody waits for the end of another's long work.
worker_options threads_of(const dashboard_lane_limits& limits) {
  worker_options out;
  out.threads = limits.threads;
  out.threads_per_owner = std::max<std::size_t>(1, limits.threads - 1);
  out.yields = limits.yields;
  return out;
}

}  // namespace

dashboard_lane::dashboard_lane(const dashboard_lane_limits& limits)
    : limits_(limits), threads_(threads_of(limits)) {}

bool dashboard_lane::had_turns(owner_id owner) const {
  const auto found = turns_.find(owner);
  return found != turns_.end() && found->second.count >= turns_of_who_had_some &&
         std::chrono::steady_clock::now() - found->second.last < turn_memory;
}

void dashboard_lane::count_turn(owner_id owner) {
  if (turns_.size() >= most_remembered) turns_.erase(turns_.begin());
  turns& had = turns_[owner];
  const auto now = std::chrono::steady_clock::now();
  had.count = now - had.last < turn_memory ? had.count + 1 : 1;
  had.last = now;
}

bool dashboard_lane::take_place(owner_id owner, bool is_known) {
  const std::lock_guard lock(mutex_);
  std::size_t open = limits_.places;
  if (owner < 0 && !is_known) open -= open / 4;
  if (had_turns(owner)) open = (limits_.places - limits_.places / 4) / 2;
  if (taken_by_all_ >= open) return false;
  std::size_t most = limits_.places_of_owner;
  if (taken_by_all_ >= open / 2) most = std::max<std::size_t>(1, most / 4);
  if (taken_by_all_ >= open - open / 4) most = 1;
  const auto known = taken_.find(owner);
  if (known != taken_.end() && known->second >= most) return false;
  if (limits_.counts_turns && owner < 0) count_turn(owner);
  std::size_t& own = taken_[owner];
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

class dashboard_lane::taken_place {
 public:
  taken_place(dashboard_lane& lane, owner_id owner, std::function<void()> then)
      : lane_(lane), owner_(owner), then_(std::move(then)) {}
  taken_place(const taken_place&) = delete;
  taken_place& operator=(const taken_place&) = delete;
  ~taken_place() {
    lane_.give_back(owner_);
    try {
      if (then_) then_();
    } catch (const std::bad_alloc&) {
      // Nobody can be told.
    }
  }
  /// The work was not taken.
  void tell_nobody() noexcept { then_ = nullptr; }

 private:
  dashboard_lane& lane_;
  const owner_id owner_;
  std::function<void()> then_;
};

bool dashboard_lane::post(owner_id owner, std::function<void(place)> work,
                          std::function<void()> then, bool is_known) {
  if (!take_place(owner, is_known)) return false;
  std::shared_ptr<taken_place> taken;
  try {
    taken = std::make_shared<taken_place>(*this, owner, std::move(then));
  } catch (...) {  // no memory
    give_back(owner);
    throw;
  }
  try {
    threads_.post([work = std::move(work), taken]() mutable { work(std::move(taken)); }, owner);
  } catch (...) {
    taken->tell_nobody();
    throw;
  }
  return true;
}

void dashboard_lane::go_on(owner_id owner, std::function<void()> work) {
  threads_.post(std::move(work), owner);
}

}  // namespace freshet::detail
