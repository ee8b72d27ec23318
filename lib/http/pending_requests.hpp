// The table that a layer keeps of the requests it has accepted and not yet answered: their tickets,
// what the layer remembers of each, and their handlers. A request leaves the table before its
// handler is called, so that none is called twice. It has no lock and waits for nothing: who shares
// a table between threads guards it.
#pragma once

#include <atomic>
#include <cstdint>
#include <http/transport.hpp>
#include <unordered_map>
#include <utility>

namespace freshet::http {

/// `State`: what a layer remembers of a request beside its handler. Answers are handed on by
/// reference, not moved again at every layer.
template <class State>
class pending_requests {
  struct entry {
    explicit entry(State&& given) : state(std::move(given)) {}

    State state;
    transport::handler done;
  };
  using table = std::unordered_map<std::uint64_t, entry>;

 public:
  /// A request that has left the table: nobody but its holder can answer it. False if it was not
  /// there any more.
  class taken_request {
   public:
    explicit operator bool() const noexcept { return !node_.empty(); }
    State* operator->() noexcept { return &node_.mapped().state; }
    /// Once.
    void answer(result<response>&& got) { node_.mapped().done(std::move(got)); }

    taken_request() noexcept = default;

   private:
    friend pending_requests;
    explicit taken_request(typename table::node_type node) noexcept : node_(std::move(node)) {}

    typename table::node_type node_;
  };

  /// A number that no other request of this table has; never 0. From any thread, unlike the rest.
  [[nodiscard]] std::uint64_t take_ticket() noexcept {
    return last_ticket_.fetch_add(1, std::memory_order_relaxed) + 1;
  }

  /// Enters a request. What is remembered of it stays where it is until it is taken. If there is
  /// no memory (std::bad_alloc), nothing was entered, and `done` is still the caller's.
  State& add(std::uint64_t ticket, transport::handler&& done, State&& state) {
    entry& fresh = table_.try_emplace(ticket, std::move(state)).first->second;
    fresh.done = std::move(done);
    return fresh.state;
  }

  /// What is remembered of a request; null if it has left, or never was here.
  [[nodiscard]] State* find(std::uint64_t ticket) noexcept {
    const auto found = table_.find(ticket);
    return found == table_.end() ? nullptr : &found->second.state;
  }
  /// The same of one that is known to be here.
  [[nodiscard]] State& at(std::uint64_t ticket) { return table_.at(ticket).state; }

  [[nodiscard]] taken_request take(std::uint64_t ticket) noexcept {
    return taken_request(table_.extract(ticket));
  }
  /// Any of them; false when none is left.
  [[nodiscard]] taken_request take_any() noexcept {
    return taken_request(table_.empty() ? typename table::node_type()
                                        : table_.extract(table_.begin()));
  }

  /// Answers a request, if it has not left.
  void answer(std::uint64_t ticket, result<response>&& got) {
    if (taken_request ended = take(ticket)) ended.answer(std::move(got));
  }

  /// Hands a request on: what `next` answers is its answer, and `state.inner` its ticket there.
  void forward(std::uint64_t ticket, transport& next, request request,
               transport::deadline deadline) {
    const std::uint64_t inner =
        next.submit(std::move(request), deadline,
                    [this, ticket](result<response>&& got) { answer(ticket, std::move(got)); });
    // `next` may have answered before it returned.
    if (State* const waiting = find(ticket)) waiting->inner = inner;
  }

  /// Drops all of them without calling a handler.
  void clear() noexcept { table_.clear(); }

  /// Calls `visit` with what is remembered of each, in no order.
  template <class Visitor>
  void for_each(const Visitor& visit) const {
    for (const auto& [ticket, each] : table_) visit(each.state);
  }
  /// The same, with the ticket of each.
  template <class Visitor>
  void for_each_ticket(const Visitor& visit) const {
    for (const auto& [ticket, each] : table_) visit(ticket, each.state);
  }

 private:
  std::atomic<std::uint64_t> last_ticket_ = 0;
  table table_;
};

}  // namespace freshet::http
