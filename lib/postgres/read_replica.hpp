// A standby for reports: what may be some seconds old is read there, so that it holds nobody up at
// the database itself. Where the standby is away, is none, or is too far behind, the database is
// asked. How far behind it is is told by positions in the log and our own clock, never by theirs.
// What decides on money or access does not come here.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <postgres/connection_pool.hpp>
#include <thread>

namespace freshet::postgres {

struct replica_options {
  std::string url;          ///< of the standby
  std::string primary_url;  ///< of the database that it follows
  std::chrono::milliseconds most_behind{10'000};
  std::chrono::milliseconds statement_timeout{60'000};
  std::chrono::milliseconds look_interval{1'000};
  /// Told when it may be asked, or no longer and why; the first time also that it may not. On a
  /// thread of its own; it must neither wait nor throw. May be null.
  std::function<void(bool is_fit, std::string_view why)> changed = {};
};

struct replica_figures {
  bool is_fit = false;
  std::string why;  ///< it is not
  std::chrono::milliseconds behind{0};
  std::uint64_t reads = 0;    ///< that it has answered
  std::uint64_t returns = 0;  ///< that it could not, and the database did
};

/// Thread-safe.
class read_replica {
 public:
  explicit read_replica(replica_options options);
  read_replica(const read_replica&) = delete;
  read_replica& operator=(const read_replica&) = delete;
  ~read_replica();
  /// Looks at it, waiting for some seconds at most, and from then on again and again.
  void start();
  /// Reads there where that may be, else in `primary`, as connection_pool::read() does. What fails
  /// there is read again in `primary`.
  [[nodiscard]] result<pg_outcome> read(connection_pool& primary,
                                        const std::function<pg_outcome(pg_connection&)>& reading);
  [[nodiscard]] replica_figures count() const;

 private:
  using steady = std::chrono::steady_clock;
  /// Where the database's log was, and when.
  struct position {
    steady::time_point at;
    std::int64_t place = 0;
  };
  void loop();
  void look();
  [[nodiscard]] std::string find_fault();
  void note_place_of_primary();

  const replica_options options_;
  connection_pool pool_;
  pg_connection primary_, standby_;  ///< these and the next of the thread that looks
  std::int64_t system_ = 0;          ///< of the database; 0: not known
  std::deque<position> passed_;      ///< the oldest first
  bool was_told_ = false, was_fit_ = false;
  std::atomic<bool> is_fit_{false};
  std::atomic<std::uint64_t> reads_{0}, returns_{0};
  mutable std::mutex mutex_;  ///< of the following
  std::condition_variable ended_;
  bool is_ending_ = false;
  std::string why_;
  std::chrono::milliseconds behind_{0};
  std::thread thread_;
};

}  // namespace freshet::postgres
