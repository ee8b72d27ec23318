// The sessions of the revisions with a handshake: found by an id that nobody guesses, by the key
// that opened them alone, and ended by the client, by silence, with their key, or to make room for
// newer ones. Each account has its share; who has most makes room first.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <server/mcp/event_log.hpp>
#include <server/mcp/session_core.hpp>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

namespace freshet::server::mcp {

struct session_limits {
  std::chrono::milliseconds idle{std::chrono::hours(1)};
  std::size_t of_all = 10'000;
  std::size_t of_account = 64;
  /// Answers that come in pieces and are not at their end, of all sessions of an account.
  std::size_t streams_of_account = 256;
  event_limits events;
};

struct session_owner;

struct http_session {
  std::string id, key;
  std::shared_ptr<session_core> talk;
  std::shared_ptr<event_log> log;
  std::chrono::steady_clock::time_point last_used;
  session_owner* owner = nullptr;
};

/// What an account has here; without accounts, a key.
struct session_owner {
  explicit session_owner(const std::shared_ptr<event_space>& all)
      : space(std::make_shared<account_space>(all)) {}
  std::list<http_session> sessions;  // the least recently used first
  std::shared_ptr<account_space> space;
  std::shared_ptr<std::atomic<std::size_t>> streams = std::make_shared<std::atomic<std::size_t>>(0);
};

/// Used on the io thread only.
class http_sessions {
 public:
  using clock = std::chrono::steady_clock;
  using key_judge = std::function<bool(std::string_view key)>;

  explicit http_sessions(const session_limits& limits)
      : limits_(limits), space_(std::make_shared<event_space>(limits.events)) {}
  ~http_sessions();

  /// A new session of `owner`, who is whom its key belongs to. Where he has too many, his own that
  /// is idle for longest makes room; where all have, one of whoever has most. Null if there is no
  /// room.
  [[nodiscard]] http_session* open(const std::string& owner, std::string key,
                                   std::shared_ptr<session_core> talk, bool primes,
                                   clock::time_point now);
  /// The session of this id, used now; null if the key has none.
  [[nodiscard]] http_session* find(std::string_view id, std::string_view key,
                                   clock::time_point now);
  void end(const http_session& which);
  /// A body for an answer of the session; null if its account has too many that nobody has read to
  /// their end.
  [[nodiscard]] std::shared_ptr<body_stream> make_body(const http_session& of) const;
  /// Ends those that have been idle for too long.
  void expire(clock::time_point now);
  /// Where much of the space for events is used, whoever has more than his share of it gives up the
  /// rest, so that there is room for others who come.
  void share_space();
  /// Asks of some keys whether they are still good, others at each call, and ends the sessions of
  /// those that are not. Returns how many keys it has asked of.
  std::size_t end_revoked(const key_judge& is_good);
  [[nodiscard]] std::size_t size() const noexcept { return by_id_.size(); }
  /// Bytes of events kept, of all.
  [[nodiscard]] std::size_t kept_bytes() const { return space_->used(); }

 private:
  using order = std::list<http_session>;
  using owners = std::map<std::string, session_owner, std::less<>>;

  void remove(order::iterator which);
  void resize(session_owner& owner, const std::function<void()>& change);
  [[nodiscard]] bool make_room(session_owner& for_whom);
  [[nodiscard]] bool end_one_of_most(const session_owner& for_whom);
  void forget_idle_owners();

  session_limits limits_;
  std::shared_ptr<event_space> space_;
  owners owners_;
  /// By the number of their sessions, so that who has most stands last.
  std::set<std::pair<std::size_t, session_owner*>> by_size_;
  std::unordered_map<std::string, order::iterator> by_id_;
  std::string judged_;  // the owner whose keys were asked of last
};

}  // namespace freshet::server::mcp
