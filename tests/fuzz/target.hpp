// What a fuzz target may say: that something must hold. A violation stops the process, which is how
// the fuzzer learns of it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace freshet::fuzz {

inline void require(bool holds) {
  if (!holds) std::abort();
}

/// That nothing is wrong: `wrong` says what is, and is printed.
inline void require_nothing(const std::string& wrong) {
  if (wrong.empty()) return;
  std::fprintf(stderr, "what does not hold: %s\n", wrong.c_str());
  std::abort();
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  // An empty input may come without an address.
  return size == 0 ? std::string_view()
                   : std::string_view(reinterpret_cast<const char*>(data), size);
}

}  // namespace freshet::fuzz
