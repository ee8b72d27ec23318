// The transport that an engine uses: cache -> front -> kept tokens -> single flight -> answers of
// other servers -> redirects -> robots -> recording -> breaker, pace, retries -> curl; a replay,
// where the operator asks for it, stands in the place of the last two. CONTRIBUTING.md draws it.
#pragma once

#include <base/clock.hpp>
#include <base/fair_queue.hpp>
#include <base/shelf.hpp>
#include <cstdint>
#include <functional>
#include <http/answer_pool.hpp>
#include <http/quota_pool.hpp>
#include <http/transport.hpp>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::http {

/// How gently one pace key (a source) is to be asked.
struct pace_limits {
  std::chrono::milliseconds min_interval{0};
  int max_concurrent = 4;
  /// What would have to wait longer for its turn is refused at once; 0: only by its deadline.
  std::chrono::milliseconds max_wait{0};
  std::vector<daily_limit> daily{};  ///< all of them hold
};

struct stack_options {
  std::string user_agent;  ///< with a contact
  /// CIDRs and HOST:PORT that every request may reach though they are private.
  std::vector<std::string> allow_private;
  /// The same for requests whose target the operator chose, beside the ones above.
  std::vector<std::string> allow_chosen;
  /// Where the program itself listens: no network in `allow_private` opens these of its machine.
  std::vector<std::uint16_t> own_ports;
  /// Only 80, 443 and, under an allowed CIDR, any port. True lifts that for public hosts.
  bool any_port = false;
  /// False leaves out breaker, pace and retries: for the client of one server that says itself what
  /// it will not do, and whose answers are about one call or one key, not about the server.
  bool polite = true;
  /// Who may vouch for servers, in PEM; "": whom the system trusts.
  std::string ca_file;
  std::shared_ptr<base::shelf> shelf;  ///< where the cache keeps answers; null: there is no cache
  std::map<std::string, pace_limits, std::less<>> paces;
  std::string quota_path;      ///< the file of daily quotas; "" to count in memory alone
  quota_pool* pool = nullptr;  ///< of servers that count them together; null: this one counts alone
  answer_pool* answers = nullptr;  ///< of servers that keep them for each other; null: none does
  std::string answers_secret;      ///< of names there, the same on all of them
  /// Whether accounts share what sources give in a day; null: never. On any thread.
  std::function<bool()> has_shares;
  /// Books what the network thread has spent on an account's answers. On that thread; may be null.
  std::function<void(base::owner_id, std::chrono::nanoseconds)> used_processor;
  /// Told that a breaker holds back what a source would be asked, for so long. On the network
  /// thread; it must neither wait nor throw. May be null.
  std::function<void(const request&, std::chrono::milliseconds)> opened;
  /// Told that nobody was there to be asked: a connection was refused, or waited for in vain for
  /// longer than three seconds. Like `opened`.
  std::function<void(const request&)> unreached;
  std::string record_path;  ///< HAR 1.2 to write; "" for none
  std::string replay_path;  ///< HAR 1.2 to answer from, instead of the network; "" for none
  const base::clock* clock = nullptr;
  /// Called with "warning"/"info" and one line.
  std::function<void(std::string_view, std::string_view)> log;
};

/// What a stack does now, and has done since the start.
struct stack_figures {
  std::uint64_t cache_hits = 0, cache_misses = 0;
  std::size_t pending = 0;                                       ///< requests without an answer yet
  std::size_t exchanges = 0;                                     ///< those on the network
  std::uint64_t pool_hits = 0, pool_misses = 0, pool_waits = 0;  ///< of answers of other servers
  std::uint64_t quotas_alone = 0;  ///< requests judged by this server's share of a day, for want of
                                   ///< the pool
};

/// The whole stack, which says how it is.
class stack_transport : public transport {
 public:
  /// Thread-safe.
  [[nodiscard]] virtual stack_figures figures() const = 0;
  /// Runs something short, which must not throw, at that moment on the network thread; never, if
  /// the stack ends before. Thread-safe.
  virtual void wake_at(std::chrono::steady_clock::time_point when,
                       std::function<void()> function) = 0;
};

/// Error: invalid_configuration (a bad CIDR, an unreadable HAR or file of certificates).
[[nodiscard]] result<std::unique_ptr<stack_transport>> make_stack(stack_options options);

enum class replay_match {
  exact,    ///< method, URL and body
  nearest,  ///< else the same method, host and path with the fewest differing query parameters
};

/// A transport over HAR texts alone; it never touches the network. What is not in them is answered
/// with source_error whose detail names the request, except robots.txt, which is 404.
[[nodiscard]] result<std::unique_ptr<transport>> make_replay(
    const std::vector<std::string_view>& har_texts, replay_match match, const base::clock* clock);

}  // namespace freshet::http
