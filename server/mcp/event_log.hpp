// The streams of one session: each request's messages as server-sent events with ids, kept within
// bounds so that a client which has lost its connection gets the rest by Last-Event-ID, and which
// wait there for a client that reads slowly. What could not be kept leaves a mark.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <server/http/body_stream.hpp>
#include <server/mcp/event_space.hpp>
#include <string>
#include <string_view>

namespace freshet::server::mcp {

/// Thread-safe. The oldest events go first. An answer that is not kept, for its age or its size,
/// leaves an error in its place; of notifications their number is told.
class event_log : public std::enable_shared_from_this<event_log> {
 public:
  /// The stream that belongs to no request: what a GET without Last-Event-ID listens to.
  static constexpr std::uint64_t own_stream = 0;

  /// `primes`: whether a stream begins with an event without data, from revision 2025-11-25 on.
  event_log(bool primes, std::shared_ptr<account_space> space);
  ~event_log();

  /// A stream for a request, carried by `body`, to which the handlers of its end are given.
  [[nodiscard]] std::uint64_t open(const std::shared_ptr<body_stream>& body);
  /// Carries the session's own stream by `body`; one that did so before is ended.
  void listen(const std::shared_ptr<body_stream>& body);
  /// Carries the stream of this event by `body`, with all that came after the event. False if the
  /// id is not one of ours, or nothing of its stream is kept.
  [[nodiscard]] bool resume(std::string_view last_event_id,
                            const std::shared_ptr<body_stream>& body);

  /// A notification, or a request of ours, of a stream.
  void append(std::uint64_t stream, std::string_view text);
  /// The answer to the request with this id, as JSON.
  void answer(std::uint64_t stream, std::string_view text, std::string id);
  /// Nothing more comes: the body ends after what waits, and so does one that is resumed later.
  void finish(std::uint64_t stream);
  /// Ends the body alone; the client comes back for the rest.
  void interrupt(std::uint64_t stream);
  void close();
  /// Keeps so much less, of what is oldest; returns how much less it is.
  std::size_t give_up(std::size_t bytes);
  /// Whether a request is unanswered or somebody listens.
  [[nodiscard]] bool is_busy() const;
  /// Whether the stream has room for more, or nobody reads it.
  [[nodiscard]] bool keeps_up(std::uint64_t stream) const;
  /// False if the stream has room for more, or nobody reads it. Otherwise `room` is called once
  /// that is so, on any thread; it is dropped when the session ends.
  [[nodiscard]] bool wait_for_room(std::uint64_t stream, std::function<void()> room);

 private:
  struct event {
    std::uint64_t stream = 0, number = 0;
    std::string frame;
    std::string id;  // of the request that it answers; "": none, or what is kept is a mark
  };
  struct stream {
    std::uint64_t last = 0;  // number of the newest event; 0 is the priming one
    std::uint64_t sent = 0;  // events up to this one were given to the body
    std::size_t kept = 0;    // events in kept_ that are its own
    bool finished = false;
    std::shared_ptr<body_stream> body;
    std::function<void()> room;
  };
  using streams = std::map<std::uint64_t, stream>;

  void add(std::uint64_t id, std::string_view text, std::string request_id);
  void carry(std::uint64_t id, stream& one, const std::shared_ptr<body_stream>& body);
  [[nodiscard]] std::string priming(std::uint64_t id, std::uint64_t number) const;
  void on_room(std::uint64_t id);
  void let_go(std::uint64_t id, const body_stream* body);
  void pump(streams::iterator which);
  [[nodiscard]] static bool has_room(const stream& one);
  [[nodiscard]] bool keep(event&& one);
  [[nodiscard]] bool make_space(std::size_t bytes);
  void shrink_oldest();
  void forget(std::deque<event>::iterator which);
  void forget_if_done(streams::iterator which);

  const bool primes_;
  const std::shared_ptr<account_space> space_;
  mutable std::mutex mutex_;  // guards the rest
  streams streams_;
  std::deque<event> kept_;
  std::size_t bytes_ = 0;
  std::uint64_t last_stream_ = own_stream;
};

}  // namespace freshet::server::mcp
