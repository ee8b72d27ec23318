// Finds the addresses of names before curl is asked: curl would start a thread for each name and,
// where its exchange ends first, wait for that thread on the network thread, as long as a name
// server lets it. Here a name is looked up once for all who want it, so many are at a time, of all
// and of each account, and nobody waits for one that nobody answers for but who has named it.
#pragma once

#include <base/fair_queue.hpp>
#include <base/text_hash.hpp>
#include <chrono>
#include <deque>
#include <freshet/result.hpp>
#include <functional>
#include <http/pending_requests.hpp>
#include <http/scheduler.hpp>
#include <http/transport.hpp>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace freshet::http {

/// Whether a host, as it stands in a parsed URL, is a name that somebody has to be asked for: no
/// number, and not this machine's own.
[[nodiscard]] bool is_name(const std::string& host);

/// Addresses of a name, best first: "192.0.2.1", "2001:db8::1". Error: source_unavailable.
using found_addresses = result<std::vector<std::string>>;
/// Looks a name up. `done` is called on any thread, when that may be, and again if it has thrown
/// std::bad_alloc.
using name_finder =
    std::function<void(const std::string& name, std::function<void(found_addresses)> done)>;

/// Asks the system, on a thread for each name that ends with its answer: nothing can end it before.
/// Nobody waits for these threads.
[[nodiscard]] name_finder system_names();

struct name_limits {
  std::size_t at_once = 64;
  /// Who nobody has answered for in this time has its place no longer: names of servers that are
  /// silent keep up each other, within what an owner and all may have, and not everybody's.
  std::chrono::milliseconds place_time{1'000};
  std::size_t most_threads = 512;    ///< with those that have lost their places
  std::size_t at_once_of_owner = 8;  ///< the engine's own have no limit but that of all
  std::size_t names = 4'096;         ///< that are remembered
  std::chrono::seconds fresh{60};    ///< what was found is used so long, as curl does
  std::chrono::seconds failed{5};    ///< what was not found is not sought again so long
  /// What was found before is used, for so long, where looking it up anew takes longer than that:
  /// a name server in trouble does not take with it what was reached all day.
  std::chrono::hours stale{24};
  std::chrono::milliseconds patience_with_stale{1'000};
  std::chrono::milliseconds patience{10'000};
  /// Who comes when nobody has answered for so long is told at once, whoever it was that asked.
  std::chrono::milliseconds silence{3'000};
};

/// For the scheduler's thread only.
class name_layer final : public transport {
 public:
  name_layer(transport& next, scheduler& loop, name_finder find, name_limits limits = {});
  name_layer(const name_layer&) = delete;
  name_layer& operator=(const name_layer&) = delete;
  ~name_layer() override;

  std::uint64_t submit(request&& request, deadline deadline, handler done) override;
  void cancel(std::uint64_t ticket) override;
  void forget() noexcept override;
  /// Names that are remembered.
  [[nodiscard]] std::size_t size() const noexcept { return names_.size(); }

 private:
  using time = scheduler::time;
  struct pending_request {
    request what;
    deadline by;
    base::owner_id owner = 0;
    std::string name;
    std::uint64_t timer = 0;  ///< while it waits for the name
    std::uint64_t inner = 0;  ///< of the transport below, from then on; 0: it waits
  };
  struct known_name {
    std::vector<std::string> addresses;  ///< empty: nothing was ever found
    std::optional<error> failure;        ///< of the last time; until `fresh_until`
    time fresh_until{}, good_until{}, sought_since{};
    bool is_sought = false;              ///< it is being looked up
    bool has_place = false;              ///< and is one of those at once
    std::vector<std::uint64_t> waiting;  ///< tickets
  };
  struct way_back;

  [[nodiscard]] bool is_silent(const known_name& known, time now) const noexcept;
  void wait_for(std::uint64_t ticket, known_name& known);
  void pump();
  void seek(const std::string& name, base::owner_id owner);
  void leave_place(known_name& known) noexcept;
  void end_places(time now) noexcept;
  void wait_for_place();
  void take(const std::string& name, base::owner_id owner, time since, found_addresses found);
  void out_of_patience(std::uint64_t ticket);
  void hand_on(std::uint64_t ticket, std::vector<std::string> addresses);
  void refuse(std::uint64_t ticket, error why);
  void stop_waiting(std::uint64_t ticket, pending_request& whose);
  void make_room(time now);

  transport& next_;
  scheduler& loop_;
  const name_finder find_;
  const name_limits limits_;
  pending_requests<pending_request> requests_;
  std::unordered_map<std::string, known_name, base::text_hash> names_;
  base::fair_queue<std::uint64_t> queue_;            ///< of those whose names are to be looked up
  std::size_t sought_ = 0;                           ///< names that are being looked up
  std::size_t placed_ = 0;                           ///< those of them that have a place
  std::deque<std::pair<time, std::string>> places_;  ///< the oldest first; some were left since
  std::uint64_t place_timer_ = 0;                    ///< while somebody waits for a place
  bool pumping_ = false;
  std::shared_ptr<way_back> back_;
};

}  // namespace freshet::http
