// The buckets of accounts' rates where several servers share them over Redis: how many calls an
// account makes is counted there, over all servers, by the clock there. A call takes a token that
// this server has, or waits for Redis; of busy accounts tokens are taken ahead. Where Redis is away
// nobody waits: each server then gives its part of the rate.
#pragma once

#include <account/rules/shared_bucket.hpp>
#include <base/clock.hpp>
#include <deque>
#include <functional>
#include <mutex>
#include <redis/redis_link.hpp>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace freshet::account {

struct shared_rates_options {
  redis::redis_address where;
  std::chrono::milliseconds timeout{100};  ///< what a call waits for Redis at most
  std::string prefix;                      ///< of all keys, the same on all servers of a book
  std::function<int()> servers;            ///< how many there are, with this one
  const base::clock* clock = nullptr;
  /// As redis::link_options say.
  std::function<void(bool is_here, std::string_view why)> changed;
};

/// Thread-safe.
class shared_rates {
 public:
  /// Told whether a call passes; on another thread, without a lock. It must not wait.
  using handler = std::function<void(const result<void>&, const rate_info&)>;
  struct figures {
    redis::redis_link::figures link;
    std::uint64_t alone = 0;  ///< calls that were judged by this server's part of a rate
  };

  explicit shared_rates(shared_rates_options options);
  ~shared_rates();
  shared_rates(const shared_rates&) = delete;
  shared_rates& operator=(const shared_rates&) = delete;

  /// Takes a token for a call. `state` is filled where there is a verdict, which may be
  /// rate_limited; null where Redis has to be asked: then `done` is told, once.
  [[nodiscard]] std::optional<result<void>> take(std::int64_t account_id, key_mode mode,
                                                 const rate_rule& rule, rate_info& state,
                                                 handler done);
  [[nodiscard]] figures count() const;
  [[nodiscard]] std::size_t size() const;  ///< buckets in memory

 private:
  struct entry {
    shared_bucket bucket;
    rate_rule rule;
    std::deque<handler> waiting;
  };
  /// Of one who waited, to be told without the lock.
  struct verdict {
    handler done;
    result<void> passes;
    rate_info state;
  };

  [[nodiscard]] entry& entry_of(std::int64_t id);
  /// Asks Redis for what is needed; false where it is away.
  [[nodiscard]] bool ask(std::int64_t id, entry& one);
  void hear(std::int64_t id, const shared_bucket::request& asked, const redis::redis_reply* given);
  /// The next of those who wait for a bucket; null where there is none, or Redis is asked again.
  /// `is_alone`: whether it is away, also if that is found out here.
  [[nodiscard]] std::optional<verdict> judge_next(std::int64_t id, bool& is_alone);
  void give_back(std::int64_t id, entry& one);
  [[nodiscard]] bool give_idle_back();
  [[nodiscard]] std::vector<std::string> words(std::int64_t id, const rate_rule& rule,
                                               const shared_bucket::request& asked) const;

  const shared_rates_options options_;
  mutable std::mutex mutex_;
  std::unordered_map<std::int64_t, entry> entries_;  ///< by account and mode
  std::unordered_set<std::int64_t> holding_;         ///< those that may have tokens
  std::size_t many_entries_;
  std::uint64_t alone_ = 0;
  redis::redis_link link_;  ///< goes first: until then its thread uses the others
};

}  // namespace freshet::account
