// Connections for reading: so many and no more, opened when they are needed. Whoever finds none
// free waits; one that was lost is not kept, and what was read on it is read once more on another.
#pragma once

#include <condition_variable>
#include <mutex>
#include <postgres/postgres.hpp>

namespace freshet::postgres {

/// Thread-safe.
class connection_pool {
 public:
  void begin(connection_options options, std::size_t most) {
    options_ = std::move(options);
    most_ = most;
  }
  /// Reads on one that nobody else uses meanwhile. What it gives may be `lost`, and then it is
  /// called again. Error: storage_unavailable, when nobody answers.
  [[nodiscard]] result<pg_outcome> read(const std::function<pg_outcome(pg_connection&)>& reading);

 private:
  using held = std::unique_ptr<pg_connection>;
  [[nodiscard]] result<held> take(bool wants_new);
  void give_back(held one) noexcept;
  [[nodiscard]] result<void> open(pg_connection& one);
  [[nodiscard]] error away() const { return error(errc::storage_unavailable, why_); }

  connection_options options_;
  std::size_t most_ = 1;
  mutable std::mutex mutex_;
  std::condition_variable freed_;
  std::vector<held> free_;
  std::size_t taken_ = 0;
  bool is_away_ = false;     ///< nobody answered the last time
  bool is_looking_ = false;  ///< whether one is finding out if somebody does again
  std::chrono::steady_clock::time_point not_before_{};  ///< the next try, after one that failed
  std::string why_;                                     ///< it failed
};

}  // namespace freshet::postgres
