// The quotas of sources that several servers count together over Redis: for each limit and day one
// count, beside it what each server has told of itself, by the clock there.
#pragma once

#include <http/quota_pool.hpp>
#include <mutex>
#include <redis/redis_link.hpp>

namespace freshet::detail {

/// Thread-safe.
class shared_quotas final : public http::quota_pool {
 public:
  /// Over one key: when the memory began. Those of the counts begin with it.
  static const char* const script;

  /// `link` must outlive it; `script_place`: of the script there. `key`: of the script.
  shared_quotas(redis::redis_link& link, std::size_t script_place, std::string key,
                std::function<int()> servers);

  [[nodiscard]] bool ask(const http::pool_question& question, handler done) override;
  [[nodiscard]] int servers() override;
  void on_return(std::function<void()> told) override;

  /// Looks whether Redis has lost its memory, or has just come back: all that was used is reported
  /// then. To be called more often than each second while it is there, on the link's thread.
  void look(bool is_back);
  /// `servers` is not asked any more: what it knew last holds.
  void leave();

 private:
  void tell();

  redis::redis_link& link_;
  const std::size_t script_;
  const std::string key_;
  std::mutex mutex_;  ///< guards the following
  std::function<int()> servers_;
  int servers_known_ = 1;
  std::function<void()> returned_;
};

}  // namespace freshet::detail
