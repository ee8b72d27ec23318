// How many exchanges run at once, of all and of each account, and whose is next: who has kept
// connections busy for the least time. A host that is silent keeps a place for a moment only, so
// that accounts that wait for such hosts hold up each other and not everybody. Right above curl,
// which would take whoever came first.
#pragma once

#include <atomic>
#include <base/fair_queue.hpp>
#include <chrono>
#include <deque>
#include <http/pending_requests.hpp>
#include <http/scheduler.hpp>
#include <http/transport.hpp>
#include <utility>

namespace freshet::http {

/// As many as leave half of the process's descriptors to whoever else is in it; 1,024 at most.
[[nodiscard]] std::size_t most_exchanges() noexcept;

struct admission_limits {
  std::size_t running = 256;  ///< with a place
  /// Of one account; the engine's own have no limit but that of all.
  std::size_t running_of_owner = 64;
  /// What takes longer has its place no more, and goes on.
  std::chrono::milliseconds place_time{2'000};
  /// With those that have lost their places; the last quarter is for accounts of which none runs.
  std::size_t most = most_exchanges();
};

/// For the scheduler's thread only.
class admission final : public transport {
 public:
  admission(transport& next, scheduler& loop, admission_limits limits = {})
      : next_(next), loop_(loop), limits_(limits) {}

  std::uint64_t submit(request&& request, deadline deadline, handler done) override;
  void cancel(std::uint64_t ticket) override;
  void forget() noexcept override;
  /// From any thread.
  [[nodiscard]] std::size_t running() const noexcept { return running_; }

 private:
  struct pending_request {
    request what;
    deadline by;
    base::owner_id owner = 0;
    std::uint64_t timer = 0;  ///< of its deadline, while it waits
    bool running = false;
    bool has_place = false;
    scheduler::time started{};
    std::uint64_t inner = 0;
  };
  void pump();
  void run(std::uint64_t ticket);
  void answered(std::uint64_t ticket, result<response>&& got);
  void leave_queue(std::uint64_t ticket, error why);
  void leave_place(pending_request& whose) noexcept;
  void end_places();
  void wait_for_place();

  transport& next_;
  scheduler& loop_;
  const admission_limits limits_;
  pending_requests<pending_request> requests_;
  base::fair_queue<std::uint64_t> queue_;
  std::atomic<std::size_t> running_ = 0;
  std::size_t placed_ = 0;  ///< those of them that have a place
  /// The oldest first; some were left since.
  std::deque<std::pair<scheduler::time, std::uint64_t>> places_;
  std::uint64_t place_timer_ = 0;  ///< while somebody waits for a place
  bool pumping_ = false;
};

}  // namespace freshet::http
