// The rare side of a meter: the end of a slice; and how what computes makes room.
#include "base/work.hpp"

#include <sys/resource.h>

namespace freshet::base {

void yield_to_answers() noexcept {
  setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + yielding_niceness);
}

std::optional<errc> stop_token::reason_to_end() const noexcept {
  if (stopped_.load(std::memory_order_relaxed)) return errc::cancelled;
  const bool late = deadline_ != time::max() && std::chrono::steady_clock::now() >= deadline_;
  return late ? std::optional(errc::source_timeout) : std::nullopt;
}

void meter::look(std::uint64_t steps) {
  const auto beyond = steps - slice_;  // steps that the slice did not cover
  slice_ = 0;
  if (beyond > left_ || left_ == 0) throw work_ended(errc::unsupported_content);
  left_ -= beyond;
  if (wanted_) {
    if (const auto why = wanted_->reason_to_end()) throw work_ended(*why);
  }
  begin_slice();
}

}  // namespace freshet::base
