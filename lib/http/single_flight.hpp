// Identical reads that are under way at the same time share one exchange. Each caller keeps its own
// deadline and may leave; the exchange ends when the last one has left.
#pragma once

#include <http/scheduler.hpp>
#include <http/transport.hpp>
#include <string>
#include <unordered_map>
#include <vector>

namespace freshet::http {

/// For the scheduler's thread only.
class single_flight final : public transport {
 public:
  single_flight(transport& next, scheduler& loop) : next_(next), loop_(loop) {}

  std::uint64_t submit(request what, deadline by, handler done) override;
  void cancel(std::uint64_t ticket) override;
  void forget() noexcept override {
    flights_.clear();
    by_key_.clear();
    flight_of_.clear();
  }

 private:
  struct member {
    std::uint64_t ticket = 0;
    deadline by;
    handler done;
    std::uint64_t timer = 0;
  };
  struct flight {
    request what;
    deadline by;
    std::uint64_t inner = 0;
    bool shared = false;  ///< under its key in by_key_
    std::string key;
    std::vector<member> members;
  };
  std::uint64_t take_off(request what, std::string key, std::vector<member> members);
  void join(std::uint64_t id, member who);
  void watch(member& who);
  void leave(std::uint64_t ticket, errc code, const char* detail);
  void land(std::uint64_t id, result<response> answer);

  transport& next_;
  scheduler& loop_;
  std::uint64_t last_ = 0;
  std::unordered_map<std::uint64_t, flight> flights_;
  std::unordered_map<std::string, std::uint64_t> by_key_;
  std::unordered_map<std::uint64_t, std::uint64_t> flight_of_;  ///< ticket -> flight
};

}  // namespace freshet::http
