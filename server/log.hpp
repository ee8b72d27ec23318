// The log: one JSON object a line on a file descriptor. Every text is escaped, so that no request
// can forge a line, and whatever looks like an API key is blotted out; bodies are never given to
// it. A thread of its own writes: nobody who logs ever waits for whoever reads the log.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace freshet::server {

/// One answered request.
struct access_record {
  std::string_view request_id, method, path;
  int status = 0;
  double elapsed_ms = 0;
  std::int64_t credits = 0;
  std::size_t bytes = 0;  ///< of the answer's body, as sent
};

/// Thread-safe, and never blocks: lines for which there is no room are dropped and counted, and the
/// count is a line as soon as there is room again. The descriptor is borrowed.
class logger {
 public:
  /// Lines that wait for the writer, in bytes.
  static constexpr std::size_t default_room = 4 * 1024 * 1024;

  /// `access` false: lines of answered requests are left out.
  explicit logger(int descriptor, bool access = true, std::size_t room = default_room);
  /// Writes what waits, for at most a second.
  ~logger();
  logger(const logger&) = delete;
  logger& operator=(const logger&) = delete;

  /// "info", "warn" or "error" and a message, written at once.
  void line(std::string_view level, std::string_view message);
  /// Written with those that come soon after, so that a burst of requests costs one write.
  void access(const access_record& of);
  /// Waits until all of it is written, or the time is over; returns whether it is.
  bool flush(std::chrono::milliseconds at_most);
  /// Lines that found no room, since the beginning.
  [[nodiscard]] std::uint64_t dropped() const;

 private:
  struct state;
  std::shared_ptr<state> state_;  // the writer's too: it may hang in the kernel when we go
  bool access_;
};

/// Appends `text` as a JSON string: controls escaped, ill-formed UTF-8 as U+FFFD, keys as
/// "frs_live_***".
void append_log_text(std::string& out, std::string_view text);

}  // namespace freshet::server
