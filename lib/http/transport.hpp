// The one way by which the library reaches the network, and what may stand in for it: a
// recording. Layers (cache, single flight, robots, retries, pace) implement it too, each around the
// next.
#pragma once

#include <chrono>
#include <cstdint>
#include <freshet/result.hpp>
#include <functional>
#include <http/message.hpp>

namespace freshet::http {

/// Performs requests. Thread-safe. A transport outlives every call it has not yet answered: its
/// destructor answers what is pending with `cancelled`.
class transport {
 public:
  using handler = std::function<void(result<response>)>;
  using deadline = std::chrono::steady_clock::time_point;

  virtual ~transport() = default;

  /// Starts a request. `done` is called exactly once, on a thread of the transport's choice,
  /// possibly before submit returns; it must be short and must not throw. Any HTTP status is a
  /// response; errors are: target_forbidden, robots_disallowed, source_unavailable (refused, reset,
  /// DNS, breaker open), source_timeout (deadline), source_error (limits, protocol), cancelled.
  /// Returns a ticket for cancel(). The request outlives the call: a reference, as each layer hands
  /// it on, and a move costs more than most layers do.
  virtual std::uint64_t submit(request&& request, deadline deadline, handler done) = 0;

  /// Asks that a request end early; its handler is called with `cancelled` unless it has been
  /// called already. An unknown ticket is ignored.
  virtual void cancel(std::uint64_t ticket) = 0;

  /// Drops every request under way without calling its handler: no memory was left in the middle
  /// of it, and whoever is in front answers. Only for layers behind a front, on its thread.
  virtual void forget() noexcept {}
};

}  // namespace freshet::http
