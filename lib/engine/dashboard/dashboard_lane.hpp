// What commands of people wait in: some threads, and places that no account and no network can take
// from all others.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <unordered_map>

#include "engine/runtime/workers.hpp"

namespace freshet::detail {

struct dashboard_lane_limits {
  std::size_t threads = 1;
  std::size_t places = 64;
  /// Of one account, or of one network where nobody is signed in.
  std::size_t places_of_owner = 8;
};

/// Thread-safe.
class dashboard_lane {
 public:
  explicit dashboard_lane(const dashboard_lane_limits& limits);

  /// Runs the work when its owner's turn comes: an account's number, or a negative one for those
  /// who are not signed in; they leave a quarter of the places to those who are. `then` is called
  /// when its place is free again. False: there is no place, and neither will be called.
  [[nodiscard]] bool post(owner_id owner, std::function<void()> work, std::function<void()> then);

 private:
  [[nodiscard]] bool take_place(owner_id owner);
  void give_back(owner_id owner) noexcept;

  const dashboard_lane_limits limits_;
  std::mutex mutex_;
  std::unordered_map<owner_id, std::size_t> taken_;
  std::size_t taken_by_all_ = 0;
  workers threads_;  ///< last, so that they go first
};

}  // namespace freshet::detail
