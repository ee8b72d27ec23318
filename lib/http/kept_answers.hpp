// Tokens and sessions between calls: answers to requests that say keep_for, in memory until they
// are too old, refused or crowded out. Above single flight, so that callers who ask for the same
// token at once share one exchange; nothing kept here reaches the cache, a recording or a disk.
#pragma once

#include <http/scheduler.hpp>
#include <http/transport.hpp>
#include <list>
#include <string>

namespace freshet::http {

/// Answers kept; beyond it, the one that was used longest ago is forgotten.
inline constexpr std::size_t max_kept_answers = 64;
/// A longer answer is no token and is not kept.
inline constexpr std::size_t max_kept_body = 64u << 10;
/// No answer is kept longer, whatever the request says.
inline constexpr std::chrono::seconds longest_kept = std::chrono::hours(24);
/// A refusal (400, 401, 403) is given again for this long: a wrong password is not tried once a
/// call.
inline constexpr std::chrono::seconds refusal_kept{60};

/// For the scheduler's thread only.
class kept_answers final : public transport {
 public:
  kept_answers(transport& next, scheduler& loop) : next_(next), loop_(loop) {}

  std::uint64_t submit(request&& request, deadline deadline, handler done) override;
  void cancel(std::uint64_t ticket) override { next_.cancel(ticket); }

  [[nodiscard]] std::size_t size() const { return kept_.size(); }

 private:
  struct entry {
    std::string key;
    scheduler::time stored;
    std::chrono::seconds lifetime{0};
    response answer;
  };
  using entries = std::list<entry>;

  [[nodiscard]] const response* look_up(const std::string& key, const request& request);
  void store(const std::string& key, const request& request, const response& got);

  transport& next_;
  scheduler& loop_;
  entries kept_;  ///< most recently used first; few enough to be searched one by one
};

}  // namespace freshet::http
