// How a source is asked: not while its breaker is open, not before the moment it named, not more
// often or more at once than its pace allows, and again only within the retry budget. What would
// have to wait beyond its deadline is refused at once.
#pragma once

#include <base/clock.hpp>
#include <base/fair_queue.hpp>
#include <base/text_hash.hpp>
#include <functional>
#include <http/breaker.hpp>
#include <http/daily_quotas.hpp>
#include <http/pending_requests.hpp>
#include <http/retry.hpp>
#include <http/scheduler.hpp>
#include <http/stack.hpp>
#include <http/transport.hpp>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

namespace freshet::http {

struct politeness_options {
  std::map<std::string, pace_limits, std::less<>> paces;
  std::string quota_path;              ///< see stack_options
  quota_pool* pool = nullptr;          ///< see stack_options
  const base::clock* clock = nullptr;  ///< null: the machine's
  std::function<bool()> has_shares;    ///< see stack_options
  std::function<double()> random;      ///< numbers in [0, 1)
  std::function<void(std::string_view, std::string_view)> log;
  /// see stack_options
  std::function<void(const request&, std::chrono::milliseconds)> opened;
  breaker_limits breaking;
  retry_limits retrying;
};

/// For the scheduler's thread only.
class politeness final : public transport {
 public:
  politeness(transport& next, scheduler& loop, politeness_options options);

  std::uint64_t submit(request&& request, deadline deadline, handler done) override;
  void cancel(std::uint64_t ticket) override;
  void forget() noexcept override;
  /// Requests that were judged by this server's share of a day. From any thread.
  [[nodiscard]] std::uint64_t judged_alone() const noexcept { return quotas_.alone(); }

 private:
  /// `asking`: it has its place in the lane, and it is asked whether the day has room.
  enum class stage { held, queued, asking, running };
  struct pending_request {
    request what;
    deadline by;
    std::string host;  ///< host:port
    /// Whose experience of the host counts: everybody's with a source that one account has to
    /// itself; else his own, for he could make it fail on purpose, by its address or a query.
    std::string witness;
    std::string pace;
    stage at = stage::held;
    breaker::pass pass = breaker::pass::no;
    int attempts = 0;
    scheduler::time sent_at{};  ///< for the last time
    std::uint64_t inner = 0;
    std::uint64_t timer = 0;
    std::optional<result<response>> last;  ///< of the attempt before
  };
  struct lane {
    pace_limits limits;
    base::fair_queue<std::uint64_t> queue;
    int running = 0;
    scheduler::time next_start{};
    std::uint64_t timer = 0;
    bool pumping = false;
  };

  void enter(std::uint64_t ticket);
  void hold(std::uint64_t ticket, scheduler::time until);
  [[nodiscard]] std::size_t running_of_owner(const pace_limits& limits) const;
  void pump(const std::string& key);
  void run(std::uint64_t ticket);
  void ask_day(std::uint64_t ticket);
  /// Leaves its place in the lane unused.
  void end_asking(std::uint64_t ticket, error why);
  void hear_day(std::uint64_t ticket, daily_quotas::wait wait);
  void send(std::uint64_t ticket);
  void answered(std::uint64_t ticket, int attempt, result<response>&& got);
  void learn(const pending_request& asked, const result<response>& got);
  [[nodiscard]] bool was_hurried(const pending_request& asked) const;
  void judge(const pending_request& asked, const result<response>& got);
  void release(const std::string& key, base::owner_id owner);
  void leave_queue(const pending_request& waiting, std::uint64_t ticket);
  void refuse(std::uint64_t ticket, std::string detail, scheduler::time::duration wait);
  void finish(std::uint64_t ticket, result<response>&& got);
  void forget_idle();
  [[nodiscard]] std::size_t remembered() const noexcept {
    return lanes_.size() + breakers_.size() + blocks_.size();
  }
  lane& lane_of(const std::string& key);
  /// How long a source wants no request: of a quota that is used up it says that of all of ours;
  /// what else it refuses (429, 503) may come of what was asked for, and holds for who has.
  [[nodiscard]] static std::string block_key(const pending_request& asked, bool is_of_all) {
    const bool is_source = !asked.what.pace_key.empty();
    return asked.pace + '\n' + (is_source && is_of_all ? asked.host : asked.witness);
  }
  [[nodiscard]] scheduler::time blocked_until(const pending_request& entering);

  transport& next_;
  scheduler& loop_;
  politeness_options options_;
  retry_policy retries_;
  daily_quotas quotas_;
  pending_requests<pending_request> requests_;
  std::unordered_map<std::string, lane, base::text_hash> lanes_;
  /// Hosts that are remembered; beyond it, those with nothing to remember are forgotten.
  static constexpr std::size_t max_hosts = 4'096;

  std::size_t forget_beyond_ = max_hosts;
  std::unordered_map<std::string, breaker, base::text_hash> breakers_;  ///< by witness
  std::unordered_map<std::string, scheduler::time, base::text_hash>
      blocks_;  ///< not before, by pace and witness
};

}  // namespace freshet::http
