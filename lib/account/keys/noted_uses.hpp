// Which keys were noted as used a moment ago: who only shows one again does without the lock under
// which uses are counted.
#pragma once

#include <account/types.hpp>
#include <array>
#include <atomic>

namespace freshet::account {

/// Thread-safe, without a lock. Keys that share a place are noted more often, and none less.
class noted_uses {
 public:
  /// Whether the key was noted within this second; from now on it was.
  [[nodiscard]] bool was_noted(std::int64_t key_id, time_point moment) noexcept {
    const auto s = std::chrono::floor<std::chrono::seconds>(moment.time_since_epoch()).count();
    constexpr std::uint64_t spread = 0x9e3779b97f4a7c15;
    const std::uint64_t mark =
        static_cast<std::uint64_t>(key_id) * spread ^ static_cast<std::uint64_t>(s);
    auto& place = marks_[static_cast<std::uint64_t>(key_id) % places];
    return place.exchange(mark, std::memory_order_relaxed) == mark;
  }

 private:
  static constexpr std::size_t places = 4096;
  std::array<std::atomic<std::uint64_t>, places> marks_{};
};

}  // namespace freshet::account
