// The multiplier of hashes that are made and compared in memory, and kept nowhere.
#pragma once

#include <cstdint>

namespace freshet::base {

/// 2^64 by the golden ratio: what it has multiplied has no pattern in its upper bits.
inline constexpr std::uint64_t hash_spread = 0x9E3779B97F4A7C15ull;

}  // namespace freshet::base
