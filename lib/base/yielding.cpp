// The niceness of the calling thread, there and back.
#include <sys/resource.h>

#include <freshet/yielding.hpp>

namespace freshet {
namespace {

/// Of a thread: what it yields, and may take back; 0: nothing. And how many turns are under way.
thread_local int yielded = 0, turns = 0;

int niceness() noexcept { return getpriority(PRIO_PROCESS, 0); }
/// False: it may not.
bool change_niceness(int steps) noexcept {
  return setpriority(PRIO_PROCESS, 0, niceness() + steps) == 0;
}

}  // namespace

void yield_to_answers() noexcept {
  const int before = niceness();
  change_niceness(yielding_niceness);
  yielded += niceness() - before;  // less where it was nice already
}

urgent_turn::urgent_turn() noexcept {
  if (yielded == 0 || turns++ > 0 || change_niceness(-yielded)) return;
  yielded = turns = 0;  // it is not tried again
}

urgent_turn::~urgent_turn() {
  if (yielded != 0 && --turns == 0) change_niceness(yielded);
}

}  // namespace freshet
