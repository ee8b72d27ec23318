// What servers that share a book know of their sources together, over a connection to Redis of its
// own: what is large there holds up no caller's rate. Where Redis is away each server knows what it
// has found itself, and no call waits for it.
#pragma once

#include <engine/sharing/shared_answers.hpp>
#include <engine/sharing/shared_quotas.hpp>
#include <engine/sharing/shared_suspensions.hpp>
#include <string_view>

namespace freshet::detail {

struct sharing_options {
  redis::redis_address where;
  std::chrono::milliseconds timeout{100};  ///< what a call waits for Redis at most
  std::string prefix;                      ///< of all keys, the same on all servers of a book
  std::string secret = {};                 ///< of what nobody else shall name, likewise
  std::size_t answer_bytes = 0;            ///< of an answer that is kept for others; 0: none is
  std::function<int()> servers;            ///< how many there are, with this one; null: one
  /// As redis::link_options say.
  std::function<void(bool is_here, std::string_view why)> changed;
};

/// Thread-safe.
class source_sharing {
 public:
  struct figures {
    redis::redis_link::figures link;
    std::uint64_t suspensions_heard = 0, answers_kept = 0;
  };

  /// What it is given must outlive it, or its stop.
  source_sharing(sharing_options options, suspensions& suspended, const base::clock& clock);
  ~source_sharing() { stop(); }
  source_sharing(const source_sharing&) = delete;
  source_sharing& operator=(const source_sharing&) = delete;

  /// Waits for the first try to connect, for a second or two at most.
  void start() { link_.start(); }
  /// From then on Redis is away, and nobody is asked how many servers there are.
  void stop();
  [[nodiscard]] http::quota_pool& quotas() noexcept { return quotas_; }
  /// Null where none is kept.
  [[nodiscard]] http::answer_pool* answers() noexcept {
    return answers_.max_bytes() == 0 ? nullptr : &answers_;
  }
  [[nodiscard]] const std::string& secret() const noexcept { return secret_; }
  [[nodiscard]] figures count() const;

 private:
  [[nodiscard]] redis::link_options speaking(const sharing_options& options);

  redis::redis_link link_;
  shared_suspensions suspensions_;
  shared_quotas quotas_;
  shared_answers answers_;
  const std::string secret_;
};

}  // namespace freshet::detail
