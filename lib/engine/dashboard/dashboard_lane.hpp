// What commands of people wait in: some threads, and places that no account and no network can take
// from all others.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "engine/runtime/workers.hpp"

namespace freshet::detail {

struct dashboard_lane_limits {
  std::size_t threads = 1;
  std::size_t places = 64;
  /// Of one account, or of one network where nobody is signed in; a quarter of them where half of
  /// all are taken, and one where three quarters are.
  std::size_t places_of_owner = 8;
  bool yields = false;  ///< see worker_options
  /// Whether who is not signed in and had two turns lately leaves half of the places to others.
  bool counts_turns = false;
};

/// Thread-safe.
class dashboard_lane {
 public:
  explicit dashboard_lane(const dashboard_lane_limits& limits);

  /// Taken for as long as somebody holds it.
  using place = std::shared_ptr<const void>;

  /// Runs the work when its owner's turn comes: an account's number, or a negative one for those
  /// who are not signed in; they leave a quarter of the places to those who are, and to those of
  /// them who are known. Work that waits for others hands on its place, and leaves its thread.
  /// `then` is called when the place is free again. False: there is none, and neither will be
  /// called.
  [[nodiscard]] bool post(owner_id owner, std::function<void(place)> work,
                          std::function<void()> then, bool is_known = false);
  /// Goes on with work that has waited, and has a place.
  void go_on(owner_id owner, std::function<void()> work);

 private:
  class taken_place;
  [[nodiscard]] bool take_place(owner_id owner, bool is_known);
  [[nodiscard]] bool had_turns(owner_id owner) const;
  void count_turn(owner_id owner);
  void give_back(owner_id owner) noexcept;

  const dashboard_lane_limits limits_;
  std::mutex mutex_;
  std::unordered_map<owner_id, std::size_t> taken_;
  std::size_t taken_by_all_ = 0;
  struct turns {
    int count = 0;
    std::chrono::steady_clock::time_point last{};
  };
  std::unordered_map<owner_id, turns> turns_;  ///< of those who are not signed in
  workers threads_;                            ///< last, so that they go first
};

}  // namespace freshet::detail
