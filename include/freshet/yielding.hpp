// Threads that leave the processor to those that answer. They share locks, too: put off the
// processor while it holds one, a thread that yields holds up whom it yields to, for as long as it
// waits behind everybody else.
#pragma once

namespace freshet {

/// By how much who yields is nicer than what answers: enough that this hardly waits for it, and not
/// so much that it gets nothing where others are busy.
inline constexpr int yielding_niceness = 5;
/// Makes the calling thread, and what it starts, so much nicer. On Linux the niceness is the
/// thread's own. Where it is refused, all are equal.
void yield_to_answers() noexcept;

/// While one lives, its thread does not yield: made before a lock is asked for that others wait
/// for, and ended behind it. One may live within another. Costs two calls of the system where a
/// thread yields; nothing, and has no effect, where it does not, or may not take back what it
/// yields (on Linux: without CAP_SYS_NICE or a limit of niceness that allows it).
class urgent_turn {
 public:
  urgent_turn() noexcept;
  ~urgent_turn();
  urgent_turn(const urgent_turn&) = delete;
  urgent_turn& operator=(const urgent_turn&) = delete;
};

}  // namespace freshet
