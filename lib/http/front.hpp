// Where callers' threads meet the engine's: hands every submit and cancel over to it, and keeps the
// promise of transport.hpp that each handler is called exactly once, whatever the layers behind do
// and whenever the transport is destroyed.
#pragma once

#include <atomic>
#include <http/pending_requests.hpp>
#include <http/scheduler.hpp>
#include <http/transport.hpp>

namespace freshet::http {

/// Requests accepted and not yet answered; more are refused with source_unavailable.
inline constexpr std::size_t max_pending_requests = 10'000;

/// The layers behind it (`next`) are only ever called on the scheduler's thread.
class front final : public transport {
 public:
  front(transport& next, scheduler& loop) : next_(next), loop_(loop) {}

  /// From now on everything that comes is answered with `cancelled`, also what has been posted.
  void close() noexcept;
  /// Requests accepted and not yet answered. From any thread.
  [[nodiscard]] std::size_t pending() const noexcept { return pending_; }
  /// Answers what is pending with `code`. On the scheduler's thread, or when that has ended.
  void answer_all(errc code) noexcept;

  /// From any thread. Handlers are called on the scheduler's, or before submit returns if refused.
  std::uint64_t submit(request&& request, deadline deadline, handler done) override;
  void cancel(std::uint64_t ticket) override;

 private:
  struct pending_request {
    std::uint64_t inner = 0;
  };
  void start(std::uint64_t ticket, request&& request, deadline deadline, handler done);
  void answer(std::uint64_t ticket, result<response>&& result);

  transport& next_;
  scheduler& loop_;
  std::atomic<std::size_t> pending_ = 0;
  std::atomic<bool> closing_ = false;
  pending_requests<pending_request> requests_;  ///< the scheduler's thread only, but for tickets
};

}  // namespace freshet::http
