// The gate of each account: how many of its calls run at once, how many bytes of answers they hold,
// and for how long they use a processor and a browser. What is over is refused as rate_limited,
// with the time after which it passes. Whose turn it is among those inside is not decided here: the
// queues do that.
#pragma once

#include <base/clock.hpp>
#include <base/fair_queue.hpp>
#include <chrono>
#include <cstdint>
#include <freshet/result.hpp>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace freshet::detail {

using base::owner_id;

struct gate_limits {
  std::int64_t calls = 16;          ///< at once
  std::int64_t bytes = 64ll << 20;  ///< of answers that are being read
  double processor_share = 0.25;    ///< processor seconds a second, in the long run
  double browser_share = 0.5;       ///< seconds of a browser a second, in the long run
};

/// An account has a gate for each, so that they do not hold one another up.
enum class gate_kind : std::uint8_t { live, test, account_calls };

/// The gates of all accounts. Thread-safe; outlives what it gives out.
class gates {
  struct gate;

 public:
  using time = std::chrono::steady_clock::time_point;

  /// `most_calls`: at once, of all accounts together; beyond half of that an account has four, and
  /// beyond three quarters one, so that it takes many to shut the others out. The clock outlives
  /// the gates.
  explicit gates(std::int64_t most_calls = 4'096, const base::clock& clock = base::system_clock())
      : most_calls_(most_calls), clock_(clock) {}

  /// A call that is inside, until it goes.
  class pass {
   public:
    pass(gates& all, std::uint64_t key, const gate_limits& limits, time now)
        : all_(all), key_(key), limits_(limits), entered_(now) {}
    pass(const pass&) = delete;
    pass& operator=(const pass&) = delete;
    ~pass() { all_.leave(*this); }

    /// Room for an answer of `size` bytes, as long as what is given is kept. Error: rate_limited.
    [[nodiscard]] result<std::shared_ptr<const void>> hold_bytes(std::size_t size);
    /// Books what the call has cost.
    void use(std::chrono::nanoseconds processor) noexcept;
    /// Whether a browser may have a page of this call. Error: rate_limited.
    [[nodiscard]] result<void> may_render();

   private:
    friend gates;
    gates& all_;
    const std::uint64_t key_;
    const gate_limits limits_;
    const time entered_;
  };

  /// Errors: rate_limited by the account's own limits, overloaded by what all have under way.
  [[nodiscard]] result<std::shared_ptr<pass>> enter(owner_id account, gate_kind kind,
                                                    const gate_limits& limits);
  /// Books what was done for an account outside of a pass: a call that has its answer has none.
  void use(owner_id account, gate_kind kind, std::chrono::nanoseconds processor) noexcept;
  /// Books how long a browser had a page of an account's, whatever came of it. Only live calls have
  /// pages rendered.
  void use_browser(owner_id account, std::chrono::nanoseconds time) noexcept;
  /// Gates that are remembered.
  [[nodiscard]] std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return gates_.size();
  }
  /// Calls that are inside.
  [[nodiscard]] std::int64_t running() const {
    const std::lock_guard lock(mutex_);
    return running_;
  }
  /// Accounts that have a call inside.
  [[nodiscard]] std::size_t callers() const;

 private:
  /// How long a share may be saved up.
  static constexpr double window_s = 60;

  struct gate {
    std::int64_t calls = 0, bytes = 0;
    double processor_s = 0, browser_s = 0;  ///< left to use; below zero is owed
    double call_s = 1;  ///< what calls took of late: then a place is likely to be free
    time refilled;
    void refill(const gate_limits& limits, time now) noexcept;
  };
  struct held_bytes;
  static constexpr std::uint64_t kinds = 4;  ///< that an account may have in a key
  [[nodiscard]] static std::uint64_t key_of(owner_id account, gate_kind kind) noexcept {
    return static_cast<std::uint64_t>(account) * kinds + static_cast<std::uint64_t>(kind);
  }
  /// How many calls an account may have by what all have.
  [[nodiscard]] std::int64_t room_of_account() const noexcept;
  void leave(const pass& gone) noexcept;
  void forget_idle(time now) noexcept;

  const std::int64_t most_calls_;
  const base::clock& clock_;
  mutable std::mutex mutex_;
  std::unordered_map<std::uint64_t, gate> gates_;
  std::int64_t running_ = 0;
};

}  // namespace freshet::detail
