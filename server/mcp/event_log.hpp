// The streams of one session: each request's messages as server-sent events with ids, kept within
// bounds so that a client which has lost its connection gets the rest by Last-Event-ID.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <server/http/body_stream.hpp>
#include <string>
#include <string_view>

namespace freshet::server::mcp {

/// How much is kept. The bytes of all sessions are counted together, too.
struct event_limits {
  std::size_t bytes = 1024 * 1024;
  std::size_t events = 512;
  std::size_t bytes_of_all = 256 * 1024 * 1024;
};

/// Thread-safe. The oldest events go first; the newest one stays, whatever its size.
class event_log : public std::enable_shared_from_this<event_log> {
 public:
  /// The stream that belongs to no request: what a GET without Last-Event-ID listens to.
  static constexpr std::uint64_t own_stream = 0;

  /// `primes`: whether a stream begins with an event without data, from revision 2025-11-25 on.
  event_log(bool primes, const event_limits& limits,
            std::shared_ptr<std::atomic<std::size_t>> bytes_of_all);
  ~event_log();

  /// A stream for a request, carried by `body`, to which the handlers of its end are given.
  [[nodiscard]] std::uint64_t open(const std::shared_ptr<body_stream>& body);
  /// Carries the session's own stream by `body`; one that did so before is ended.
  void listen(const std::shared_ptr<body_stream>& body);
  /// Carries the stream of this event by `body`, with all that came after the event. False if the
  /// id is not one of ours, or what came after it is no longer kept.
  [[nodiscard]] bool resume(std::string_view last_event_id,
                            const std::shared_ptr<body_stream>& body);

  /// A message of a stream. A client that reads too slowly loses the connection, not the message.
  void append(std::uint64_t stream, std::string_view text);
  /// Nothing more comes: the body ends, and one that is resumed later ends after the rest.
  void finish(std::uint64_t stream);
  /// Ends the body alone; the client comes back for the rest.
  void interrupt(std::uint64_t stream);
  void close();
  /// Whether a request is unanswered or somebody listens.
  [[nodiscard]] bool is_busy() const;

 private:
  struct event {
    std::uint64_t stream = 0, number = 0;
    std::string frame;
  };
  struct stream {
    std::uint64_t last = 0;  // number of the newest event; 0 is the priming one
    std::uint64_t lost = 0;  // events up to this one are no longer kept
    std::size_t kept = 0;    // events in kept_ that are its own
    bool finished = false;
    std::shared_ptr<body_stream> body;
  };

  void carry(std::uint64_t id, stream& one, const std::shared_ptr<body_stream>& body);
  [[nodiscard]] std::string priming(std::uint64_t id, const stream& one) const;
  void let_go(std::uint64_t id, const body_stream* body);
  void trim();
  void forget_oldest();
  void forget_if_done(std::map<std::uint64_t, stream>::iterator which);

  const bool primes_;
  const event_limits limits_;
  const std::shared_ptr<std::atomic<std::size_t>> bytes_of_all_;
  mutable std::mutex mutex_;  // guards the rest
  std::map<std::uint64_t, stream> streams_;
  std::deque<event> kept_;
  std::size_t bytes_ = 0;
  std::uint64_t last_stream_ = own_stream;
};

}  // namespace freshet::server::mcp
