// How many cases a test tries that makes them up. A build with sanitizers is 10 to 30 times slower
// and looks for other faults, so that it tries few; with FRESHET_ALL, which tests/run --all sets,
// every build tries all of them.
#pragma once

#include <base/sanitizers.hpp>
#include <cstdlib>

namespace freshet::test {

inline constexpr bool sanitized = base::watches_addresses || base::watches_threads;

inline const bool tries_all = std::getenv("FRESHET_ALL") != nullptr;
inline const bool tries_few = sanitized && !tries_all;

/// Of three numbers the one that this run tries.
template <class Number>
[[nodiscard]] Number cases(Number all, Number usual, Number few) noexcept {
  return tries_all ? all : sanitized ? few : usual;
}

}  // namespace freshet::test
