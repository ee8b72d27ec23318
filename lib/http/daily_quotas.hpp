// How many requests of a day the sources still have, of this server alone or of several together.
// It asks whoever counts for all before a request is sent; where that is away this server has its
// own share of what was left. It waits for nobody.
#pragma once

#include <atomic>
#include <base/clock.hpp>
#include <http/quota_counter.hpp>
#include <http/quota_pool.hpp>
#include <http/scheduler.hpp>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace freshet::http {

/// For the scheduler's thread only.
class daily_quotas {
 public:
  using wait = std::optional<std::chrono::milliseconds>;
  /// Told as quota_counter::take() answers.
  using handler = std::function<void(wait)>;
  struct question {
    std::string_view url;
    base::owner_id owner = 0;
  };

  /// As quota_counter. `pool`: null where this server counts alone; else it outlives this.
  daily_quotas(std::string path, quota_counter::log_function log, const base::clock& clock,
               scheduler& loop, quota_pool* pool);
  daily_quotas(const daily_quotas&) = delete;
  daily_quotas& operator=(const daily_quotas&) = delete;
  ~daily_quotas();

  /// Counts a request against every limit that it falls under. `done` is told once, on this thread,
  /// and before this returns where nobody has to be asked.
  void take(std::span<const daily_limit> limits, const question& asked, handler done);
  /// Requests that were judged by this server's share. From any thread.
  [[nodiscard]] std::uint64_t alone() const noexcept { return alone_; }

 private:
  /// What this server has heard of a limit.
  struct heard_count {
    daily_limit limit;
    std::int64_t day = -1;
    std::int64_t used = 0;   ///< by all
    std::int64_t alone = 0;  ///< by this server since
  };
  /// A request, with the limits that it falls under.
  struct pending_take {
    base::owner_id owner = 0;
    std::vector<daily_limit> limits;
    handler done;
  };

  [[nodiscard]] pooled_limit known_of(const daily_limit& limit, base::owner_id owner) const;
  [[nodiscard]] bool ask(const std::shared_ptr<pending_take>& one);
  void hear(const pending_take& one, const std::optional<pool_answer>& answer);
  void learn(const daily_limit& limit, const pool_answer::state& said);
  [[nodiscard]] wait take_alone(const pending_take& one);
  [[nodiscard]] bool has_room_alone(const daily_limit& limit, base::owner_id owner,
                                    std::int64_t today) const;
  /// Tells the pool what was used today of all that it was asked for.
  void report();

  quota_counter own_;
  const base::clock& clock_;
  scheduler& loop_;
  quota_pool* const pool_;
  std::map<std::string, heard_count, std::less<>> heard_;  ///< by the names of limits
  std::atomic<std::uint64_t> alone_{0};
};

}  // namespace freshet::http
