// What calls say that their account's owner may want to be told of: sources that have failed for
// long, and what was looked into a moment ago and need not be again. In memory, bounded, this
// server's alone; that nobody is told twice the accounts see to.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <freshet/response.hpp>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace freshet::detail {

/// A source that no call of an account got anything from for long.
struct failing_source {
  std::string name, code;
  time_point since;
};

/// When something was noted, by both clocks.
struct noted_at {
  std::chrono::steady_clock::time_point steady;
  time_point at;
};

/// Thread-safe.
class alert_watch {
 public:
  /// `failing_for` is what counts as long.
  explicit alert_watch(std::chrono::seconds failing_for) : failing_for_(failing_for) {}

  /// How the sources of a call did; gives those that have failed for long, in several calls, each
  /// at most once in ten minutes. Beyond so many accounts with failing sources others' are not
  /// noted.
  [[nodiscard]] std::vector<failing_source> note(std::int64_t account,
                                                 std::span<const source_report> sources,
                                                 const noted_at& now);
  /// Whether this was not looked into within the last ten minutes.
  [[nodiscard]] bool is_new(std::int64_t account, std::string_view about,
                            std::chrono::steady_clock::time_point now);

 private:
  struct failure {
    noted_at first, last;
    std::size_t calls = 0;
  };
  using failures = std::map<std::string, failure, std::less<>>;

  [[nodiscard]] bool is_new_here(std::int64_t account, std::string_view about,
                                 std::chrono::steady_clock::time_point now);
  [[nodiscard]] bool make_room(std::chrono::steady_clock::time_point now);

  const std::chrono::seconds failing_for_;
  std::atomic<std::size_t> watched_{0};  ///< how many accounts have failing sources
  std::mutex mutex_;
  std::unordered_map<std::int64_t, failures> failing_;  ///< guarded, like the next
  std::unordered_map<std::string, std::chrono::steady_clock::time_point> lately_;
};

}  // namespace freshet::detail
