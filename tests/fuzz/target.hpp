// What a fuzz target may say: that something must hold. A violation stops the process, which is how
// the fuzzer learns of it.
#pragma once

#include <cstdlib>

namespace freshet::fuzz {

inline void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace freshet::fuzz
