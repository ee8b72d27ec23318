// Counts by hash, for a number of keys that is known beforehand: a flat table, since the standard
// one asks for memory for each key.
#pragma once

#include <base/hash_spread.hpp>
#include <bit>
#include <cstdint>
#include <vector>

namespace freshet::markdown {

class tally {
 public:
  /// For at most so many keys.
  explicit tally(std::size_t keys) : slots_(std::bit_ceil(keys * 2 + 2)) {}

  void add(std::uint64_t key, std::uint32_t count) { slot_of(key).count += count; }
  [[nodiscard]] std::uint32_t count(std::uint64_t key) { return slot_of(key).count; }

 private:
  struct slot {
    std::uint64_t key = 0;
    std::uint32_t count = 0;
  };

  /// That of the key, or an empty one that becomes its.
  slot& slot_of(std::uint64_t key) noexcept {
    key |= 1;  // 0 is no key
    auto at = ((key * base::hash_spread) >> 32) & (slots_.size() - 1);
    while (slots_[at].key != key && slots_[at].key != 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at].key = key;
    return slots_[at];
  }

  std::vector<slot> slots_;
};

}  // namespace freshet::markdown
