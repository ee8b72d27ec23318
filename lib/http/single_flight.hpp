// Identical reads that are under way at the same time share one exchange. Each caller keeps its own
// deadline and may leave; the exchange ends when the last one has left. It waits its turn in the
// name of whoever began it: who has waited for another's for some time begins one in his own.
#pragma once

#include <base/fair_queue.hpp>
#include <base/text_hash.hpp>
#include <chrono>
#include <http/pending_requests.hpp>
#include <http/scheduler.hpp>
#include <http/transport.hpp>
#include <string>
#include <unordered_map>
#include <vector>

namespace freshet::http {

/// How long one waits for an exchange in another account's name alone.
inline constexpr std::chrono::seconds patience_with_others{2};

/// For the scheduler's thread only.
class single_flight final : public transport {
 public:
  single_flight(transport& next, scheduler& loop) : next_(next), loop_(loop) {}

  std::uint64_t submit(request&& request, deadline deadline, handler done) override;
  void cancel(std::uint64_t ticket) override;
  void forget() noexcept override {
    flights_.clear();
    by_key_.clear();
    requests_.clear();
  }

 private:
  using tickets = std::vector<std::uint64_t>;
  struct pending_request {
    deadline by;
    base::owner_id owner = 0;
    std::uint64_t timer = 0;
    std::uint64_t patience = 0;  ///< a timer, while it waits in another's name
    std::uint64_t flight = 0;
  };
  struct flight {
    request what;  ///< where it has a key
    deadline by;
    base::owner_id owner = 0;  ///< in whose name it is made
    std::uint64_t inner = 0;
    bool shared = false;  ///< under its key in by_key_
    std::string key;
    tickets members;
  };
  void take_off(request request, std::string key, tickets members);
  void join(std::uint64_t id, std::uint64_t ticket);
  void watch(std::uint64_t ticket);
  void be_patient(std::uint64_t ticket);
  void part(std::uint64_t ticket);
  [[nodiscard]] tickets take_others(const flight& landed);
  void leave(std::uint64_t ticket, errc code, const char* detail);
  void land(std::uint64_t id, result<response>&& answer);

  transport& next_;
  scheduler& loop_;
  pending_requests<pending_request> requests_;
  std::uint64_t last_flight_ = 0;
  std::unordered_map<std::uint64_t, flight> flights_;
  std::unordered_map<std::string, std::uint64_t, base::text_hash> by_key_;
};

}  // namespace freshet::http
