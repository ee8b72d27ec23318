// The stages of an composite_call. An answer may come on another thread, or already while its call
// is being submitted; either way it only notes what it brings, and whoever pumps goes on.
#include <algorithm>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <server/dropin/composite_call.hpp>
#include <utility>

namespace freshet::server::dropin {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;

/// Calls of one composite_call at once, so that one search with pages does not take the place of
/// many.
constexpr std::size_t max_open = 4;
/// Bytes of answers beyond which no further page begins: the composite_call keeps all of them at
/// once.
constexpr std::size_t most_bytes = 32 * 1024 * 1024;
/// Less than this is no time for a page.
constexpr milliseconds least_page_time{1000};

bool failed(const response& one) { return !one.ok(); }

}  // namespace

composite_call::composite_call(const backend& behind, request asked, composer compose,
                               work_place place, std::function<void(response)> done)
    : submit_(behind.submit),
      cancel_(behind.cancel),
      problem_(behind.problem),
      asked_(std::move(asked)),
      compose_(std::move(compose)),
      place_(std::move(place)),
      done_(std::move(done)),
      began_(clock::now()) {}

void composite_call::start() {
  place_(asked_.api_key, [self = shared_from_this()] { self->compose(); });
}

void composite_call::compose() {
  composition_ = compose_(asked_);
  {
    const std::lock_guard lock(mutex_);
    enter(stage::dry_run, std::move(composition_.dry_runs));
  }
  pump();
}

void composite_call::cancel() {
  std::vector<std::uint64_t> running;
  {
    const std::lock_guard lock(mutex_);
    cancelled_ = true;
    running = tickets_;
  }
  for (const std::uint64_t ticket : running) {
    if (ticket != 0) cancel_(ticket);
  }
}

void composite_call::enter(stage next, std::vector<inner_call> calls) {
  stage_ = next;
  calls_ = std::move(calls);
  answers_.assign(calls_.size(), {});
  tickets_.assign(calls_.size(), 0);
  over_.assign(calls_.size(), false);
  next_ = open_ = finished_ = 0;
}

void composite_call::pump() {
  std::unique_lock lock(mutex_);
  if (pumping_) return;
  pumping_ = true;
  while (stage_ != stage::over) {
    if (submit_next(lock)) continue;
    if (finished_ < calls_.size()) break;
    go_on(lock);
  }
  pumping_ = false;
}

milliseconds composite_call::left() const {
  const auto used = std::chrono::duration_cast<milliseconds>(clock::now() - began_);
  return composition_.allowed - used;
}

/// Why the next call of the stage is not begun; nothing where it is. Called with the lock held.
std::optional<error> composite_call::stop_reason() const {
  if (cancelled_) return error(errc::cancelled, "the call has ended");
  if (stage_ != stage::fetching) return std::nullopt;
  if (left() < least_page_time) {
    return error(errc::source_timeout, "the time for this call was over before the page");
  }
  if (bytes_ > most_bytes) {
    return error(errc::payload_too_large, "the pages before this one fill the answer");
  }
  return std::nullopt;
}

/// Begins one more call of the stage; false where there is none, or no room.
bool composite_call::submit_next(std::unique_lock<std::mutex>& lock) {
  if (next_ == calls_.size() || open_ >= max_open) return false;
  const std::size_t index = next_++;
  const stage during = stage_;
  if (const std::optional<error> why = stop_reason()) {
    answers_[index] = problem_(*why, asked_.request_id);
    over_[index] = true;
    ++finished_;
    return true;
  }
  request call = call_of(calls_[index]);
  ++open_;
  ++submitted_;
  lock.unlock();
  const std::uint64_t ticket =
      submit_(std::move(call), [self = shared_from_this(), during, index](response with) {
        self->answered(during, index, std::move(with));
      });
  lock.lock();
  if (stage_ != during || over_[index]) return true;
  tickets_[index] = ticket;
  if (!cancelled_) return true;
  // cancel() has come before there was a ticket.
  lock.unlock();
  cancel_(ticket);
  lock.lock();
  return true;
}

request composite_call::call_of(const inner_call& one) {
  json::object parameters = one.parameters;
  bool cut = false;
  if (stage_ == stage::fetching) {
    const std::int64_t most = left().count();
    const json::value* const wish = parameters.if_contains("timeout_ms");
    cut = wish == nullptr || !wish->is_int64() || wish->get_int64() > most;
    if (cut) parameters["timeout_ms"] = most;
  }
  request out;
  out.endpoint = one.endpoint;
  out.body = json::serialize(parameters);
  out.api_key = asked_.api_key;
  out.request_id = asked_.request_id;
  out.in_process = false;
  out.traceparent = asked_.traceparent;
  out.tracestate = asked_.tracestate;
  // One key names one call: those after the first get a name of their own. Dry runs have none, nor
  // has a page whose time was cut: repeated, it would be another call under the same name.
  if (!asked_.idempotency_key.empty() && stage_ != stage::dry_run && !cut) {
    out.idempotency_key = asked_.idempotency_key;
    if (submitted_ > 0) out.idempotency_key += "/" + std::to_string(submitted_);
  }
  return out;
}

void composite_call::answered(stage during, std::size_t index, response&& response) {
  {
    const std::lock_guard lock(mutex_);
    if (stage_ != during || over_[index]) return;
    sum_.credits_used += response.credits_used;
    if (during == stage::fetching) {
      // What remains is told with the other pages' reservations taken off: add up instead.
      if (sum_.credits_remaining) *sum_.credits_remaining -= response.credits_used;
    } else if (response.credits_remaining) {
      sum_.credits_remaining = response.credits_remaining;
    }
    if (response.rate) sum_.rate = response.rate;
    if (response.code == errc::cancelled) cancelled_ = true;  // the engine ends: begin nothing more
    sum_.idempotency_replayed = sum_.idempotency_replayed || response.idempotency_replayed;
    bytes_ += response.body.size();
    answers_[index] = std::move(response);
    over_[index] = true;
    tickets_[index] = 0;
    --open_;
    ++finished_;
    if (pumping_) return;  // whoever does goes on
  }
  try {
    place_(asked_.api_key, [self = shared_from_this()] { self->pump(); });
  } catch (const std::bad_alloc&) {
    pump();  // it is done here
  }
}

/// The stage is complete: what comes after it. The composition works outside of the lock; nobody
/// else does anything meanwhile, for nothing runs.
void composite_call::go_on(std::unique_lock<std::mutex>& lock) {
  const stage complete = stage_;
  std::vector<response> answers = std::move(answers_);
  lock.unlock();
  if (complete == stage::dry_run) {
    const auto bad = std::ranges::find_if(answers, failed);
    if (bad != answers.end()) return conclude(lock, composition_.refuse(*bad));
    lock.lock();
    submitted_ = 0;
    return enter(stage::asking, std::move(composition_.first));
  }
  if (complete == stage::asking) {
    first_ = std::move(answers);
    answers.clear();
    if (composition_.pages) {
      std::vector<inner_call> pages = composition_.pages(first_);
      lock.lock();
      return enter(stage::fetching, std::move(pages));
    }
  }
  const auto elapsed = std::chrono::duration_cast<milliseconds>(clock::now() - began_);
  conclude(lock,
           composition_.finish(std::move(first_), std::move(answers), sum_.credits_used, elapsed));
}

/// The lock is open when this is called, and held when it returns.
void composite_call::conclude(std::unique_lock<std::mutex>& lock, response&& out) {
  out.request_id = asked_.request_id;
  out.credits_used = sum_.credits_used;
  out.credits_remaining = sum_.credits_remaining;
  out.rate = sum_.rate;
  out.idempotency_replayed = sum_.idempotency_replayed;
  out.content_type = "application/json";
  done_(std::move(out));
  lock.lock();
  stage_ = stage::over;
}

}  // namespace freshet::server::dropin
