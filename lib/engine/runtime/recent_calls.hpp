// What became of the calls of the last hour: for those who look at the service now. It keeps sums
// of five minutes each in a bound of its own, and forgets what is older; what is to be known over
// years is in call_metrics.
#pragma once

#include <array>
#include <base/clock.hpp>
#include <freshet/error.hpp>
#include <freshet/response.hpp>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::detail {

/// How long things took, in steps of doubling milliseconds.
class duration_steps {
 public:
  void add(std::int64_t ms) noexcept;
  void add(const duration_steps& other) noexcept;
  /// The end of the step within which so much of all lies; 0: there is nothing.
  [[nodiscard]] std::int64_t quantile(double share) const noexcept;

 private:
  static constexpr std::size_t count = 17;  ///< the last is above half a minute
  std::array<std::uint32_t, count> steps_{};
};

/// Thread-safe.
class recent_calls {
 public:
  static constexpr std::chrono::minutes step{5};
  static constexpr std::size_t steps = 12;

  explicit recent_calls(const base::clock& clock = base::system_clock()) : clock_(clock) {}

  struct call {
    std::string_view account;     ///< "": nobody's
    std::optional<errc> failure;  ///< null: it succeeded
    std::int64_t elapsed_ms = 0;
    std::span<const source_report> asked;  ///< not what is only answered again
  };
  void add(const call& one) noexcept;

  struct source_figures {
    std::int64_t asked = 0, failed = 0;
    duration_steps took;
    std::string last_error;  ///< a code; "": none
    std::optional<time_point> last_error_at;
  };
  struct figures {
    std::int64_t calls = 0, failed = 0;
    duration_steps took;
    /// Calls and failures of each five minutes, the oldest first.
    std::vector<std::pair<std::int64_t, std::int64_t>> in_steps;
    std::map<std::string, std::int64_t, std::less<>> codes;  ///< of failures
    std::map<std::string, source_figures, std::less<>> sources;
    std::vector<std::pair<std::string, std::int64_t>> accounts;  ///< those with the most calls
  };
  /// `most_accounts`: of those with the most calls.
  [[nodiscard]] figures show(std::size_t most_accounts) const;

 private:
  /// Accounts that a step knows; calls of further ones are counted without their names.
  static constexpr std::size_t max_accounts = 4'096;

  struct sums {
    std::int64_t number = -1;  ///< of the step since 1970
    std::int64_t calls = 0, failed = 0;
    duration_steps took;
    std::map<errc, std::int64_t> codes;
    std::map<std::string, source_figures, std::less<>> sources;
    std::map<std::string, std::int64_t, std::less<>> accounts;
  };
  [[nodiscard]] std::int64_t number_of(time_point at) const noexcept;

  const base::clock& clock_;
  mutable std::mutex mutex_;
  std::array<sums, steps> ring_;
};

}  // namespace freshet::detail
