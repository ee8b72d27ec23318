// Suspensions that servers tell each other over Redis: a list of what began and ended, in the order
// in which Redis has heard it and by its clock. Each server reads on in it several times a second,
// and takes everything in that order, what it has told itself, too: so all end with the same.
#pragma once

#include <atomic>
#include <base/clock.hpp>
#include <engine/runtime/suspensions.hpp>
#include <redis/redis_link.hpp>

namespace freshet::detail {

/// Thread-safe. Where Redis is away nothing is told: a server then knows what it has found itself,
/// and what it had heard.
class shared_suspensions {
 public:
  /// Scripts, over one key: what tells, and what hears.
  static const char* const tell_script;
  static const char* const hear_script;
  struct places {
    std::size_t tell = 0, hear = 0;  ///< of the scripts in the link
  };

  /// All must outlive it. `key`: of the list in Redis.
  shared_suspensions(redis::redis_link& link, places scripts, std::string key,
                     suspensions& suspended, const base::clock& clock);

  /// Reads on. On the link's thread, or with nobody else in it.
  void hear();
  /// Changes that were heard, this server's own with them.
  [[nodiscard]] std::uint64_t heard() const noexcept { return heard_; }

 private:
  void tell(const suspension_news& what) noexcept;
  void take(const redis::redis_reply& given);

  redis::redis_link& link_;
  const places scripts_;
  const std::string key_;
  suspensions& suspended_;
  const base::clock& clock_;
  bool is_hearing_ = false;   ///< this and the next only on the link's thread
  std::string last_ = "0-0";  ///< of the list, that was read
  std::atomic<std::uint64_t> heard_{0};
};

}  // namespace freshet::detail
