// Threads that yield, and do not while they hold what others wait for.
#include <sys/resource.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <freshet/yielding.hpp>
#include <thread>

using namespace freshet;

namespace {

int niceness() { return getpriority(PRIO_PROCESS, 0); }
bool becomes(int nicer) { return setpriority(PRIO_PROCESS, 0, niceness() + nicer) == 0; }

}  // namespace

TEST_CASE("who yields does not for as long as it has an urgent turn, where that is allowed") {
  const int before = niceness();
  bool is_allowed = false;
  std::thread([&] { is_allowed = becomes(1) && becomes(-1); }).join();
  std::thread([&] {
    {
      const urgent_turn nothing;
      CHECK(niceness() == before);
    }
    yield_to_answers();
    const int nicer = std::min(before + yielding_niceness, 19);
    CHECK(niceness() == nicer);
    for (int i = 0; i < 2; ++i) {
      const urgent_turn outer;
      CHECK(niceness() == (is_allowed ? before : nicer));
      { const urgent_turn inner; }
      CHECK(niceness() == (is_allowed ? before : nicer));
    }
    CHECK(niceness() == nicer);
  }).join();
  CHECK(niceness() == before);
}
