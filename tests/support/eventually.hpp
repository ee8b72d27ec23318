// Waiting for what comes to be true on another thread or in another process.
#pragma once

#include <chrono>
#include <thread>

namespace freshet::test {

/// How long a test waits for what has to come: far longer than it takes on a machine that does a
/// dozen other things, as no test may depend on how fast it runs; one that passes never waits it
/// out.
inline constexpr std::chrono::seconds patience{60};

template <class Holds>
bool eventually(Holds&& holds) {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

}  // namespace freshet::test
