// The memory for events that clients may come back for: so much in all, for an account, and for a
// session. Who holds much has to leave as much free as he holds, so that whoever comes finds room
// without anybody else losing anything.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>

namespace freshet::server::mcp {

/// How much is kept. All three are hard.
struct event_limits {
  std::size_t bytes = 2 * 1024 * 1024;  ///< of a session
  std::size_t events = 512;             ///< of a session
  std::size_t bytes_of_account = 16 * 1024 * 1024;
  std::size_t bytes_of_all = 256 * 1024 * 1024;
};

/// Of all accounts. Thread-safe.
class event_space {
 public:
  explicit event_space(const event_limits& limits) : limits_(limits) {}
  [[nodiscard]] const event_limits& limits() const noexcept { return limits_; }
  [[nodiscard]] std::size_t used() const;

 private:
  friend class account_space;

  const event_limits limits_;
  mutable std::mutex mutex_;  // guards the rest, and what each account has used
  std::size_t used_ = 0;
};

/// Of one account. Thread-safe.
class account_space {
 public:
  explicit account_space(std::shared_ptr<event_space> all) : all_(std::move(all)) {}
  [[nodiscard]] const event_limits& limits() const noexcept { return all_->limits(); }

  /// Takes `bytes` for a session that has `held`; false if there is no room for them.
  [[nodiscard]] bool take(std::size_t held, std::size_t bytes);
  /// Whether take() would find room if the session first gave back all that it has.
  [[nodiscard]] bool could_take(std::size_t held, std::size_t bytes) const;
  void give_back(std::size_t bytes) noexcept;
  [[nodiscard]] std::size_t used() const;

 private:
  [[nodiscard]] bool fits(std::size_t of_all, std::size_t of_account, std::size_t of_session) const;

  const std::shared_ptr<event_space> all_;
  std::size_t used_ = 0;  // guarded by the mutex of all
};

}  // namespace freshet::server::mcp
