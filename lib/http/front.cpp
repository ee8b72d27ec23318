// Tickets, the hand-over, and the last word on every call.
#include <http/front.hpp>
#include <new>
#include <utility>

namespace freshet::http {

std::uint64_t front::submit(request&& request, deadline deadline, handler done) {
  const std::uint64_t ticket = requests_.take_ticket();
  if (closing_) {
    done(error(errc::cancelled, "the transport is closing"));
    return ticket;
  }
  if (pending_.fetch_add(1) >= max_pending_requests) {
    --pending_;
    error full(errc::source_unavailable, "too many requests are waiting for an answer");
    full.retry_after = std::chrono::seconds(1);
    done(std::move(full));
    return ticket;
  }
  try {
    loop_.post(
        [this, ticket, deadline, what = std::move(request), done = std::move(done)]() mutable {
          start(ticket, std::move(what), deadline, std::move(done));
        });
  } catch (...) {
    --pending_;
    throw;
  }
  return ticket;
}

void front::cancel(std::uint64_t ticket) {
  // Behind the submit that gave the ticket, since the queue keeps its order.
  loop_.post([this, ticket] {
    const pending_request* const found = requests_.find(ticket);
    if (found == nullptr) return;
    next_.cancel(found->inner);
    answer(ticket, error(errc::cancelled, "the request was cancelled"));
  });
}

void front::start(std::uint64_t ticket, request&& request, deadline deadline, handler done) {
  try {
    requests_.add(ticket, std::move(done), {});
  } catch (const std::bad_alloc&) {
    --pending_;
    done(error(errc::overloaded));  // still ours: it was not entered
    return;
  }
  if (closing_) {
    answer(ticket, error(errc::cancelled, "the transport is closing"));
    return;
  }
  const std::uint64_t inner =
      next_.submit(std::move(request), deadline,
                   [this, ticket](result<response>&& got) { answer(ticket, std::move(got)); });
  if (pending_request* const found = requests_.find(ticket)) found->inner = inner;
}

void front::answer(std::uint64_t ticket, result<response>&& result) {
  auto ended = requests_.take(ticket);
  if (!ended) return;
  --pending_;
  ended.answer(std::move(result));
}

void front::close() noexcept { closing_ = true; }

void front::answer_all(errc code) noexcept {
  while (auto ended = requests_.take_any()) {
    --pending_;
    try {
      ended.answer(error(code));  // without a detail: it may be that there is no memory
    } catch (...) {
      // A handler must not throw; the others are told all the same.
    }
  }
}

}  // namespace freshet::http
