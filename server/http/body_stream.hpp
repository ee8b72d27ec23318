// The body of an answer that comes in pieces: a bounded queue between whoever makes them, on any
// thread, and the connection that writes them. It never waits: a maker hears that the queue is
// full, and decides itself what is left out or ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

namespace freshet::server {

/// Thread-safe. Its callbacks are called without a lock; those of its end at most once each.
class body_stream {
 public:
  /// Bytes that may wait for a slow client before a piece finds no room; the last one may go
  /// beyond.
  static constexpr std::size_t default_bytes = 256 * 1024;

  explicit body_stream(std::size_t max_bytes = default_bytes) : max_bytes_(max_bytes) {}

  // The maker's side.
  enum class put_result : std::uint8_t { taken, full, closed };
  /// Adds a piece, or nothing: `full` while the client reads too slowly, `closed` after its end.
  put_result put(std::string piece);
  /// Whether put() would take a piece now.
  [[nodiscard]] bool has_room() const;
  /// No piece comes any more, but for this one, which is taken whether there is room or not: what
  /// waits is still written, then the body ends.
  void finish(std::string last = {});
  /// Drops what waits and ends the connection, so that the client sees that something is missing;
  /// it then counts as gone.
  void cut();
  /// Somebody else goes on in its place: it ends where next to nothing waits, and is cut otherwise,
  /// so that nothing is kept in memory for whoever does not read it.
  void supersede();
  /// `room`: there is room again where there was none. Set it before the answer is sent.
  void when_room(std::function<void()> room);
  /// `gone`: the client has left, or lost its connection, before the end. `draining`: the server is
  /// going down; a body that would go on for long should end. Set them before the answer is sent.
  void when_gone(std::function<void()> gone);
  void when_draining(std::function<void()> draining);

  // The connection's side.
  /// `changed` is called whenever there is something to take where there was nothing.
  void attach(std::function<void()> changed);
  struct taken {
    std::string bytes;
    bool is_last = false;
  };
  /// All that waits. Nothing more is taken before it is written: that is what holds makers back.
  [[nodiscard]] taken take();
  /// Bytes that take() would give now.
  [[nodiscard]] std::size_t waiting() const;
  [[nodiscard]] bool is_cut() const;
  void leave();
  void drain();

 private:
  mutable std::mutex mutex_;
  std::size_t max_bytes_;
  std::string waiting_;
  bool finished_ = false;
  bool cut_ = false;
  std::size_t writing_ = 0;  // bytes that were taken last and are not known to be written
  bool closed_ = false;      // the last piece is taken, or the client has gone
  std::function<void()> changed_, gone_, draining_, room_;
};

}  // namespace freshet::server
