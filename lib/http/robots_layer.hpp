// Asks robots.txt before a request that has `obey_robots`, once a host and day. What cannot be
// known is not fetched.
#pragma once

#include <base/fair_queue.hpp>
#include <base/text_hash.hpp>
#include <http/pending_requests.hpp>
#include <http/robots.hpp>
#include <http/scheduler.hpp>
#include <http/transport.hpp>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace freshet::http {

/// Memory for the rules of all sites together. A real file has some kilobytes; the largest is
/// forgotten first.
inline constexpr std::size_t max_robots_memory = 32u << 20;

/// What is read of a robots.txt at once: less than a millisecond, whatever is in it. Then the
/// thread's other work has its turn.
inline constexpr std::size_t robots_bytes_at_once = 32u << 10;

/// Steps of judgements that are taken at once, likewise.
inline constexpr std::size_t robots_steps_at_once = 1u << 14;

/// For the scheduler's thread only.
class robots_layer final : public transport {
 public:
  robots_layer(transport& next, scheduler& loop, std::string user_agent)
      : next_(next), loop_(loop), user_agent_(std::move(user_agent)) {}

  std::uint64_t submit(request&& request, deadline deadline, handler done) override;
  void cancel(std::uint64_t ticket) override;
  void forget() noexcept override;

  /// The memory that the rules take.
  [[nodiscard]] std::size_t rules_bytes() const noexcept;

 private:
  struct question {
    request what;
    deadline by;
    std::string origin;
    std::string path;
  };
  /// What a file says of an address, while that is looked for: the file may be forgotten meanwhile.
  struct judging {
    std::shared_ptr<const robots_rules> by;
    robots_rules::judgement says;
  };
  struct pending_request {
    std::optional<question> asked;  ///< null where nobody is asked, and the request only handed on
    std::uint64_t inner = 0;        ///< of the request itself; 0 while robots.txt is awaited
    std::uint64_t timer = 0;
    std::unique_ptr<judging> judged{};
  };
  /// What is known of an origin.
  struct site {
    enum class state { asking, rules, unreachable, failed } is = state::asking;
    std::shared_ptr<const robots_rules> rules{};
    std::unique_ptr<robots_rules::reader> reader{};  ///< while the file is read
    std::uint64_t reading = 0;                       ///< the number of that
    error why;                                       ///< if failed
    base::owner_id asker = 0;                        ///< in whose name it was asked
    int status = 0;
    scheduler::time until{};
    std::uint64_t inner = 0;
    std::uint64_t patience = 0;  ///< a timer, while others wait for what is asked in a name
    int hops = 0;
    std::vector<std::uint64_t> waiting;
  };

  void begin_asking(const std::string& origin, std::uint64_t ticket);
  void wait_for(const std::string& origin, site& asked, std::uint64_t ticket);
  void ask_for_all(const std::string& origin);
  void ask(const std::string& origin, request request);
  void answered(const std::string& origin, int hop, const request& asked, result<response> got);
  void read_on(const std::string& origin, std::uint64_t reading);
  void settle(const std::string& origin, site::state is, std::chrono::seconds keep);
  void proceed(std::uint64_t ticket, std::size_t& steps);
  [[nodiscard]] bool tell(std::uint64_t ticket, std::size_t& steps);
  [[nodiscard]] bool concerns(const site& known, base::owner_id owner) const;
  void judge(std::uint64_t ticket, std::size_t& steps);
  void decide(std::uint64_t ticket, const robots_rules::verdict& says);
  void leave(std::uint64_t ticket, error why);
  void finish(std::uint64_t ticket, result<response>&& got);
  void forget_old();
  void forget_large();
  [[nodiscard]] static std::size_t bytes_of(const site& one) noexcept {
    return one.rules ? one.rules->bytes() : 0;
  }

  transport& next_;
  scheduler& loop_;
  std::string user_agent_;
  pending_requests<pending_request> requests_;
  std::unordered_map<std::string, site, base::text_hash> sites_;
  std::uint64_t readings_ = 0;  ///< that have begun
};

}  // namespace freshet::http
