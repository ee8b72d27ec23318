// Allocations that fail where a test wants it. This program replaces operator new; libfreshet.so
// takes its operator new from the program, too, so that the failures reach the library and the
// C++ libraries below it. Not malloc: the sanitizers own that one, and what C libraries do without
// memory is theirs to test.
#pragma once

#include <cstdint>

namespace freshet::test {

enum class failing {
  once,    ///< the n-th allocation alone
  onwards  ///< the n-th and all that follow
};

/// From now until disarm(), the n-th allocation (from 1) fails: of this thread while it is in a
/// call of the library, and of every thread of the library's own.
void arm(failing how, std::uint64_t n);
/// Whether an allocation has failed since arm().
bool disarm();
/// Allocations since arm().
[[nodiscard]] std::uint64_t allocations();

}  // namespace freshet::test
