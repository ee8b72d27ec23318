// The challenges that passkeys are to sign, until one of them comes back: each is good once, for
// some minutes, and only for who was given it. In memory: after a restart people ask again.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>

namespace freshet::account {

/// Thread-safe.
class challenges {
 public:
  using time = std::chrono::steady_clock::time_point;

  /// In base64url. `use`: what it is for, with the session or link that asks. An account has a few
  /// at a time; with another one the oldest of its own goes.
  [[nodiscard]] std::string make(std::int64_t account_id, std::string_view use, time now);
  /// Whether it was made for these and is good now. It is not good again, whatever the answer.
  [[nodiscard]] bool take(std::string_view challenge, std::int64_t account_id, std::string_view use,
                          time now);

 private:
  struct entry {
    std::string challenge, use;
    std::int64_t account_id = 0;
    time good_until;
  };
  void make_room(std::int64_t account_id, time now);

  std::mutex mutex_;
  std::deque<entry> entries_;  ///< the oldest first
};

}  // namespace freshet::account
