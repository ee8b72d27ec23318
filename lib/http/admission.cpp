// Waits its turn, runs, and lets the next one in.
#include <sys/resource.h>

#include <algorithm>
#include <http/admission.hpp>
#include <utility>

namespace freshet::http {
namespace {

/// How long an exchange is taken to last until it is known.
constexpr double likely_time_s = 0.2;

}  // namespace

std::size_t most_exchanges() noexcept {
  constexpr rlim_t fewest = 256, most = 1'024;
  rlimit open_files{};
  if (::getrlimit(RLIMIT_NOFILE, &open_files) != 0) return fewest;
  return static_cast<std::size_t>(std::clamp(open_files.rlim_cur / 2, fewest, most));
}

std::uint64_t admission::submit(request&& request, deadline deadline, handler done) {
  const std::uint64_t ticket = requests_.take_ticket();
  const base::owner_id owner = request.owner;
  requests_.add(ticket, std::move(done), {std::move(request), deadline, owner});
  queue_.push(owner, ticket);
  pump();
  pending_request* const waiting = requests_.find(ticket);
  if (waiting == nullptr || waiting->running) return ticket;
  waiting->timer = loop_.at(deadline, [this, ticket] {
    requests_.at(ticket).timer = 0;
    error late(errc::source_timeout, "the deadline came before a connection");
    late.retry_after = std::chrono::seconds(1);  // we ourselves did not ask
    leave_queue(ticket, std::move(late));
  });
  return ticket;
}

void admission::pump() {
  if (pumping_) return;  // an answer came before submit returned: the loop below goes on
  pumping_ = true;
  end_places();
  while (placed_ < limits_.running && running_ < limits_.most) {
    const bool is_last_quarter = running_ >= limits_.most - limits_.most / 4;
    const auto next = queue_.pop(likely_time_s, is_last_quarter ? 1 : limits_.running_of_owner);
    if (!next) break;
    run(next->entry);
  }
  pumping_ = false;
  wait_for_place();
}

void admission::leave_place(pending_request& whose) noexcept {
  if (std::exchange(whose.has_place, false)) --placed_;
}

void admission::end_places() {
  const auto last = loop_.now() - limits_.place_time;
  for (; !places_.empty() && places_.front().first <= last; places_.pop_front()) {
    if (auto* const held = requests_.find(places_.front().second)) leave_place(*held);
  }
}

void admission::wait_for_place() {
  const bool has_room = running_ < limits_.most;
  if (queue_.empty() || placed_ < limits_.running || !has_room || place_timer_ != 0) return;
  place_timer_ = loop_.at(places_.front().first + limits_.place_time, [this] {
    place_timer_ = 0;
    pump();
  });
}

void admission::run(std::uint64_t ticket) {
  pending_request& entering = requests_.at(ticket);
  loop_.drop(std::exchange(entering.timer, 0));
  entering.running = true;
  entering.started = loop_.now();
  places_.emplace_back(entering.started, ticket);
  entering.has_place = true;
  ++running_;
  ++placed_;
  // Out of the entry, which may have gone before submit returns.
  const std::uint64_t inner =
      next_.submit(request(std::move(entering.what)), entering.by,
                   [this, ticket](result<response>&& got) { answered(ticket, std::move(got)); });
  if (pending_request* const found = requests_.find(ticket)) found->inner = inner;
}

void admission::answered(std::uint64_t ticket, result<response>&& got) {
  auto ended = requests_.take(ticket);
  if (!ended) return;
  const std::chrono::duration<double> took = loop_.now() - ended->started;
  --running_;
  if (ended->has_place) --placed_;
  queue_.done(ended->owner, took.count() - likely_time_s);
  ended.answer(std::move(got));
  pump();
}

void admission::leave_queue(std::uint64_t ticket, error why) {
  auto ended = requests_.take(ticket);
  queue_.remove(ended->owner, [ticket](std::uint64_t each) { return each == ticket; });
  loop_.drop(ended->timer);
  ended.answer(std::move(why));
}

void admission::cancel(std::uint64_t ticket) {
  const pending_request* const unwanted = requests_.find(ticket);
  if (unwanted == nullptr) return;
  if (!unwanted->running) {
    return leave_queue(ticket, error(errc::cancelled, "the request was cancelled"));
  }
  next_.cancel(unwanted->inner);
}

void admission::forget() noexcept {
  requests_.clear();
  queue_.clear();
  running_ = 0;
  placed_ = 0;
  places_.clear();
  place_timer_ = 0;  // the engine has dropped all timers
  pumping_ = false;
}

}  // namespace freshet::http
