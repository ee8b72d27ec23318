// Finding the next byte that matters, sixteen at a time where the machine can. The text must end in
// a NUL with scan_padding readable bytes behind it: the NUL stops every search.
#pragma once

#include <cstddef>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace freshet::html {

/// Readable bytes that must follow the end of a text that is scanned.
inline constexpr std::size_t scan_padding = 32;

/// The first byte at or behind `at` that is one of `Stops` or NUL.
template <char... Stops>
[[nodiscard]] inline const char* find_any(const char* at) noexcept {
#if defined(__SSE2__)
  const __m128i zero = _mm_setzero_si128();
  while (true) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    __m128i hits = _mm_cmpeq_epi8(bytes, zero);
    ((hits = _mm_or_si128(hits, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(Stops)))), ...);
    const int mask = _mm_movemask_epi8(hits);
    if (mask != 0) return at + __builtin_ctz(static_cast<unsigned>(mask));
    at += 16;
  }
#else
  while (*at != '\0' && ((*at != Stops) && ...)) ++at;
  return at;
#endif
}

}  // namespace freshet::html
