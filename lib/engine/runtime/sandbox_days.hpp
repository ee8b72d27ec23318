// Where the sandbox's recordings lie in time. They are replayed under the clock of their own day;
// what is answered is moved by whole days, so that the newest of it is of the last noon.
#pragma once

#include <freshet/config.hpp>
#include <freshet/item.hpp>
#include <freshet/response.hpp>
#include <freshet/result.hpp>
#include <optional>
#include <vector>

namespace freshet::detail {

/// A value.
class sandbox_days {
 public:
  /// As they were recorded.
  sandbox_days() = default;
  /// By `sandbox.date`. Error: invalid_configuration.
  [[nodiscard]] static result<sandbox_days> of(const config& from);

  /// By how much what is answered at `now` is moved.
  [[nodiscard]] std::chrono::days at(time_point now) const;
  /// Until when that holds; time_point::max(): for good.
  [[nodiscard]] time_point stand_until(time_point now) const;

 private:
  /// Null: with the day.
  std::optional<std::chrono::days> fixed_ = std::chrono::days(0);
};

/// Moves every time of an item.
void move_times(item& one, std::chrono::days shift);
/// Moves when each source was asked.
void move_times(std::vector<source_report>& asked, std::chrono::days shift);

}  // namespace freshet::detail
