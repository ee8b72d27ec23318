// Which page is next for a browser. Pages that are not through within a turn begin again with all
// their time, one at once while others wait, and what comes of the same account joins them: who
// has others' pages spin keeps nobody for longer than a turn. Only numbers.
#pragma once

#include <array>
#include <base/place_queue.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace freshet::browser {

/// Pages that take turns with each other, in the order in which they come.
enum class page_lane : std::uint8_t {
  prompt,   ///< of who had a page that was through within a turn
  unknown,  ///< of who had none yet
  slow      ///< those that were not, and what comes of the same account then
};

/// Not thread-safe.
class page_turns {
 public:
  explicit page_turns(std::size_t browsers);

  /// Where a new page of an account's waits.
  [[nodiscard]] page_lane lane_of(base::owner_id owner) const;
  void push(page_lane where, base::owner_id owner, std::uint64_t ticket);
  /// What waits no longer.
  void remove(page_lane where, base::owner_id owner, std::uint64_t ticket);
  /// Takes out whose turn it is; null if nobody waits. `is_one_slow`: whether a slow one has a
  /// browser; others have only those for which nobody else waits.
  std::optional<std::uint64_t> next(bool is_one_slow) noexcept;
  /// A page has left its browser, which it had for so long.
  void done(page_lane where, base::owner_id owner, double seconds) noexcept;
  /// What is remembered of that, with whether there is a page for it.
  void note_time(base::owner_id owner, std::chrono::nanoseconds had, bool has_page);

  /// Whose page must step back where no browser is free: of the others' share.
  [[nodiscard]] std::optional<base::owner_id> over_share() const noexcept;
  /// Whether turns come to an end: one browser alone is not taken from who needs long.
  [[nodiscard]] bool are_ended() const noexcept { return browsers_ > 1; }
  void clear() noexcept;

 private:
  base::place_queue& queue_of(page_lane where) noexcept;

  std::size_t browsers_;
  std::array<base::place_queue, 3> queues_;
  std::unordered_map<base::owner_id, bool> is_slow_;  ///< whether the last page was
};

}  // namespace freshet::browser
