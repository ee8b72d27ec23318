// The log: one JSON object a line on a file descriptor. Every text is escaped, so that no request
// can forge a line, and whatever looks like an API key is blotted out; bodies are never given to
// it.
#pragma once

#include <cstdint>
#include <mutex>
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

/// Thread-safe. The descriptor is borrowed.
class logger {
 public:
  /// `access` false: lines of answered requests are left out.
  explicit logger(int descriptor, bool access = true);
  ~logger();

  /// "info", "warn" or "error" and a message, written at once.
  void line(std::string_view level, std::string_view message);
  /// Kept until flush(), so that a burst of requests costs one write; returns whether a flush is
  /// due that nobody has been told of yet.
  [[nodiscard]] bool access(const access_record& of);
  void flush();

 private:
  void flush_locked();
  int descriptor_;
  bool access_;
  std::mutex mutex_;
  std::string pending_;
  bool flush_due_ = false;
};

/// Appends `text` as a JSON string: controls escaped, ill-formed UTF-8 as U+FFFD, keys as
/// "frs_live_***".
void append_log_text(std::string& out, std::string_view text);

}  // namespace freshet::server
