// Sixteen bytes of a text, compared at once: one instruction each where the machine has vectors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace freshet::base {

inline constexpr std::size_t row_size = 16;
using byte_row = signed char __attribute__((vector_size(row_size)));

/// Requires as many bytes.
[[nodiscard]] inline byte_row row_at(const char* bytes) noexcept {
  byte_row made;
  std::memcpy(&made, bytes, sizeof made);
  return made;
}

/// The last bytes of a text, fewer than a row, and behind them NULs.
[[nodiscard]] inline byte_row short_row(std::string_view text) noexcept {
  std::array<char, row_size> bytes{};
  std::memcpy(bytes.data(), text.data(), text.size());
  return row_at(bytes.data());
}

/// The highest bit of each byte, the first byte's lowest: which are true in a comparison, and which
/// are not ASCII in a text.
[[nodiscard]] inline std::uint32_t bits_of(const byte_row& row) noexcept {
#if defined(__SSE2__)
  return static_cast<std::uint32_t>(_mm_movemask_epi8(reinterpret_cast<const __m128i&>(row)));
#else
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < row_size; ++i) bits |= row[i] < 0 ? 1u << i : 0u;
  return bits;
#endif
}

}  // namespace freshet::base
