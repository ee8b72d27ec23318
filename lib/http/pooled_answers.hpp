// Answers that several servers keep for each other, below single flight and the cache: what this
// server does not know it looks for in the pool, and while another one fetches it, it waits for a
// moment. Nothing is kept that the cache would not keep, and nobody is given what he could not have
// asked for himself in the same words, credentials included.
#pragma once

#include <atomic>
#include <base/clock.hpp>
#include <http/answer_pool.hpp>
#include <http/pending_requests.hpp>
#include <http/scheduler.hpp>
#include <http/transport.hpp>
#include <string>

namespace freshet::http {

/// For the scheduler's thread only.
class pooled_answers final : public transport {
 public:
  struct figures {
    std::uint64_t hits = 0, misses = 0;  ///< of what was looked for
    std::uint64_t waits = 0;             ///< for another server
  };

  /// `secret`: of names, the same on all servers. The others must outlive it, and the pool calls
  /// nobody from before this goes.
  pooled_answers(transport& next, scheduler& loop, const base::clock& clock, answer_pool& pool,
                 std::string secret);

  std::uint64_t submit(request&& request, deadline deadline, handler done) override;
  void cancel(std::uint64_t ticket) override;
  void forget() noexcept override { requests_.clear(); }
  /// From any thread.
  [[nodiscard]] figures count() const noexcept { return {hits_, misses_, waits_}; }

 private:
  enum class stage { asking, waiting, fetching };
  struct pending_request {
    request what;
    deadline by;
    std::string key;  ///< "": not shared
    std::string token;
    bool has_lease = false, has_waited = false;
    stage at = stage::asking;
    scheduler::time waits_until{};
    std::uint64_t timer = 0;
    std::uint64_t inner = 0;
  };

  void look(std::uint64_t ticket);
  void hear(std::uint64_t ticket, const answer_question& asked, std::optional<pooled_answer> found);
  void wait(std::uint64_t ticket);
  void fetch(std::uint64_t ticket);
  void land(std::uint64_t ticket, result<response>&& got);
  void put(const pending_request& ended, const result<response>& got);

  transport& next_;
  scheduler& loop_;
  const base::clock& clock_;
  answer_pool& pool_;
  const std::string secret_;
  const std::string tokens_;  ///< what those of this server begin with
  pending_requests<pending_request> requests_;
  std::atomic<std::uint64_t> hits_{0}, misses_{0}, waits_{0};
};

}  // namespace freshet::http
