// Tickets, the hand-over, and the last word on every call.
#include <http/front.hpp>
#include <utility>

namespace freshet::http {

std::uint64_t front::submit(request what, deadline by, handler done) {
  const std::uint64_t ticket = ++last_ticket_;
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
  loop_.post([this, ticket, by, what = std::move(what), done = std::move(done)]() mutable {
    start(ticket, std::move(what), by, std::move(done));
  });
  return ticket;
}

void front::cancel(std::uint64_t ticket) {
  // Behind the submit that gave the ticket, since the queue keeps its order.
  loop_.post([this, ticket] {
    const auto found = calls_.find(ticket);
    if (found == calls_.end()) return;
    next_.cancel(found->second.inner);
    answer(ticket, error(errc::cancelled, "the request was cancelled"));
  });
}

void front::start(std::uint64_t ticket, request what, deadline by, handler done) {
  calls_.emplace(ticket, call{std::move(done), 0});
  if (closing_) {
    answer(ticket, error(errc::cancelled, "the transport is closing"));
    return;
  }
  const std::uint64_t inner =
      next_.submit(std::move(what), by,
                   [this, ticket](result<response> got) { answer(ticket, std::move(got)); });
  if (const auto found = calls_.find(ticket); found != calls_.end()) found->second.inner = inner;
}

void front::answer(std::uint64_t ticket, result<response> what) {
  auto node = calls_.extract(ticket);
  if (node.empty()) return;
  --pending_;
  node.mapped().done(std::move(what));
}

void front::close() {
  closing_ = true;
  loop_.post([this] { cancel_all(); });
}

void front::cancel_all() {
  while (!calls_.empty()) {
    const auto [ticket, each] = *calls_.begin();
    next_.cancel(each.inner);
    answer(ticket, error(errc::cancelled, "the transport is closing"));
  }
}

}  // namespace freshet::http
