// Which page is next for a browser. What an account's last page took says how long its next may
// have one while others wait, and whom it comes before: who has pages spin keeps nobody for longer
// than a short turn, and once. Pages whose turn is over begin again with all their time. Only
// numbers.
#pragma once

#include <array>
#include <base/place_queue.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace freshet::browser {

/// Pages that take turns with each other, in the order in which they come; the first two with each
/// other, too.
enum class page_lane : std::uint8_t {
  prompt,   ///< of who had a page within a first turn
  steady,   ///< of who had one within a turn
  unknown,  ///< of who had none yet
  again,    ///< of who had none within a first turn
  slow      ///< of who had none within a turn
};
/// Whether its pages are known to be over soon: they wait for one turn of others at most.
[[nodiscard]] constexpr bool is_quick(page_lane where) noexcept {
  return where <= page_lane::steady;
}

/// Not thread-safe.
class page_turns {
 public:
  using time = std::chrono::steady_clock::time_point;

  explicit page_turns(std::size_t browsers);

  /// Where pages of an account's wait.
  [[nodiscard]] page_lane lane_of(base::owner_id owner, time now) const;
  void push(page_lane where, base::owner_id owner, std::uint64_t ticket);
  /// What waits no longer.
  void remove(page_lane where, base::owner_id owner, std::uint64_t ticket);
  /// Takes out whose turn it is; null if nobody's. `slow` pages have a browser at the moment: one
  /// may while others wait, and none may have the last one if who is quick was here just now.
  std::optional<std::uint64_t> next(std::size_t slow, time now) noexcept;
  /// A page has left its browser, which it had for so long.
  void done(page_lane where, base::owner_id owner, double seconds) noexcept;
  /// What is remembered of that, with whether there is a page for it.
  void note_time(base::owner_id owner, std::chrono::nanoseconds had, bool has_page, time now);
  /// A page of who is quick is here, or was just now.
  void note_quick(time now) noexcept { quick_until_ = now + kept_time; }

  /// How long a page may have its browser while others wait, or others who are quick; of slow ones
  /// there is no end.
  [[nodiscard]] std::chrono::milliseconds turn_of(page_lane where, bool for_quick) const noexcept;
  /// Whose page must step back where no browser is free: of the others' share.
  [[nodiscard]] std::optional<base::owner_id> over_share() const noexcept;
  /// Whether turns come to an end: one browser alone is not taken from who needs long.
  [[nodiscard]] bool are_ended() const noexcept { return browsers_ > 1; }
  /// How many browsers pages of later lanes keep while one of a sooner lane waits.
  [[nodiscard]] std::size_t part_of_later() const noexcept { return browsers_ / 2; }
  /// When slow pages may have the last browser again, if it is kept from them.
  [[nodiscard]] time quick_until() const noexcept { return quick_until_; }
  void clear() noexcept;

 private:
  struct memory {
    page_lane where;
    time until;
  };
  /// After a page of who is quick: a further one finds a browser.
  static constexpr std::chrono::seconds kept_time{10};

  base::place_queue& queue_of(page_lane where) noexcept;
  [[nodiscard]] page_lane next_lane(std::size_t slow) noexcept;

  std::size_t browsers_;
  std::array<base::place_queue, 4> queues_;
  std::unordered_map<base::owner_id, memory> known_;
  time quick_until_{};
  bool is_by_count_ = false;
};

}  // namespace freshet::browser
