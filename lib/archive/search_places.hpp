// Places for searches, which compute or wait for another machine, so that nobody's own thread does:
// a few threads, turns for accounts, a bound on those that wait, an end to what nobody waits for.
#pragma once

#include <archive/search_course.hpp>
#include <base/place_queue.hpp>
#include <condition_variable>
#include <functional>
#include <http/pending_requests.hpp>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace freshet::archive {

/// Searches at once, of all and of one account, which leaves processors to those who come while
/// these run; and those that wait, of all.
inline constexpr std::size_t search_threads = 4, most_searches_of_one = 2;
inline constexpr std::size_t max_waiting_searches = 256;

/// Thread-safe. Its threads start when they are needed.
class search_places {
 public:
  using search_run = std::function<result<http::response>(const search_course&)>;

  search_places() : queue_(most_searches_of_one + 1) {}
  search_places(const search_places&) = delete;
  search_places& operator=(const search_places&) = delete;
  /// Answers those that wait, and waits for those that run.
  ~search_places();

  /// Runs `run` when it is its owner's turn. Errors beside its own: overloaded (too many wait),
  /// source_timeout (its turn had not come by the deadline), cancelled.
  std::uint64_t submit(base::owner_id owner, http::transport::deadline deadline, search_run run,
                       http::transport::handler done);
  /// What waits is answered now; what runs is told by its course.
  void cancel(std::uint64_t ticket);

 private:
  struct waiting_search {
    base::owner_id owner = 0;
    http::transport::deadline by;
    search_run run;
    std::unique_ptr<search_course> course = std::make_unique<search_course>(by);
  };
  using table = http::pending_requests<waiting_search>;
  void work();
  void keep_time();
  table::taken_request leave(std::uint64_t ticket);

  std::mutex mutex_;
  std::condition_variable wake_, due_;
  base::place_queue queue_;
  table all_;
  std::set<std::pair<http::transport::deadline, std::uint64_t>> by_deadline_;  ///< those that wait
  std::vector<std::thread> threads_;
  std::thread timekeeper_;  ///< tells those that wait when their time is up
  std::size_t idle_ = 0;
  bool stopping_ = false;
};

}  // namespace freshet::archive
