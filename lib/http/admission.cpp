// Waits its turn, runs, and lets the next one in.
#include <http/admission.hpp>
#include <utility>

namespace freshet::http {
namespace {

/// How long an exchange is taken to last until it is known.
constexpr double likely_time_s = 0.2;

}  // namespace

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
  while (running_ < limits_.running) {
    const auto next = queue_.pop(likely_time_s, limits_.running_of_owner);
    if (!next) break;
    run(next->entry);
  }
  pumping_ = false;
}

void admission::run(std::uint64_t ticket) {
  pending_request& entering = requests_.at(ticket);
  loop_.drop(std::exchange(entering.timer, 0));
  entering.running = true;
  entering.started = loop_.now();
  ++running_;
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
  pumping_ = false;
}

}  // namespace freshet::http
