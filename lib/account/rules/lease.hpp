// How many credits of an account a server may spend without asking. Where it is alone that is all
// of them; where there are others it is little enough that none of them goes without, and enough
// that not every call has to ask.
#pragma once

#include <algorithm>
#include <cstdint>

namespace freshet::account {

/// What is leased at once beyond what is needed, beside other servers: of what is free the eighth
/// part, and no more than so much: the least, and twice as much each time that it did not last, up
/// to the most.
inline constexpr std::int64_t least_leased_ahead = 64, most_leased_ahead = 4096;
inline constexpr std::int64_t part_leased_ahead = 8;

/// Of `free` credits, which nobody has leased, to a server that needs `needed` of them and would
/// have `ahead` beside others: fewer where there are not so many.
[[nodiscard]] constexpr std::int64_t lease_size(std::int64_t free, std::int64_t needed,
                                                bool has_peers, std::int64_t ahead) noexcept {
  const std::int64_t more = has_peers ? std::min(ahead, free / part_leased_ahead) : free;
  return std::clamp<std::int64_t>(std::max(needed, more), 0, std::max<std::int64_t>(free, 0));
}

}  // namespace freshet::account
