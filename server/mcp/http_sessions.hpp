// The sessions of the revisions with a handshake: found by an id that nobody guesses, by the key
// that opened them alone, and ended by the client, by silence, or to make room for newer ones.
#pragma once

#include <chrono>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <server/mcp/event_log.hpp>
#include <server/mcp/session_core.hpp>
#include <string>
#include <string_view>
#include <unordered_map>

namespace freshet::server::mcp {

struct session_limits {
  std::chrono::milliseconds idle{std::chrono::hours(1)};
  std::size_t of_all = 10'000;
  std::size_t of_one_key = 64;
  event_limits events;
};

struct http_session {
  std::string id, key;
  std::shared_ptr<session_core> talk;
  std::shared_ptr<event_log> log;
  std::chrono::steady_clock::time_point last_used;
};

/// Used on the io thread only.
class http_sessions {
 public:
  using clock = std::chrono::steady_clock;

  explicit http_sessions(const session_limits& limits) : limits_(limits) {}
  ~http_sessions();

  /// A new session; where the key has too many, its oldest that is idle makes room. Null if there
  /// is no room.
  [[nodiscard]] http_session* open(std::string key, std::shared_ptr<session_core> talk, bool primes,
                                   clock::time_point now);
  /// The session of this id, used now; null if the key has none.
  [[nodiscard]] http_session* find(std::string_view id, std::string_view key,
                                   clock::time_point now);
  void end(const http_session& which);
  /// Ends those that have been idle for too long.
  void expire(clock::time_point now);
  [[nodiscard]] std::size_t size() const noexcept { return by_id_.size(); }

 private:
  using order = std::list<http_session>;  // the least recently used first

  void remove(order::iterator which);
  [[nodiscard]] bool make_room(const std::string& key);

  session_limits limits_;
  order sessions_;
  std::unordered_map<std::string, order::iterator> by_id_;
  std::map<std::string, std::size_t> of_key_;
  std::shared_ptr<std::atomic<std::size_t>> kept_bytes_ =
      std::make_shared<std::atomic<std::size_t>>(0);
};

}  // namespace freshet::server::mcp
