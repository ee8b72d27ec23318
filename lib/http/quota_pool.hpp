// Where several servers count together what sources give in a day, as the layers see it. It knows
// no network: whoever builds the stack has one.
#pragma once

#include <base/fair_queue.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <http/quota_counter.hpp>
#include <optional>
#include <string>
#include <vector>

namespace freshet::http {

/// A limit that a request falls under, with what this server knows of it.
struct pooled_limit {
  daily_limit limit;
  day_of_quota today;            ///< by this server's clock
  quota_counter::day_count own;  ///< what this server has used, on what day
  std::int64_t known_day = -1;   ///< of the following
  std::int64_t known = 0;        ///< all have used, as it was heard last
};

/// What is asked for one request.
struct pool_question {
  std::string server;  ///< who asks, also after a restart
  base::owner_id owner = 0;
  bool is_report = false;  ///< nothing is taken: it says only what was used
  std::vector<pooled_limit> limits;
};

/// What is answered: a request counts against each limit, or against none.
struct pool_answer {
  struct state {
    std::int64_t day = 0, used = 0;     ///< the day it is there, and what all have used in it
    std::chrono::milliseconds left{0};  ///< of that day
    bool has_room = false;
  };
  bool is_given = false;
  std::vector<state> limits;  ///< in their order
};

/// Thread-safe.
class quota_pool {
 public:
  /// Null: nobody knows, or the pool has just begun and may not have heard all. On another thread.
  using handler = std::function<void(std::optional<pool_answer>)>;

  virtual ~quota_pool() = default;
  /// False where nobody can be asked: `done` is then not told.
  [[nodiscard]] virtual bool ask(const pool_question& question, handler done) = 0;
  /// How many servers count, with this one.
  [[nodiscard]] virtual int servers() = 0;
  /// Told on another thread whenever the pool is there again, so that what was used is reported;
  /// null: nobody is told any more.
  virtual void on_return(std::function<void()> told) = 0;
};

}  // namespace freshet::http
