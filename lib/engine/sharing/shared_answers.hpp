// Answers of sources and pages that servers keep for each other in Redis, and the leases by which
// one of them fetches what nobody has yet. All times are by the clock there.
#pragma once

#include <atomic>
#include <http/answer_pool.hpp>
#include <redis/redis_link.hpp>

namespace freshet::detail {

/// Thread-safe. Where Redis is away nothing is kept or found.
class shared_answers final : public http::answer_pool {
 public:
  /// Scripts, over one key: what finds or leases, what keeps, and what leaves a lease.
  static const char* const find_script;
  static const char* const keep_script;
  static const char* const leave_script;
  struct places {
    std::size_t find = 0, keep = 0, leave = 0;  ///< of the scripts in the link
  };

  /// `link` must outlive it. `prefix`: of all keys. `max_bytes`: of an answer, 0 for none at all.
  shared_answers(redis::redis_link& link, places scripts, std::string prefix,
                 std::size_t max_bytes);

  [[nodiscard]] std::size_t max_bytes() const override { return max_bytes_; }
  [[nodiscard]] bool find(const http::answer_question& question, handler done) override;
  void keep(http::answer_to_keep what) override;
  void leave(const std::string& key, const std::string& token, bool is_unfit) override;

  /// Answers that were given to Redis to keep.
  [[nodiscard]] std::uint64_t kept() const noexcept { return kept_; }

 private:
  redis::redis_link& link_;
  const places scripts_;
  const std::string prefix_;
  const std::size_t max_bytes_;
  std::atomic<std::uint64_t> kept_{0};
  std::atomic<std::size_t> under_way_{0};  ///< bytes of answers
};

}  // namespace freshet::detail
