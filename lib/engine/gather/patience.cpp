// How long a page waits for a slow source while others have answered: a fair time each, then it is
// made without the slow one, whose answer is still told to the cache and to the suspensions. Where
// nobody else has answered, everybody has until the deadline of the call.
#include <algorithm>
#include <sources/read_answer.hpp>

#include "engine/gather/gatherer.hpp"

namespace freshet::detail {

/// Until when a branch may be waited for: the fair time, and no less than twice of what the
/// quickest took, so that a slow network is nobody's fault.
std::chrono::steady_clock::time_point gatherer::fair_end(const branch& one) const {
  return one.asked_at + std::max(plan_.fair_time, 2 * quickest_);
}

/// Whether a branch is waited for although another has answered: a source that is alone has until
/// the deadline for each of its pages.
bool gatherer::is_dispensable(const branch& one) const {
  if (!one.waiting || *one.decided) return false;
  return std::ranges::any_of(
      branches_, [&](const branch& other) { return &other != &one && other.pages > 0; });
}

/// Called with the mutex held: sees to it that nobody is waited for beyond the fair time, once
/// there is something to answer without him.
void gatherer::set_alarm() {
  if (plan_.fair_time.count() == 0 || plan_.mode != ask_mode::all || !environment_.wake_at) return;
  if (is_alarm_set_ || finished_ || cancelled_ || outstanding_ == 0) return;
  if (quickest_.count() == 0) {
    for (const auto& one : branches_) {
      if (one.pages == 0) continue;
      const auto took = environment_.clock->steady() - one.asked_at;
      quickest_ = std::max(std::chrono::ceil<std::chrono::milliseconds>(took),
                           std::chrono::milliseconds{1});
    }
  }
  auto when = std::chrono::steady_clock::time_point::max();
  for (const auto& one : branches_) {
    if (is_dispensable(one)) when = std::min(when, fair_end(one));
  }
  if (when >= plan_.by) return;
  is_alarm_set_ = true;
  environment_.wake_at(when, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->ring();
  });
}

/// On the network thread. Where no memory is left, the deadline of the call ends the wait.
void gatherer::ring() noexcept {
  const std::lock_guard lock(end_mutex_);
  if (is_over_) return;
  try {
    workers_.post([self = shared_from_this()] { self->leave_late(); }, plan_.owner);
  } catch (const std::bad_alloc&) {
  }
}

/// Goes on without those that have had their time.
void gatherer::leave_late() noexcept {
  try {
    const std::lock_guard lock(mutex_);
    is_alarm_set_ = false;
    if (finished_ || cancelled_) return;
    const auto now = environment_.clock->steady();
    for (auto& one : branches_) {
      if (!is_dispensable(one) || fair_end(one) > now || one.decided->exchange(true)) continue;
      one.waiting = false;
      --outstanding_;
      one.fresh_until.reset();
      one.elapsed += std::chrono::duration_cast<std::chrono::milliseconds>(now - one.asked_at);
      const error why(errc::source_timeout,
                      "it had not answered when others had, and was not waited for; name it in "
                      "sources to wait for it");
      one.span.end(why);
      fail(one, why);
    }
    advance();
    set_alarm();
  } catch (const std::bad_alloc&) {
    give_up();
  }
}

/// Whether it was this call that ended a request, by its deadline or its caller's going: that is
/// nothing of the source's. The transport keeps deadlines to the millisecond, now and then early.
bool gatherer::was_ended_here(const result<http::response>& answer) const {
  if (work_->reason_to_end()) return true;
  constexpr std::chrono::milliseconds slack{50};
  return !answer && answer.error().code() == errc::source_timeout &&
         plan_.by != http::transport::deadline{} &&
         environment_.clock->steady() + slack >= plan_.by;
}

/// What came too late for the page: a refusal is one for the next call, too. On the network thread,
/// so that it reads no page; and where the transport ends, nothing of the engine is touched.
void gatherer::note_late(const branch& one, const result<http::response>& answer) const {
  if (!answer && (answer.error().code() == errc::cancelled ||
                  answer.error().code() == errc::overloaded || was_ended_here(answer))) {
    return;
  }
  if (environment_.suspended == nullptr) return;
  const auto why = answer ? sources::check_status(*answer) : std::optional(answer.error());
  if (!why) return;
  environment_.suspended->failed(*one.source->of, asked_of(one), one.asked_url, *why,
                                 answer ? &*answer : nullptr,
                                 {environment_.clock->steady(), plan_.owner, one.is_at_source});
}

}  // namespace freshet::detail
