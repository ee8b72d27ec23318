// How what is counted becomes the value of a feature.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace freshet::markdown {

/// Every feature is less.
inline constexpr std::uint8_t feature_limit = 64;
inline constexpr std::uint32_t last_value = feature_limit - 1;

/// A count on a logarithmic scale of four steps to the double.
constexpr std::uint8_t scale(std::uint64_t n) noexcept {
  if (n < 4) return static_cast<std::uint8_t>(n);
  const auto width = static_cast<std::uint64_t>(std::bit_width(n));
  const auto value = 4 * (width - 2) + ((n >> (width - 3)) & 3);
  return static_cast<std::uint8_t>(std::min<std::uint64_t>(value, last_value));
}
static_assert(scale(7) == 7 && scale(8) == 8 && scale(15) == 11 && scale(1u << 30) == 63);

constexpr std::uint8_t share(std::uint64_t part, std::uint64_t whole) noexcept {
  if (whole == 0) return 0;
  return static_cast<std::uint8_t>(std::min(part, whole) * last_value / whole);
}

/// Log-odds around the middle of the range, in steps of `unit`.
constexpr std::uint8_t centred(std::int32_t odds, std::int32_t unit) noexcept {
  constexpr std::int32_t middle = 32;
  return static_cast<std::uint8_t>(std::clamp<std::int32_t>(middle + odds / unit, 0, last_value));
}

}  // namespace freshet::markdown
